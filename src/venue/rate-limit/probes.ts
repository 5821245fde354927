import { pauseAfterFailures } from './rules.ts';

const LONGEST_GAP_MS = 60_000;
const PATIENCE_MS = 3_000;

/** When requests go out, one at a time, while no response has told what is left. Times are local, ms. */
export interface Probes {
  /** Distance of probes while responses tell nothing; 0 as long as they may. */
  readonly gapMs: number;
  /** When the next one may go, unless the one on its way returns sooner. */
  dueAtMs(): number;
  /** One goes out. While it is on its way no other does, but not for ever: it may be lost. */
  sent(nowMs: number): void;
  returned(): void;
  /** An answer came, whatever it says. */
  answered(): void;
  /** No answer came: the next one waits, longer each time. */
  unanswered(nowMs: number): void;
  /** A window begins. */
  beganAt(nowMs: number): void;
  /** The answer to what was sent then said nothing of what is left. @param leastGapMs pace that is safe without headers */
  saidNothing(leastGapMs: number, sentAtMs: number): void;
  /** The venue refused, and did not say for how long. */
  refused(leastGapMs: number): void;
  /** What is left is known. */
  told(): void;
}

export function createProbes(random: () => number): Probes {
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  let gapMs = 0;
  let failures = 0;
  return {
    get gapMs() {
      return gapMs;
    },
    dueAtMs: () => Math.max(nextAtMs, heldUntilMs),
    sent(nowMs) {
      heldUntilMs = nowMs + PATIENCE_MS;
      nextAtMs = nowMs + gapMs;
    },
    returned() {
      heldUntilMs = Number.NEGATIVE_INFINITY;
    },
    answered() {
      failures = 0;
    },
    unanswered(nowMs) {
      failures += 1;
      nextAtMs = Math.max(nextAtMs, nowMs + pauseAfterFailures(failures, random));
    },
    beganAt(nowMs) {
      nextAtMs = Math.max(nextAtMs, nowMs);
    },
    saidNothing(leastGapMs, sentAtMs) {
      gapMs = Math.min(Math.max(LONGEST_GAP_MS, leastGapMs), Math.max(leastGapMs, gapMs / 2));
      nextAtMs = Math.max(nextAtMs, sentAtMs + gapMs);
    },
    refused(leastGapMs) {
      gapMs = Math.min(LONGEST_GAP_MS, Math.max(leastGapMs, gapMs) * 2);
    },
    told() {
      gapMs = 0;
    },
  };
}
