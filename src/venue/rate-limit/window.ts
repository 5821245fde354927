import type { Account } from '../../lib/fair-shares/account.ts';
import type { Turns, Waiter } from '../../lib/fair-shares/turns.ts';
import {
  plausibleReset,
  type RateReading,
  type ResponseFacts,
  readRateHeaders,
} from './headers.ts';
import { createLimitPair, type LimitPair, type LimitReading } from './limit-pair.ts';
import { createPauses, LONG_PAUSE_MS, longestPauseMs, type Pause, type Pauses } from './pause.ts';
import {
  createPriorityShare,
  type Priority,
  type PriorityShare,
  type Requester,
} from './priority-share.ts';
import { createVenueTime, type DateHeader, type VenueTime } from './venue-time.ts';
import { createWindowLength, type LearnedLimits } from './window-length.ts';

/** State at the moment when a request was sent; passed back with its response. */
export interface Sent {
  readonly requester: Requester;
  readonly atMs: number;
  /** Number of completed requests by then: an order of events that needs no clock. */
  readonly afterCompleted: number;
  /** True if it was sent while the number of requests left was unknown. */
  readonly isProbe: boolean;
  /** Null until a response with a `Date` comes. */
  date: DateHeader | null;
}

/**
 * Interval between requests to a venue that does not report its limit, or does not respond, in ms.
 */
const PACE_WITHOUT_HEADERS_MS = 1_000;
/**
 * Time without a response after which the next probe is sent, in ms: the previous one may be lost.
 */
const PROBE_PATIENCE_MS = 3_000;
/**
 * Maximum difference of two resets of the same window, in ms: resets are whole seconds, and some
 * servers recompute them for each response …
 */
const RESET_TOLERANCE_MS = 1_100;
/** … and the maximum for windows as short as a second or two. */
const SHORT_WINDOW_TOLERANCE_MS = 400;
const SHORT_WINDOW_MS = 3_000;
const POLLER = { priority: 'poller' } as const;
const BACKGROUND = { priority: 'background' } as const;
/** Share of the allowance for the bot's own background requests. */
const BACKGROUND_SHARE = 1 / 10;

/**
 * The key's rate limit: fixed windows, learned from X-RateLimit-Limit, -Remaining and -Reset of
 * each response. It has no queues and no timers. Every time is local, from a clock that does not
 * jump, in ms. If a key has two limits, the window is that of the slower one, and the faster one
 * bounds how many requests are sent at once.
 *
 * While known, `remaining` is spent down to the reserve, (1 − share) · limit. Otherwise (at first,
 * after the window, after a 429, without usable headers) one request at a time is sent as a probe
 * until a response reports what is left.
 */
export class RateWindow {
  readonly #share: number;
  readonly venueTime: VenueTime;

  #limit: number | null = null;
  /**
   * X-RateLimit-Remaining of this window; null while unknown. `#usable()` subtracts requests in
   * flight.
   */
  #remaining: number | null = null;
  /** Reset of the newest window in the venue's time, as received; distinguishes windows. */
  #resetVenueMs: number | null = null;
  #resetAtMs = 0;
  #beganAtMs: number;
  readonly #length = createWindowLength();

  readonly #inFlight = new Set<Sent>();
  #completed = 0;
  #lastCompletedMs: number;
  readonly #sharing: PriorityShare;
  #nextProbeAtMs = Number.NEGATIVE_INFINITY;
  /** True if the newest readable response did not report what is left. */
  #isSilent = false;

  readonly #pauses: Pauses;
  readonly #pair: LimitPair = createLimitPair();
  /** The faster limit if the key has two, else null. */
  #faster: { limit: number; remaining: number; resetAtMs: number; lengthMs: number } | null = null;
  /** Fraction of a request that `promise` has not granted yet. */
  #carry = 0;

  constructor(options: {
    share: number;
    random: () => number;
    wallOffsetMs: () => number;
    nowMs: number;
  }) {
    this.#share = options.share;
    this.#sharing = createPriorityShare();
    this.#pauses = createPauses(options.random);
    this.venueTime = createVenueTime(options.wallOffsetMs);
    this.#beganAtMs = options.nowMs;
    this.#lastCompletedMs = options.nowMs;
  }

