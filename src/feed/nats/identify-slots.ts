/** Discord takes one IDENTIFY a bucket of shards in this time (topics/gateway.mdx, "Rate limiting"), ms; a little more, for the way there. */
const SLOT_MS = 5_500;

/** Gives the bots of one token their turns to log in, one after the other. */
export interface IdentifySlots {
  /** How long from now the asker has to wait for its turn, ms. Each call takes a turn. @param bucket shard id modulo max_concurrency */
  take(bucket: number): number;
}

/** @param monotonicMs a clock that never jumps, ms */
export function createIdentifySlots(monotonicMs: () => number): IdentifySlots {
  const freeMs = new Map<number, number>();
  return {
    take(bucket) {
      const now = monotonicMs();
      const turnMs = Math.max(now, freeMs.get(bucket) ?? now);
      freeMs.set(bucket, turnMs + SLOT_MS);
      return turnMs - now;
    },
  };
}
