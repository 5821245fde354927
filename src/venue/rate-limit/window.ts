import { type ClockOffset, middle, observeDate } from './clock.ts';
import { type Headers, plausibleReset, type RateReading, readRateHeaders } from './headers.ts';
import { createPriorityShare, type PersonsPart, type Requester } from './priority-share.ts';
import { createProbes, type Probes } from './probes.ts';
import { allowanceOf, endOfPause, fairPromise, longestPauseMs, type Priority } from './rules.ts';
import { createSendLog } from './send-log.ts';
import { createWindowLength } from './window-length.ts';

/** Requests that wait. */
export interface Waiting {
  readonly pollers: number;
  /** The servers whose people wait, in the order in which they came. */
  readonly guildIds: ReadonlySet<string>;
}

/** What was the case when a request was sent; handed back when it is settled. */
export interface Sent {
  readonly requester: Requester;
  readonly atMs: number;
  /** How many requests had been settled by then: the order of events, free of any clock. */
  readonly afterSettled: number;
  readonly isProbe: boolean;
}

/** Requests are held back by the venue. Times are local, ms. */
export interface Pause {
  readonly sinceMs: number;
  /** When the venue is asked again. */
  readonly untilMs: number;
}

/** Shorter ones are nothing unusual. */
const LONG_PAUSE_MS = 120_000;
const POLLER: Requester = { priority: 'poller', guildId: '' };
const BLIND_GAP_MS = 1_000;
const UNTOLD_WINDOW_MS = 60_000;
const RESET_LATENESS_MS = 1_000;

/**
 * The rules of the budget, without queues and timers. Every time is local, from a clock that does not jump, in ms.
 *
 * Told by a response of the present window, it knows `remaining` and keeps the reserve (1 − share) · limit of it. Otherwise (at the
 * start, after the window's end, after a 429, without usable headers) one request at a time goes out as a probe until a response tells.
 */
export class RateWindow {
  readonly #share: number;
  readonly #random: () => number;
  /** Epoch of the local clock: wall minus local. Stands in for the venue's clock until a `Date` was seen. */
  readonly #wallOffsetMs: () => number;
  #clock: ClockOffset | null = null;

  #limit: number | null = null;
  /** The venue's last word on what is left, less what it may not have counted yet; requests in flight not taken off. */
  #remaining = 0;
  #isTold = false;
  /** End of the window in the venue's time, as it came: tells windows apart. Null: the next response begins one. */
  #resetVenueMs: number | null = null;
  #resetAtMs = 0;
  /** Added to every reset once the venue was seen to begin its windows later than told (a time cut to whole seconds). */
  #resetLatenessMs = 0;
  #beganAtMs: number;
  /** Requests sent when at least this many were settled know of the present window, or of something newer. */
  #toldAfterSettled = 0;
  #toldAtMs = 0;
  readonly #length = createWindowLength();
  readonly #sends = createSendLog();

  #inFlight = 0;
  #settled = 0;
  readonly #turns = createPriorityShare();
  readonly #probes: Probes;

  #blockedUntilMs: number | null = null;
  #blockedAfterSettled = 0;
  #refusals = 0;
  /** From the first 429, or the first word that nothing is left for unusually long, until an answer says otherwise. */
  #pause: Pause | null = null;
  #lastSettledMs: number;
  #last429AtMs: number | null = null;
  #carry = 0;

  constructor(options: { share: number; random: () => number; wallOffsetMs: () => number; nowMs: number }) {
    this.#share = options.share;
    this.#random = options.random;
    this.#probes = createProbes(options.random);
    this.#wallOffsetMs = options.wallOffsetMs;
    this.#beganAtMs = options.nowMs;
    this.#lastSettledMs = options.nowMs;
  }

  /** A request of this priority is wanted now. */
  requested(priority: Priority, nowMs: number): void {
    this.#turns.requested(priority, nowMs);
  }

