import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { groupBy } from '../../lib/group-by.ts';
import { quantile } from '../../lib/quantile.ts';
import { entryKeys, marketKey, shortHash } from '../market.ts';
import {
  applyToFirstPurchase,
  centsPerShare,
  type FirstPurchase,
  firstPurchaseSchema,
  openFirstPurchase,
  type RecordFill,
  settleFirstPurchase,
  unsettleFirstPurchase,
} from './first-purchase.ts';

const DAY_SECONDS = 86_400;
/** First purchases kept one by one; of more, the oldest are added up by day. */
const MARKETS_LIMIT = 400;
/** Days kept; of more, the two oldest are added up. */
const DAYS_LIMIT = 400;
/** With fewer closed markets than this nobody knows how long the wallet's markets take. */
const CLOSED_NEEDED = 10;
/** A market is mature after so many times the 95th percentile of the times to close, and after a day at least. */
const MATURE_FACTOR = 3;
const CLOSED_PERCENTILE = 0.95;

/** Mature markets that are no longer kept one by one, added up: all bought on one day, all on one side of each room's boundary. */
const daySchema = z.object({
  /** Days since 1970, UTC. */
  day: z.number(),
  /** Unix seconds of the first and the last of their first purchases. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
  markets: z.number(),
  /** Σ of what they came to, cents a share. */
  cents: z.number(),
  /** Σ over events of (Σ √(p(1 − p)))², p from 0 to 1. */
  eventSquares: z.number(),
  /** Σ of their prices, 0 to 1. */
  prices: z.number(),
  won: z.number(),
  /** Of which some shares have no known end. */
  withoutEnd: z.number(),
});
type Day = z.infer<typeof daySchema>;

/** What a wallet's purchases came to: one first purchase a market. Of bounded size; stored with what is known of the wallet. */
export const walletRecordSchema = z.object({
  /** Oldest first. */
  markets: z.array(firstPurchaseSchema),
  /** Older ones, oldest first. */
  days: z.array(daySchema),
  /** Unix seconds: a market first bought up to then is mature, and stays so. Null while none is. */
  matureToSeconds: z.number().nullable(),
  /** One market in so many is kept, by its hash alone: 1, 2, 4, 8 … */
  oneIn: z.number(),
});
export type WalletRecord = z.infer<typeof walletRecordSchema>;

export const EMPTY_RECORD: WalletRecord = { markets: [], days: [], matureToSeconds: null, oneIn: 1 };

/** What the mature markets of a span came to. Stored with the details of an alert. */
export const standingSchema = z.object({
  /** Mature markets, and days (UTC) on which they were bought. */
  markets: z.number(),
  days: z.number(),
  won: z.number(),
  /** Markets of which some shares have no known end; they count as lost. */
  withoutEnd: z.number(),
  /** Mean price of the first purchases, cents; null without a market. */
  priceCents: z.number().nullable(),
  /** Mean of what they came to, cents a share, and its standard error; null without a market. */
  edgeCents: z.number().nullable(),
  errorCents: z.number().nullable(),
  /** Whether there are enough of them to compare: 20 markets, bought on 8 days, with Σ of their prices 5 at least. */
  isRanked: z.boolean(),
  /** Unix seconds at which about there will be 20 markets; null if there are, or if nothing can be said. */
  enoughAtSeconds: z.number().nullable(),
  /** Unix seconds up to which first purchases count; null while none does. */
  matureToSeconds: z.number().nullable(),
  /** One market in so many was kept. */
  oneIn: z.number(),
});
export type Standing = z.infer<typeof standingSchema>;

export const RANKED_MARKETS = 20;
export const RANKED_DAYS = 8;
const RANKED_PRICES = 5;

/**
 * The item as a record of wallets counts it; undefined for an action that the contract does not describe, for 0 shares, and
 * where the venue names no market.
 */
export function recordFill(item: ActivityItem): RecordFill | undefined {
  const { action } = item;
  const name = marketKey(item);
  if ((action !== 'Buy' && action !== 'Sell' && action !== 'Redeem') || item.quantity <= 0 || name === '') return;
  return {
    ...entryKeys(item),
    event: shortHash(item.eventSlug === '' ? name : `event ${item.eventSlug}`),
    txHash: item.txHash,
    atSeconds: item.time,
    action,
    shares: item.quantity,
    price: item.price / 100,
    feeUsdc: item.fee,
    netUsdc: item.transferNetAmount,
  };
}

