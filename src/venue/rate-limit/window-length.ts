import * as z from 'zod';
import { LONGEST_WINDOW_MS } from './headers.ts';

const MOST_REQUESTS = 1e9;
const SHORTEST_WINDOW_MS = 1_000;
/** Two windows count as separate limits if one is at least this many times as long as the other. */
export const LEAST_RATIO = 2;

const limitSchema = z.object({
  /** Requests per window. */
  limit: z.int().min(1).max(MOST_REQUESTS),
  windowMs: z.number().min(SHORTEST_WINDOW_MS).max(LONGEST_WINDOW_MS),
});

/** Limits of a key as a process learned them, with the lengths of their windows. */
export const learnedLimitsSchema = limitSchema
  .extend({
    /** The faster limit if the key has two; else null. */
    faster: limitSchema.nullable(),
  })
  .refine(
    ({ windowMs, faster }) => faster === null || faster.windowMs * LEAST_RATIO <= windowMs,
    'The faster limit has no shorter window.',
  );
export type LearnedLimits = Readonly<z.infer<typeof learnedLimitsSchema>>;
export type LearnedLimit = Readonly<z.infer<typeof limitSchema>>;

const WINDOWS_KEPT = 6;
/**
 * Tolerance in ms: resets are whole seconds, and the first response of a window comes a little
 * after its beginning.
 */
const TOLERANCE_MS = 1_100;
const SHORT_WINDOW_MS = 3_000;
const SHORT_WINDOW_TOLERANCE_MS = 400;
/** Share of a window that may have passed before its first response. */
const LATE_SHARE = 1 / 20;

function toleranceMs(lengthMs: number): number {
  const leastMs = lengthMs < SHORT_WINDOW_MS ? SHORT_WINDOW_TOLERANCE_MS : TOLERANCE_MS;
  return Math.max(leastMs, LATE_SHARE * lengthMs);
}

/** Figures of the first response of a window. */
interface Beginning {
  readonly limit: number;
  /** Time to its reset, in ms. */
  readonly remainingMs: number;
  /** Time from the previous reset of the same limit to this one, in ms; null if unknown. */
  readonly distanceMs: number | null;
}

/**
 * Learns the length of the venue's windows, which no response reports. A window is at least as long
 * as its remaining time when it was first seen. Its length equals the time between two resets if
 * its first response came right after the first of them.
 */
export function createWindowLength() {
  /** Remaining time of each of the last windows when it was first seen, in ms, newest last. */
  let lastRemainingMs: readonly number[] = [];
  let learned: LearnedLimit | null = null;

  const isContradicted = (known: LearnedLimit, { limit, remainingMs, distanceMs }: Beginning) => {
    const { windowMs } = known;
    const isShorter = distanceMs !== null && distanceMs < windowMs - toleranceMs(windowMs);
    return limit !== known.limit || remainingMs > windowMs + toleranceMs(windowMs) || isShorter;
  };

  return {
    /**
     * Restores a length learned by an earlier process. It counts until a response contradicts it.
     */
    restore(known: LearnedLimit): void {
      learned = known;
    },
    began(beginning: Beginning): void {
      const { limit, remainingMs, distanceMs } = beginning;
      const isKnown = learned !== null && !isContradicted(learned, beginning);
      if (learned !== null && !isKnown) {
        const { windowMs } = learned;
        lastRemainingMs = lastRemainingMs.filter((length) => length !== windowMs);
        learned = null;
      }
      if (learned !== null && lastRemainingMs.length === 0) lastRemainingMs = [learned.windowMs];
      lastRemainingMs = [...lastRemainingMs, remainingMs].slice(-WINDOWS_KEPT);
      if (learned !== null || distanceMs === null || distanceMs < SHORTEST_WINDOW_MS) return;
      if (Math.abs(distanceMs - remainingMs) > toleranceMs(distanceMs)) return;
      learned = { limit, windowMs: distanceMs };
    },
    /** Returns the longest remaining time of the last windows, in ms; null until one was seen. */
    lengthMs(): number | null {
      if (lastRemainingMs.length === 0) return null;
      return Math.max(SHORTEST_WINDOW_MS, ...lastRemainingMs);
    },
    /** Known limit and length; null while unknown, or if responses contradict them. */
    learned: (): LearnedLimit | null => learned,
  };
}
