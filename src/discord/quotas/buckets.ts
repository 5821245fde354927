/** Token buckets by key: `capacity` tokens at once, then one each `everyMs`. The state of a key whose bucket is full is dropped. */
export interface TokenBuckets {
  /** How long until the key has a token, ms; 0 if it has one. */
  waitMs(key: string): number;
  /** Takes a token that is there. */
  take(key: string): void;
  /** Keys whose bucket is not full. */
  readonly size: number;
}

export interface TokenBucketOptions {
  /** Tokens in a full bucket, ≥ 1. */
  readonly capacity: number;
  /** How often one comes back, ms. */
  readonly everyMs: number;
  /** A clock that never jumps, ms. */
  readonly clockMs: () => number;
}

export function createTokenBuckets({ capacity, everyMs, clockMs }: TokenBucketOptions): TokenBuckets {
  /** When the key's bucket is full again; the key used longest ago comes first. */
  const fullAtMs = new Map<string, number>();

  const dropFull = (now: number) => {
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
      dropFull(now);
    },
    get size() {
      return fullAtMs.size;
    },
  };
}
