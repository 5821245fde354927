import type { Machine } from '../../lib/machine.ts';

/** Requests that may go at once after a rest. */
const BURST = 10;
/**
 * A second, and by how much two requests may come closer on their way: as discord.js has it
 * (`offset`).
 */
const SECOND_MS = 1_050;
/** Sums of fractions are off by less. */
const ROUNDING_MS = 1e-6;

/**
 * Paces requests: at most `perSecond` go in any second and a twentieth, and of these ten at once
 * after a rest, the others evenly.
 *
 * @param perSecond a whole number, ≥ 1
 */
export function createPace({ monotonicMs }: Pick<Machine, 'monotonicMs'>, perSecond: number) {
  const everyMs = SECOND_MS / perSecond;
  const burstMs = (Math.min(BURST, perSecond) - 1) * everyMs;
  /** Times when the last `perSecond` requests went, monotonic ms, oldest first. */
  const sentMs: number[] = [];
  /** Time from which on a whole burst may go again, monotonic ms. */
  let restedAtMs = Number.NEGATIVE_INFINITY;
  let heldUntilMs = Number.NEGATIVE_INFINITY;

  const restedMs = (): number => {
    const [oldestMs] = sentMs;
    if (oldestMs === undefined || sentMs.length < perSecond) return restedAtMs;
    // A burst that went a second ago does not go at once again while others wait: all go evenly
    // from then on.
    return Math.max(restedAtMs, oldestMs + SECOND_MS + burstMs);
  };

  return {
    /** Time until a request may go, ms; 0: now. */
    waitMs(): number {
      const delayMs = Math.max(restedMs() - burstMs, heldUntilMs) - monotonicMs();
      if (delayMs < ROUNDING_MS) return 0;
      return delayMs;
    },
    /** Counts one that goes now. */
    take(): void {
      const nowMs = monotonicMs();
      restedAtMs = Math.max(nowMs, restedMs()) + everyMs;
      sentMs.push(nowMs);
      if (sentMs.length > perSecond) sentMs.shift();
    },
    /** Lets none go for so long. */
    hold(delayMs: number): void {
      heldUntilMs = Math.max(heldUntilMs, monotonicMs() + delayMs);
    },
  };
}
