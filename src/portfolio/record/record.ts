import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import type { Settlement } from '../../domain/settlement.ts';
import { groupBy } from '../../lib/group-by.ts';
import { quantile } from '../../lib/quantile.ts';
import { DAY_SECONDS } from '../../lib/time.ts';
import { sideOf } from '../consensus.ts';
import { entryKeys, marketKey, shortHash } from '../market.ts';
import { compareFills } from '../positions/position.ts';
import { mergeDays, placeKey } from './days.ts';
import {
  applyToFirstPurchase,
  centsPerShare,
  type FirstPurchase,
  firstPurchaseSchema,
  openFirstPurchase,
  type RecordFill,
  settleFirstPurchase,
} from './first-purchase.ts';

/** Maximum number of first purchases kept separately. Beyond it, the oldest are added up by day. */
const MARKETS_LIMIT = 400;
/** Minimum number of closed markets from which the usual time to close can be estimated. */
const CLOSED_NEEDED = 10;
/**
 * Multiple of the 95th percentile of the times to close after which a market is mature; at least a
 * day.
 */
const MATURE_FACTOR = 3;
const CLOSED_PERCENTILE = 0.95;

/**
 * Mature markets no longer kept separately, all bought on one day and on the same side of each
 * channel's boundary.
 */
const daySchema = z.object({
  /** Times of the markets' earliest and latest first purchases, in Unix seconds. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
  markets: z.number(),
  /** Σ of the markets' results, in cents per share. */
  cents: z.number(),
  /** Σ over events of (Σ √(p(1 − p)))², p from 0 to 1. */
  eventSquares: z.number(),
  /** Σ of the prices of these first purchases, each from 0 to 1. */
  prices: z.number(),
  won: z.number(),
  /** Number of markets with unresolved shares. */
  withoutEnd: z.number(),
});
type Day = z.infer<typeof daySchema>;

/**
 * Track record: a wallet's purchases and their results, with one first purchase per market. Limited
 * in size; stored with the knowledge about the wallet.
 */
export const walletRecordSchema = z.object({
  /** Oldest first. */
  markets: z.array(firstPurchaseSchema),
  /** Older ones, oldest first. */
  days: z.array(daySchema),
  /**
   * Unix seconds. Markets first bought up to then are mature, and remain so. Null if there are
   * none.
   */
  matureToSeconds: z.number().nullable(),
  /** Only one market in this many is kept, chosen by its hash: 1, 2, 4, 8 … */
  oneIn: z.number(),
});
export type WalletRecord = z.infer<typeof walletRecordSchema>;

export const EMPTY_RECORD: WalletRecord = {
  markets: [],
  days: [],
  matureToSeconds: null,
  oneIn: 1,
};

/**
 * Returns the item as the track record counts it; undefined for an action that the API does not
 * describe, for 0 shares, and if the venue names no market.
 */
export function recordFill(item: ActivityItem): RecordFill | undefined {
  const { action } = item;
  if (action !== 'Buy' && action !== 'Sell' && action !== 'Redeem') return;
  const name = marketKey(item);
  if (item.quantity <= 0 || name === '') return;
  return {
    ...entryKeys(item),
    event: shortHash(item.eventSlug === '' ? name : `event ${item.eventSlug}`),
    txHash: item.txHash,
    atSeconds: item.time,
    action,
    marketId: item.marketId,
    side: sideOf(item),
    shares: item.quantity,
    price: item.price / 100,
    feeUsdc: item.fee,
    netUsdc: item.transferNetAmount,
  };
}

/**
 * Adds trades, redemptions and ends of markets. Maturity is kept exact: before a market closes and
 * thereby changes the times to close, everything that is mature by then is recorded as mature.
 * @param events events of a second in the venue's order; within a second, purchases are applied
 *   before sales and redemptions
 * @param boundaries times at which channels began to watch the wallet, in Unix seconds; added-up
 *   markets stay on one side of each
 */
export function addToRecord(
  record: WalletRecord,
  events: readonly (RecordFill | Settlement)[],
  boundaries: readonly number[],
): WalletRecord {
  const markets = new Map(record.markets.map((first) => [first.market, first]));
  let { days, matureToSeconds, oneIn } = record;
  const reach = (atSeconds: number) => {
    matureToSeconds = matureTo(markets.values(), matureToSeconds, atSeconds);
  };
  const change = (before: FirstPurchase, after: FirstPurchase) => {
    if (after.closedSeconds !== null && before.closedSeconds !== after.closedSeconds) {
      reach(after.closedSeconds);
    }
    markets.set(after.market, after);
  };
  const open = (first: FirstPurchase) => {
    if (!isKept(first.market, oneIn)) return;
    markets.set(first.market, first);
    if (markets.size <= MARKETS_LIMIT) return;
    reach(first.atSeconds);
    const oldest = oldestMature(markets.values(), matureToSeconds);
    if (oldest === undefined) oneIn *= 2;
    else days = mergeDays([...days, ...addUp(oldest, boundaries)], boundaries, plus);
    const dropped = oldest ?? [...markets.values()].filter(({ market }) => !isKept(market, oneIn));
    for (const { market } of dropped) markets.delete(market);
  };
  const placeOf = (event: RecordFill | Settlement) =>
    [event.atSeconds, 'action' in event ? event.action : undefined] as const;
  const inOrder = events.toSorted((a, b) => compareFills(placeOf(a), placeOf(b)));
  for (const event of inOrder) {
    const before = markets.get(event.market);
    if (before === undefined) {
      if ('action' in event && event.action === 'Buy') open(openFirstPurchase(event));
    } else if ('action' in event) change(before, applyToFirstPurchase(before, event));
    else if (event.atSeconds >= before.atSeconds) {
      change(before, settleFirstPurchase(before, event));
    }
  }
  return {
    markets: [...markets.values()].sort(byTime),
    days,
    matureToSeconds,
    oneIn,
  };
}

