import type { GatewayMachine } from './machine.ts';

/** Length of a window, ms. */
const WINDOW_MS = 60_000;
/** Time for which the pace is halved after the source has shown that it is too fast, ms. */
const HALVED_MS = 60_000;
/** Wait after a 429 that names none, ms. */
const USUAL_WAIT_MS = 10_000;
/** Longest wait that the source is believed, ms. */
const LONGEST_WAIT_MS = 3_600_000;

export type Pace = ReturnType<typeof createPace>;

/**
 * Counts requests to the source in windows of a minute, and says what is left of the present one as
 * the interface's rate headers do.
 *
 * @param requestsPerMinute limit of a window, unless the source has been slow or has refused
 */
export function createPace({ nowMs }: Pick<GatewayMachine, 'nowMs'>, requestsPerMinute: number) {
  let windowEndMs = 0;
  let used = 0;
  let halvedUntilMs = 0;
  let blockedUntilMs = 0;

  const turn = () => {
    const now = nowMs();
    // A clock set back by more than a window begins a new one.
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
     * Takes a request of the window.
     *
     * @returns false if none is left, or the source has to rest
     */
    take(): boolean {
      turn();
      if (isBlocked() || used >= limit()) return false;
      used += 1;
      return true;
    },
    /** Counts a further request of a call that has been let through. */
    add(): void {
      turn();
      used += 1;
    },
    /** Halves the pace for a minute. */
    slowDown(): void {
      halvedUntilMs = nowMs() + HALVED_MS;
    },
    /**
     * Lets nothing through until the source allows it.
     *
     * @param waitMs what it asks for, ms
     */
    block(waitMs: number | null): void {
      blockedUntilMs = nowMs() + Math.min(LONGEST_WAIT_MS, waitMs ?? USUAL_WAIT_MS);
      halvedUntilMs = blockedUntilMs + HALVED_MS;
    },
    /** Values of the rate headers; the reset in Unix seconds. */
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
