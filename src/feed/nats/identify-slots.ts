/** Discord takes one IDENTIFY a bucket of shards in this time (topics/gateway.mdx, "Rate limiting"), ms; a little more, for the way there. */
const SLOT_MS = 5_500;

/** Gives the bots of one token their turns to log in, one after the other. @param monotonicMs a clock that never jumps, ms */
export function createIdentifySlots(monotonicMs: () => number) {
  const freeMs = new Map<number, number>();
  return {
    /**
     * Takes the turn if it is free. None is kept for who has to wait: a bot that crashes and asks again would take all of the future.
     *
     * @param bucket shard id modulo max_concurrency
     * @returns how long from now the asker has to wait before it asks again, ms; 0: it is its turn
     */
    take(bucket: number): number {
      const now = monotonicMs();
      const waitMs = Math.max(0, (freeMs.get(bucket) ?? now) - now);
      if (waitMs === 0) freeMs.set(bucket, now + SLOT_MS);
      return waitMs;
    },
  };
}
