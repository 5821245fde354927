import { backOffMs } from '../../lib/backoff.ts';
export type Priority = 'person' | 'poller';
export type PerPriority = Readonly<Record<Priority, number>>;

/** How much of a limit may be used; at least one request, or nothing could ever be sent. */
export function allowanceOf(limit: number, share: number): number {
  // 0.9 · 10 is a hair below 9 in binary for some pairs.
  return Math.max(1, Math.floor(share * limit + 1e-9));
}

/**
 * How many of the requests that are left persons may take while the poller has work: none of the poller's half. Half means half of
 * what the window left to us, so that another program that uses the same key takes from both alike.
 *
 * @param state.left requests that may still be sent in this window
 * @param state.used requests sent in this window
 */
export function leftForPersons(state: {
  readonly left: number;
  readonly used: PerPriority;
  readonly lastServed: Priority;
}): number {
  const ours = state.left + state.used.person + state.used.poller;
  // A single request cannot be halved: they take turns.
  const pollerDue = ours > 1 ? Math.ceil(ours / 2) : state.lastServed === 'person' ? 1 : 0;
  return state.left - Math.max(0, pollerDue - state.used.poller);
}

/**
 * Whether a server that has sent `used` look-ups in this window may send another one although other servers look things up, too: it may
 * have had as many as are left to all (dynamic thresholds: Choudhury & Hahne 1998), so that a newcomer finds some: n greedy servers
 * get 1/(n + 1) of the window each, and leave as much. What is kept shrinks with the rest of the window.
 *
 * @param left requests that may still be sent for persons in this window
 * @param restOfWindow what is left of the window's time, 1 to 0
 */
export function mayTakeMore(used: number, left: number, restOfWindow: number): boolean {
  return used === 0 ? left >= 1 : used * restOfWindow < left - 1;
}

/**
 * Until when a 429 is waited out: the latest time that the venue asked for and a little more, or exponential backoff with jitter from a
 * second to a minute. A venue that refuses again right after the time it asked for gets the backoff as well.
 *
 * @param refusal.asked times named by the response (reset, Retry-After), local ms
 * @param refusal.refusals 429s in a row, this one included
 */
export function endOfPause(refusal: {
  readonly nowMs: number;
  readonly requested: readonly number[];
  readonly refusals: number;
  readonly random: () => number;
}): number {
  const { nowMs, requested, refusals, random } = refusal;
  const backedOffMs = nowMs + Math.max(1_000, backOffMs(refusals - 1, 1_000, 60_000, random));
  if (requested.length === 0) return backedOffMs;
  const requestedMs = Math.max(...requested) + random() * 250;
  return refusals > 1 ? Math.max(requestedMs, backedOffMs) : requestedMs;
}

const LEAST_CAP_MS = 15 * 60_000;
const LARGEST_CAP_MS = 24 * 3_600_000;

/**
 * How long requests are held back at most, whatever the venue asks for: a quarter of an hour, or twice its window where that is
 * longer, but not beyond a day. Then it is asked once more. A slip of a venue, or of what stands before it, must not silence the bot.
 *
 * @param windowMs length of the venue's windows; null while it is not known
 */
export function longestPauseMs(windowMs: number | null): number {
  return Math.min(LARGEST_CAP_MS, Math.max(LEAST_CAP_MS, 2 * (windowMs ?? 0)));
}

/** Pause before the next probe when `failures` in a row (≥ 1) brought no answer, ms. */
export function pauseAfterFailures(failures: number, random: () => number): number {
  return backOffMs(failures - 1, 250, 5_000, random);
}

/**
 * How many poller requests to promise for the next `spanMs`, fractions included: what the window has left, evenly over the rest of it,
 * and the next window's even pace after that. Of a window that nothing is known of, one request, to learn of it.
 *
 * @param state.window what may still be sent until the present window ends; null where no response told, or the window slides
 * @param state.probeGapMs distance of probes while responses tell nothing; 0 as long as they may
 * @param state.isAsking whether a request is under way that may tell
 */
export function fairPromise(state: {
  readonly spanMs: number;
  readonly allowance: number | null;
  readonly lengthMs: number | null;
  readonly window: { readonly usable: number; readonly leftMs: number } | null;
  readonly probeGapMs: number;
  readonly isAsking: boolean;
}): number {
  const { spanMs, allowance, lengthMs, window, probeGapMs, isAsking } = state;
  const evenly = (ms: number) => {
    if (ms <= 0) return 0;
    return lengthMs === null ? 1 : ((allowance ?? 1) * ms) / lengthMs;
  };
  if (spanMs <= 0) return 0;
  if (window !== null) {
    const here = (Math.max(0, window.usable) * Math.min(spanMs, window.leftMs)) / window.leftMs;
    return here + evenly(spanMs - window.leftMs);
  }
  if (probeGapMs > 0) return spanMs / probeGapMs;
  if (allowance === null) return isAsking ? 0 : 1;
  return evenly(spanMs);
}
