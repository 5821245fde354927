import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { Exact, quotient, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { quantile } from '../../lib/quantile.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../lib/time.ts';
import { marketOf, marketSchema, outcomeKey } from '../market.ts';
import type { TradeSize, TradeSizes } from '../trade-context.ts';

/** Number of newest trades whose sizes are kept. */
export const SIZES_KEPT = 200;
/** Minimum number of sizes from which usual sizes are computed. */
export const SIZES_NEEDED = 20;
/**
 * Time for which the largest trades are kept, in seconds. The earliest period requested is a week
 * long and ended a week ago.
 */
const KEPT_SECONDS = 15 * DAY_SECONDS;
/** Length of the shortest period in hours: a day, minus three hours for changes of the clocks. */
const PERIOD_HOURS = 21;
/** Maximum number of trades kept. Reached only if sizes rise or fall for days. */
const KEPT_LIMIT = 250;

/** A trade: time of its first fill in Unix seconds, and its gross USDC. */
type SizedTrade = readonly [timeSeconds: number, usdc: number];

/** A trade that is, or may become, the largest of a day or a week. */
export const largestTradeSchema = marketSchema.extend({
  /** Time of its first fill, in Unix seconds. */
  timeSeconds: z.number(),
  /** USDC paid for a purchase or received for a sale, fees included. */
  usdc: z.number(),
  action: z.enum(['Buy', 'Sell']),
  side: z.string(),
  /** Volume-weighted over its fills; null for 0 shares. */
  priceCents: z.number().nullable(),
});
export type LargestTrade = z.infer<typeof largestTradeSchema>;

/** Returns a key for the trade that an item is part of: transaction, action and outcome. */
export function tradeId(item: ActivityItem): string {
  return `${item.txHash.toLowerCase()}:${item.action}:${outcomeKey(item)}`;
}

type TradeFill = ActivityItem & { readonly action: LargestTrade['action'] };

/**
 * Returns the fills of each trade among these items. Fills of one transaction, action and outcome
 * are one trade.
 */
function fillsByTrade(items: readonly ActivityItem[]) {
  const fills = items.filter(
    (item): item is TradeFill => item.action === 'Buy' || item.action === 'Sell',
  );
  return groupBy(fills, tradeId);
}

/** Returns each trade among these items, by {@link tradeId}, in the order of their first fills. */
export function tradeSizes(items: readonly ActivityItem[]): ReadonlyMap<string, SizedTrade> {
  const sizes = new Map<string, SizedTrade>();
  for (const [id, fills] of fillsByTrade(items)) sizes.set(id, [fills[0].time, grossOf(fills)]);
  return sizes;
}

function grossOf(fills: readonly ActivityItem[]): number {
  return sum(fills.map(({ grossValue }) => Math.abs(grossValue))).toNumber();
}

/**
 * Returns median and 95th percentile of trade sizes in USDC (nearest rank), given in any order;
 * null if there are none.
 */
export function usualSizes(sizes: readonly number[]) {
  if (sizes.length === 0) return null;
  const sorted = sizes.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

/**
 * Returns usual sizes for channels that began to watch at different times (`boundaries`, in Unix
 * seconds), of trades since then, if there are at least 20. Channels that have seen the same trades
 * share one entry.
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
 * Returns a trade's size compared with what was usual since a channel began to watch (in Unix
 * seconds); null if there are too few trades.
 */
export function sizeSince({ usdc, usual }: TradeSizes, beganSeconds: number): TradeSize | null {
  const first = usual.find(({ sinceSeconds }) => sinceSeconds >= beganSeconds);
  if (first === undefined) return null;
  const { sinceSeconds: _, ...known } = first;
  return { usdc, ...known };
}

/** Returns the volume-weighted price of fills; null for 0 shares. */
function meanCentsOf(fills: readonly ActivityItem[]): number | null {
  const shares = sum(fills.map(({ quantity }) => quantity));
  if (shares.lte(0)) return null;
  return quotient(grossOf(fills), shares).times(100).toNumber();
}

/**
 * Adds the trades of items, and removes those that no digest can show, which are not the largest in
 * any 21 consecutive hours around them. The largest of every longer period of full hours is
 * therefore always kept, with far fewer than one trade per hour.
 * @param kept oldest first
 * @param items new items of one page; those with the same transaction, action and outcome are one
 *   trade
 * @param nowSeconds the venue's clock, in Unix seconds
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
    // As the trade's alert shows it: the amount that left the wallet, or was returned.
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

/** Returns the sizes of trades after the gross value of a fill has changed. */
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
 * Returns the largest trades after a fill's figures have changed. If its trade has several fills
 * and the price is no longer known, the trade is removed.
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
 * Returns the largest trade from a time (inclusive) to a full hour (exclusive); undefined without
 * one. In a period under 21 hours it may have been removed with all others; if the period begins
 * within an hour, it may have been removed for a larger one earlier in that hour. Nothing is
 * returned then, never a smaller one in its place.
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

/** Sorts the largest first, and equal ones oldest first. */
function byRank(a: LargestTrade, b: LargestTrade): number {
  return b.usdc - a.usdc || a.timeSeconds - b.timeSeconds;
}
