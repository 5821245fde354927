import { Exact } from '../lib/exact.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { outcomeKey } from './outcome.ts';

/** The last trades whose sizes tell what is usual. */
export const SIZES_KEPT = 200;
/** With fewer trades nothing is said of what is usual. */
export const SIZES_NEEDED = 20;

/**
 * The gross USDC of each trade among these items, in the order of its first fill, by {@link tradeId}: the fills that one
 * transaction makes of one outcome are one trade.
 */
export function tradeSizes(items: readonly ActivityItem[]): ReadonlyMap<string, number> {
  const sums = new Map<string, Exact>();
  for (const item of items) {
    if (item.action !== 'Buy' && item.action !== 'Sell') continue;
    const id = tradeId(item);
    sums.set(id, (sums.get(id) ?? new Exact(0)).plus(Math.abs(item.grossValue)));
  }
  return new Map([...sums].map(([id, sum]) => [id, sum.toNumber()]));
}

/** Which trade an item is a part of. */
export function tradeId(item: ActivityItem): string {
  return `${item.txHash.toLowerCase()}:${item.action}:${outcomeKey(item)}`;
}

/**
 * The percentile by the nearest-rank method: the least size that so many per cent of the sizes do not exceed.
 *
 * @param percent above 0, up to 100
 */
export function percentile(sizes: readonly number[], percent: number): number | null {
  const sorted = sizes.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}
