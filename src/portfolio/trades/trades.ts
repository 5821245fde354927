import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { Exact, quotient, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { quantile } from '../../lib/quantile.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../lib/time.ts';
import { marketOf, marketSchema, outcomeKey } from '../market.ts';
import type { TradeSize, TradeSizes } from '../trade-context.ts';

/** The newest trades whose sizes are kept. */
export const SIZES_KEPT = 200;
/** Number of sizes below which nothing is said of what is usual. */
export const SIZES_NEEDED = 20;
/** The earliest period that is asked for is a week long and ended a week ago. */
const KEPT_SECONDS = 15 * DAY_SECONDS;
/** Hours of the shortest period: a day, less three hours for changes of the clocks. */
const PERIOD_HOURS = 21;
/** Most trades that are kept; reached only if sizes rise or fall for days on end. */
const KEPT_LIMIT = 250;

/** A trade: Unix seconds of its first fill, and its gross USDC. */
type SizedTrade = readonly [timeSeconds: number, usdc: number];

/** A trade that is, or may become, the largest of a day or a week. */
export const largestTradeSchema = marketSchema.extend({
  /** Unix seconds of its first fill. */
  timeSeconds: z.number(),
  /** Paid for a purchase, or come back of a sale, fees included. */
  usdc: z.number(),
  action: z.enum(['Buy', 'Sell']),
  side: z.string(),
  /** Volume-weighted over its fills; null if it is of 0 shares. */
  priceCents: z.number().nullable(),
});
export type LargestTrade = z.infer<typeof largestTradeSchema>;

/** Identifies the trade that an item is a part of: transaction, action and outcome. */
export function tradeId(item: ActivityItem): string {
  return `${item.txHash.toLowerCase()}:${item.action}:${outcomeKey(item)}`;
}

type TradeFill = ActivityItem & { readonly action: LargestTrade['action'] };

/**
 * The fills of each trade among these items: those that one transaction makes of one outcome are
 * one trade.
 */
function fillsByTrade(items: readonly ActivityItem[]) {
  const fills = items.filter(
    (item): item is TradeFill => item.action === 'Buy' || item.action === 'Sell',
  );
  return groupBy(fills, tradeId);
}

/** Each trade among these items, by {@link tradeId}, in the order of its first fill. */
export function tradeSizes(items: readonly ActivityItem[]): ReadonlyMap<string, SizedTrade> {
  const sizes = new Map<string, SizedTrade>();
  for (const [id, fills] of fillsByTrade(items)) sizes.set(id, [fills[0].time, grossOf(fills)]);
  return sizes;
}

function grossOf(fills: readonly ActivityItem[]): number {
  return sum(fills.map(({ grossValue }) => Math.abs(grossValue))).toNumber();
}

/**
 * Median and 95th percentile of trade sizes in USDC (nearest rank), in any order; null if there are
 * none.
 */
export function usualSizes(
  sizes: readonly number[],
): { readonly median: number; readonly p95: number } | null {
  if (sizes.length === 0) return null;
  const sorted = sizes.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

/**
 * Usual sizes for rooms that began to watch at different times (`boundaries`, Unix seconds): of
 * trades since then, once there are 20. One entry for all rooms that have seen the same of them.
 */
export function usualSince(
  trades: readonly SizedTrade[],
  boundaries: readonly number[],
): TradeSizes['usual'] {
  const times = trades.map(([timeSeconds]) => timeSeconds).sort((a, b) => a - b);
  const firsts = new Set<number>();
  for (const boundary of boundaries) {
    const first = times.find((time) => time >= boundary);
    if (first !== undefined) firsts.add(first);
  }
  const known = [];
  for (const sinceSeconds of [...firsts].sort((a, b) => a - b)) {
    const since = trades.filter(([timeSeconds]) => timeSeconds >= sinceSeconds);
    if (since.length < SIZES_NEEDED) continue;
    const usual = usualSizes(since.map(([, usdc]) => usdc));
    if (usual !== null) known.push({ sinceSeconds, ...usual, trades: since.length });
  }
  return known;
}

/**
 * A trade's size against what was usual since a room began to watch (Unix seconds); null with too
 * few trades.
 */
export function sizeSince({ usdc, usual }: TradeSizes, beganSeconds: number): TradeSize | null {
  const first = usual.find(({ sinceSeconds }) => sinceSeconds >= beganSeconds);
  if (first === undefined) return null;
  const { sinceSeconds: _, ...known } = first;
  return { usdc, ...known };
}

/** Volume-weighted price of fills; null if they are of 0 shares. */
function meanCentsOf(fills: readonly ActivityItem[]): number | null {
  const shares = sum(fills.map(({ quantity }) => quantity));
  if (shares.lte(0)) return null;
  return quotient(grossOf(fills), shares).times(100).toNumber();
}

/**
 * Adds the trades of items and drops those that no digest can show: which are not the largest of
 * any 21 consecutive hours around them. So the largest of every longer period of full hours is
 * always kept, in far fewer than a trade an hour.
 *
 * @param kept oldest first
 * @param items new items of one page; the fills of one transaction and outcome among them are one
 *   trade
 * @param nowSeconds the venue's clock, Unix seconds
 * @returns oldest first
 */
export function addLargest(
  kept: readonly LargestTrade[],
  items: readonly ActivityItem[],
  nowSeconds: number,
): LargestTrade[] {
  const added = [...fillsByTrade(items).values()].map((fills): LargestTrade => {
    const [first] = fills;
    const { time: timeSeconds, action, positionSide: side } = first;
    // As the alert of the trade names it: what left the wallet, or came back.
    const moved = sum(fills.map(({ transferNetAmount }) => transferNetAmount));
    return {
      ...marketOf(first),
      timeSeconds,
      usdc: moved.abs().toNumber(),
      action,
      side,
      priceCents: meanCentsOf(fills),
    };
  });
  if (added.length === 0) return [...kept];
  const ranked = [...kept, ...added]
    .filter(({ timeSeconds }) => timeSeconds >= nowSeconds - KEPT_SECONDS)
    .toSorted(byRank);
  const hours = ranked.map(({ timeSeconds }) => Math.floor(timeSeconds / HOUR_SECONDS));
  const needed = ranked.filter((_, rank) => {
    const own = hours[rank] ?? 0;
    const larger = hours.slice(0, rank);
    const before = Math.max(...larger.filter((hour) => hour <= own));
    const after = Math.min(...larger.filter((hour) => hour >= own));
    return after - before > PERIOD_HOURS;
  });
  return needed.toSorted((a, b) => a.timeSeconds - b.timeSeconds).slice(-KEPT_LIMIT);
}

/** The sizes of trades once a fill of one has another gross value. */
export function amendSizes(
  sizes: readonly SizedTrade[],
  before: ActivityItem,
  after: ActivityItem,
): SizedTrade[] {
  const more = Math.abs(after.grossValue) - Math.abs(before.grossValue);
  const same = [...sizes.entries()].filter(([, [timeSeconds]]) => timeSeconds === before.time);
  const whole = same.filter(([, [, usdc]]) => usdc === Math.abs(before.grossValue));
  const [found] = whole.length > 0 ? whole : same;
  if (found === undefined || more === 0 || before.action === 'Redeem') return [...sizes];
  const [index, [timeSeconds, usdc]] = found;
  const usdcAfter = new Exact(usdc).plus(more).toNumber();
  return usdcAfter < 0 ? [...sizes] : sizes.with(index, [timeSeconds, usdcAfter]);
}

/**
 * The largest trades once a fill of one has other figures: without that trade where it is of
 * several fills and nobody knows its price any more.
 */
export function amendLargest(
  kept: readonly LargestTrade[],
  before: ActivityItem,
  after: ActivityItem,
): LargestTrade[] {
  const amended: LargestTrade[] = [];
  for (const trade of kept) {
    const isOwn =
      trade.timeSeconds === before.time &&
      trade.action === before.action &&
      trade.side === before.positionSide &&
      trade.marketId === before.marketId;
    const isWhole = trade.usdc === Math.abs(before.transferNetAmount);
    const isOfOtherPrice = before.price !== after.price || before.quantity !== after.quantity;
    if (!isOwn) amended.push(trade);
    else if (isWhole) {
      const priceCents = meanCentsOf([after]);
      amended.push({ ...trade, usdc: Math.abs(after.transferNetAmount), priceCents });
    } else if (!isOfOtherPrice) {
      const more = Math.abs(after.transferNetAmount) - Math.abs(before.transferNetAmount);
      amended.push({ ...trade, usdc: new Exact(trade.usdc).plus(more).toNumber() });
    }
  }
  return amended;
}

/**
 * The largest trade from a time (inclusive) to a full hour (exclusive); undefined without one. Of a
 * period under 21 hours it may have been dropped, with all others of the period; of one that begins
 * within an hour it may be dropped for a larger one of that hour's beginning: then nothing is said,
 * never one in place of a larger one.
 */
export function largestBetween(
  kept: readonly LargestTrade[],
  fromSeconds: number,
  toSeconds: number,
): LargestTrade | undefined {
  const hourSeconds = Math.floor(fromSeconds / HOUR_SECONDS) * HOUR_SECONDS;
  const [largest] = kept
    .filter(({ timeSeconds }) => timeSeconds >= hourSeconds && timeSeconds < toSeconds)
    .sort(byRank);
  if (largest !== undefined && largest.timeSeconds >= fromSeconds) return largest;
  return undefined;
}

/** Largest first; of equal ones the older first. */
function byRank(a: LargestTrade, b: LargestTrade): number {
  return b.usdc - a.usdc || a.timeSeconds - b.timeSeconds;
}
