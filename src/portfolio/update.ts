import { createHash } from 'node:crypto';
import type { ActivityItem, TransferItem } from '../feed/interface.ts';
import { Exact, stored, sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { marketKey, outcomeKey } from './market.ts';
import type { Portfolio } from './portfolio.ts';
import { averageEntryCents } from './positions/holding.ts';
import { fillOf, holdingOf, openPosition, type PlacedFill, type Position, placeFills } from './positions/position.ts';
import { foldPositions } from './positions/totals.ts';
import type { TradeContext } from './trade-context.ts';
import { addLargest } from './trades/largest.ts';
import { SIZES_KEPT, SIZES_NEEDED, tradeId, tradeSizes, usualSizes } from './trades/sizes.ts';
import { addToVolume, type VolumeEntry } from './trades/volume.ts';

/** Hashes of markets that are kept, to know whether a trade is the first in its market. */
const MARKETS_LIMIT = 300;

const SUM_OF_ACTION = { Buy: 'bought', Sell: 'sold', Redeem: 'redeemed' } as const;

export interface UpdatedPortfolio {
  readonly portfolio: Portfolio;
  /** The context of each item, in their order; null for an action that the contract does not describe, and for 0 shares. */
  readonly contexts: readonly (TradeContext | null)[];
}

/**
 * Adds trades and redemptions.
 *
 * @param items oldest first, each record once; duplicate records as items of their own
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function addActivity(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  nowSeconds: number,
): UpdatedPortfolio {
  const updated = addFills(portfolio, items, nowSeconds);
  return { ...updated, portfolio: { ...updated.portfolio, largest: addLargest(portfolio.largest, items, nowSeconds) } };
}

/** `addActivity` without the largest trades, which only digests show. For the portfolio of a list that somebody looks at. */
export function addFills(portfolio: Portfolio, items: readonly ActivityItem[], nowSeconds: number): UpdatedPortfolio {
  const positions = new Map(portfolio.positions.map((position) => [position.key, position]));
  const placed = placeItems(positions, items);
  const sizes = tradeSizes(items);
  const markets = new Set(portfolio.markets);
  const contexts = items.map((item, index): TradeContext | null => {
    const fill = placed[index];
    if (fill === undefined) return null;
    const hash = marketHash(item);
    const isFirstInMarket = !portfolio.marketsCut && !markets.has(hash);
    // Last traded last.
    markets.delete(hash);
    markets.add(hash);
    return {
      sharesBefore: fill.before.shares,
      sharesAfter: fill.after.shares,
      entryCents: averageEntryCents(item.action === 'Buy' ? fill.after : fill.before),
      realized: fill.realized,
      costOfSold: stored(new Exact(fill.after.costOfSold).minus(fill.before.costOfSold)),
      unknownShares: fill.unknownShares,
      oppositeShares: oppositeShares(positions, item),
      isFirstInMarket,
      sinceSeconds: portfolio.sinceSeconds,
      isWhole: portfolio.isWhole,
      heldSinceSeconds: heldSince(portfolio.positions, positions, item),
      size: sizeContext(sizes.get(tradeId(item)), portfolio.sizes),
    };
  });
  const volumeEntries = items.flatMap((item, index) => {
    const fill = placed[index];
    return fill === undefined ? [] : [volumeEntry(item, fill)];
  });
  const updated: Portfolio = {
    ...portfolio,
    positions: [...positions.values()],
    markets: [...markets].slice(-MARKETS_LIMIT),
    marketsCut: portfolio.marketsCut || markets.size > MARKETS_LIMIT,
    sizes: [...portfolio.sizes, ...sizes.values()].slice(-SIZES_KEPT),
    volume: addToVolume(portfolio.volume, volumeEntries, nowSeconds),
    seen: portfolio.seen + placed.filter((fill) => fill !== undefined).length,
  };
  return { contexts, portfolio: foldPositions(updated, nowSeconds) };
}

/**
 * Puts the fills of items into their positions, in place; opens positions for new outcomes.
 *
 * @param items oldest first; one may be there twice
 * @returns what each item changed, in their order; undefined where it is no fill
 */
function placeItems(positions: Map<string, Position>, items: readonly ActivityItem[]): (PlacedFill | undefined)[] {
  const placedByIndex: (PlacedFill | undefined)[] = items.map(() => undefined);
  const fills = items.flatMap((item, index) => {
    const fill = fillOf(item);
    return fill === undefined ? [] : [{ index, item, fill }];
  });
  for (const [key, group] of groupBy(fills, ({ item }) => outcomeKey(item))) {
    const before = positions.get(key) ?? openPosition(group[0].item);
    const { position, placed } = placeFills(
      before,
      group.map(({ fill }) => fill),
    );
    positions.set(key, position);
    for (const [at, { index }] of group.entries()) placedByIndex[index] = placed[at];
  }
  return placedByIndex;
}

/**
 * Adds deposits and withdrawals.
 *
 * @param items oldest first
 * @param sinceSeconds Unix seconds from which all of them are known; counts with the first page only
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function addTransfers(
  portfolio: Portfolio,
  items: readonly TransferItem[],
  sinceSeconds: number,
  nowSeconds: number,
): Portfolio {
  const newest = (type: string, before: Portfolio['lastDeposit']) =>
    items
      .filter((item) => item.type === type)
      .reduce(
        (last, { time, amount }) => (last === null || time >= last.timeSeconds ? { timeSeconds: time, amount } : last),
        before,
      );
  const entries = items.flatMap(({ type, time, amount }) => {
    if (type !== 'deposit' && type !== 'withdrawal') return [];
    const sums = type === 'deposit' ? { deposited: amount } : { withdrawn: amount };
    return [{ timeSeconds: time, sums, counts: { transfers: 1 } }];
  });
  return {
    ...portfolio,
    transfersSinceSeconds: portfolio.transfersSinceSeconds ?? sinceSeconds,
    lastDeposit: newest('deposit', portfolio.lastDeposit),
    lastWithdrawal: newest('withdrawal', portfolio.lastWithdrawal),
    volume: addToVolume(portfolio.volume, entries, nowSeconds),
  };
}

/**
 * The portfolio after a gap in the trades: what is held is unknown from there on. Profits and volume of before stay.
 *
 * @param atSeconds Unix seconds of the end of the gap
 */
export function restartAfterGap(portfolio: Portfolio, atSeconds: number): Portfolio {
  return {
    ...portfolio,
    sinceSeconds: Math.max(portfolio.sinceSeconds, atSeconds),
    isWhole: false,
    positions: [],
    folded: { count: 0, cost: '0' },
    markets: [],
    marketsCut: false,
  };
}

/** Shares held of the other outcomes of an item's market. */
function oppositeShares(positions: ReadonlyMap<string, Position>, item: ActivityItem): string {
  const [market, key] = [marketKey(item), outcomeKey(item)];
  const others = [...positions.values()].filter((position) => position.market === market && position.key !== key);
  return stored(sum(others.map((position) => holdingOf(position).shares)));
}

/** Unix seconds of the oldest purchase of what is held in an item's market, before the page or after it. */
function heldSince(before: readonly Position[], after: ReadonlyMap<string, Position>, item: ActivityItem): number {
  const market = marketKey(item);
  const held = [...before, ...after.values()].filter(
    (position) => position.market === market && holdingOf(position).shares !== '0',
  );
  return Math.min(item.time, ...held.map(({ openedSeconds }) => openedSeconds));
}

/** @param usdc gross, of the trade; undefined for a redemption @param before sizes of the trades before it, gross USDC */
function sizeContext(usdc: number | undefined, before: readonly number[]): TradeContext['size'] {
  const usual = before.length < SIZES_NEEDED ? null : usualSizes(before);
  return usdc === undefined || usual === null ? null : { usdc, ...usual, trades: before.length };
}

/** Trades count with their gross value, redemptions with what came back. */
function volumeEntry(item: ActivityItem, { fill: { action }, realized, unknownShares }: PlacedFill): VolumeEntry {
  const role = item.liquidityRole?.toLowerCase();
  const usdc = action === 'Redeem' ? -item.transferNetAmount : Math.abs(item.grossValue);
  return {
    timeSeconds: item.time,
    sums: { [SUM_OF_ACTION[action]]: usdc, fees: item.fee, ...(realized === null ? {} : { realized }) },
    counts: {
      trades: 1,
      ...(role === 'maker' ? { maker: 1 } : {}),
      ...(role === 'taker' ? { taker: 1 } : {}),
      ...(unknownShares === '0' ? {} : { unknownSales: 1 }),
    },
  };
}

function marketHash(item: ActivityItem): string {
  return createHash('sha256').update(marketKey(item)).digest('base64url').slice(0, 8);
}
