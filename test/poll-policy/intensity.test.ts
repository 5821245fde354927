import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCap } from '../../src/poll-policy/cap.ts';
import { createIntensity } from '../../src/poll-policy/intensity.ts';
import { seededRandom } from '../bench/schedule-random.ts';
import { randomRuns } from '../support/thorough.ts';

describe('the intensity that endpoints share', () => {
  it('integrates what it believes: the number of items up to an age is that of its parts', () => {
    const ages = fc.double({ min: 0, max: 9000, noNaN: true });
    const rates = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 2,
      maxLength: 2,
    });
    fc.assert(
      fc.property(ages, rates, (age, features) => {
        const guess = (feature: number, at: number) => (feature === 0 ? 1 : 50 / (50 + at));
        const intensity = createIntensity(2, guess, 5);
        const alone = [0, 1].map((feature) =>
          intensity.count(
            features.map((rate, at) => (at === feature ? rate : 0)),
            age,
          ),
        );
        expect(intensity.count(features, age)).toBeCloseTo((alone[0] ?? 0) + (alone[1] ?? 0), 6);
        // The first guess of a feature is taken at the middle of each bin: of one that falls, a sum
        // of rectangles.
        expect(alone[0]).toBeCloseTo((features[0] ?? 0) * age, 6);
        const integral = (features[1] ?? 0) * 50 * Math.log((50 + age) / 50);
        expect(Math.abs((alone[1] ?? 0) - integral)).toBeLessThan(0.05 + 0.2 * integral);
      }),
      randomRuns(100),
    );
  });

  it('learns how much a feature brings, and at which ages, from what was found', () => {
    const intensity = createIntensity(1, () => 1, 5);
    const random = seededRandom(1);
    // Two items a second up to 60 s after the poll, one in ten seconds from then on.
    for (let poll = 0; poll < 300; poll += 1) {
      const early = Array.from({ length: 120 }, () => 60 * random());
      const late = Array.from({ length: 34 }, () => 60 + 340 * random());
      intensity.learn([1], [...early, ...late], 400);
    }
    expect(intensity.count([1], 60) / 120).toBeCloseTo(1, 1);
    expect((intensity.count([1], 400) - intensity.count([1], 60)) / 34).toBeCloseTo(1, 1);
  });

  it('stays a number however long it forgets', () => {
    const intensity = createIntensity(1, () => 0.5, 5);
    for (let turn = 0; turn < 10_000; turn += 1) intensity.fade(0.5);
    expect(intensity.count([1], 5000)).toBeCloseTo(2500, 6);
  });
});

describe('the age cap', () => {
  it('loosens while records are in time, not by silence alone, to four fair rounds at most', () => {
    const cap = createCap();
    for (let round = 0; round < 100; round += 1) cap.pass(1);
    const first = cap.rounds;
    expect(first).toBeLessThan(1.5);
    cap.found([0.1], 1);
    expect(cap.rounds).toBeGreaterThan(first);
    for (let poll = 0; poll < 600; poll += 1) cap.found([0.1], 1);
    expect(cap.rounds).toBeGreaterThan(3.5);
    expect(cap.rounds).toBeLessThan(4);
  });

  it('tightens at once to what a burst that nothing announced would have needed, and loosens while there is none', () => {
    const cap = createCap();
    for (let round = 0; round < 100; round += 1) cap.pass(1);
    const delaysRounds = Array.from({ length: 60 }, (_, index) => 1.2 * (1 - index / 59));
    for (let poll = 0; poll < 10; poll += 1) cap.found(Array(60).fill(0.1), 70);
    cap.found(delaysRounds, 70);
    expect(cap.rounds).toBeGreaterThan(3.5);
    cap.found(delaysRounds, 1);
    expect(cap.rounds).toBeGreaterThan(1.2);
    expect(cap.rounds).toBeLessThan(2);
    for (let round = 0; round < 40; round += 1) cap.pass(1);
    expect(cap.rounds).toBeGreaterThan(3.5);
  });

  it('lets all go in turn while records are later than round-robin would have them, and not once they are earlier', () => {
    const cap = createCap();
    for (let round = 0; round < 100; round += 1) cap.pass(1);
    for (let poll = 0; poll < 20; poll += 1) cap.found([2], 1);
    expect(cap.rounds).toBeLessThan(1);
    for (let poll = 0; poll < 400; poll += 1) cap.found([0.1], 1);
    expect(cap.rounds).toBeGreaterThan(3.5);
  });
});