/**
 * True if it is certain that a market has never been bought, because no market was left out of the
 * track record.
 */
export function isNewMarket({ markets, days, oneIn }: WalletRecord, market: string): boolean {
  return oneIn === 1 && days.length === 0 && markets.every((first) => first.market !== market);
}

/**
 * Returns the seconds after its first purchase from which a market is mature; null if too few have
 * closed.
 */
export function matureAfter(markets: Iterable<FirstPurchase>): number | null {
  const spans: number[] = [];
  for (const { atSeconds, closedSeconds } of markets) {
    if (closedSeconds !== null) spans.push(closedSeconds - atSeconds);
  }
  if (spans.length < CLOSED_NEEDED) return null;
  // It sorts numbers ten times as fast as an array.
  const sorted = Float64Array.from(spans).sort();
  const usualSeconds = quantile(sorted, CLOSED_PERCENTILE);
  return Math.max(DAY_SECONDS, MATURE_FACTOR * usualSeconds);
}

/**
 * Returns the time up to which first purchases are mature at a given time, in Unix seconds; null if
 * none is.
 * @param before the time recorded so far
 */
export function matureTo(
  markets: Iterable<FirstPurchase>,
  before: number | null,
  atSeconds: number,
): number | null {
  return matureBy(matureAfter(markets), before, atSeconds);
}

/**
 * Returns the time up to which first purchases are mature, as `matureTo` does, if the time after
 * which markets are mature is known.
 * @param after time until a market is mature, in seconds; null if unknown
 */
export function matureBy(
  after: number | null,
  before: number | null,
  atSeconds: number,
): number | null {
  if (after === null) return before;
  return Math.max(before ?? Number.NEGATIVE_INFINITY, atSeconds - after);
}

/**
 * True if a market is mature.
 * @param matureToSeconds time up to which first purchases are mature; null if none is
 */
export function isMature({ atSeconds }: FirstPurchase, matureToSeconds: number | null): boolean {
  return matureToSeconds !== null && atSeconds <= matureToSeconds;
}

/**
 * Returns the oldest event whose markets are all mature, which is added up if there are too many.
 * If there is none, half of the markets are kept, chosen by hash. Neither depends on how a market
 * ended, because leaving markets out by their result would make the track record look better.
 */
function oldestMature(markets: Iterable<FirstPurchase>, matureToSeconds: number | null) {
  const oldestFirst = [...markets].sort(byTime);
  const events = groupBy(oldestFirst, ({ event }) => event).values();
  return [...events].find((event) => event.every((first) => isMature(first, matureToSeconds)));
}

/**
 * True if a market is one of those kept.
 * @param oneIn a power of 2
 */
function isKept(market: string, oneIn: number): boolean {
  const digits = hash('sha256', market, 'hex').slice(0, 8);
  return Number.parseInt(digits, 16) % oneIn === 0;
}

/** Adds up markets by day, and by the side of each boundary on which they were bought. */
export function addUp(markets: readonly FirstPurchase[], boundaries: readonly number[]): Day[] {
  const byPlace = groupBy(markets, ({ atSeconds }) => placeKey(atSeconds, boundaries));
  return [...byPlace.values()].map((bought) => {
    const times = bought.map(({ atSeconds }) => atSeconds);
    return {
      fromSeconds: Math.min(...times),
      toSeconds: Math.max(...times),
      markets: bought.length,
      cents: sumOf(bought, centsPerShare),
      eventSquares: squaresOfEvents(bought),
      prices: sumOf(bought, priceOf),
      won: bought.filter((first) => centsPerShare(first) > ROUNDING_CENTS).length,
      withoutEnd: bought.filter(({ closedSeconds }) => closedSeconds === null).length,
    };
  });
}

/** Difference in cents that is due to rounding of binary sums, not a gain. */
const ROUNDING_CENTS = 1e-9;

function plus(one: Day, other: Day): Day {
  const names = ['markets', 'cents', 'eventSquares', 'prices', 'won', 'withoutEnd'] as const;
  const sums = Object.fromEntries(names.map((name) => [name, one[name] + other[name]]));
  const fromSeconds = Math.min(one.fromSeconds, other.fromSeconds);
  return {
    ...one,
    ...sums,
    fromSeconds,
    toSeconds: Math.max(one.toSeconds, other.toSeconds),
  };
}

function byTime(a: FirstPurchase, b: FirstPurchase): number {
  return a.atSeconds - b.atSeconds;
}

/** Returns the mean price of the purchase, 0 to 1. */
function priceOf({ grossUsdc, shares }: FirstPurchase): number {
  return grossUsdc / shares;
}

/**
 * Returns Σ over events of (Σ √(p(1 − p)))², as if markets of one event ended together and a price
 * were a probability.
 */
export function squaresOfEvents(markets: readonly FirstPurchase[]): number {
  const deviationOf = (first: FirstPurchase) => {
    const price = priceOf(first);
    return Math.sqrt(Math.max(0, price * (1 - price)));
  };
  const events = [...groupBy(markets, ({ event }) => event).values()];
  return sumOf(events, (event) => sumOf(event, deviationOf) ** 2);
}

export function sumOf<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}
