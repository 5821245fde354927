import type { ActivityItem, TransferItem } from '../domain/records.ts';
import { groupBy } from '../lib/group-by.ts';
import { addToAccounts, withoutMarkets } from './accounts/accounts.ts';
import { entryKeys, marketKey, marketOf } from './market.ts';
import { foldPositions, followedPositions, type Portfolio } from './portfolio.ts';
import { fillOf, type ItemStory, placeInMarket } from './positions/position.ts';
import { recordFill } from './record/record.ts';
import type { TradeContext, TradeSizes } from './trade-context.ts';
import { addLargest, SIZES_KEPT, tradeId, tradeSizes, usualSince } from './trades/trades.ts';
import { addToVolume, type VolumeEntry } from './trades/volume.ts';

/** Meaning of an item for the portfolio. */
export interface ItemMeaning {
  /** Null if it is not exact, for actions that the API does not describe, and for 0 shares. */
  readonly context: TradeContext | null;
  /** Null for a redemption, and if every channel has seen too few trades before it. */
  readonly sizes: TradeSizes | null;
  /**
   * True if it is no longer known how much was sold of earlier purchases in its market, because the
   * market is not known from its first record on, or this item comes before a sale that was counted
   * without it.
   */
  readonly isUncertain: boolean;
  /**
   * True if the venue has to be asked what the wallet did in the market, because it was not tracked
   * when the item came.
   */
  readonly isUnknown: boolean;
}

/**
 * Adds trades and redemptions.
 * @param items oldest first, each record once; duplicate records as separate items
 * @param nowSeconds the venue's clock, in Unix seconds
 * @param known `isNew`: whether the wallet is known never to have bought in a market;
 *   `matureToSeconds`: time up to which its markets are mature, in Unix seconds
 * @returns the portfolio, and the meanings of the items in order
 */
export function addActivity(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  nowSeconds: number,
  {
    isNew = (_market: string): boolean => false,
    boundaries = [] as readonly number[],
    matureToSeconds = null as number | null,
    givenUp = new Set<string>() as ReadonlySet<string>,
  } = {},
) {
  const sizes = tradeSizes(items);
  const usual = usualSince(portfolio.sizes, boundaries);
  const { positions, stories, lost, begun } = placeItems(portfolio, items, isNew, givenUp);
  const fills = items.flatMap((item) => recordFill(item) ?? []);
  const isBegun = (market: string) => begun.has(market);
  const accounts = addToAccounts(
    withoutMarkets(portfolio.accounts, givenUp),
    fills.filter(({ market }) => !givenUp.has(market)),
    matureToSeconds,
    boundaries,
    isBegun,
  );
  const updated: Portfolio = {
    ...portfolio,
    positions: [...positions.values()],
    accounts,
    sizes: [...portfolio.sizes, ...sizes.values()].slice(-SIZES_KEPT),
    volume: addToVolume(portfolio.volume, volumeEntries(items), nowSeconds, boundaries),
    largest: addLargest(portfolio.largest, items, nowSeconds),
  };
  const meanings = items.map((item, index): ItemMeaning => {
    const isOfShares = item.quantity > 0;
    const story = stories.get(index);
    const trade = isOfShares && usual.length > 0 ? sizes.get(tradeId(item)) : undefined;
    return {
      context: story?.context ?? null,
      isUncertain: story?.isUncertain ?? isOfShares,
      isUnknown: isOfShares && story === undefined,
      sizes: trade ? { usdc: trade[1], usual } : null,
    };
  });
  return { meanings, portfolio: foldPositions(updated, lost, nowSeconds) };
}

/** Notes that nothing is known about items whose market is no longer tracked. */
function noteUntracked(
  stories: Map<number, ItemStory>,
  group: readonly (readonly [number, ActivityItem])[],
): void {
  for (const [index, { quantity }] of group) {
    stories.set(index, { context: null, isUncertain: quantity > 0 });
  }
}

/** Adds items to the positions in their markets, if these are tracked. */
function placeItems(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  isNew: (market: string) => boolean,
  givenUp: ReadonlySet<string>,
) {
  const positions = new Map(portfolio.positions.map((position) => [position.outcome, position]));
  // By index of the item, for markets that are tracked.
  const stories = new Map<number, ItemStory>();
  // Records without a market's name may belong to several markets.
  const nameless = items.filter((item) => marketKey(item) === '');
  const lost = new Set([...givenUp, ...nameless.map((item) => entryKeys(item).market)]);
  // Markets in which these items are the wallet's first records.
  const begun = new Set<string>();
  const byMarket = groupBy(items.entries(), ([, item]) => entryKeys(item).market);
  for (const [market, group] of byMarket) {
    const [, first] = group[0];
    const followed = followedPositions(portfolio, { marketId: '', key: market }, marketOf(first));
    const isFollowed = followed !== null && !lost.has(market);
    if (!isFollowed) {
      if (givenUp.has(market)) noteUntracked(stories, group);
      continue;
    }
    const placed = placeInMarket(followed, group, followed.length === 0 && isNew(market));
    if (placed === null) {
      lost.add(market);
      noteUntracked(stories, group);
      continue;
    }
    if (followed.length === 0) begun.add(market);
    for (const position of placed.positions) positions.set(position.outcome, position);
    for (const [index, story] of placed.stories) stories.set(index, story);
  }
  return { positions, stories, lost, begun };
}

/**
 * Adds deposits and withdrawals (oldest first). `sinceSeconds`: time from which all are known, used
 * only for the first page.
 * @param nowSeconds the venue's clock, in Unix seconds
 * @param boundaries times at which channels began to watch, in Unix seconds
 */
export function addTransfers(
  portfolio: Portfolio,
  items: readonly TransferItem[],
  sinceSeconds: number,
  nowSeconds: number,
  boundaries: readonly number[] = [],
): Portfolio {
  const entries: VolumeEntry[] = [];
  for (const { type, time: timeSeconds, amount } of items) {
    if (type === 'deposit') {
      entries.push({ timeSeconds, sums: { deposited: amount, transfers: 1 } });
    } else if (type === 'withdrawal') {
      entries.push({ timeSeconds, sums: { withdrawn: amount, transfers: 1 } });
    }
  }
  return {
    ...portfolio,
    transfersSinceSeconds: portfolio.transfersSinceSeconds ?? sinceSeconds,
    volume: addToVolume(portfolio.volume, entries, nowSeconds, boundaries),
  };
}

/**
 * Returns the volume of items: trades with their gross value, redemptions with the amount returned.
 * @param items of one page
 */
export function volumeEntries(items: readonly ActivityItem[]): VolumeEntry[] {
  const entries: VolumeEntry[] = [];
  const counted = new Set<string>();
  for (const item of items) {
    const fill = fillOf(item);
    if (fill === undefined) continue;
    const [timeSeconds, action] = fill;
    if (action === 'Redeem') {
      const redeemed = -item.transferNetAmount;
      entries.push({ timeSeconds, sums: { redeemed, redemptions: 1 } });
      continue;
    }
    const id = tradeId(item);
    const usdc = Math.abs(item.grossValue);
    const money = action === 'Buy' ? { bought: usdc } : { sold: usdc };
    entries.push({ timeSeconds, sums: counted.has(id) ? money : { ...money, trades: 1 } });
    counted.add(id);
  }
  return entries;
}
