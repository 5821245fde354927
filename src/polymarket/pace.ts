import type { Machine } from '../lib/machine.ts';

/** Length of a window, in ms. */
const WINDOW_MS = 60_000;
/** Time for which the pace is halved after the source has shown that it is too fast, in ms. */
const HALVED_MS = 60_000;
/** Delay after a 429 response that states none, in ms. */
const USUAL_WAIT_MS = 10_000;
/** Longest delay that is accepted from the source, in ms. */
const LONGEST_WAIT_MS = 3_600_000;

export type Pace = ReturnType<typeof createPace>;

/**
 * Counts requests to the source in windows of a minute, and reports the rest of the present one in
 * the form of the interface's rate headers.
 *
 * @param requestsPerMinute limit of a window, unless the source was slow or refused a request
 */
export function createPace({ nowMs }: Machine, requestsPerMinute: number) {
  let windowEndMs = 0;
  let used = 0;
  let halvedUntilMs = 0;
  let blockedUntilMs = 0;

  const turn = () => {
    const now = nowMs();
    // If the clock was set back by more than a window, a new window begins.
    if (now < windowEndMs && windowEndMs - now <= WINDOW_MS) return;
    windowEndMs = now + WINDOW_MS;
    used = 0;
  };
  const isBlocked = () => {
    const waitMs = blockedUntilMs - nowMs();
    return waitMs > 0 && waitMs <= LONGEST_WAIT_MS;
  };
  const limit = () => {
    const leftMs = halvedUntilMs - nowMs();
    const isHalved = leftMs > 0 && leftMs <= HALVED_MS;
    return isHalved ? Math.max(1, Math.floor(requestsPerMinute / 2)) : requestsPerMinute;
  };

  return {
    /**
     * Takes one request of the window.
     *
     * @returns false if none is left, or the source has asked for a pause
     */
    take(): boolean {
      turn();
      if (isBlocked() || used >= limit()) return false;
      used += 1;
      return true;
    },
    /** Counts an additional request of a call that was already allowed. */
    add(): void {
      turn();
      used += 1;
    },
    /** Halves the pace for a minute. */
    slowDown(): void {
      halvedUntilMs = nowMs() + HALVED_MS;
    },
    /**
     * Blocks all requests until the source allows them.
     *
     * @param waitMs delay that the source asks for, in ms; null if it states none
     */
    block(waitMs: number | null): void {
      blockedUntilMs = nowMs() + Math.min(LONGEST_WAIT_MS, waitMs ?? USUAL_WAIT_MS);
      halvedUntilMs = blockedUntilMs + HALVED_MS;
    },
    /** Values of the rate headers; the reset is in Unix seconds. */
    state() {
      turn();
      const endMs = isBlocked() ? blockedUntilMs : windowEndMs;
      return {
        limit: limit(),
        remaining: isBlocked() ? 0 : Math.max(0, limit() - used),
        resetSeconds: Math.ceil(endMs / 1_000),
      };
    },
  };
}