/**
 * Adds trades, redemptions and ends of markets. Maturity is kept exact: just before a market closes, and the times to close
 * change with it, all that is mature by then stays so.
 *
 * @param events those of a second in the venue's order; within a second purchases are taken before sales and redemptions
 * @param boundaries Unix seconds at which rooms began to watch the wallet: markets that are added up stay on one side of each
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
  const open = (first: FirstPurchase) => {
    if (!isKept(first.market, oneIn)) return;
    markets.set(first.market, first);
    if (markets.size <= MARKETS_LIMIT) return;
    reach(first.atSeconds);
    const bounded = bound([...markets.values()], { days, matureToSeconds, oneIn }, boundaries);
    ({ days, oneIn } = bounded);
    for (const { market } of bounded.dropped) markets.delete(market);
  };
  const change = (before: FirstPurchase, after: FirstPurchase) => {
    if (after.closedSeconds !== null && before.closedSeconds !== after.closedSeconds) reach(after.closedSeconds);
    markets.set(after.market, after);
  };
  // Within a second purchases first.
  const rank = (event: RecordFill | Settlement) => ('action' in event && event.action === 'Buy' ? 0 : 1);
  for (const event of events.toSorted((a, b) => a.atSeconds - b.atSeconds || rank(a) - rank(b))) {
    const before = markets.get(event.market);
    if ('payouts' in event) {
      if (before === undefined || event.atSeconds < before.atSeconds) continue;
      change(before, withSettlement(before, event));
    } else if (before !== undefined) change(before, applyToFirstPurchase(before, event));
    else if (event.action === 'Buy') open(openFirstPurchase(event));
  }
  return { markets: [...markets.values()].sort((a, b) => a.atSeconds - b.atSeconds), days, matureToSeconds, oneIn };
}

/** Whether a market is certain not to have been bought into: none has been left out of the record. */
export function isNewMarket({ markets, days, oneIn }: WalletRecord, market: string): boolean {
  return oneIn === 1 && days.length === 0 && markets.every((first) => first.market !== market);
}

/**
 * What the mature markets of a span came to. Each counts once, and what has not come back counts as lost. The error is the
 * larger of two: from the prices, where markets of one event may end together, (Σ√(p(1 − p)))² summed over events; and from
 * what they came to, about 0, where markets bought on one day (UTC) may, (Σe)² summed over days.
 * First purchases count from `fromSeconds` on and before `toSeconds`, Unix seconds.
 */
export function standingOf(
  record: WalletRecord,
  {
    fromSeconds: from = Number.NEGATIVE_INFINITY,
    toSeconds: to = Number.POSITIVE_INFINITY,
    nowSeconds,
  }: { readonly fromSeconds?: number; readonly toSeconds?: number; readonly nowSeconds: number },
): Standing {
  const matureToSeconds = matureTo(record.markets, record.matureToSeconds, nowSeconds);
  const inSpan = record.markets.filter(({ atSeconds }) => atSeconds >= from && atSeconds < to);
  const mature = inSpan.filter(({ atSeconds }) => atSeconds <= (matureToSeconds ?? Number.NEGATIVE_INFINITY));
  const days = record.days.filter((day) => day.fromSeconds >= from && day.toSeconds < to);
  const all = [...days, ...addUp(mature, [])];
  const sumOf = (figure: (day: Day) => number) => all.reduce((total, day) => total + figure(day), 0);
  const markets = sumOf((day) => day.markets);
  const byDay = [...groupBy(all, ({ day }) => day).values()];
  const daySquares = byDay.map((sameDay) => sameDay.reduce((total, { cents }) => total + cents, 0) ** 2);
  const eventSquares = days.reduce((total, day) => total + day.eventSquares, 0) + squaresOfEvents(mature);
  const prices = sumOf((day) => day.prices);
  const error = Math.max(
    Math.sqrt(eventSquares) * 100,
    Math.sqrt(daySquares.reduce((total, square) => total + square, 0)),
  );
  return {
    markets,
    days: byDay.length,
    won: sumOf((day) => day.won),
    withoutEnd: sumOf((day) => day.withoutEnd),
    priceCents: markets === 0 ? null : (prices / markets) * 100,
    edgeCents: markets === 0 ? null : sumOf((day) => day.cents) / markets,
    errorCents: markets === 0 ? null : error / markets,
    isRanked: markets >= RANKED_MARKETS && byDay.length >= RANKED_DAYS && prices >= RANKED_PRICES,
    enoughAtSeconds: markets >= RANKED_MARKETS ? null : enoughAt(record, inSpan, markets - mature.length, nowSeconds),
    matureToSeconds,
    oneIn: record.oneIn,
  };
}