  /** Restores limits learned by an earlier process. Call it before the first response. */
  restore(known: LearnedLimits): void {
    this.#length.restore(known);
    this.#pair.restore(known);
  }

  /** Known limits and lengths of windows; null until they are known. */
  learned(): LearnedLimits | null {
    const learned = this.#length.learned();
    return learned && { ...learned, faster: this.#pair.known() };
  }

  pollerRequested(nowMs: number): void {
    this.#sharing.pollerRequested(nowMs);
  }

  /** Counts a person that starts or stops waiting. */
  personWaits(account: Account, by: 1 | -1): void {
    this.#sharing.lookups.waits(account, by);
  }

  /**
   * Returns who may send now: a person, unless persons have had their half and the poller has work;
   * if no person waits, a background request within its share; then the poller. Null if none may.
   *
   * @param waiting numbers of waiting requests, and the queue of persons; a person that may send is
   *   removed from it
   */
  next<Person extends Waiter>(
    nowMs: number,
    waiting: {
      readonly pollers: number;
      readonly background: number;
      readonly persons: Pick<Turns<Person>, 'size' | 'take'>;
    },
  ):
    | { readonly priority: 'background' | 'poller' }
    | { readonly priority: 'person'; readonly person: Person }
    | null {
    const { pollers, background, persons } = waiting;
    this.#advance(nowMs);
    if (!this.#isOpen(nowMs)) return null;
    const isWaiting = pollers > 0;
    const isBusy = this.#sharing.isPollerBusy(nowMs, isWaiting, this.#paceMs());
    const left = this.#sharing.leftForPersons(this.#remaining === null ? null : this.#usable(), {
      isWaiting,
      isBusy,
    });
    const restOfWindow = (this.#resetAtMs - nowMs) / (this.#windowMs() ?? 1);
    const rest = Math.min(1, Math.max(0, restOfWindow));
    const isAnyPersonWaiting = persons.size > 0;
    const mayHaveMore = (account: Account) =>
      this.#sharing.lookups.mayHaveMore(account, left, rest);
    const person = left < 1 ? null : persons.take(mayHaveMore);
    if (person !== null) return { priority: 'person', person };
    if (background > 0 && !isAnyPersonWaiting && leftForBackground(this.view(nowMs)) >= 1) {
      return BACKGROUND;
    }
    if (isWaiting) return POLLER;
    return null;
  }

  sent(requester: Requester, nowMs: number): Sent {
    const isProbe = this.#remaining === null;
    if (isProbe) this.#nextProbeAtMs = nowMs + PROBE_PATIENCE_MS;
    this.#sharing.started(requester, nowMs);
    const sent: Sent = {
      requester,
      atMs: nowMs,
      afterCompleted: this.#completed,
      isProbe,
      date: null,
    };
    this.#inFlight.add(sent);
    return sent;
  }

  /** Records a response, or (`null`) that none will come. */
  completed(sent: Sent, response: ResponseFacts | null, nowMs: number): void {
    const overtaking = this.#completed - sent.afterCompleted;
    this.#completed += 1;
    this.#lastCompletedMs = nowMs;
    this.#advance(nowMs);
    this.#pair.completed(this.#venueMs(nowMs));
    this.#read(sent, response, overtaking, nowMs);
    this.#inFlight.delete(sent);
  }

  /** Records that the response was the venue's own, so its `Date` counts. */
  trust({ date }: Sent): void {
    if (date !== null) this.venueTime.trust(date);
  }

  #read(sent: Sent, response: ResponseFacts | null, overtaking: number, nowMs: number): void {
    if (response === null) {
      this.#uncounted(sent, PACE_WITHOUT_HEADERS_MS);
      return;
    }
    const reading = readRateHeaders(response.headers);
    const { dateMs, limit, remaining } = reading;
    if (dateMs !== null) {
      sent.date = { dateMs, sentAtMs: sent.atMs, receivedAtMs: nowMs };
      // A proxy in between has its own clock; only the venue reports what is left.
      if (limit !== null && remaining !== null && reading.resetMs !== null) this.trust(sent);
    }
    const resetMs = plausibleReset(reading.resetMs, nowMs + this.venueTime.offsetMs())
      ? reading.resetMs
      : null;
    // The request was sent after the reset, and the venue still names that reset.
    if (resetMs !== null && sent.atMs >= this.venueTime.localMs(resetMs)) {
      this.venueTime.wasLate(nowMs);
    }
    if (response.status === 429) this.#refused(sent, { ...reading, resetMs }, nowMs);
    else if (limit === null || remaining === null || resetMs === null) {
      this.#pauses.answered(sent.afterCompleted);
      this.#isSilent = true;
      this.#uncounted(sent, this.#paceMs());
    } else {
      const reading = { limit, remaining, resetMs };
      const counting = this.#pair.shown(reading, this.#venueMs(nowMs));
      // The extrapolated limit already counts every response.
      const isShown = counting === reading;
      this.#learn(sent, { ...counting, overtaking: isShown ? overtaking : 0 }, nowMs);
    }
  }

