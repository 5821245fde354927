export interface PaceDeps {
  /** How far apart turns are, ms. */
  readonly everyMs: number;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
  /** Resolves also when the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

/** Turns one after the other, in the order in which they are asked for. Resolves when it is time; rejects when the signal aborts. */
export type Pace = () => Promise<void>;

export function createPace({ everyMs, monotonicMs, sleep, signal }: PaceDeps): Pace {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = monotonicMs();
    const turnMs = Math.max(now, nextMs);
    nextMs = turnMs + everyMs;
    if (turnMs > now) await sleep(turnMs - now, signal);
    signal.throwIfAborted();
  };
}
