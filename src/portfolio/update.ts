import type { ActivityItem, TransferItem } from '../domain/records.ts';
import { groupBy } from '../lib/group-by.ts';
import { marketKey, shortHash } from './market.ts';
import type { Portfolio } from './portfolio.ts';
import { followedPositions, withoutMarkets } from './positions/known-markets.ts';
import { type ItemStory, type NewFill, newFill, placeInMarket } from './positions/market-stories.ts';
import { foldPositions } from './positions/totals.ts';
import type { TradeContext, TradeSizes } from './trade-context.ts';
import { addLargest } from './trades/largest.ts';
import { SIZES_KEPT, tradeId, tradeSizes, usualSince } from './trades/sizes.ts';
import { addToVolume, type Volume, type VolumeEntry } from './trades/volume.ts';

/** Hashes of markets that are kept, to know whether a trade is the first in its market. */
const MARKETS_LIMIT = 300;

const SUM_OF_ACTION = { Buy: 'bought', Sell: 'sold', Redeem: 'redeemed' } as const;

/** What the portfolio says of an item. */
export interface ItemMeaning {
  /** Null where it is not exact, for an action that the contract does not describe, and for 0 shares. */
  readonly context: TradeContext | null;
  /** Null for a redemption, and where every room has seen too few trades before it. */
  readonly sizes: TradeSizes | null;
  /**
   * Whether what was sold of earlier purchases in its market cannot be told any more: the market is not known from its first
   * record, or this item comes before a sale that was counted without it.
   */
  readonly isDoubtful: boolean;
  /** Whether the venue has to be asked what the wallet did in its market: nothing of it was followed when the item came. */
  readonly isUnknown: boolean;
}

/**
 * Adds trades and redemptions.
 *
 * @param items oldest first, each record once; duplicate records as items of their own
 * @param nowSeconds the venue's clock, Unix seconds
 * @param isAlerted whether a channel follows purchases in a market, by its `marketKey`: such a market is not given up
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 * @returns with what each item means, in their order
 */
export function addActivity(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  nowSeconds: number,
  isAlerted: (market: string) => boolean = () => false,
  boundaries: readonly number[] = [],
): { readonly portfolio: Portfolio; readonly meanings: readonly ItemMeaning[] } {
  const entries = items.map(newFill);
  const sizes = tradeSizes(items);
  const usual = usualSince(portfolio.sizes, boundaries);
  const { stories, late, unknown, ...placed } = placeEntries(portfolio, entries);
  const traded = entries.flatMap((entry) => volumeEntry(entry, stories.get(entry)));
  const lateSeconds = Math.min(...late.map(({ item }) => item.time));
  const updated: Portfolio = {
    ...placed.portfolio,
    sizes: [...portfolio.sizes, ...sizes.values()].slice(-SIZES_KEPT),
    volume: addToVolume(
      portfolio.volume,
      [...traded, ...doubts(portfolio.volume, lateSeconds)],
      nowSeconds,
      boundaries,
    ),
    largest: addLargest(portfolio.largest, items, nowSeconds),
  };
  const meanings = entries.map((entry): ItemMeaning => {
    const { context = null, isDoubtful = entry.item.quantity > 0 } = stories.get(entry) ?? {};
    const trade = sizes.get(tradeId(entry.item));
    const isSized = entry.fill !== undefined && trade !== undefined && usual.length > 0;
    const isUnknown = unknown.has(entry) && entry.item.quantity > 0;
    return { context, isDoubtful, isUnknown, sizes: isSized ? { usdc: trade[1], usual } : null };
  });
  return { meanings, portfolio: foldPositions(updated, nowSeconds, isAlerted) };
}

/**
 * Puts new fills into the portfolio's positions.
 *
 * @returns what they did where their market is followed, those that changed what had been counted after them, and those of
 * markets that are not followed
 */
