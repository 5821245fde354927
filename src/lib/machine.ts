import type { Logger } from 'pino';
import { createSleep } from './async/sleep.ts';
import type { OnFailpoint } from './failpoints.ts';

/** Services of the process. Modules take it as their first parameter. */
export interface Machine {
  readonly log: Logger;
  /** Epoch milliseconds; may be set back. */
  readonly nowMs: () => number;
  /** Milliseconds since some moment; never goes back. */
  readonly monotonicMs: () => number;
  /** Resolves after the delay, or when the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly onFailpoint: OnFailpoint;
}

/** Creates the services of this process, without failpoints. */
export function createMachine(log: Logger): Machine {
  return {
    log,
    nowMs: Date.now,
    monotonicMs: () => performance.now(),
    sleep: createSleep(),
    random: Math.random,
    onFailpoint() {},
  };
}
