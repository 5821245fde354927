import type { Account } from '../../lib/fair-shares/account.ts';
import type { Turns, Waiter } from '../../lib/fair-shares/turns.ts';
import {
  plausibleReset,
  type RateReading,
  type ResponseFacts,
  readRateHeaders,
} from './headers.ts';
import { createLimitPair, type LimitPair } from './limit-pair.ts';
import { createPauses, LONG_PAUSE_MS, longestPauseMs, type Pause, type Pauses } from './pause.ts';
import {
  createPriorityShare,
  type Priority,
  type PriorityShare,
  type Requester,
} from './priority-share.ts';
import { createVenueTime, type DateHeader, type VenueTime } from './venue-time.ts';
import { createWindowLength, type LearnedLimits } from './window-length.ts';

/** State at the moment when a request was sent; handed back with its response. */
export interface Sent {
  readonly requester: Requester;
  readonly atMs: number;
  /** Requests that were complete by then: the order of events, free of any clock. */
  readonly afterCompleted: number;
  /** Sent while it was not known how many requests are left. */
  readonly isProbe: boolean;
  /** Null until there is an answer with a `Date`. */
  date: DateHeader | null;
}

/** Distance of requests to a venue that does not say what is left, or does not answer. */
const PACE_WITHOUT_HEADERS_MS = 1_000;
/** After so long without an answer the next probe goes out: the one before may be lost. */
const PROBE_PATIENCE_MS = 3_000;
/**
 * Resets are whole seconds, and some servers compute them anew per response: within this it is the
 * same window …
 */
const RESET_TOLERANCE_MS = 1_100;
/** … and within this where windows are as short as a second or two. */
const SHORT_WINDOW_TOLERANCE_MS = 400;
const SHORT_WINDOW_MS = 3_000;
const POLLER = { priority: 'poller' } as const;
const BACKGROUND = { priority: 'background' } as const;
/** Share of the allowance for what the bot asks by itself. */
const BACKGROUND_SHARE = 1 / 10;

/**
 * The key's rate limit: fixed windows, learned from X-RateLimit-Limit, -Remaining and -Reset of
 * each response. Without queues and timers. Every time is local, from a clock that does not jump,
 * in ms. Where a key has two limits, the window is that of the slower one, and the faster one bounds
 * how many requests go out at once.
 *
 * While known, `remaining` is spent down to the reserve, (1 − share) · limit. Otherwise (at first,
 * after the window, after a 429, without usable headers) one request at a time goes out as a probe
 * until a response says what is left.
 */
export class RateWindow {
  readonly #share: number;
  readonly venueTime: VenueTime;

  #limit: number | null = null;
  /**
   * X-RateLimit-Remaining of this window; null while unknown. Requests in flight are subtracted in
   * `#usable()`.
   */
  #remaining: number | null = null;
  /** Reset of the newest window in the venue's time, as it came: distinguishes windows. */
  #resetVenueMs: number | null = null;
  #resetAtMs = 0;
  #beganAtMs: number;
  readonly #length = createWindowLength();

  readonly #inFlight = new Set<Sent>();
  #completed = 0;
  #lastCompletedMs: number;
  readonly #sharing: PriorityShare;
  #nextProbeAtMs = Number.NEGATIVE_INFINITY;
  /** True if the newest response that could be read said nothing of what is left. */
  #isSilent = false;

  readonly #pauses: Pauses;
  readonly #pair: LimitPair = createLimitPair();
  /** The faster limit of two, where the key has two. */
  #faster: { limit: number; remaining: number; resetAtMs: number; lengthMs: number } | null = null;
  /** Fraction of a request that `promise` has not given out yet. */
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

  /** Takes what an earlier process learned of the key's limits, before the first response. */
  restore(known: LearnedLimits): void {
    this.#length.restore(known);
    this.#pair.restore(known);
  }