  /**
   * Who may send now, if anybody: a person before the poller, unless persons have had their half and the poller has work. Half means
   * half of what the window left us, so that another program that uses the same key takes from both alike. Among persons the server
   * that has had the least in this window comes first.
   */
  next(nowMs: number, { pollers, guildIds }: Waiting): Requester | null {
    this.#advance(nowMs);
    if (!this.#isOpen(nowMs)) return null;
    const guildId = this.#turns.nextGuild(guildIds, this.#personsPart(nowMs, pollers), nowMs);
    if (guildId !== null) return { priority: 'person', guildId };
    return pollers > 0 ? POLLER : null;
  }

  sent(requester: Requester, nowMs: number): Sent {
    const isProbe = !this.#isTold;
    if (isProbe) this.#probes.sent(nowMs);
    this.#inFlight += 1;
    this.#turns.sent(requester);
    return { requester, atMs: nowMs, afterSettled: this.#settled, isProbe };
  }

  /** The request was never sent after all. */
  cancelled(sent: Sent): void {
    this.#inFlight -= 1;
    if (sent.isProbe) this.#probes.returned();
    if (sent.atMs >= this.#beganAtMs) this.#turns.cancelled(sent.requester);
  }

  /** A response came, or (`null`) none will. */
  settled(sent: Sent, response: { readonly status: number; readonly headers: Headers } | null, nowMs: number): void {
    const settledSince = this.#settled - sent.afterSettled;
    this.#inFlight -= 1;
    this.#settled += 1;
    this.#lastSettledMs = nowMs;
    this.#sends.add(sent.atMs, nowMs);
    if (sent.isProbe) this.#probes.returned();
    if (response === null) {
      this.#untold(sent);
      if (!this.#isTold) this.#probes.unanswered(nowMs);
      return;
    }
    this.#probes.answered();
    const reading = readRateHeaders(response.headers);
    if (reading.dateMs !== null) {
      const observed = observeDate(this.#clock, reading.dateMs, sent.atMs, nowMs);
      this.#clock = observed.offset;
      if (observed.jumped) this.#resetVenueMs = null;
    }
    const resetMs =
      reading.resetMs !== null && plausibleReset(reading.resetMs, nowMs + this.offsetMs()) ? reading.resetMs : null;
    this.#advance(nowMs);
    if (response.status === 429) {
      this.#refused(sent, reading, resetMs, nowMs);
      return;
    }
    const pausedSinceMs = this.#pause?.sinceMs ?? nowMs;
    if (sent.afterSettled >= this.#blockedAfterSettled) {
      this.#refusals = 0;
      this.#pause = null;
    }
    const { limit, remaining } = reading;
    if (limit === null || remaining === null || resetMs === null) {
      this.#untold(sent);
      if (!this.#isTold) this.#probes.saidNothing(this.#blindGapMs(), sent.atMs);
      return;
    }
    this.#told(sent, { limit, remaining, resetMs, settledSince, pausedSinceMs }, nowMs);
  }

  /** Poller requests that fit between now and `untilMs`, spread evenly; fractions carry over. */
  allowance(nowMs: number, untilMs: number, waitingPollers: number): number {
    this.#advance(nowMs);
    this.#carry += fairPromise({
      spanMs: untilMs - Math.max(nowMs, this.#blockedUntilMs ?? nowMs),
      allowance: this.#allowance(),
      lengthMs: this.#length.lengthMs,
      window:
        this.#isTold && this.#blockedUntilMs === null && !this.#length.sliding
          ? { usable: this.#usable(), leftMs: this.#resetAtMs - nowMs }
          : null,
      probeGapMs: this.#isTold ? 0 : this.#probes.gapMs,
      isAsking: this.#inFlight > 0,
    });
    const whole = Math.floor(this.#carry + 1e-9);
    this.#carry = Math.max(0, this.#carry - whole);
    return Math.max(0, whole - waitingPollers);
  }

  /** When time alone may next let somebody send; null when only a response can. */
  nextChangeAtMs(nowMs: number, { pollers, guildIds }: Waiting): number | null {
    const times: number[] = [
      this.#turns.pollerBusyUntilMs(this.#paceMs()),
      this.#turns.nextGuildAtMs(guildIds, this.#personsPart(nowMs, pollers)),
    ];
    if (this.#blockedUntilMs !== null) times.push(this.#blockedUntilMs);
    else if (this.#isTold)
      times.push(
        this.#resetAtMs,
        this.#length.sliding ? this.#sends.nextLeaveMs(nowMs, this.#length.lengthMs ?? 0) : nowMs,
      );
    else if (this.#isOverspent()) times.push(this.#beganAtMs + (this.#length.lengthMs ?? UNTOLD_WINDOW_MS));
    else times.push(this.#probes.dueAtMs());
    const next = Math.min(...times.filter((time) => time > nowMs));
    return Number.isFinite(next) ? next : null;
  }

  /** Until when certainly nobody can send: a 429 is waited out, or the window is used up and nothing in flight could tell otherwise. */
  closedUntilMs(): number | null {
    if (this.#blockedUntilMs !== null) return this.#blockedUntilMs;
    const isSpent = this.#isTold && this.#inFlight === 0 && !this.#length.sliding && this.#usable() < 1;
    return isSpent ? this.#resetAtMs : null;
  }

  /**
   * Set while requests are held back: by a 429, until another answer has come; or because nothing is left of the window, if that
   * lasts for more than two minutes and twice the usual distance of requests.
   */
  pause(nowMs: number): Pause | null {
    // If nobody has asked again by then, nothing is known any more.
    if (this.#pause !== null) return nowMs < this.#pause.untilMs + LONG_PAUSE_MS ? this.#pause : null;
    const untilMs = this.closedUntilMs();
    if (untilMs === null) return null;
    const usualMs = 2 * ((this.#knownLengthMs() ?? 0) / (this.#allowance() ?? 1));
    return untilMs - this.#lastSettledMs > Math.max(LONG_PAUSE_MS, usualMs)
      ? { sinceMs: this.#lastSettledMs, untilMs }
      : null;
  }

  /** Venue clock minus local clock: from `Date` headers, from the wall clock until one was seen. */
  offsetMs(): number {
    return this.#clock === null ? this.#wallOffsetMs() : middle(this.#clock);
  }

  /** Whether a `Date` was seen. */
  isClockKnown(): boolean {
    return this.#clock !== null;
  }

  view(nowMs: number) {
    this.#advance(nowMs);
    return {
      known: this.#isTold,
      limit: this.#limit,
      allowance: this.#allowance(),
      remaining: this.#isTold ? Math.max(0, this.#remaining) : null,
      resetAtMs: this.#isTold ? this.#resetAtMs : null,
      windowMs: this.#length.lengthMs,
      inFlight: this.#inFlight,
      used: this.#turns.used,
      last429AtMs: this.#last429AtMs,
      blockedUntilMs: this.#blockedUntilMs,
      pause: this.pause(nowMs),
    };
  }

  #advance(nowMs: number): void {
    if (this.#blockedUntilMs !== null) {
      if (nowMs < this.#blockedUntilMs) return;
      this.#blockedUntilMs = null;
      this.#begin(nowMs);
    } else if (this.#isTold) {
      if (nowMs >= this.#resetAtMs) this.#begin(nowMs);
      else if (this.#length.sliding && nowMs >= this.#beganAtMs + (this.#length.lengthMs ?? 0)) this.#count(nowMs);
    } else if (nowMs >= this.#beganAtMs + (this.#length.lengthMs ?? UNTOLD_WINDOW_MS)) {
      this.#count(nowMs);
    }
  }

  /** The window's end has passed: the allowance should be fresh, but that has to be seen first. */
  #begin(nowMs: number): void {
    this.#isTold = false;
    this.#probes.beganAt(nowMs);
    this.#count(nowMs);
  }

  /** @param first whose request began the window; null if none did */
  #count(nowMs: number, first: Requester | null = null): void {
    this.#turns.restart(first);
    this.#beganAtMs = nowMs;
  }

  #told(
    sent: Sent,
    news: { limit: number; remaining: number; resetMs: number; settledSince: number; pausedSinceMs: number },
    nowMs: number,
  ): void {
    const knowsOfPresent = sent.afterSettled >= this.#toldAfterSettled;
    const toleranceMs = news.resetMs - (nowMs + this.offsetMs()) > 3_000 ? 1_100 : 400;
    const aheadMs = this.#resetVenueMs === null ? Number.POSITIVE_INFINITY : news.resetMs - this.#resetVenueMs;
    const isSame = Math.abs(aheadMs) <= toleranceMs;
    // An answer from before the present window has nothing to say about it.
    if (aheadMs < -toleranceMs && !knowsOfPresent) return;
    if (isSame && !this.#isTold && sent.atMs < this.#beganAtMs) return;
    if (this.#isTold && this.#length.sliding && !knowsOfPresent) {
      this.#remaining -= 1;
      return;
    }
    if (isSame && this.#isTold && !this.#length.sliding && (news.limit === this.#limit || !knowsOfPresent)) {
      this.#remaining = Math.min(this.#remaining, news.remaining);
      return;
    }
    const hasPassed = this.#resetVenueMs !== null && nowMs >= this.#safeLocal(this.#resetVenueMs) - 1_000;
    if (isSame && !this.#isTold && this.#blockedUntilMs === null && hasPassed)
      this.#resetLatenessMs = RESET_LATENESS_MS;
    // Others that were answered meanwhile may have been counted after this one.
    const remaining = news.remaining - news.settledSince;
    const resetAtMs = Math.max(this.#safeLocal(news.resetMs), nowMs + 100);
    const isSpent = remaining < 1 + news.limit - allowanceOf(news.limit, this.#share);
    const probeAtMs = nowMs + longestPauseMs(this.#knownLengthMs());
    const isCredible = !isSpent || resetAtMs <= probeAtMs;
    if (!isCredible) this.#pause = { sinceMs: news.pausedSinceMs, untilMs: probeAtMs };
    const isEarly = this.#isTold && nowMs < this.#resetAtMs - 1_000;
    if (isCredible && !isSame && aheadMs > 0 && Number.isFinite(aheadMs)) {
      if (isEarly) this.#length.slid();
      else this.#length.followed(aheadMs);
    }
    if (isCredible) this.#length.seen(Math.max(0, news.resetMs - (nowMs + this.offsetMs())));
    if (this.#isTold && !isSame && !this.#length.sliding) {
      this.#count(nowMs, sent.requester);
    }
    this.#isTold = true;
    this.#limit = news.limit;
    this.#remaining = remaining;
    this.#resetVenueMs = news.resetMs;
    this.#resetAtMs = isCredible ? resetAtMs : probeAtMs;
    this.#toldAfterSettled = this.#settled;
    this.#toldAtMs = nowMs;
    this.#probes.told();
  }

  /** Local time by which the venue's clock has certainly reached `venueMs`. */
  #safeLocal(venueMs: number): number {
    return venueMs - (this.#clock === null ? this.#wallOffsetMs() : this.#clock.lowMs) + this.#resetLatenessMs;
  }

  /** It was sent and may have been counted, but nothing was said. */
  #untold(sent: Sent): void {
    if (this.#isTold && sent.atMs >= this.#beganAtMs) this.#remaining -= 1;
  }

  #refused(sent: Sent, reading: RateReading, resetMs: number | null, nowMs: number): void {
    this.#last429AtMs = nowMs;
    const isLate =
      resetMs !== null &&
      this.#resetVenueMs !== null &&
      resetMs < this.#resetVenueMs - 1_100 &&
      sent.afterSettled < this.#toldAfterSettled;
    if (isLate) return;
    // Requests that were under way together are refused together: that is one refusal.
    if (sent.afterSettled >= this.#blockedAfterSettled) this.#refusals += 1;
    this.#blockedAfterSettled = this.#settled;
    const requested: number[] = [];
    const isWindowSpent = reading.remaining === null || reading.remaining === 0;
    if (resetMs !== null && isWindowSpent) {
      requested.push(this.#safeLocal(resetMs));
      this.#resetVenueMs = resetMs;
      this.#toldAfterSettled = this.#settled;
    }
    if (reading.retryAfterMs !== null) requested.push(nowMs + reading.retryAfterMs);
    if (requested.length === 0) this.#probes.refused(this.#blindGapMs());
    const askedUntilMs = endOfPause({ nowMs, requested, refusals: this.#refusals, random: this.#random });
    const untilMs = Math.min(askedUntilMs, nowMs + longestPauseMs(this.#knownLengthMs()));
    if (reading.limit !== null) this.#limit = reading.limit;
    this.#isTold = false;
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs ?? 0, untilMs);
    this.#pause = { sinceMs: this.#pause?.sinceMs ?? nowMs, untilMs: this.#blockedUntilMs };
  }

  /** Pace without headers: a second, or slower where the limit was known once. */
  #blindGapMs(): number {
    return Math.max(BLIND_GAP_MS, this.#paceMs() ?? 0);
  }

  /** Distance of requests that use the allowance evenly. */
  #paceMs(): number | null {
    const allowance = this.#allowance();
    const lengthMs = this.#length.lengthMs;
    return allowance === null || lengthMs === null ? null : lengthMs / allowance;
  }

  #knownLengthMs(): number | null {
    const { lengthMs, atLeastMs } = this.#length;
    return lengthMs === null && atLeastMs === null ? null : Math.max(lengthMs ?? 0, atLeastMs ?? 0);
  }

  #allowance(): number | null {
    return this.#limit === null ? null : allowanceOf(this.#limit, this.#share);
  }

  /** What may be sent now, by what the venue told; can be negative when another program uses the key. */
  #usable(): number {
    return this.#remaining - this.#inFlight - ((this.#limit ?? 0) - (this.#allowance() ?? 0));
  }

  #regained(nowMs: number): number {
    return this.#length.sliding ? this.#sends.regained(nowMs, this.#length.lengthMs ?? 0, this.#toldAtMs) : 0;
  }

  #isOpen(nowMs: number): boolean {
    if (this.#blockedUntilMs !== null) return false;
    if (!this.#isTold) return nowMs >= this.#probes.dueAtMs() && !this.#isOverspent();
    return this.#usable() >= 1 || (this.#inFlight === 0 && this.#usable() + this.#regained(nowMs) >= 1);
  }

  /** Without news of the window, no more is sent than it could allow. */
  #isOverspent(): boolean {
    const allowance = this.#allowance();
    return !this.#isTold && allowance !== null && this.#turns.total() >= allowance;
  }

  #personsPart(nowMs: number, waitingPollers: number): PersonsPart {
    const allowance = this.#allowance();
    const leftTold = this.#usable() + this.#regained(nowMs);
    const left = allowance === null ? null : this.#isTold ? leftTold : allowance - this.#turns.total();
    const isPollerBusy = nowMs < this.#turns.pollerBusyUntilMs(this.#paceMs());
    const isTimed = this.#isTold && !this.#length.sliding;
    const lengthMs = this.#length.lengthMs ?? (isTimed ? this.#resetAtMs - this.#beganAtMs : UNTOLD_WINDOW_MS);
    return {
      left: this.#turns.leftForPersons(left, waitingPollers > 0, isPollerBusy),
      endMs: isTimed ? this.#resetAtMs : this.#beganAtMs + lengthMs,
      lengthMs,
    };
  }
}
