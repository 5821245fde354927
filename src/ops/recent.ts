import { LRUCache } from 'lru-cache';
import { quantile } from '../lib/quantile.ts';

/** Number of buckets in which polls are counted: five minutes. */
const BUCKETS = 30;
const BUCKET_MS = 10_000;
const RECORDS_KEPT = 100;
/** Maximum owners whose records are kept; the one with the oldest last alert is dropped first. */
const OWNERS_KEPT = 1_000;

/** A record that was posted in a message. */
export interface ArrivedRecord {
  /** Time from the record to Discord's response to the message, by the venue's clock. */
  readonly delaySeconds: number;
  /**
   * True if the message shows the effect on the wallet's position; null for a deposit or
   * withdrawal.
   */
  readonly showsPosition: boolean | null;
}

/**
 * Creates counts of recent polls and delays, for `/watch status`.
 *
 * @param monotonicMs a clock that never jumps, in ms
 */
export function createRecent(monotonicMs: () => number) {
  /** Polls by the time at which they ended, in buckets since the clock's beginning. */
  const buckets = new LRUCache<number, { readonly succeeded: number; readonly failed: number }>({
    max: BUCKETS,
  });
  const recordsByOwner = new LRUCache<string, readonly ArrivedRecord[]>({ max: OWNERS_KEPT });
  const bucketNow = () => Math.floor(monotonicMs() / BUCKET_MS);

  return {
    polled(outcome: string) {
      const { succeeded, failed } = buckets.get(bucketNow()) ?? { succeeded: 0, failed: 0 };
      const isDone = outcome === 'ok';
      buckets.set(bucketNow(), {
        succeeded: succeeded + Number(isDone),
        failed: failed + Number(!isDone),
      });
    },
    arrived(ownerId: string, record: ArrivedRecord) {
      recordsByOwner.set(
        ownerId,
        [...(recordsByOwner.get(ownerId) ?? []), record].slice(-RECORDS_KEPT),
      );
    },
    /** Returns the polls of the last five minutes. */
    polls() {
      const counted = [...buckets.entries()].filter(([bucket]) => bucket > bucketNow() - BUCKETS);
      return {
        succeeded: counted.reduce((sum, [, { succeeded }]) => sum + succeeded, 0),
        failed: counted.reduce((sum, [, { failed }]) => sum + failed, 0),
        windowMs: BUCKETS * BUCKET_MS,
      };
    },
    /**
     * Returns the delays of an owner's last alerts; null if there were none since the start.
     * `withoutPosition`: number of alerts that do not show the effect on the position.
     */
    delays(ownerId: string) {
      const records = recordsByOwner.peek(ownerId);
      if (records === undefined) return null;
      const delays = records.map(({ delaySeconds }) => delaySeconds);
      const latestSeconds = delays.at(-1) ?? 0;
      delays.sort((a, b) => a - b);
      const withoutPosition = records.filter(({ showsPosition }) => showsPosition === false).length;
      const medianSeconds = quantile(delays, 0.5);
      const p95Seconds = quantile(delays, 0.95);
      return {
        count: delays.length,
        medianSeconds,
        p95Seconds,
        latestSeconds,
        withoutPosition,
      };
    },
  };
}
