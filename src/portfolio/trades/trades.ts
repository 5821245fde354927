import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { quotient, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { quantile } from '../../lib/quantile.ts';
import { marketOf, marketSchema, outcomeKey } from '../market.ts';
import type { TradeSize, TradeSizes } from '../trade-context.ts';

/** The newest trades whose sizes are kept. */
export const SIZES_KEPT = 200;
/** With fewer sizes nothing is said of what is usual. */
export const SIZES_NEEDED = 20;
/** How many of the largest trades a digest shows. */
export const LARGEST_COUNT = 3;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** The earliest period that is asked for is a week long and ended a week ago. */
const KEPT_SECONDS = 15 * DAY_SECONDS;
/** Trades older than this are asked for in periods of about a week only, younger ones also in periods of about a day. */
const DAILY_PERIODS_SECONDS = 3 * DAY_SECONDS;
/** Hours of the shortest period: a day and a week, less three hours for changes of the clocks. */
const SHORT_HOURS = 21;
const LONG_HOURS = 165;
/** Most trades that are kept; reached only if sizes rise or fall for days on end. */
const KEPT_LIMIT = 250;

/** A trade: Unix seconds of its first fill, and its gross USDC. */
export type SizedTrade = readonly [timeSeconds: number, usdc: number];

const largestTradeSchema = marketSchema.extend({
  /** Unix seconds of its first fill. */
  timeSeconds: z.number(),
  /** Gross. */
  usdc: z.number(),
  action: z.enum(['Buy', 'Sell']),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  /** Volume-weighted over its fills; null if it is of 0 shares. */
  priceCents: z.number().nullable(),
});
/** Oldest first. */
export const largestSchema = z.array(largestTradeSchema);
/** A trade that is, or may become, one of the largest three of a day or a week. */
export type LargestTrade = z.infer<typeof largestTradeSchema>;

/** Identifies the trade that an item is a part of: transaction, action and outcome. */
export function tradeId(item: ActivityItem): string {
  return `${item.txHash.toLowerCase()}:${item.action}:${outcomeKey(item)}`;
}

type TradeFill = ActivityItem & { readonly action: LargestTrade['action'] };

/** The fills of each trade among these items: those that one transaction makes of one outcome are one trade. */
function fillsByTrade(items: readonly ActivityItem[]) {
  const fills = items.filter((item): item is TradeFill => item.action === 'Buy' || item.action === 'Sell');
  return groupBy(fills, tradeId);
}

/** Each trade among these items, by {@link tradeId}, in the order of its first fill. */
export function tradeSizes(items: readonly ActivityItem[]): ReadonlyMap<string, SizedTrade> {
  return new Map([...fillsByTrade(items)].map(([id, fills]) => [id, [fills[0].time, grossOf(fills)]]));
}

function grossOf(fills: readonly ActivityItem[]): number {
  return sum(fills.map(({ grossValue }) => Math.abs(grossValue))).toNumber();
}

/** Median and 95th percentile of trade sizes in USDC (nearest rank), in any order; null if there are none. */
export function usualSizes(sizes: readonly number[]): { readonly median: number; readonly p95: number } | null {
  if (sizes.length === 0) return null;
  const sorted = sizes.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

/**
 * What was usual for rooms that began to watch at different times: of the trades since then, once there are 20. One entry
 * for all rooms that have seen the same of them.
 *
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 */
export function usualSince(trades: readonly SizedTrade[], boundaries: readonly number[]): TradeSizes['usual'] {
  const times = trades.map(([timeSeconds]) => timeSeconds).sort((a, b) => a - b);
  const firsts = new Set(boundaries.flatMap((boundary) => times.find((time) => time >= boundary) ?? []));
  return [...firsts].flatMap((sinceSeconds) => {
    const sizes = trades.flatMap(([timeSeconds, usdc]) => (timeSeconds >= sinceSeconds ? [usdc] : []));
    const usual = sizes.length < SIZES_NEEDED ? null : usualSizes(sizes);
    return usual === null ? [] : [{ sinceSeconds, ...usual, trades: sizes.length }];
  });
}

/**
 * The size of a trade as a room may judge it that began to watch at a time, Unix seconds: by what was usual since then. Null
 * with too few trades.
 */
export function sizeSince({ usdc, usual }: TradeSizes, beganSeconds: number): TradeSize | null {
  const [first] = usual
    .filter(({ sinceSeconds }) => sinceSeconds >= beganSeconds)
    .sort((a, b) => a.sinceSeconds - b.sinceSeconds);
  if (first === undefined) return null;
  const { sinceSeconds: _, ...known } = first;
  return { usdc, ...known };
}

/**
 * Adds the trades of items and drops those that no digest can show: which are not among the three largest of any 21
 * consecutive hours around them (165 hours, once they are older than three days). So the three largest of every longer
 * period of full hours are always kept, in far fewer than three trades an hour.
 *
 * @param kept oldest first
 * @param items new items of one page; the fills of one transaction and outcome among them are one trade
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
    const usdc = grossOf(fills);
    const shares = sum(fills.map(({ quantity }) => quantity));
    const priceCents = shares.lte(0) ? null : quotient(usdc, shares).times(100).toNumber();
    return {
      ...marketOf(first),
      timeSeconds: first.time,
      usdc,
      action: first.action,
      side: first.positionSide,
      priceCents,
    };
  });
  if (added.length === 0) return [...kept];
  const ranked = [...kept, ...added]
    .filter(({ timeSeconds }) => timeSeconds >= nowSeconds - KEPT_SECONDS)
    .toSorted(byRank);
  const largerByHour = new Map<number, number>();
  const needed: LargestTrade[] = [];
  for (const trade of ranked) {
    const hour = Math.floor(trade.timeSeconds / HOUR_SECONDS);
    const periodHours = trade.timeSeconds < nowSeconds - DAILY_PERIODS_SECONDS ? LONG_HOURS : SHORT_HOURS;
    if (hasPeriodWithFew(largerByHour, hour, periodHours)) needed.push(trade);
    largerByHour.set(hour, (largerByHour.get(hour) ?? 0) + 1);
  }
  return needed.toSorted((a, b) => a.timeSeconds - b.timeSeconds).slice(-KEPT_LIMIT);
}

/**
 * The largest trades of a period, largest first: at most three. Of a period that is shorter than those `addLargest` keeps
 * trades for, only what is among the three largest of the longer period with the same end: there may be fewer than three,
 * but never one in place of a larger one.
 *
 * @param fromSeconds full hour, Unix seconds, inclusive
 * @param toSeconds full hour, Unix seconds, exclusive
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function largestBetween(
  kept: readonly LargestTrade[],
  fromSeconds: number,
  toSeconds: number,
  nowSeconds: number,
): readonly LargestTrade[] {
  const hours = fromSeconds < nowSeconds - DAILY_PERIODS_SECONDS ? LONG_HOURS : SHORT_HOURS;
  const knownFromSeconds = Math.min(fromSeconds, toSeconds - hours * HOUR_SECONDS);
  return kept
    .filter(({ timeSeconds }) => timeSeconds >= knownFromSeconds && timeSeconds < toSeconds)
    .toSorted(byRank)
    .slice(0, LARGEST_COUNT)
    .filter(({ timeSeconds }) => timeSeconds >= fromSeconds);
}

/** Whether any period of so many hours that contains this hour holds fewer than three trades. Sliding sum over the hours. */
function hasPeriodWithFew(tradesByHour: ReadonlyMap<number, number>, hour: number, periodHours: number): boolean {
  const countAt = (at: number) => tradesByHour.get(at) ?? 0;
  let count = 0;
  for (let at = hour - periodHours + 1; at <= hour; at += 1) count += countAt(at);
  for (let start = hour - periodHours + 1; start < hour && count >= LARGEST_COUNT; start += 1) {
    count += countAt(start + periodHours) - countAt(start);
  }
  return count < LARGEST_COUNT;
}

/** Largest first; of equal ones the older first. */
function byRank(a: LargestTrade, b: LargestTrade): number {
  return b.usdc - a.usdc || a.timeSeconds - b.timeSeconds;
}
