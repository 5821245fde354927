import { LRUCache } from 'lru-cache';
import { quantile } from '../lib/quantile.ts';

/** Polls are counted in so many buckets: five minutes. */
const BUCKETS = 30;
const BUCKET_MS = 10_000;
const RECORDS_KEPT = 100;
/** Owners whose records are kept; the one whose last alert is the oldest is dropped first. */
const OWNERS_KEPT = 1_000;

/** A record that a message announced. */
export interface ArrivedRecord {
  /** From its time to Discord's answer to the message, by the venue's clock. */
  readonly delaySeconds: number;
  /**
   * True if the message says what it means for the wallet's position; null for a deposit or
   * withdrawal.
   */
  readonly saysPosition: boolean | null;
}

/**
 * Recent polls and delays, for `/watch status`.
 *
 * @param monotonicMs a clock that never jumps, ms
 */
export function createRecent(monotonicMs: () => number) {
  /** Polls by the time at which they ended, in buckets since that clock's beginning. */
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
    /** Polls of the last five minutes. */
    polls() {
      const counted = [...buckets.entries()].filter(([bucket]) => bucket > bucketNow() - BUCKETS);
      return {
        succeeded: counted.reduce((sum, [, { succeeded }]) => sum + succeeded, 0),
        failed: counted.reduce((sum, [, { failed }]) => sum + failed, 0),
        windowMs: BUCKETS * BUCKET_MS,
      };
    },
    /**
     * Delays of an owner's last alerts; null if none came since start. `withoutPosition`: without
     * what they mean for it.
     */
    delays(ownerId: string) {
      const records = recordsByOwner.peek(ownerId);
      if (records === undefined) return null;
      const delays = records.map(({ delaySeconds }) => delaySeconds);
      const latestSeconds = delays.at(-1) ?? 0;
      delays.sort((a, b) => a - b);
      const withoutPosition = records.filter(({ saysPosition }) => saysPosition === false).length;
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
