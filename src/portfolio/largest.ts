import { z } from 'zod';
import { Exact, quotient } from '../lib/exact.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { tradeId, tradeSizes } from './sizes.ts';

/** Trades that are told as the largest of a time. */
export const LARGEST_TOLD = 3;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** The longest time ends up to a week ago and is a week long. */
const KEPT_SECONDS = 15 * DAY_SECONDS;
/** From this age on only times of about a week are asked for. */
const DAYS_ASKED_SECONDS = 3 * DAY_SECONDS;
/** A day and a week, in hours, with room for every change of the clocks. */
const SHORT_HOURS = 21;
const LONG_HOURS = 165;
/** Only sizes that rise or fall for days on end need so many. */
const LIMIT = 250;
const TITLE_LIMIT = 120;

const largestTradeSchema = z.object({
  timeSeconds: z.number(),
  /** Gross. */
  usdc: z.number(),
  action: z.enum(['Buy', 'Sell']),
  side: z.string(),
  /** The average over its fills; null if it is of no shares. */
  priceCents: z.number().nullable(),
  title: z.string(),
  marketId: z.string(),
  marketSlug: z.string(),
  eventSlug: z.string(),
});
export const largestSchema = z.array(largestTradeSchema);
/** A trade that is or may become one of the largest of a day or a week. */
export type LargestTrade = z.infer<typeof largestTradeSchema>;

/**
 * Takes trades in and lets go of those that will never be told: which are not among the three largest of any 21 hours
 * that they lie in (165 hours, once they are older than three days). So the three largest of every span of full hours
 * that is longer are always there, with far fewer kept than three an hour.
 *
 * The fills that one transaction makes of one outcome and that are seen together are one trade.
 *
 * @param nowSeconds the venue's clock, Unix seconds
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
    const hour = hourOf(trade.timeSeconds);
    const spanHours = trade.timeSeconds < nowSeconds - DAYS_ASKED_SECONDS ? LONG_HOURS : SHORT_HOURS;
    if (hasSpanWithFew(largerByHour, hour, spanHours)) needed.push(trade);
    largerByHour.set(hour, (largerByHour.get(hour) ?? 0) + 1);
  }
  return needed.toSorted((a, b) => a.timeSeconds - b.timeSeconds).slice(-LIMIT);
}

/**
 * The largest trades of a time, the largest first. Of a time that is shorter than what `addLargest` keeps them for, those
 * among the largest of the longer one that ends with it: there may be fewer than three, but never one in place of a larger.
 *
 * @param fromSeconds full hours, Unix seconds; the end is not in it
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function largestBetween(
  kept: readonly LargestTrade[],
  fromSeconds: number,
  toSeconds: number,
  nowSeconds: number,
): readonly LargestTrade[] {
  const hours = fromSeconds < nowSeconds - DAYS_ASKED_SECONDS ? LONG_HOURS : SHORT_HOURS;
  const knownFromSeconds = Math.min(fromSeconds, toSeconds - hours * HOUR_SECONDS);
  return kept
    .filter(({ timeSeconds }) => timeSeconds >= knownFromSeconds && timeSeconds < toSeconds)
    .toSorted(byRank)
    .slice(0, LARGEST_TOLD)
    .filter(({ timeSeconds }) => timeSeconds >= fromSeconds);
}

function tradesOf(items: readonly ActivityItem[]): LargestTrade[] {
  const shares = new Map<string, Exact>();
  const first = new Map<string, ActivityItem>();
  for (const item of items) {
    const id = tradeId(item);
    shares.set(id, (shares.get(id) ?? new Exact(0)).plus(item.quantity));
    if (!first.has(id)) first.set(id, item);
  }
  return [...tradeSizes(items)].flatMap(([id, usdc]): LargestTrade[] => {
    const item = first.get(id);
    if (item === undefined || (item.action !== 'Buy' && item.action !== 'Sell')) return [];
    const quantity = shares.get(id);
    return [
      {
        timeSeconds: item.time,
        usdc,
        action: item.action,
        side: item.positionSide,
        priceCents:
          quantity === undefined || quantity.lte(0) ? null : quotient(new Exact(usdc).times(100), quantity).toNumber(),
        title: Array.from(item.marketTitle).slice(0, TITLE_LIMIT).join(''),
        marketId: item.marketId,
        marketSlug: item.marketSlug,
        eventSlug: item.eventSlug,
      },
    ];
  });
}

/** Whether fewer than three trades lie in one of the spans of so many hours that hold this hour. */
function hasSpanWithFew(tradesByHour: ReadonlyMap<number, number>, hour: number, spanHours: number): boolean {
  const countAt = (at: number) => tradesByHour.get(at) ?? 0;
  let count = 0;
  for (let at = hour - spanHours + 1; at <= hour; at += 1) count += countAt(at);
  for (let start = hour - spanHours + 1; start < hour && count >= LARGEST_TOLD; start += 1) {
    count += countAt(start + spanHours) - countAt(start);
  }
  return count < LARGEST_TOLD;
}

function byRank(a: LargestTrade, b: LargestTrade): number {
  return b.usdc - a.usdc || a.timeSeconds - b.timeSeconds;
}

function hourOf(seconds: number): number {
  return Math.floor(seconds / HOUR_SECONDS);
}
