import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { quotient, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { marketOf, marketSchema } from '../market.ts';
import { tradeId, tradeSizes } from './sizes.ts';

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
  const added = tradesOf(items);
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

function tradesOf(items: readonly ActivityItem[]): LargestTrade[] {
  const fillsById = groupBy(items, tradeId);
  return [...tradeSizes(items)].flatMap(([id, [timeSeconds, usdc]]): LargestTrade[] => {
    const fills = fillsById.get(id) ?? [];
    const [first] = fills;
    if (first === undefined || (first.action !== 'Buy' && first.action !== 'Sell')) return [];
    const shares = sum(fills.map(({ quantity }) => quantity));
    return [
      {
        ...marketOf(first),
        timeSeconds,
        usdc,
        action: first.action,
        side: first.positionSide,
        priceCents: shares.lte(0) ? null : quotient(usdc, shares).times(100).toNumber(),
      },
    ];
  });
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
