import { backOffMs } from '../../lib/backoff.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
const LEAST_CAP_MS = 15 * 60_000;
const LARGEST_CAP_MS = 24 * 3_600_000;

/** A shorter time without requests is nothing unusual. */
export const LONG_PAUSE_MS = 120_000;

/** Requests are held back by the venue. Times are local, ms. */
export interface Pause {
  readonly sinceMs: number;
  /** When the venue is asked again. */
  readonly untilMs: number;
}

/** What is known when a response asks for a pause. */
interface Moment {
  readonly nowMs: number;
  /** Length of the venue's windows; null while it is not known. */
  readonly windowMs: number | null;
  /** How many requests were complete when the one was sent that the venue answers … */
  readonly sentAfter: number;
  /** … and how many are by now. */
  readonly completed: number;
}

/** Pauses that the venue asks for: by a 429, or by a window that is used up and ends absurdly late. */
export interface Pauses {
  /** Set while nothing may be sent, local ms. */
  readonly blockedUntilMs: number | null;
  readonly last429AtMs: number | null;
  /** A 429. @param requestedMs times that it names (X-RateLimit-Reset, Retry-After), local ms */
  refused(requestedMs: readonly number[], moment: Moment): void;
  /** Nothing is sent until then, or as long as may be waited at most. */
  hold(untilMs: number, moment: Moment): void;
  /** An answer that asks for no pause: it is over, unless the request was sent before it. */
  answered(sentAfter: number): void;
  /** Unblocks when the time has come; whether it has. */
  elapsed(nowMs: number): boolean;
  /** From the first response that asked for it until an answer says otherwise. */
  present(nowMs: number): Pause | null;
}

export function createPauses(random: () => number): Pauses {
  let blockedUntilMs: number | null = null;
  let blockedAfterCompleted = 0;
  let refusals = 0;
  let pause: Pause | null = null;
  let last429AtMs: number | null = null;

  const hold: Pauses['hold'] = (untilMs, { nowMs, windowMs, completed }) => {
    blockedUntilMs = Math.max(blockedUntilMs ?? 0, Math.min(untilMs, nowMs + longestPauseMs(windowMs)));
    blockedAfterCompleted = completed;
    pause = { sinceMs: pause?.sinceMs ?? nowMs, untilMs: blockedUntilMs };
  };

  return {
    get blockedUntilMs() {
      return blockedUntilMs;
    },
    get last429AtMs() {
      return last429AtMs;
    },
    refused(requestedMs, moment) {
      last429AtMs = moment.nowMs;
      // Requests that were under way together are refused together: that is one refusal.
      if (moment.sentAfter >= blockedAfterCompleted) refusals += 1;
      hold(endOfPause({ nowMs: moment.nowMs, requestedMs, refusals, random }), moment);
    },
    hold,
    answered(sentAfter) {
      if (sentAfter < blockedAfterCompleted) return;
      refusals = 0;
      pause = null;
    },
    elapsed(nowMs) {
      if (blockedUntilMs === null || nowMs < blockedUntilMs) return false;
      blockedUntilMs = null;
      return true;
    },
    // If nobody has asked again for long, nothing is known any more.
    present: (nowMs) => (pause !== null && nowMs < pause.untilMs + LONG_PAUSE_MS ? pause : null),
  };
}

/**
 * Until when a 429 is waited out, local ms: the latest time that the venue asked for and up to 250 ms more, or exponential backoff with
 * jitter from a second to a minute. A venue that refuses again right after the time it asked for gets the backoff as well.
 */
function endOfPause(refusal: {
  readonly nowMs: number;
  /** Times that the response names (X-RateLimit-Reset, Retry-After), local ms. */
  readonly requestedMs: readonly number[];
  /** 429s in a row, this one included. */
  readonly refusals: number;
  readonly random: () => number;
}): number {
  const { nowMs, requestedMs, refusals, random } = refusal;
  const delayMs = backOffMs(refusals - 1, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS, random);
  const backedOffMs = nowMs + Math.max(FIRST_BACKOFF_MS, delayMs);
  if (requestedMs.length === 0) return backedOffMs;
  const latestMs = Math.max(...requestedMs) + random() * 250;
  return refusals > 1 ? Math.max(latestMs, backedOffMs) : latestMs;
}

/**
 * How long requests are held back at most, whatever the venue asks for: a quarter of an hour, or twice its window where that is
 * longer, but not beyond a day. Then one request is sent to see: a slip of a venue, or of a proxy before it, must not silence the bot.
 *
 * @param windowMs length of the venue's windows; null while it is not known
 */
export function longestPauseMs(windowMs: number | null): number {
  return Math.min(LARGEST_CAP_MS, Math.max(LEAST_CAP_MS, 2 * (windowMs ?? 0)));
}
