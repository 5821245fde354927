/** Token buckets by key: so many at once, then one each so often. A key that has rested is forgotten. */
export interface TokenBuckets {
  /** How long until the key has a token, ms; 0 if it has one. */
  waitMs(key: string): number;
  /** Takes a token that is there. */
  take(key: string): void;
  /** Keys that are remembered. */
  readonly size: number;
}

export interface TokenBucketOptions {
  /** Tokens of a key that has rested, ≥ 1. */
  readonly capacity: number;
  /** How often one comes back, ms. */
  readonly everyMs: number;
  /** A clock that never jumps, ms. */
  readonly clockMs: () => number;
}

export function createTokenBuckets({ capacity, everyMs, clockMs }: TokenBucketOptions): TokenBuckets {
  /** When the key's bucket is full again; the key used longest ago comes first. */
  const fullAtMs = new Map<string, number>();

  const forgetRested = (now: number) => {
    for (const [key, atMs] of fullAtMs) {
      if (atMs > now) return;
      fullAtMs.delete(key);
    }
  };

  return {
    waitMs(key) {
      const now = clockMs();
      return Math.max(0, (fullAtMs.get(key) ?? now) - now - (capacity - 1) * everyMs);
    },
    take(key) {
      const now = clockMs();
      const atMs = Math.max(now, fullAtMs.get(key) ?? now) + everyMs;
      fullAtMs.delete(key);
      fullAtMs.set(key, atMs);
      forgetRested(now);
    },
    get size() {
      return fullAtMs.size;
    },
  };
}
