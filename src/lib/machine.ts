import type { Logger } from 'pino';
import type { OnFailpoint } from './failpoints.ts';

/** Services of the process that parts run in. A part takes it as its first parameter. */
export interface Machine {
  readonly log: Logger;
  /** Epoch milliseconds; may be set back. */
  readonly nowMs: () => number;
  /** Milliseconds since some moment; never goes back. */
  readonly monotonicMs: () => number;
  /** Resolves after so long, or when the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly onFailpoint: OnFailpoint;
}
