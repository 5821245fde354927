import type { Machine } from '../../lib/machine.ts';

export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

/**
 * Token buckets by key; full ones go.
 *
 * @param rateOf a full one has `capacity`, ≥ 1; `everyMs` one comes back
 */
export function createTokenBuckets(
  { monotonicMs }: Pick<Machine, 'monotonicMs'>,
  rateOf: (key: string) => { readonly capacity: number; readonly everyMs: number },
) {
  /**
   * Time when the key's bucket is full again, monotonic ms; the key used longest ago comes first.
   */
  const fullAtMs = new Map<string, number>();

  const waitMs = (key: string): number => {
    const now = monotonicMs();
    const { capacity, everyMs } = rateOf(key);
    return Math.max(0, (fullAtMs.get(key) ?? now) - now - (capacity - 1) * everyMs);
  };

  const take = (key: string): void => {
    const now = monotonicMs();
    const atMs = Math.max(now, fullAtMs.get(key) ?? now) + rateOf(key).everyMs;
    fullAtMs.delete(key);
    fullAtMs.set(key, atMs);
    for (const [other, otherAtMs] of fullAtMs) {
      if (otherAtMs > now) break;
      fullAtMs.delete(other);
    }
  };

  return {
    /** Time until the key has a token, ms; 0 if it has one. */
    waitMs,
    /** Takes a token that is there. */
    take,
    /** Keys whose bucket is not full. */
    size: () => fullAtMs.size,
  };
}
