import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import { LEAST_RATIO, type LearnedLimit, type LearnedLimits } from './window-length.ts';

/** One response's words on one limit. Times are of the venue's clock, epoch ms. */
export interface LimitReading {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** One limit, as responses have shown it. */
interface Limit {
  readonly limit: number;
  /** End of the present window, reckoned on from the last that was shown. */
  resetMs: number;
  /** Requests of the present window: as shown, and one more for each that was answered since. */
  used: number;
  shownResetMs: number;
  shownAtMs: number;
  /** The longest rest of a window when it was shown. */
  longestRestMs: number;
  /** The shortest distance of two resets; null until two were shown. */
  resetDistanceMs: number | null;
}

const FIRST_MEMORY_MS = 10 * MINUTE_MS;
/** Resets may be computed anew per response: below this it is the same window. */
const SAME_RESET_MS = 400;

const lengthMs = ({ resetDistanceMs, longestRestMs }: Limit) =>
  Math.max(1_000, resetDistanceMs ?? longestRestMs);

function begin({ limit, remaining, resetMs }: LimitReading, nowMs: number): Limit {
  return {
    limit,
    resetMs,
    used: limit - remaining,
    shownResetMs: resetMs,
    shownAtMs: nowMs,
    longestRestMs: resetMs - nowMs,
    resetDistanceMs: null,
  };
}

/** Begins a limit that an earlier process learned, of which nothing is known to be used. */
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

/** Returns what is left of a limit now, as a response that showed it would say. */
function readingOf(known: Limit, nowMs: number): LimitReading {
  advance(known, nowMs);
  const { limit, used, resetMs } = known;
  return { limit, remaining: Math.max(0, limit - used), resetMs };
}

function update(known: Limit, { limit, remaining, resetMs }: LimitReading, nowMs: number): void {
  advance(known, nowMs);
  const distanceMs = resetMs - known.shownResetMs;
  // Overtaken by a response of a later window.
  if (distanceMs < -SAME_RESET_MS) return;
  const restMs = resetMs - nowMs;
  known.longestRestMs = Math.max(known.longestRestMs, restMs);
  if (distanceMs > SAME_RESET_MS) {
    const shortestMs = Math.min(known.resetDistanceMs ?? distanceMs, distanceMs);
    known.resetDistanceMs = shortestMs < restMs ? null : shortestMs;
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

/** Two measurements are of one limit if they differ by no more than this part. */
const SAME_MEASUREMENT = 0.1;

const isAlike = (one: number, two: number) =>
  Math.abs(one - two) <= SAME_MEASUREMENT * Math.max(one, two);

/**
 * Measures a limit that no response shows: as many requests pass from the end of one series of 429s
 * to the beginning of the next. Two measurements in a row that agree are a limit; a venue that
 * refuses now and then for another reason has none.
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
    /** @returns the limit, at the first request that passes after the 429s that agree */
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
 * Remembers two limits that hold for one key at a time, such as ten requests a second and 300 a
 * minute. The contract speaks of one window, and does not say that there is no other.
 *
 * Where responses show the limit of which less is left, the two are a pair once responses have shown
 * one, the other, and the first again. Where they show the faster one alone, the slower one is
 * measured by 429s. From then on the slower one, with the longer window, is reckoned on while it is
 * not shown. Requests that keep its pace never use it up, so that nothing shows it: it is forgotten
 * after ten minutes, and after twice as long each time that it is found again, up to a day.
 *
 * Times are of the venue's clock, epoch ms.
 */
export function createLimitPair() {
  const measure = createMeasure();
  let present: Limit | null = null;
  let other: Limit | null = null;
  let slower: Limit | null = null;
  let faster: Limit | null = null;
  /** The slower one, after it was forgotten. */
  let forgotten: Limit | null = null;
  let memoryMs = FIRST_MEMORY_MS;
  /** Limits that an earlier process learned; null once the first response was compared with it. */
  let restored: LearnedLimits | null = null;
  /** A limit of which no response of this process has said anything yet. */
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

  /** Begins with the pair that an earlier process learned if the first response shows one of it. */
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
    /** Takes what an earlier process learned, before the first response. */
    restore(known: LearnedLimits): void {
      restored = known;
    },
    /** The faster limit of a pair, restored or found; null where there is no pair. */
    known(): LearnedLimit | null {
      if (restored !== null) return restored.faster;
      return faster && { limit: faster.limit, windowMs: lengthMs(faster) };
    },
    /** Counts a request that was answered, or will not be. */
    completed(nowMs: number): void {
      for (const known of [slower, faster]) {
        if (known === null) continue;
        advance(known, nowMs);
        known.used += 1;
      }
    },
    /** Takes a 429. */
    refused(): void {
      // It came although the pace of what was measured or restored was kept: that was not the reason.
      const isShown = slower === present || (slower === other && slower !== unseen);
      if (slower !== null && !isShown) {
        if (other === slower) other = null;
        part();
      }
      measure.refused();
    },
    /**
     * Takes what a response other than a 429 says.
     *
     * @returns what counts: of the slower limit where the response shows the faster one of a pair,
     *   else the same
     */
    shown(reading: LimitReading, nowMs: number): LimitReading {
      forgetOld(nowMs);
      recall(reading, nowMs);
      learn(reading, nowMs);
      const measured = measure.answered(nowMs);
      if (measured !== null && slower === null && present !== null) {
        const { limit, lengthMs: restMs } = measured;
        pair(present, begin({ limit, remaining: limit - 1, resetMs: nowMs + restMs }, nowMs));
      }
      if (slower === null || slower.limit === reading.limit) return reading;
      return readingOf(slower, nowMs);
    },
    /** Whether this is the faster limit of a pair, which says nothing of what is left of the slower. */
    isFaster: (limit: number): boolean => faster?.limit === limit,
    /** Tells what is left of the faster limit of a pair, of which the slower one is shown or reckoned on. */
    faster(nowMs: number) {
      forgetOld(nowMs);
      if (faster === null) return null;
      return { ...readingOf(faster, nowMs), lengthMs: lengthMs(faster) };
    },
  };
}
