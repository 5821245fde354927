/** Discord's epoch, the first second of 2015, in epoch milliseconds. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;

/**
 * Creates a generator of strictly increasing Discord ids from the given clock.
 *
 * @throws RangeError if the clock is so early that ids would have fewer than 17 digits (clients
 *   then confuse rate limit buckets)
 */
export function createSnowflakes(now: () => number): () => string {
  let lastMs = 0;
  let sequence = 0;
  return () => {
    const nowMs = Math.floor(now());
    if (nowMs > lastMs) {
      lastMs = nowMs;
      sequence = 0;
    } else if (++sequence > 4095) {
      lastMs += 1;
      sequence = 0;
    }
    const id = ((BigInt(lastMs - DISCORD_EPOCH_MS) << 22n) | BigInt(sequence)).toString();
    if (id.length < 17 || id.startsWith('-')) {
      throw new RangeError(
        `The clock of the Discord double shows ${nowMs} ms; it must be later than February 2015.`,
      );
    }
    return id;
  };
}

/** Returns the time at which an id was created, in epoch milliseconds. */
export function snowflakeTimeMs(id: string): number {
  return Number(BigInt(id) >> 22n) + DISCORD_EPOCH_MS;
}

/** Compares ids by age, oldest first. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