  /**
   * Returns the number of poller requests to promise until `untilMs`: what is left of the window,
   * spread evenly over the rest of it, then the next window's even pace. Fractions carry over;
   * pollers already waiting are subtracted.
   */
  promise(nowMs: number, untilMs: number, waitingPollers: number): number {
    this.#advance(nowMs);
    const spanMs = Math.max(0, untilMs - Math.max(nowMs, this.#pauses.blockedUntilMs ?? nowMs));
    const remainingMs = this.#remaining === null ? 0 : this.#resetAtMs - nowMs;
    const now =
      remainingMs > 0
        ? (Math.max(0, this.#usable()) * Math.min(spanMs, remainingMs)) / remainingMs
        : 0;
    const even = now + Math.max(0, spanMs - remainingMs) / this.#paceMs();
    this.#carry += Math.min(even, this.#evenOfFaster(spanMs));
    const whole = Math.floor(this.#carry + 1e-9);
    this.#carry = Math.max(0, this.#carry - whole);
    return Math.max(0, whole - waitingPollers);
  }

  /**
   * Returns the time at which waiting alone may allow a request: the end of the pause or of the
   * window, or the next probe.
   */
  nextChangeAtMs(): number {
    const { blockedUntilMs } = this.#pauses;
    if (blockedUntilMs !== null) return blockedUntilMs;
    if (this.#remaining === null) return this.#nextProbeAtMs;
    return Math.min(this.#resetAtMs, this.#faster?.resetAtMs ?? this.#resetAtMs);
  }

  /**
   * Returns the time until which certainly no request of this priority can be sent: a 429 is being
   * waited out, the window is used up and no request in flight could be given back, or background
   * requests have had their share. Null if there is no such time.
   */
  closedUntilMs(priority: Priority = 'poller'): number | null {
    if (this.#pauses.blockedUntilMs !== null) return this.#pauses.blockedUntilMs;
    if (this.#remaining === null) return null;
    const isUsedUp = this.#inFlight.size === 0 && this.#usable() < 1;
    const hasHadShare =
      priority === 'background' &&
      this.#sharing.used.background >= backgroundAllowance(this.#allowance() ?? 0);
    if (!isUsedUp && !hasHadShare) return null;
    return this.#resetAtMs;
  }

  view(nowMs: number) {
    this.#advance(nowMs);
    return {
      limit: this.#limit,
      allowance: this.#allowance(),
      remaining: this.#remaining === null ? null : Math.max(0, this.#remaining),
      resetAtMs: this.#remaining === null ? null : this.#resetAtMs,
      windowMs: this.#windowMs(),
      inFlight: this.#inFlight.size,
      used: this.#sharing.used,
      blockedUntilMs: this.#pauses.blockedUntilMs,
      pause: this.#presentPause(nowMs),
    };
  }

  /**
   * Returns the pause while requests are held back: by a 429, until another response comes; or
   * because nothing is left of the window, if that lasts for more than two minutes and twice the
   * usual interval. Else null.
   */
  #presentPause(nowMs: number): Pause | null {
    const pause = this.#pauses.present(nowMs);
    if (pause !== null) return pause;
    const untilMs = this.closedUntilMs();
    const isLong =
      untilMs !== null &&
      untilMs - this.#lastCompletedMs > Math.max(LONG_PAUSE_MS, 2 * this.#paceMs());
    if (!isLong) return null;
    return { sinceMs: this.#lastCompletedMs, untilMs };
  }

  /**
   * Ends the pause or window when its time has come. The allowance should be fresh then, but a
   * response must confirm it.
   */
  #advance(nowMs: number): void {
    this.venueTime.advance(nowMs);
    const faster = this.#pair.faster(this.#venueMs(nowMs));
    this.#faster = faster && { ...faster, resetAtMs: this.venueTime.localMs(faster.resetMs) };
    const isWindowOver = this.#remaining !== null && nowMs >= this.#resetAtMs;
    if (!this.#pauses.elapsed(nowMs) && (this.#pauses.blockedUntilMs !== null || !isWindowOver)) {
      return;
    }
    this.#remaining = null;
    this.#nextProbeAtMs = nowMs;
    this.#begin(nowMs);
  }

  #begin(nowMs: number): void {
    this.#sharing.restart(Array.from(this.#inFlight, ({ requester }) => requester));
    this.#beganAtMs = nowMs;
  }

  /**
   * @param reading of the window that the request was counted in; `overtaking` responses may have
   *   been counted after it
   */
  #learn(sent: Sent, reading: LimitReading & { readonly overtaking: number }, nowMs: number): void {
    const { limit, resetMs } = reading;
    const aheadMs = resetMs - (this.#resetVenueMs ?? Number.NEGATIVE_INFINITY);
    const isShort = (this.#windowMs() ?? SHORT_WINDOW_MS) < SHORT_WINDOW_MS;
    const toleranceMs = isShort ? SHORT_WINDOW_TOLERANCE_MS : RESET_TOLERANCE_MS;
    const isSame = Math.abs(aheadMs) <= toleranceMs;
    if (isSame && this.#remaining !== null && limit === this.#limit) {
      this.#pauses.answered(sent.afterCompleted);
      this.#remaining = Math.min(this.#remaining, reading.remaining);
      return;
    }
    // A request counted in an older window, or before the pause, says nothing about the present
    // one.
    const isOlder = aheadMs <= toleranceMs && sent.atMs < this.#beganAtMs;
    if (isOlder) this.#sharing.cancelled(sent.requester);
    if (this.#pauses.blockedUntilMs !== null || isOlder) return;
    const isNext = !isSame && limit === this.#limit && this.#resetVenueMs !== null;
    this.#limit = limit;
    this.#resetVenueMs = resetMs;
    const resetAtMs = Math.max(this.venueTime.localMs(resetMs), nowMs + 100);
    const remaining = reading.remaining - reading.overtaking;
    const isSpent = remaining < 1 + limit - allowanceOf(limit, this.#share);
    if (isSpent && resetAtMs > nowMs + longestPauseMs(this.#windowMs())) {
      this.#remaining = null;
      this.#pauses.hold(resetAtMs, this.#moment(sent, nowMs));
      return;
    }
    this.#pauses.answered(sent.afterCompleted);
    if (this.#remaining !== null && !isSame) this.#begin(nowMs);
    this.#remaining = remaining;
    this.#resetAtMs = resetAtMs;
    this.#isSilent = false;
    const remainingMs = resetMs - this.#venueMs(nowMs);
    this.#length.began({ limit, remainingMs, distanceMs: isNext ? aheadMs : null });
  }

  /**
   * Records a request that may have been counted, although no response says so. After a probe, the
   * next one is sent after `paceMs`.
   */
  #uncounted(sent: Sent, paceMs: number): void {
    if (sent.atMs < this.#beganAtMs) this.#sharing.cancelled(sent.requester);
    else if (this.#remaining !== null) this.#remaining -= 1;
    if (this.#remaining === null && sent.isProbe) this.#nextProbeAtMs = sent.atMs + paceMs;
  }

  #refused(sent: Sent, reading: RateReading, nowMs: number): void {
    const { resetMs, retryAfterMs } = reading;
    const requestedMs: number[] = [];
    // With requests left, the venue refuses for another reason.
    if (resetMs !== null && (reading.remaining ?? 0) === 0) {
      requestedMs.push(this.venueTime.localMs(resetMs));
    }
    if (retryAfterMs !== null) requestedMs.push(nowMs + retryAfterMs);
    if (reading.limit !== null && !this.#pair.isFaster(reading.limit)) this.#limit = reading.limit;
    this.#remaining = null;
    this.#pair.refused();
    this.#pauses.refused(requestedMs, this.#moment(sent, nowMs));
  }

  #moment(sent: Sent, nowMs: number) {
    return {
      nowMs,
      windowMs: this.#windowMs(),
      sentAfter: sent.afterCompleted,
      completed: this.#completed,
    };
  }

  /**
   * Returns the interval between requests that spends the allowance evenly; without headers a
   * second, or that interval if longer.
   */
  #paceMs(): number {
    const allowance = this.#allowance();
    const windowMs = this.#windowMs();
    if (allowance === null || windowMs === null) return PACE_WITHOUT_HEADERS_MS;
    const evenMs = windowMs / allowance;
    if (!this.#isSilent) return evenMs;
    return Math.max(PACE_WITHOUT_HEADERS_MS, evenMs);
  }

  /**
   * Returns the length of the venue's windows, which no response reports: the longest remaining
   * time of the last windows; null until one was seen.
   */
  #windowMs(): number | null {
    return this.#length.lengthMs();
  }

  #allowance(): number | null {
    if (this.#limit === null) return null;
    return allowanceOf(this.#limit, this.#share);
  }

  /**
   * Returns the number of requests that may be sent now; it can be negative if another program uses
   * the key.
   */
  #usable(): number {
    const reserve = (this.#limit ?? 0) - (this.#allowance() ?? 0);
    return (this.#remaining ?? 0) - this.#inFlight.size - reserve;
  }

  #isOpen(nowMs: number): boolean {
    if (this.#pauses.blockedUntilMs !== null) return false;
    if (this.#remaining === null) return nowMs >= this.#nextProbeAtMs;
    return Math.min(this.#usable(), this.#usableOfFaster()) >= 1;
  }

  /**
   * Returns the number of requests that the faster of two limits allows now; unlimited if there is
   * none.
   */
  #usableOfFaster(): number {
    if (this.#faster === null) return Number.POSITIVE_INFINITY;
    const { limit, remaining } = this.#faster;
    return remaining - this.#inFlight.size - (limit - allowanceOf(limit, this.#share));
  }

  /**
   * Returns the number of requests that the faster of two limits allows if spread evenly over
   * `spanMs`; unlimited if there is none.
   */
  #evenOfFaster(spanMs: number): number {
    if (this.#faster === null) return Number.POSITIVE_INFINITY;
    const { limit, lengthMs } = this.#faster;
    return (allowanceOf(limit, this.#share) * spanMs) / lengthMs;
  }

  #venueMs(nowMs: number): number {
    return nowMs + this.venueTime.offsetMs();
  }
}

/**
 * Returns the part of a limit that may be used: at least one request, or nothing could ever be
 * sent.
 */
export function allowanceOf(limit: number, share: number): number {
  // 0.9 · 10 is slightly below 9 in binary for some pairs.
  return Math.max(1, Math.floor(share * limit + 1e-9));
}

function backgroundAllowance(allowance: number): number {
  return Math.floor(allowance * BACKGROUND_SHARE + 1e-9);
}

/**
 * Returns the number of background requests that may be sent now if no person waits: what is left
 * of their share and of the window. Zero while it is unknown what is left, during a pause, or if
 * the allowance is below ten.
 */
export function leftForBackground(view: ReturnType<RateWindow['view']>): number {
  const { limit, allowance, remaining, inFlight, used, blockedUntilMs, pause } = view;
  if (
    limit === null ||
    allowance === null ||
    remaining === null ||
    blockedUntilMs !== null ||
    pause !== null
  ) {
    return 0;
  }
  return Math.min(
    backgroundAllowance(allowance) - used.background,
    remaining - inFlight - (limit - allowance),
  );
}
