import { createHash } from 'node:crypto';
import { Exact, stored } from '../lib/exact.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import type { TradeContext } from './context.ts';
import { averageEntryCents, type Fill } from './holding.ts';
import { addLargest } from './largest.ts';
import { marketKey, outcomeKey } from './outcome.ts';
import { fillOf, holdingOf, openPosition, type PlacedStep, type Position, place } from './position.ts';
import type { Portfolio } from './schema.ts';
import { percentile, SIZES_KEPT, SIZES_NEEDED, tradeId, tradeSizes } from './sizes.ts';
import { fold } from './totals.ts';
import { addToVolume } from './volume.ts';

const MARKETS_LIMIT = 300;

/**
 * Writes trades and redemptions into the book.
 *
 * @param items oldest first; each record once, a twin as an item of its own
 * @param nowSeconds the venue's clock, Unix seconds
 * @returns the new book, and what it says about each item; null about an action that the contract does not describe
 */
export function writeActivity(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  nowSeconds: number,
): { readonly portfolio: Portfolio; readonly contexts: readonly (TradeContext | null)[] } {
  const written = writeFills(portfolio, items, nowSeconds);
  return { ...written, portfolio: { ...written.portfolio, largest: addLargest(portfolio.largest, items, nowSeconds) } };
}

/** As `writeActivity`, but the largest trades stay as they were: only digests tell of them. */
export function writeFills(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  nowSeconds: number,
): { readonly portfolio: Portfolio; readonly contexts: readonly (TradeContext | null)[] } {
  const positions = new Map(portfolio.positions.map((position) => [position.key, position]));
  const fills = items.map((item) => fillOf(item));
  const steps = new Map<Fill, PlacedStep>();
  for (const [key, indexes] of groupIndexes(items, outcomeKey)) {
    const placed = indexes.map((index) => fills[index]).filter((fill) => fill !== undefined);
    const first = items[indexes[0] ?? 0];
    if (placed.length === 0 || first === undefined) continue;
    const done = place(positions.get(key) ?? openPosition(first), placed);
    positions.set(key, done.position);
    for (const [index, fill] of placed.entries()) {
      const step = done.steps[index];
      if (step !== undefined) steps.set(fill, step);
    }
  }
  const sizes = tradeSizes(items);
  const markets = new Set(portfolio.markets);
  const contexts = items.map((item, index): TradeContext | null => {
    const fill = fills[index];
    const step = fill === undefined ? undefined : steps.get(fill);
    if (fill === undefined || step === undefined) return null;
    const hash = marketHash(item);
    const isFirstInMarket = !markets.has(hash);
    markets.delete(hash);
    markets.add(hash);
    return {
      sharesBefore: step.before.shares,
      sharesAfter: step.after.shares,
      entryCents: averageEntryCents(fill.action === 'Buy' ? step.after : step.before),
      realized: step.realized,
      costOfSold: stored(new Exact(step.after.costOfSold).minus(step.before.costOfSold)),
      unknownShares: step.unknownShares,
      oppositeShares: oppositeShares(positions, item),
      isFirstInMarket: isFirstInMarket && !portfolio.marketsCut,
      sinceSeconds: portfolio.sinceSeconds,
      isWhole: portfolio.isWhole,
      heldSinceSeconds: heldSince(portfolio.positions, positions, item),
      size: sizeOf(sizes.get(tradeId(item)), portfolio.sizes),
    };
  });
  const volume = addToVolume(
    portfolio.volume,
    items.flatMap((item, index) => {
      const fill = fills[index];
      return fill === undefined ? [] : [volumeEntry(item, fill, steps.get(fill))];
    }),
    nowSeconds,
  );
  return {
    contexts,
    portfolio: fold(
      {
        ...portfolio,
        positions: [...positions.values()],
        markets: [...markets].slice(-MARKETS_LIMIT),
        marketsCut: portfolio.marketsCut || markets.size > MARKETS_LIMIT,
        sizes: [...portfolio.sizes, ...sizes.values()].slice(-SIZES_KEPT),
        volume,
        seen: portfolio.seen + fills.filter((fill) => fill !== undefined).length,
      },
      nowSeconds,
    ),
  };
}

/** Writes deposits and withdrawals into the book. @param sinceSeconds from when on they are all known */
export function writeTransfers(
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
    return [{ timeSeconds: time, sums, counts: {} }];
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
 * After a time of which trades may be missing nothing that was held is known any more: the book begins anew there.
 * What had been earned and traded before stays, for that was seen.
 */
export function cutPortfolio(portfolio: Portfolio, atSeconds: number): Portfolio {
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

function oppositeShares(positions: ReadonlyMap<string, Position>, item: ActivityItem): string {
  let shares = new Exact(0);
  for (const position of positions.values()) {
    if (position.market !== marketKey(item) || position.key === outcomeKey(item)) continue;
    shares = shares.plus(holdingOf(position).shares);
  }
  return stored(shares);
}

/** The oldest purchase of what is held in an item's market, before the page or after it. */
function heldSince(before: readonly Position[], after: ReadonlyMap<string, Position>, item: ActivityItem): number {
  const market = marketKey(item);
  const held = [...before, ...after.values()].filter(
    (position) => position.market === market && holdingOf(position).shares !== '0',
  );
  return Math.min(item.time, ...held.map(({ openedSeconds }) => openedSeconds));
}

function sizeOf(usdc: number | undefined, before: readonly number[]): TradeContext['size'] {
  const p95 = before.length < SIZES_NEEDED ? null : percentile(before, 95);
  return usdc === undefined || p95 === null ? null : { usdc, p95, trades: before.length };
}

function volumeEntry(item: ActivityItem, fill: Fill, step: PlacedStep | undefined) {
  const realized = step?.realized ?? null;
  const isUnknown = step !== undefined && step.unknownShares !== '0';
  const sum = { Buy: 'bought', Sell: 'sold', Redeem: 'redeemed' } as const;
  const role = item.liquidityRole?.toLowerCase();
  const usdc = fill.action === 'Redeem' ? -fill.netUsdc : Math.abs(item.grossValue);
  return {
    timeSeconds: fill.timeSeconds,
    sums: { [sum[fill.action]]: usdc, fees: fill.feeUsdc, ...(realized === null ? {} : { realized }) },
    counts: {
      trades: 1,
      ...(role === 'maker' ? { maker: 1 } : {}),
      ...(role === 'taker' ? { taker: 1 } : {}),
      ...(isUnknown ? { unknownSales: 1 } : {}),
    },
  };
}

function marketHash(item: ActivityItem): string {
  return createHash('sha256').update(marketKey(item)).digest('base64url').slice(0, 8);
}

function groupIndexes<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return groups;
}
