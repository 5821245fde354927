import type { Machine } from '../lib/machine.ts';

/**
 * Turns one after the other, in the order in which they are asked for.
 *
 * @param everyMs how far apart turns are @param signal ends all waiting
 * @returns resolves when it is time; rejects when the signal aborts
 */
export function createPace({ monotonicMs, sleep }: Machine, everyMs: number, signal: AbortSignal): () => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = monotonicMs();
    const turnMs = Math.max(now, nextMs);
    nextMs = turnMs + everyMs;
    if (turnMs > now) await sleep(turnMs - now, signal);
    signal.throwIfAborted();
  };
}
