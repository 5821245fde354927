import { backOffMs } from '../../lib/async/backoff.ts';
import { DAY_MS } from '../../lib/time.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
const LEAST_CAP_MS = 15 * 60_000;
const LARGEST_CAP_MS = DAY_MS;

/** A shorter time without requests is nothing unusual. */
export const LONG_PAUSE_MS = 120_000;

/** Requests are held back by the venue. Times are local, ms. */
export interface Pause {
  readonly sinceMs: number;
  /** Time at which the venue is asked again. */
  readonly untilMs: number;
}

/** State at the moment when a response asks for a pause. */
interface Moment {
  readonly nowMs: number;
  /** Length of the venue's windows; null while it is not known. */
  readonly windowMs: number | null;
  /** Requests that were complete when the one was sent that the venue answers … */
  readonly sentAfter: number;
  /** … and how many are by now. */
  readonly completed: number;
}

export type Pauses = ReturnType<typeof createPauses>;

/**
 * Pauses that the venue asks for: by a 429, or by a window that is used up and ends absurdly late.
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
    /** Set while nothing may be sent, local ms. */
    get blockedUntilMs() {
      return blockedUntilMs;
    },
    /**
     * A 429: waited out until the latest time the venue asked for plus up to 250 ms, or exponential
     * backoff with jitter from a second to a minute. A venue that refuses again right after the
     * time it asked for gets the backoff as well.
     *
     * @param requestedMs times that it names (X-RateLimit-Reset, Retry-After), local ms
     */
    refused(requestedMs: readonly number[], moment: Moment): void {
      const { nowMs, sentAfter } = moment;
      // Requests that were under way together are refused together: that is one refusal.
      if (sentAfter >= blockedAfterCompleted) refusals += 1;
      const delayMs = backOffMs(refusals - 1, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS, random);
      const backedOffMs = nowMs + Math.max(FIRST_BACKOFF_MS, delayMs);
      const latestMs = Math.max(...requestedMs) + random() * 250;
      const isBackedOff = refusals > 1 || requestedMs.length === 0;
      hold(isBackedOff ? Math.max(latestMs, backedOffMs) : latestMs, moment);
    },
    /** Nothing is sent until then, or as long as may be waited at most. */
    hold,
    /** An answer that asks for no pause: it is over, unless the request was sent before it. */
    answered(sentAfter: number): void {
      if (sentAfter < blockedAfterCompleted) return;
      refusals = 0;
      pause = null;
    },
    /** Unblocks when the time has come; whether it has. */
    elapsed(nowMs: number): boolean {
      if (blockedUntilMs === null || nowMs < blockedUntilMs) return false;
      blockedUntilMs = null;
      return true;
    },
    /**
     * From the first response asking for it until an answer says otherwise; unknown if nobody asked
     * again for long.
     */
    present(nowMs: number): Pause | null {
      if (pause === null || nowMs >= pause.untilMs + LONG_PAUSE_MS) return null;
      return pause;
    },
  };
}

/**
 * The longest hold of requests, whatever the venue asks for: a quarter of an hour, or twice its
 * window if longer, at most a day. Then one request is sent to see: a slip of a venue, or of a
 * proxy before it, must not silence the bot.
 *
 * @param windowMs length of the venue's windows; null while it is not known
 */
export function longestPauseMs(windowMs: number | null): number {
  return Math.min(LARGEST_CAP_MS, Math.max(LEAST_CAP_MS, 2 * (windowMs ?? 0)));
}
