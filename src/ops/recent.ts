import { LRUCache } from 'lru-cache';
import { quantile } from '../lib/quantile.ts';

const POLL_WINDOW_MS = 5 * 60_000;
const BUCKET_MS = 10_000;
/** The newest records kept of each owner. */
const RECORDS_KEPT = 100;
/** Owners whose records are kept; the one whose last alert is the oldest is dropped first. */
const OWNERS_KEPT = 1_000;

/** A record that a message announced. */
export interface ArrivedRecord {
  /** From its time to Discord's answer to the message, by the venue's clock. */
  readonly delaySeconds: number;
  /** Whether the message says what it means for the wallet's position; null for a deposit or withdrawal. */
  readonly saysPosition: boolean | null;
}

/** Recent polls and delays, for `/watch status`. @param monotonicMs a clock that never jumps, ms */
export function createRecent(monotonicMs: () => number) {
  let buckets: { readonly atMs: number; succeeded: number; failed: number }[] = [];
  const recordsByOwner = new LRUCache<string, readonly ArrivedRecord[]>({ max: OWNERS_KEPT });

  const current = () => {
    const atMs = Math.floor(monotonicMs() / BUCKET_MS) * BUCKET_MS;
    const last = buckets.at(-1);
    if (last?.atMs === atMs) return last;
    const added = { atMs, succeeded: 0, failed: 0 };
    buckets = [...live(), added];
    return added;
  };
  const live = () => buckets.filter(({ atMs }) => monotonicMs() - atMs < POLL_WINDOW_MS);

  return {
    polled(outcome: string) {
      current()[outcome === 'ok' ? 'succeeded' : 'failed'] += 1;
    },
    arrived(ownerId: string, record: ArrivedRecord) {
      recordsByOwner.set(ownerId, [...(recordsByOwner.get(ownerId) ?? []), record].slice(-RECORDS_KEPT));
    },
    /** Of the last five minutes. */
    polls() {
      const counted = live();
      return {
        succeeded: counted.reduce((sum, { succeeded }) => sum + succeeded, 0),
        failed: counted.reduce((sum, { failed }) => sum + failed, 0),
        windowMs: POLL_WINDOW_MS,
      };
    },
    /** Of the last alerts of an owner; null if none has arrived since the start. `withoutPosition`: sent without what they mean for it. */
    delays(ownerId: string) {
      const records = recordsByOwner.peek(ownerId);
      if (records === undefined) return null;
      const delays = records.map(({ delaySeconds }) => delaySeconds).sort((a, b) => a - b);
      const withoutPosition = records.filter(({ saysPosition }) => saysPosition === false).length;
      const [medianSeconds, p95Seconds] = [quantile(delays, 0.5), quantile(delays, 0.95)];
      return { count: delays.length, medianSeconds, p95Seconds, withoutPosition };
    },
  };
}
