import type { Machine } from '../../lib/machine.ts';

export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

/**
 * Creates token buckets by key; full buckets are deleted.
 *
 * @param rateOf `capacity` of a full bucket, at least 1; one token is added every `everyMs`
 */
export function createTokenBuckets(
  { monotonicMs }: Machine,
  rateOf: (key: string) => { readonly capacity: number; readonly everyMs: number },
) {
  /**
   * Time at which the key's bucket is full again, in monotonic ms; the least recently used key
   * comes first.
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
    /** Time until the key has a token, in ms; 0 if it has one. */
    waitMs,
    /** Takes an available token. */
    take,
    /** Returns the number of keys whose bucket is not full. */
    size: () => fullAtMs.size,
  };
}
