import { backOffMs } from '../../lib/async/backoff.ts';
import { DAY_MS } from '../../lib/time.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
const LEAST_CAP_MS = 15 * 60_000;
const LARGEST_CAP_MS = DAY_MS;

/** Shorter times without requests are normal, in ms. */
export const LONG_PAUSE_MS = 120_000;

/** A pause of requests imposed by the venue. Times are local, in ms. */
export interface Pause {
  readonly sinceMs: number;
  /** Time at which the next request is sent. */
  readonly untilMs: number;
}

/** State at the moment when a response asks for a pause. */
interface Moment {
  readonly nowMs: number;
  /** Length of the venue's windows, in ms; null while unknown. */
  readonly windowMs: number | null;
  /** Number of completed requests when the answered one was sent … */
  readonly sentAfter: number;
  /** … and the number by now. */
  readonly completed: number;
}

export type Pauses = ReturnType<typeof createPauses>;

/**
 * Creates the tracker of pauses imposed by the venue: by a 429, or by a used-up window that ends
 * absurdly late.
 */
export function createPauses(random: () => number) {
  let blockedUntilMs: number | null = null;
  let blockedAfterCompleted = 0;
  let refusals = 0;
  let pause: Pause | null = null;

  const hold = (untilMs: number, { nowMs, windowMs, completed }: Moment): void => {
    blockedUntilMs = Math.max(
      blockedUntilMs ?? 0,
      Math.min(untilMs, nowMs + longestPauseMs(windowMs)),
    );
    blockedAfterCompleted = completed;
    pause = { sinceMs: pause?.sinceMs ?? nowMs, untilMs: blockedUntilMs };
  };

  return {
    /** Time until which nothing may be sent, in local ms; null if there is no pause. */
    get blockedUntilMs() {
      return blockedUntilMs;
    },
    /**
     * Records a 429. The pause lasts until the latest time the venue named plus up to 250 ms, or
     * uses exponential backoff with jitter from a second to a minute. If the venue refuses again
     * right after the time it named, the backoff applies as well.
     *
     * @param requestedMs times named by the venue (X-RateLimit-Reset, Retry-After), in local ms
     */
    refused(requestedMs: readonly number[], moment: Moment): void {
      const { nowMs, sentAfter } = moment;
      // Requests that were in flight together are refused together and count as one refusal.
      if (sentAfter >= blockedAfterCompleted) refusals += 1;
      const delayMs = backOffMs(refusals - 1, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS, random);
      const backedOffMs = nowMs + Math.max(FIRST_BACKOFF_MS, delayMs);
      const latestMs = Math.max(...requestedMs) + random() * 250;
      const isBackedOff = refusals > 1 || requestedMs.length === 0;
      hold(isBackedOff ? Math.max(latestMs, backedOffMs) : latestMs, moment);
    },
    /** Holds requests back until the given time, but no longer than the maximum pause. */
    hold,
    /**
     * Records a response that asks for no pause. It ends the pause, unless its request was sent
     * before the pause.
     */
    answered(sentAfter: number): void {
      if (sentAfter < blockedAfterCompleted) return;
      refusals = 0;
      pause = null;
    },
    /** Ends the block when its time has come; returns whether it has ended. */
    elapsed(nowMs: number): boolean {
      if (blockedUntilMs === null || nowMs < blockedUntilMs) return false;
      blockedUntilMs = null;
      return true;
    },
    /**
     * Returns the pause, or null if there is none. A pause begins with the first response that asks
     * for it and lasts until a response ends it. It also counts as over long after its stated end,
     * because then no request was sent whose response could have ended it.
     */
    present(nowMs: number): Pause | null {
      if (pause === null || nowMs >= pause.untilMs + LONG_PAUSE_MS) return null;
      return pause;
    },
  };
}

/**
 * Returns the longest time that requests are held back, whatever the venue asks for: a quarter of
 * an hour, or twice its window if that is longer, at most a day. Then one request is sent as a
 * test: a mistake of the venue, or of a proxy in front of it, must not silence the bot.
 *
 * @param windowMs length of the venue's windows; null while unknown
 */
export function longestPauseMs(windowMs: number | null): number {
  return Math.min(LARGEST_CAP_MS, Math.max(LEAST_CAP_MS, 2 * (windowMs ?? 0)));
}
