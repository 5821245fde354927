import type { ActivityItem, TransferItem } from '../feed/interface.ts';
import { stored, sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { marketKey, outcomeKey } from './market.ts';
import type { Portfolio } from './portfolio.ts';
import { averageEntryCents, type Fill, isClosed } from './positions/holding.ts';
import { followedPositions, isKnown, marketHash, withoutMarkets } from './positions/known-markets.ts';
import { compareFills, fillOf, openPosition, type Placed, type PlacedFill, placeFills } from './positions/position.ts';
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
}

export interface UpdatedPortfolio {
  readonly portfolio: Portfolio;
  /** In the order of the items. */
  readonly meanings: readonly ItemMeaning[];
}

/**
 * Adds trades and redemptions.
 *
 * @param items oldest first, each record once; duplicate records as items of their own
 * @param nowSeconds the venue's clock, Unix seconds
 * @param isAlerted whether a channel follows purchases in a market, by its `marketKey`: such a market is not given up
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 */
export function addActivity(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  nowSeconds: number,
  isAlerted: (market: string) => boolean = () => false,
  boundaries: readonly number[] = [],
): UpdatedPortfolio {
  const updated = addFills(portfolio, items, nowSeconds, isAlerted, boundaries);
  return { ...updated, portfolio: { ...updated.portfolio, largest: addLargest(portfolio.largest, items, nowSeconds) } };
}

/** `addActivity` without the largest trades, which only digests show. For the portfolio of a list that somebody looks at. */
export function addFills(
  portfolio: Portfolio,
  items: readonly ActivityItem[],
  nowSeconds: number,
  isAlerted: (market: string) => boolean = () => false,
  boundaries: readonly number[] = [],
): UpdatedPortfolio {
  const entries = items.map((item): NewFill => ({ item, fill: fillOf(item) }));
  const sizes = tradeSizes(items);
  const usual = usualSince(portfolio.sizes, boundaries);
  const { stories, late, ...placed } = placeEntries(portfolio, entries);
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
    seen: portfolio.seen + traded.length,
  };
  const meanings = entries.map((entry): ItemMeaning => {
    const { context = null, isDoubtful = entry.item.quantity > 0 } = stories.get(entry) ?? {};
    const trade = sizes.get(tradeId(entry.item));
    const isSized = entry.fill !== undefined && trade !== undefined && usual.length > 0;
    return { context, isDoubtful, sizes: isSized ? { usdc: trade[1], usual } : null };
  });
  return { meanings, portfolio: foldPositions(updated, nowSeconds, isAlerted) };
}

/**
 * Puts new fills into the portfolio's positions.
 *
 * @returns what they did where their market is followed, and those that changed what had been counted after them
 */
function placeEntries(portfolio: Portfolio, entries: readonly NewFill[]) {
  const markets = new Set(portfolio.markets);
  const stories = new Map<NewFill, ItemStory>();
  const positions = new Map(portfolio.positions.map((position) => [position.key, position]));
  const lost = new Set<string>();
  const late: NewFill[] = [];
  for (const [market, group] of groupBy(entries, ({ item }) => marketKey(item))) {
    const hash = marketHash(market);
    const isNew = !portfolio.marketsCut && !markets.has(hash);
    // Last traded last.
    markets.delete(hash);
    markets.add(hash);
    if (followedPositions(portfolio, market) === null) continue;
    const placed = placeInMarket(portfolio, market, group);
    if (placed === null) {
      lost.add(market);
      late.push(...group);
      continue;
    }
    for (const { position } of placed.values()) positions.set(position.key, position);
    for (const [entry, story] of storiesOf(placed, group, isNew)) {
      stories.set(entry, story);
      if (story.isBeforeSale) late.push(entry);
    }
  }
  const updated: Portfolio = {
    ...withoutMarkets({ ...portfolio, positions: [...positions.values()] }, lost),
    markets: [...markets].slice(-MARKETS_LIMIT),
    marketsCut: portfolio.marketsCut || markets.size > MARKETS_LIMIT,
  };
  return { portfolio: updated, stories, late };
}

interface NewFill {
  readonly item: ActivityItem;
  /** Undefined for an action that the contract does not describe, and for 0 shares. */
  readonly fill: Fill | undefined;
}

/** What an item did to a market that is followed. */
interface ItemStory extends Pick<ItemMeaning, 'context' | 'isDoubtful'> {
  /** Whether a sale or redemption after it had been counted without it. */
  readonly isBeforeSale: boolean;
}