  /** Limits and lengths of windows that are known; null until they are. */
  learned(): LearnedLimits | null {
    const learned = this.#length.learned();
    return learned && { ...learned, faster: this.#pair.known() };
  }

  pollerRequested(nowMs: number): void {
    this.#sharing.pollerRequested(nowMs);
  }

  /** Counts a person that begins to wait, or waits no longer. */
  personWaits(account: Account, by: 1 | -1): void {
    this.#sharing.lookUps.waits(account, by);
  }

  /**
   * Tells who may send now, if anybody: a person, unless persons have had their half and the poller
   * has work; then, if no person waits, a background request within its share; then the poller.
   *
   * @param waiting how many wait, and the line of persons, of which the one that may send is taken
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
      this.#sharing.lookUps.mayHaveMore(account, left, rest);
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

  /** A response came, or (`null`) none will. */
  completed(sent: Sent, response: ResponseFacts | null, nowMs: number): void {
    const overtaking = this.#completed - sent.afterCompleted;
    this.#completed += 1;
    this.#lastCompletedMs = nowMs;
    this.#advance(nowMs);
    this.#pair.completed(this.#venueMs(nowMs));
    this.#read(sent, response, overtaking, nowMs);
    this.#inFlight.delete(sent);
  }

  /** The answer was the venue's own: its `Date` counts. */
  believe({ date }: Sent): void {
    if (date !== null) this.venueTime.believe(date);
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
      // Whatever stands in between has a clock of its own; only the venue says what is left.
      if (limit !== null && remaining !== null && reading.resetMs !== null) this.believe(sent);
    }
    const resetMs = plausibleReset(reading.resetMs, nowMs + this.venueTime.offsetMs())
      ? reading.resetMs
      : null;
    // It was sent after the reset, and the venue still names it.
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
      // What is reckoned on counts every answer.
      const isShown = counting === reading;
      this.#learn(sent, { ...counting, overtaking: isShown ? overtaking : 0 }, nowMs);
    }
  }

  /**
   * Number of poller requests to promise until `untilMs`: what is left of the window, evenly over
   * the rest of it, and the next window's even pace after that. Fractions carry over, pollers
   * already waiting are taken off.
   */
  promise(nowMs: number, untilMs: number, waitingPollers: number): number {
    this.#advance(nowMs);
    const spanMs = Math.max(0, untilMs - Math.max(nowMs, this.#pauses.blockedUntilMs ?? nowMs));
    const restMs = this.#remaining === null ? 0 : this.#resetAtMs - nowMs;
    const now = restMs > 0 ? (Math.max(0, this.#usable()) * Math.min(spanMs, restMs)) / restMs : 0;
    const even = now + Math.max(0, spanMs - restMs) / this.#paceMs();
    this.#carry += Math.min(even, this.#evenOfFaster(spanMs));
    const whole = Math.floor(this.#carry + 1e-9);
    this.#carry = Math.max(0, this.#carry - whole);
    return Math.max(0, whole - waitingPollers);
  }

  /**
   * Time at which waiting alone may let somebody send: the end of the pause or of the window, or
   * the next probe.
   */
  nextChangeAtMs(): number {
    const { blockedUntilMs } = this.#pauses;
    if (blockedUntilMs !== null) return blockedUntilMs;
    if (this.#remaining === null) return this.#nextProbeAtMs;
    return Math.min(this.#resetAtMs, this.#faster?.resetAtMs ?? this.#resetAtMs);
  }

  /**
   * Until when certainly nobody of this priority can send: a 429 is waited out, the window is used
   * up and no request in flight could be given back, or background requests have had their share.
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
   * Set while requests are held back: by a 429, until another answer has come; or because nothing
   * is left of the window, if that lasts for more than two minutes and twice the usual distance of
   * requests.
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
   * Ends the pause or window when its time has come. The allowance should be fresh then, but must
   * be seen first.
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
   * @param reading of the window that it was counted in; `overtaking` responses may have been
   * counted after it
   */
  #learn(
    sent: Sent,
    reading: { limit: number; remaining: number; resetMs: number; overtaking: number },
    nowMs: number,
  ): void {
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
    // A request counted in an older window, or before the pause, says nothing of the present one.
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
    const restMs = resetMs - this.#venueMs(nowMs);
    this.#length.began({ limit, restMs, distanceMs: isNext ? aheadMs : null });
  }

  /**
   * The request may have been counted, but no response says so. A probe is followed by the next one
   * after `paceMs`.
   */
  #uncounted(sent: Sent, paceMs: number): void {
    if (sent.atMs < this.#beganAtMs) this.#sharing.cancelled(sent.requester);
    else if (this.#remaining !== null) this.#remaining -= 1;
    if (this.#remaining === null && sent.isProbe) this.#nextProbeAtMs = sent.atMs + paceMs;
  }

  #refused(sent: Sent, reading: RateReading, nowMs: number): void {
    const { resetMs, retryAfterMs } = reading;
    const requestedMs: number[] = [];
    // With requests left, it is something else that the venue refuses.
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
   * Distance of requests that use the allowance evenly; without headers a second, or that distance
   * if longer.
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
   * Length of the venue's windows, which it does not say: the most left of one of the last; null
   * while none seen.
   */
  #windowMs(): number | null {
    return this.#length.lengthMs();
  }

  #allowance(): number | null {
    if (this.#limit === null) return null;
    return allowanceOf(this.#limit, this.#share);
  }

  /** Requests that may be sent now; can be negative when another program uses the key. */
  #usable(): number {
    const reserve = (this.#limit ?? 0) - (this.#allowance() ?? 0);
    return (this.#remaining ?? 0) - this.#inFlight.size - reserve;
  }

  #isOpen(nowMs: number): boolean {
    if (this.#pauses.blockedUntilMs !== null) return false;
    if (this.#remaining === null) return nowMs >= this.#nextProbeAtMs;
    return Math.min(this.#usable(), this.#usableOfFaster()) >= 1;
  }

  /** Requests that the faster limit of two lets out now; without one, any number. */
  #usableOfFaster(): number {
    if (this.#faster === null) return Number.POSITIVE_INFINITY;
    const { limit, remaining } = this.#faster;
    return remaining - this.#inFlight.size - (limit - allowanceOf(limit, this.#share));
  }

  /** Requests that the faster limit of two lets out evenly in `spanMs`; without one, any number. */
  #evenOfFaster(spanMs: number): number {
    if (this.#faster === null) return Number.POSITIVE_INFINITY;
    const { limit, lengthMs } = this.#faster;
    return (allowanceOf(limit, this.#share) * spanMs) / lengthMs;
  }

  #venueMs(nowMs: number): number {
    return nowMs + this.venueTime.offsetMs();
  }
}

/** Part of a limit that may be used; at least one request, or nothing could ever be sent. */
export function allowanceOf(limit: number, share: number): number {
  // 0.9 · 10 is a hair below 9 in binary for some pairs.
  return Math.max(1, Math.floor(share * limit + 1e-9));
}

function backgroundAllowance(allowance: number): number {
  return Math.floor(allowance * BACKGROUND_SHARE + 1e-9);
}

/**
 * Number of background requests that may be sent now if no person waits: what is left of their
 * share, and of the window. None while it is not known what is left, during a pause, or where the
 * allowance is below ten.
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