/**
 * When about 20 markets of a span will be mature, by what is bought already or else by the wallet's pace in it; null if
 * nothing can be said. Unix seconds.
 *
 * @param inSpan those of the span that are kept one by one, oldest first; @param folded how many more there are
 */
function enoughAt(
  { markets }: WalletRecord,
  inSpan: readonly FirstPurchase[],
  folded: number,
  nowSeconds: number,
): number | null {
  const after = matureAfter(markets);
  const [first] = inSpan;
  if (after === null || first === undefined) return null;
  const last = inSpan[RANKED_MARKETS - folded - 1];
  if (last !== undefined) return last.atSeconds + after;
  const secondsEach = Math.max(0, nowSeconds - first.atSeconds) / inSpan.length;
  return nowSeconds + secondsEach * (RANKED_MARKETS - folded - inSpan.length) + after;
}

/**
 * Whether a standing is better than luck explains, where the best of several is looked at: edge > z × error, with
 * z = Φ⁻¹(0.95^(1/k)), so that of k wallets without skill all stay below it in 95 of 100 rooms.
 *
 * @param ranked k, how many wallets the room has ever ranked, 1 at least
 */
export function isBetterThanLuck({ isRanked, edgeCents, errorCents }: Standing, ranked: number): boolean {
  if (!isRanked || edgeCents === null || errorCents === null) return false;
  return edgeCents > normalQuantile(0.95 ** (1 / Math.max(1, ranked))) * errorCents;
}

function withSettlement(first: FirstPurchase, settlement: Settlement): FirstPurchase {
  if (settlement.payouts.size === 0) return unsettleFirstPurchase(first);
  const payout = payoutOf(settlement, first.outcome);
  return payout === undefined ? first : settleFirstPurchase(first, payout, settlement.atSeconds);
}

/** Seconds after its first purchase from which a market is mature; null if too few have closed. */
function matureAfter(markets: Iterable<FirstPurchase>): number | null {
  const spans: number[] = [];
  for (const { atSeconds, closedSeconds } of markets) if (closedSeconds !== null) spans.push(closedSeconds - atSeconds);
  if (spans.length < CLOSED_NEEDED) return null;
  // Sorts numbers ten times as fast as an array.
  return Math.max(DAY_SECONDS, MATURE_FACTOR * quantile(Float64Array.from(spans).sort(), CLOSED_PERCENTILE));
}

/** Unix seconds up to which first purchases are mature at a time; null if none is. @param before what has been known to be */
function matureTo(markets: Iterable<FirstPurchase>, before: number | null, atSeconds: number): number | null {
  const after = matureAfter(markets);
  return after === null ? before : Math.max(before ?? Number.NEGATIVE_INFINITY, atSeconds - after);
}

/**
 * Adds the oldest events up whose markets are all mature; where too many are not, keeps half of the markets, by their hash.
 * Neither looks at how a market ended: leaving out by that is what makes a record flatter.
 */