/**
 * Puts new fills into the positions of a market.
 *
 * @returns all its positions by their key; null where it is not followed, or not any more
 */
function placeInMarket(
  portfolio: Portfolio,
  market: string,
  entries: readonly NewFill[],
): ReadonlyMap<string, Placed> | null {
  const followed = followedPositions(portfolio, market);
  if (followed === null) return null;
  // Nobody knows what an unknown action does to what is held.
  if (entries.some(({ item, fill }) => fill === undefined && item.quantity > 0)) return null;
  const fills = entries.filter(({ fill }) => fill !== undefined);
  // It may belong to a position that is counted as closed.
  if (fills.some(({ item }) => item.time <= portfolio.closedSeconds)) return null;
  const byOutcome = groupBy(fills, ({ item }) => outcomeKey(item));
  const before = new Map(followed.map((position) => [position.key, position]));
  for (const [key, [{ item }]] of byOutcome) if (!before.has(key)) before.set(key, openPosition(item));
  const placed = new Map(
    [...before].map(([key, position]) => [
      key,
      placeFills(
        position,
        (byOutcome.get(key) ?? []).flatMap(({ fill }) => fill ?? []),
      ),
    ]),
  );
  return [...placed.values()].every((one) => one.placed !== null) ? placed : null;
}

/** @param positions of a market, by key @param isNew whether nothing was traded in it before */
function storiesOf(
  positions: ReadonlyMap<string, Placed>,
  entries: readonly NewFill[],
  isNew: boolean,
): ReadonlyMap<NewFill, ItemStory> {
  const isExact = [...positions.values()].every(({ position }) => isKnown(position));
  const stepOf = new Map(
    [...positions.values()].flatMap(({ placed }) => (placed ?? []).map((step) => [step.fill, step] as const)),
  );
  const [first] = entries.flatMap(({ fill }) => fill ?? []).sort(compareFills);
  const stories = new Map<NewFill, ItemStory>();
  for (const entry of entries) {
    const { item, fill } = entry;
    const step = fill === undefined ? undefined : stepOf.get(fill);
    const own = positions.get(outcomeKey(item));
    if (step === undefined || own === undefined) continue;
    const others = [...positions.values()].filter((other) => other !== own);
    const overtaken = own.overtaken.filter((other) => compareFills(step.fill, other) < 0);
    const isInReach = others.every(({ firstSeconds }) => item.time >= firstSeconds);
    const isBeforeSale = overtaken.some(({ action }) => action !== 'Buy');
    const isSaid = isExact && isInReach && overtaken.length === 0;
    stories.set(entry, {
      context: isSaid ? contextOf(step, others, isNew && fill === first) : null,
      isDoubtful: !isExact || !isInReach || isBeforeSale || (overtaken.length > 0 && item.action !== 'Buy'),
      isBeforeSale,
    });
  }
  return stories;
}

/** @param others of its market */
function contextOf(
  { fill, before, after, realized, costOfSold }: PlacedFill,
  others: readonly Placed[],
  isFirstInMarket: boolean,
): TradeContext {
  return {
    sharesBefore: before.shares,
    sharesAfter: after.shares,
    isClosed: fill.action !== 'Buy' && isClosed(after),
    entryCents: averageEntryCents(fill.action === 'Buy' ? after : before),
    realized,
    costOfSold,
    oppositeShares: stored(sum(others.map((other) => other.heldAt(fill.timeSeconds).shares))),
    isFirstInMarket,
  };
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
  const isUnknown = action !== 'Buy' && realized === null;
  return [
    {
      timeSeconds: item.time,
      sums: { [SUM_OF_ACTION[action]]: usdc, fees: item.fee, ...(realized === null ? {} : { realized }) },
      counts: {
        trades: 1,
        ...(role === 'maker' ? { maker: 1 } : {}),
        ...(role === 'taker' ? { taker: 1 } : {}),
        ...(isUnknown ? { unknownSales: 1 } : {}),
      },
    },
  ];
}

/** Takes back what was said to be realized since a time, Unix seconds: it was counted without what came late. */
function doubts(volume: Volume, sinceSeconds: number): VolumeEntry[] {
  return volume
    .filter(({ startSeconds, lengthSeconds, sums }) => {
      return sums.realized !== undefined && startSeconds + lengthSeconds > sinceSeconds;
    })
    .map(({ startSeconds }) => ({ timeSeconds: startSeconds, sums: {}, counts: { unknownSales: 1 } }));
}
