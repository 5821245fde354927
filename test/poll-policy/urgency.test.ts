import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGES, accumulatedWaiting, ageOfUnseen, ageOfWaiting, keepWaiting } from '../../src/poll-policy/urgency.ts';

const level = fc.oneof(fc.constant(0), fc.double({ min: 1e-2, max: 2, noNaN: true }));
const levelsOf = fc.array(level, { minLength: AGES.length, maxLength: AGES.length });
const ages = fc.double({ min: 0, max: 20_000, noNaN: true });

/** The intensity that the levels describe. */
function intensity(levels: readonly number[], age: number): number {
  const piece = AGES.findLastIndex((from) => from <= age);
  const [from = 0, to = Number.POSITIVE_INFINITY] = AGES.slice(piece, piece + 2);
  const here = levels[piece] ?? 0;
  return here + ((levels[piece + 1] ?? here) - here) * (Number.isFinite(to) ? (age - from) / (to - from) : 0);
}

function integrate(of: (age: number) => number, to: number): number {
  const steps = 20_000;
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum += of(((step + 0.5) * to) / steps);
  return (sum * to) / steps;
}

/** What is kept of the levels, in the second place, as it is for the second slot. */
function keptOf(levels: readonly number[]) {
  const kept = new Float32Array(2 * AGES.length);
  keepWaiting(Float64Array.from(levels), kept, AGES.length);
  return kept;
}

describe('accumulated waiting', () => {
  it('is the integral of age times intensity, exactly at the ages of the forecast', () => {
    fc.assert(
      fc.property(levelsOf, (levels) => {
        const kept = keptOf(levels);
        for (const age of AGES) {
          const exact = integrate((s) => s * intensity(levels, s), age);
          expect(Math.abs(accumulatedWaiting(kept, AGES.length, age) - exact)).toBeLessThanOrEqual(1e-3 * exact + 1e-2);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('never falls with the age, and the age of a waiting is where it is reached', () => {
    fc.assert(
      fc.property(levelsOf, ages, ages, (levels, one, other) => {
        const kept = keptOf(levels);
        const [earlier, later] = one < other ? [one, other] : [other, one];
        const waiting = accumulatedWaiting(kept, AGES.length, later);
        expect(accumulatedWaiting(kept, AGES.length, earlier)).toBeLessThanOrEqual(waiting * (1 + 1e-6) + 1e-6);
        const age = ageOfWaiting(kept, AGES.length, waiting, 1e9);
        if (waiting > 0 && age < 1e9) {
          expect(Math.abs(accumulatedWaiting(kept, AGES.length, age) - waiting)).toBeLessThanOrEqual(1e-4 * waiting);
        }
        expect(ageOfWaiting(kept, AGES.length, waiting + 1, 60)).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('is λa²/2 for a constant rate', () => {
    const kept = keptOf(AGES.map(() => 0.25));
    for (const age of [0, 1, 29, 30, 400, 9000]) {
      const exact = (0.25 * age ** 2) / 2;
      expect(Math.abs(accumulatedWaiting(kept, AGES.length, age) - exact)).toBeLessThanOrEqual(1e-5 * exact);
    }
  });
});

describe('the age at which so many are unseen', () => {
  it('is where the integral of the intensity reaches them', () => {
    fc.assert(
      fc.property(levelsOf, fc.double({ min: 1, max: 100, noNaN: true }), (levels, items) => {
        const age = ageOfUnseen(Float64Array.from(levels), items);
        if (!Number.isFinite(age)) return;
        // Inside a piece the level is taken for its mean: the guard may be early or late by a part of a piece.
        const piece = Math.max(
          0,
          AGES.findLastIndex((from) => from < age),
        );
        const to = AGES[piece + 1] ?? age;
        expect(integrate((s) => intensity(levels, s), AGES[piece] ?? 0)).toBeLessThanOrEqual(items * 1.001 + 0.01);
        expect(integrate((s) => intensity(levels, s), Math.max(age, to))).toBeGreaterThanOrEqual(items * 0.999 - 0.01);
      }),
      { numRuns: 60 },
    );
  });

  it('is never for an endpoint without a rate', () => {
    expect(ageOfUnseen(new Float64Array(AGES.length), 50)).toBe(Number.POSITIVE_INFINITY);
  });
});
