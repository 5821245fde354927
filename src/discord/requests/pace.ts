import type { Machine } from '../../lib/machine.ts';

/** Requests that may be sent at once after a pause. */
const BURST = 10;
/**
 * A second plus the amount by which two requests may move closer on their way, as in discord.js
 * (`offset`).
 */
const SECOND_MS = 1_050;
/** Tolerance for rounding errors in sums of fractions, in ms. */
const ROUNDING_MS = 1e-6;

/**
 * Creates a pace of requests: at most `perSecond` in any 1.05 s. Up to ten are sent at once after a
 * pause, the others evenly.
 *
 * @param perSecond a whole number, at least 1
 */
export function createPace({ monotonicMs }: Machine, perSecond: number) {
  const everyMs = SECOND_MS / perSecond;
  const burstMs = (Math.min(BURST, perSecond) - 1) * everyMs;
  /** Times of the last `perSecond` requests, in monotonic ms, oldest first. */
  const sentMs: number[] = [];
  /** Time from which a whole burst may be sent again, in monotonic ms. */
  let burstAtMs = Number.NEGATIVE_INFINITY;
  let throttledUntilMs = Number.NEGATIVE_INFINITY;

  const nextBurstMs = (): number => {
    const [oldestMs] = sentMs;
    if (oldestMs === undefined || sentMs.length < perSecond) return burstAtMs;
    // A burst is not repeated a second later while others wait; from then on all requests are
    // spaced evenly.
    return Math.max(burstAtMs, oldestMs + SECOND_MS + burstMs);
  };

  return {
    /** Time until a request may be sent, in ms; 0: now. */
    waitMs(): number {
      const delayMs = Math.max(nextBurstMs() - burstMs, throttledUntilMs) - monotonicMs();
      if (delayMs < ROUNDING_MS) return 0;
      return delayMs;
    },
    /** Counts a request that is sent now. */
    take(): void {
      const nowMs = monotonicMs();
      burstAtMs = Math.max(nowMs, nextBurstMs()) + everyMs;
      sentMs.push(nowMs);
      if (sentMs.length > perSecond) sentMs.shift();
    },
    /** Holds all requests back for `delayMs`. */
    throttle(delayMs: number): void {
      throttledUntilMs = Math.max(throttledUntilMs, monotonicMs() + delayMs);
    },
  };
}
