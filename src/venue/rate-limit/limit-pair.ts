import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import { LEAST_RATIO, type LearnedLimit, type LearnedLimits } from './window-length.ts';

/** One limit as a response reports it. Times are epoch ms of the venue's clock. */
export interface LimitReading {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** One limit as known from responses. */
interface Limit {
  readonly limit: number;
  /** End of the present window, extrapolated from the last reported one. */
  resetMs: number;
  /** Requests of the present window: as reported, plus one for each response since. */
  used: number;
  shownResetMs: number;
  shownAtMs: number;
  /** Longest remaining time of a window when it was reported, in ms. */
  longestRemainingMs: number;
  /** Shortest distance between two resets, in ms; null until two were reported. */
  resetDistanceMs: number | null;
}

const FIRST_MEMORY_MS = 10 * MINUTE_MS;
/**
 * Maximum difference of two resets of the same window, in ms; some servers recompute the reset for
 * each response.
 */
const SAME_RESET_MS = 400;

const lengthMs = ({ resetDistanceMs, longestRemainingMs }: Limit) =>
  Math.max(1_000, resetDistanceMs ?? longestRemainingMs);

function begin({ limit, remaining, resetMs }: LimitReading, nowMs: number): Limit {
  return {
    limit,
    resetMs,
    used: limit - remaining,
    shownResetMs: resetMs,
    shownAtMs: nowMs,
    longestRemainingMs: resetMs - nowMs,
    resetDistanceMs: null,
  };
}

/** Begins a limit that an earlier process learned, with nothing known to be used. */
function beginKnown({ limit, windowMs }: LearnedLimit, nowMs: number): Limit {
  const begun = begin({ limit, remaining: limit, resetMs: nowMs + windowMs }, nowMs);
  return { ...begun, resetDistanceMs: windowMs };
}

function advance(known: Limit, nowMs: number): void {
  if (nowMs < known.resetMs) return;
  const length = lengthMs(known);
  known.resetMs += length * (Math.floor((nowMs - known.resetMs) / length) + 1);
  known.used = 0;
}

/** Returns the rest of a limit now, in the form of a response. */
function readingOf(known: Limit, nowMs: number): LimitReading {
  advance(known, nowMs);
  const { limit, used, resetMs } = known;
  return { limit, remaining: Math.max(0, limit - used), resetMs };
}

function update(known: Limit, { limit, remaining, resetMs }: LimitReading, nowMs: number): void {
  advance(known, nowMs);
  const distanceMs = resetMs - known.shownResetMs;
  // A response of a later window has overtaken this one.
  if (distanceMs < -SAME_RESET_MS) return;
  const remainingMs = resetMs - nowMs;
  known.longestRemainingMs = Math.max(known.longestRemainingMs, remainingMs);
  if (distanceMs > SAME_RESET_MS) {
    const shortestMs = Math.min(known.resetDistanceMs ?? distanceMs, distanceMs);
    known.resetDistanceMs = shortestMs < remainingMs ? null : shortestMs;
    known.used = limit - remaining;
  } else known.used = Math.max(known.used, limit - remaining);
  known.resetMs = resetMs;
  known.shownResetMs = resetMs;
  known.shownAtMs = nowMs;
}

/** Requests that passed between two series of 429s, and the time they took. */
interface Measured {
  readonly limit: number;
  readonly lengthMs: number;
}

/** Maximum relative difference of two measurements of the same limit. */
const SAME_MEASUREMENT = 0.1;

const isAlike = (one: number, two: number) =>
  Math.abs(one - two) <= SAME_MEASUREMENT * Math.max(one, two);

/**
 * Creates a measurement of a limit that no response reports: it counts the requests from the end of
 * one series of 429s to the beginning of the next. Two consecutive measurements that agree are a
 * limit. A venue that sends occasional 429s for another reason has no such limit.
 */
function createMeasure() {
  let passed = 0;
  /** Null until a series of 429s has ended. */
  let beganAtMs: number | null = null;
  let isRefused = false;
  let last: Measured | null = null;
  return {
    refused(): void {
      isRefused = true;
    },
    /** @returns the limit, at the first request that passes after agreeing series of 429s */
    answered(nowMs: number): Measured | null {
      if (!isRefused) {
        passed += 1;
        return null;
      }
      isRefused = false;
      const measured = beganAtMs === null ? null : { limit: passed, lengthMs: nowMs - beganAtMs };
      const before = last;
      beganAtMs = nowMs;
      passed = 1;
      last = measured;
      if (measured === null || before === null || !isAlike(measured.limit, before.limit))
        return null;
      return {
        limit: Math.min(measured.limit, before.limit),
        lengthMs: Math.max(measured.lengthMs, before.lengthMs),
      };
    },
  };
}

export type LimitPair = ReturnType<typeof createLimitPair>;

/**
 * Remembers two limits that apply to one key at the same time, such as ten requests a second and
 * 300 a minute. The contract describes one window, and does not rule out another.
 *
 * If responses report the limit with less left, the two become a pair once responses have reported
 * one, the other, and the first again. If responses report only the faster one, the slower one is
 * measured by 429s. From then on the slower one, with the longer window, is extrapolated while it
 * is not reported. Requests that keep its pace never use it up, so no response confirms it: it is
 * forgotten after ten minutes, then after twice as long each time it is found again, up to a day.
 *
 * Times are epoch ms of the venue's clock.
 */
export function createLimitPair() {
  const measure = createMeasure();
  let present: Limit | null = null;
  let other: Limit | null = null;
  let slower: Limit | null = null;
  let faster: Limit | null = null;
  /** The slower limit after it was forgotten. */
  let forgotten: Limit | null = null;
  let memoryMs = FIRST_MEMORY_MS;
  /**
   * Limits that an earlier process learned; null once the first response was compared with them.
   */
  let restored: LearnedLimits | null = null;
  /** A restored limit that no response of this process has confirmed yet. */
  let unseen: Limit | null = null;

  const part = (): void => {
    slower = null;
    faster = null;
  };

  const forgetOld = (nowMs: number): void => {
    if (slower === null) {
      if (other !== null && nowMs - other.shownAtMs > FIRST_MEMORY_MS) other = null;
      return;
    }
    if (nowMs - slower.shownAtMs <= memoryMs) return;
    forgotten = slower;
    if (other === slower) other = null;
    part();
  };

  const pair = (one: Limit, two: Limit): void => {
    const [short, long] = lengthMs(one) <= lengthMs(two) ? [one, two] : [two, one];
    if (lengthMs(long) < LEAST_RATIO * lengthMs(short)) return;
    if (slower === null) {
      const isBack = forgotten !== null && isAlike(forgotten.limit, long.limit);
      memoryMs = isBack ? Math.min(2 * memoryMs, DAY_MS) : FIRST_MEMORY_MS;
      forgotten = null;
    }
    slower = long;
    faster = short;
  };

  /**
   * Restores the pair learned by an earlier process if the first response reports one of its
   * limits.
   */
  const recall = (reading: LimitReading, nowMs: number): void => {
    const faster = restored?.faster ?? null;
    const all = restored === null || faster === null ? [] : [restored, faster];
    restored = null;
    const shown = all.find(({ limit }) => limit === reading.limit);
    const hidden = all.find(({ limit }) => limit !== reading.limit);
    if (shown === undefined || hidden === undefined) return;
    present = { ...begin(reading, nowMs), resetDistanceMs: shown.windowMs };
    unseen = beginKnown(hidden, nowMs);
    other = unseen;
    pair(present, unseen);
  };

  const learn = (reading: LimitReading, nowMs: number): void => {
    if (present?.limit === reading.limit) {
      update(present, reading, nowMs);
      return;
    }
    const known = [other, forgotten].find((limit) => limit?.limit === reading.limit) ?? null;
    if (known === null) {
      part();
      other = present;
      present = begin(reading, nowMs);
      return;
    }
    update(known, reading, nowMs);
    if (known === unseen) unseen = null;
    other = present;
    present = known;
    if (other !== null) pair(present, other);
  };

  return {
    /** Restores limits learned by an earlier process. Call it before the first response. */
    restore(known: LearnedLimits): void {
      restored = known;
    },
    /** The faster limit of a pair, restored or found; null if there is no pair. */
    known(): LearnedLimit | null {
      if (restored !== null) return restored.faster;
      return faster && { limit: faster.limit, windowMs: lengthMs(faster) };
    },
    /** Counts a request that got a response, or will not get one. */
    completed(nowMs: number): void {
      for (const known of [slower, faster]) {
        if (known === null) continue;
        advance(known, nowMs);
        known.used += 1;
      }
    },
    /** Records a 429. */
    refused(): void {
      // The 429 came although the measured or restored pace was kept, so that limit was not the
      // reason.
      const isShown = slower === present || (slower === other && slower !== unseen);
      if (slower !== null && !isShown) {
        if (other === slower) other = null;
        part();
      }
      measure.refused();
    },
    /**
     * Records the limit reported by a response other than a 429.
     *
     * @returns the reading that counts: the slower limit if the response reports the faster one of
     *   a pair, else the same reading
     */
    shown(reading: LimitReading, nowMs: number): LimitReading {
      forgetOld(nowMs);
      recall(reading, nowMs);
      learn(reading, nowMs);
      const measured = measure.answered(nowMs);
      if (measured !== null && slower === null && present !== null) {
        const { limit, lengthMs: remainingMs } = measured;
        pair(present, begin({ limit, remaining: limit - 1, resetMs: nowMs + remainingMs }, nowMs));
      }
      if (slower === null || slower.limit === reading.limit) return reading;
      return readingOf(slower, nowMs);
    },
    /** Whether this is the faster limit of a pair; its headers say nothing about the slower one. */
    isFaster: (limit: number): boolean => faster?.limit === limit,
    /** Returns what is left of the faster limit of a pair; null if there is no pair. */
    faster(nowMs: number) {
      forgetOld(nowMs);
      if (faster === null) return null;
      return { ...readingOf(faster, nowMs), lengthMs: lengthMs(faster) };
    },
  };
}