function placeEntries(portfolio: Portfolio, entries: readonly NewFill[]) {
  const markets = new Set(portfolio.markets);
  const positions = new Map(portfolio.positions.map((position) => [position.key, position]));
  const stories = new Map<NewFill, ItemStory>();
  const late: NewFill[] = [];
  const unknown = new Set<NewFill>();
  const lost = new Set<string>();
  for (const [market, group] of groupBy(entries, ({ item }) => marketKey(item))) {
    const hash = shortHash(market);
    const isNew = !portfolio.marketsCut && !markets.has(hash);
    // Last traded last.
    markets.delete(hash);
    markets.add(hash);
    const followed = followedPositions(portfolio, market);
    if (followed === null) {
      for (const entry of group) unknown.add(entry);
      continue;
    }
    // It may belong to a position that is counted as closed, or be in what the venue has answered.
    const placeFrom = Math.max(portfolio.closedSeconds + 1, ...followed.map(({ boundarySeconds }) => boundarySeconds));
    const isTooLate = group.some(({ item, fill }) => fill !== undefined && item.time < placeFrom);
    const placed = isTooLate ? null : placeInMarket(followed, group, isNew);
    if (placed === null) {
      lost.add(market);
      late.push(...group);
      continue;
    }
    for (const position of placed.positions) positions.set(position.key, position);
    for (const [entry, story] of placed.stories) {
      stories.set(entry, story);
      if (story.isBeforeSale) late.push(entry);
    }
  }
  const updated: Portfolio = {
    ...withoutMarkets({ ...portfolio, positions: [...positions.values()] }, lost),
    markets: [...markets].slice(-MARKETS_LIMIT),
    marketsCut: portfolio.marketsCut || markets.size > MARKETS_LIMIT,
  };
  return { portfolio: updated, stories, late, unknown };
}

/**
 * Adds deposits and withdrawals.
 *
 * @param items oldest first
 * @param sinceSeconds Unix seconds from which all of them are known; counts with the first page only
 * @param nowSeconds the venue's clock, Unix seconds
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 */
export function addTransfers(
  portfolio: Portfolio,
  items: readonly TransferItem[],
  sinceSeconds: number,
  nowSeconds: number,
  boundaries: readonly number[] = [],
): Portfolio {
  const last = { deposit: portfolio.lastDeposit, withdrawal: portfolio.lastWithdrawal };
  const entries = items.flatMap(({ type, time: timeSeconds, amount }) => {
    if (type !== 'deposit' && type !== 'withdrawal') return [];
    if (timeSeconds >= (last[type]?.timeSeconds ?? 0)) last[type] = { timeSeconds, amount };
    const sums = type === 'deposit' ? { deposited: amount } : { withdrawn: amount };
    return [{ timeSeconds, sums: { ...sums, transfers: 1 } }];
  });
  return {
    ...portfolio,
    transfersSinceSeconds: portfolio.transfersSinceSeconds ?? sinceSeconds,
    lastDeposit: last.deposit,
    lastWithdrawal: last.withdrawal,
    volume: addToVolume(portfolio.volume, entries, nowSeconds, boundaries),
  };
}

/**
 * The portfolio after a gap in the trades: what is held in any market is unknown from there on. Profits and volume of before
 * stay.
 *
 * @param atSeconds Unix seconds of the end of the gap
 */
export function restartAfterGap(portfolio: Portfolio, atSeconds: number): Portfolio {
  return {
    ...portfolio,
    sinceSeconds: Math.max(portfolio.sinceSeconds, atSeconds),
    isWhole: false,
    positions: [],
    lostMarkets: [],
    markets: [],
    marketsCut: false,
  };
}

/** Trades count with their gross value, redemptions with what came back. */
function volumeEntry({ item, fill }: NewFill, story: ItemStory | undefined): VolumeEntry[] {
  if (fill === undefined) return [];
  const { action } = fill;
  const role = item.liquidityRole?.toLowerCase();
  const usdc = action === 'Redeem' ? -item.transferNetAmount : Math.abs(item.grossValue);
  const realized = story?.context?.realized ?? null;
  return [
    {
      timeSeconds: item.time,
      sums: {
        [SUM_OF_ACTION[action]]: usdc,
        ...(realized !== null && { realized }),
        trades: 1,
        ...((role === 'maker' || role === 'taker') && { [role]: 1 }),
        ...(action !== 'Buy' && realized === null && { unknownSales: 1 }),
      },
    },
  ];
}

/** Takes back what was said to be realized since a time, Unix seconds: it was counted without what came late. */
function doubts(volume: Volume, sinceSeconds: number): VolumeEntry[] {
  return volume
    .filter(({ sums }) => sums.realized !== undefined)
    .filter(({ startSeconds, lengthSeconds }) => startSeconds + lengthSeconds > sinceSeconds)
    .map(({ startSeconds }) => ({ timeSeconds: startSeconds, sums: { unknownSales: 1 } }));
}
