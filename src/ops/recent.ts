import { LRUCache } from 'lru-cache';
import { quantile } from '../lib/quantile.ts';
import type { Telemetry } from './telemetry.ts';

const POLL_WINDOW_MS = 5 * 60_000;
const BUCKET_MS = 10_000;
/** The newest delays kept of each owner. */
const DELAYS_KEPT = 100;
/** Owners whose delays are kept; the one whose last alert is the oldest is dropped first. */
const OWNERS_KEPT = 1_000;

/** Delays of the last alerts, seconds. */
export interface Delays {
  readonly count: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
}

/** Recent polls and delays, for `/watch status`. */
export interface Recent extends Pick<Telemetry, 'polled' | 'arrived'> {
  /** Polls of the last five minutes. */
  polls(): { readonly succeeded: number; readonly failed: number; readonly windowMs: number };
  /** Of the last alerts of an owner; null if none has arrived since the start. */
  delays(ownerId: string): Delays | null;
}

/** @param monotonicMs a clock that never jumps, ms */
export function createRecent(monotonicMs: () => number): Recent {
  let buckets: { readonly atMs: number; succeeded: number; failed: number }[] = [];
  const delaysByOwner = new LRUCache<string, readonly number[]>({ max: OWNERS_KEPT });

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
    polled(_endpoint, outcome) {
      current()[outcome === 'ok' ? 'succeeded' : 'failed'] += 1;
    },
    arrived({ ownerId, delaysSeconds }) {
      if (ownerId === null || delaysSeconds.length === 0) return;
      const kept = [...(delaysByOwner.get(ownerId) ?? []), ...delaysSeconds].slice(-DELAYS_KEPT);
      delaysByOwner.set(ownerId, kept);
    },
    polls() {
      const counted = live();
      return {
        succeeded: counted.reduce((sum, { succeeded }) => sum + succeeded, 0),
        failed: counted.reduce((sum, { failed }) => sum + failed, 0),
        windowMs: POLL_WINDOW_MS,
      };
    },
    delays(ownerId) {
      const delays = delaysByOwner.peek(ownerId)?.toSorted((a, b) => a - b);
      if (delays === undefined) return null;
      return { count: delays.length, medianSeconds: quantile(delays, 0.5), p95Seconds: quantile(delays, 0.95) };
    },
  };
}
