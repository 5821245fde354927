import type { ActivityItem } from '../../domain/records.ts';
import { sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { quantile } from '../../lib/quantile.ts';
import { outcomeKey } from '../market.ts';
import type { TradeSize, TradeSizes } from '../trade-context.ts';

/** The newest trades whose sizes are kept. */
export const SIZES_KEPT = 200;
/** With fewer sizes nothing is said of what is usual. */
export const SIZES_NEEDED = 20;

/** A trade: Unix seconds of its first fill, and its gross USDC. */
export type SizedTrade = readonly [timeSeconds: number, usdc: number];

/**
 * Each trade among these items, by {@link tradeId}, in the order of its first fill. The fills that one
 * transaction makes of one outcome are one trade.
 */
export function tradeSizes(items: readonly ActivityItem[]): ReadonlyMap<string, SizedTrade> {
  const trades = groupBy(
    items.filter(({ action }) => action === 'Buy' || action === 'Sell'),
    tradeId,
  );
  return new Map(
    [...trades].map(([id, fills]) => {
      const usdc = sum(fills.map(({ grossValue }) => Math.abs(grossValue)));
      return [id, [fills[0].time, usdc.toNumber()]];
    }),
  );
}

/** Identifies the trade that an item is a part of: transaction, action and outcome. */
export function tradeId(item: ActivityItem): string {
  return `${item.txHash.toLowerCase()}:${item.action}:${outcomeKey(item)}`;
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
