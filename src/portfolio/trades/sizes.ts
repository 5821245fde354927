import type { ActivityItem } from '../../feed/interface.ts';
import { Exact } from '../../lib/exact.ts';
import { quantile } from '../../lib/quantile.ts';
import { outcomeKey } from '../market.ts';

/** The newest trades whose sizes are kept. */
export const SIZES_KEPT = 200;
/** With fewer sizes nothing is said of what is usual. */
export const SIZES_NEEDED = 20;

/**
 * Gross USDC of each trade among these items, by {@link tradeId}, in the order of its first fill. The fills that one
 * transaction makes of one outcome are one trade.
 */
export function tradeSizes(items: readonly ActivityItem[]): ReadonlyMap<string, number> {
  const sums = new Map<string, Exact>();
  for (const item of items) {
    if (item.action !== 'Buy' && item.action !== 'Sell') continue;
    const id = tradeId(item);
    sums.set(id, (sums.get(id) ?? new Exact(0)).plus(Math.abs(item.grossValue)));
  }
  return new Map([...sums].map(([id, usdc]) => [id, usdc.toNumber()]));
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
