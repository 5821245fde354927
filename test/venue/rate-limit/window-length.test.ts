import { describe, expect, it } from 'vitest';
import {
  createWindowLength,
  learnedLimitsSchema,
} from '../../../src/venue/rate-limit/window-length.ts';

const LIMIT = 600;
const MINUTE_MS = 60_000;

/** Takes windows in turn, each with its rest and its reset's distance from the one before. */
function learning(
  windows: readonly (readonly [remainingMs: number, distanceMs: number | null, limit?: number])[],
  restoredMs?: number,
) {
  const length = createWindowLength();
  if (restoredMs !== undefined) length.restore({ limit: LIMIT, windowMs: restoredMs });
  for (const [remainingMs, distanceMs, limit = LIMIT] of windows) {
    length.began({ limit, remainingMs, distanceMs });
  }
  return length;
}

describe('the length of a window', () => {
  it.each([
    ['one look', [[12_000, null]], null],
    [
      'two resets, the second right after the first',
      [
        [12_000, null],
        [59_200, 60_000],
      ],
      60_000,
    ],
    [
      'a window between that nobody used',
      [
        [12_000, null],
        [59_200, 120_000],
      ],
      null,
    ],
    [
      'resets that move with each answer',
      [
        [60_000, null],
        [60_000, 5_000],
      ],
      null,
    ],
    [
      'seconds',
      [
        [300, null],
        [900, 1_000],
      ],
      1_000,
    ],
    [
      'a second between that nobody used',
      [
        [300, null],
        [900, 2_000],
      ],
      null,
    ],
  ] as const)('is known by %s: %j', (_, windows, windowMs) => {
    expect(learning(windows).learned()).toEqual(windowMs && { limit: LIMIT, windowMs });
  });

  it('counts after a restart, before a whole window was seen', () => {
    const length = learning([[12_000, null]], MINUTE_MS);
    expect(length.lengthMs()).toBe(MINUTE_MS);
    expect(length.learned()).toEqual({ limit: LIMIT, windowMs: MINUTE_MS });
  });

  it.each([
    ['another limit', [[12_000, null, 300]]],
    ['more left of a window than it lasts', [[70_000, null]]],
    [
      'a reset that comes too early',
      [
        [4_000, null],
        [2_000, 10_000],
      ],
    ],
  ] as const)('is forgotten by %s', (_, windows) => {
    expect(learning(windows, MINUTE_MS).learned()).toBeNull();
    expect(learning(windows, MINUTE_MS).lengthMs()).not.toBe(MINUTE_MS);
  });

  it('is replaced by a length that contradicts it', () => {
    const windows = [
      [4_000, null],
      [9_800, 10_000],
    ] as const;
    expect(learning(windows, MINUTE_MS).learned()).toEqual({ limit: LIMIT, windowMs: 10_000 });
  });
});

describe('limits that were stored', () => {
  const good = { limit: 300, windowMs: MINUTE_MS, faster: null };
  it.each([
    ['no limit', { ...good, limit: 0 }],
    ['half a request', { ...good, limit: 0.5 }],
    ['no length', { ...good, windowMs: 0 }],
    ['a negative length', { ...good, windowMs: -60_000 }],
    ['a length of years', { ...good, windowMs: 1e12 }],
    ['a length in words', { ...good, windowMs: '60000' }],
    ['a faster one that is as long', { ...good, faster: { limit: 10, windowMs: MINUTE_MS } }],
    ['nothing of a faster one', { limit: 300, windowMs: MINUTE_MS }],
    ['nothing', null],
  ])('cannot be meant with %s', (_, stored) => {
    expect(learnedLimitsSchema.safeParse(good).success).toBe(true);
    expect(learnedLimitsSchema.safeParse(stored).success).toBe(false);
  });
});