function bound(
  markets: readonly FirstPurchase[],
  { days, matureToSeconds, oneIn }: Pick<WalletRecord, 'days' | 'matureToSeconds' | 'oneIn'>,
  boundaries: readonly number[],
): { readonly dropped: readonly FirstPurchase[]; readonly days: Day[]; readonly oneIn: number } {
  const surplus = markets.length - MARKETS_LIMIT;
  const oldestFirst = markets.toSorted((a, b) => a.atSeconds - b.atSeconds);
  const dropped: FirstPurchase[] = [];
  for (const event of groupBy(oldestFirst, (first) => first.event).values()) {
    if (dropped.length >= surplus) break;
    if (event.every(({ atSeconds }) => atSeconds <= (matureToSeconds ?? Number.NEGATIVE_INFINITY)))
      dropped.push(...event);
  }
  if (dropped.length === 0) {
    return { dropped: markets.filter(({ market }) => !isKept(market, 2 * oneIn)), days, oneIn: 2 * oneIn };
  }
  const all = [...days, ...addUp(dropped, boundaries)];
  const merged = [...groupBy(all, ({ fromSeconds }) => placeKey(fromSeconds, boundaries)).values()]
    .map((same) => same.reduce(plus))
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
  const [first, second, ...rest] = merged;
  const isTooLong = merged.length > DAYS_LIMIT && first !== undefined && second !== undefined;
  return { dropped, days: isTooLong ? [plus(first, second), ...rest] : merged, oneIn };
}

/** Whether a market is among the one in so many that are kept. @param oneIn a power of 2 */
function isKept(market: string, oneIn: number): boolean {
  return Number.parseInt(hash('sha256', market, 'hex').slice(0, 8), 16) % oneIn === 0;
}

/** Adds markets up by day and by the side of each boundary on which they were bought. */
function addUp(markets: readonly FirstPurchase[], boundaries: readonly number[]): Day[] {
  return [...groupBy(markets, ({ atSeconds }) => placeKey(atSeconds, boundaries)).values()].map((bought) => ({
    day: Math.floor(bought[0].atSeconds / DAY_SECONDS),
    fromSeconds: Math.min(...bought.map(({ atSeconds }) => atSeconds)),
    toSeconds: Math.max(...bought.map(({ atSeconds }) => atSeconds)),
    markets: bought.length,
    cents: bought.reduce((total, first) => total + centsPerShare(first), 0),
    eventSquares: squaresOfEvents(bought),
    prices: bought.reduce((total, first) => total + priceOf(first), 0),
    won: bought.filter((first) => centsPerShare(first) > ROUNDING_CENTS).length,
    withoutEnd: bought.filter(({ closedSeconds }) => closedSeconds === null).length,
  }));
}

/** Cents that are the rounding of sums in binary, not a gain. */
const ROUNDING_CENTS = 1e-9;

function plus(one: Day, other: Day): Day {
  const names = ['markets', 'cents', 'eventSquares', 'prices', 'won', 'withoutEnd'] as const;
  const sums = Object.fromEntries(names.map((name) => [name, one[name] + other[name]]));
  const fromSeconds = Math.min(one.fromSeconds, other.fromSeconds);
  return { ...one, ...sums, fromSeconds, toSeconds: Math.max(one.toSeconds, other.toSeconds) };
}

/** The same for times of one day (UTC) that are on one side of each boundary. */
function placeKey(atSeconds: number, boundaries: readonly number[]): string {
  return `${Math.floor(atSeconds / DAY_SECONDS)} ${boundaries.filter((boundary) => boundary <= atSeconds).length}`;
}

/** Mean price of the purchase, 0 to 1. */
function priceOf({ grossUsdc, shares }: FirstPurchase): number {
  return grossUsdc / shares;
}

/** Σ over events of (Σ √(p(1 − p)))²: as if the markets of one event always ended together, and a price were a probability. */
function squaresOfEvents(markets: readonly FirstPurchase[]): number {
  const deviationOf = (price: number) => Math.sqrt(Math.max(0, price * (1 - price)));
  return [...groupBy(markets, ({ event }) => event).values()]
    .map((event) => event.reduce((total, first) => total + deviationOf(priceOf(first)), 0) ** 2)
    .reduce((total, square) => total + square, 0);
}

/**
 * Φ⁻¹, the quantile of the normal distribution, by bisection of Φ(z) = ½ + φ(z) · (z + z³/3 + z⁵/(3·5) + …).
 *
 * @param probability from 0.5 to 1
 */
function normalQuantile(probability: number): number {
  let [low, high] = [0, 9];
  while (high - low > 1e-12) {
    const z = (low + high) / 2;
    let [total, term] = [0, z];
    for (let odd = 3; total + term > total; odd += 2) [total, term] = [total + term, (term * z * z) / odd];
    if (0.5 + (total * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI) < probability) low = z;
    else high = z;
  }
  return low;
}
