import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCap } from '../../src/poll-policy/cap.ts';
import { createForecast, createPopulation } from '../../src/poll-policy/forecast.ts';
import { createIntensity } from '../../src/poll-policy/intensity.ts';
import { seededRandom } from '../bench/schedule-random.ts';
import { randomRuns } from '../support/thorough.ts';

describe('the intensity that endpoints share', () => {
  it('integrates what it believes: the number of items up to an age is that of its parts', () => {
    const ages = fc.double({ min: 0, max: 9000, noNaN: true });
    const rates = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 });
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
        // The first guess of a feature is taken at the middle of each bin: of one that falls, a sum of rectangles.
        expect(alone[0]).toBeCloseTo((features[0] ?? 0) * age, 6);
        const integral = (features[1] ?? 0) * 50 * Math.log((50 + age) / 50);
        expect(Math.abs((alone[1] ?? 0) - integral)).toBeLessThan(0.05 + 0.2 * integral);
      }),
      randomRuns(100),
    );
  });

  it('believes the same waiting of an endpoint whichever ages were asked for before', () => {
    const ages = fc.array(fc.double({ min: 0, max: 9000, noNaN: true }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(ages, (asked) => {
        const believed = (order: readonly number[]) => {
          const population = createPopulation(100);
          const forecast = createForecast();
          population.first(forecast, [0, 40, 300, 310], 400);
          return new Map(order.map((age) => [age, population.urgency(forecast, age)]));
        };
        const upwards = believed([...asked].sort((a, b) => a - b));
        return [...believed(asked)].every(([age, waiting]) => waiting === upwards.get(age));
      }),
      randomRuns(50),
    );
  });

  it('finds what waits after a burst more urgent than as much that waits while as much comes next', () => {
    const population = createPopulation(100);
    const urgencyAnItem = (times: readonly number[], ageSeconds: number): number => {
      const forecast = createForecast();
      population.first(forecast, times, 86_400);
      return population.urgency(forecast, ageSeconds) / population.count(forecast, ageSeconds);
    };
    const steady = Array.from({ length: 100 }, (_, index) => 864 * index);
    const burst = [0, 86_340, 86_350, 86_360, 86_370];
    for (const age of [150, 400, 1000]) {
      expect(urgencyAnItem(burst, age)).toBeGreaterThan(1.1 * urgencyAnItem(steady, age));
    }
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
  it('loosens while nothing surprises, to four fair rounds at most', () => {
    const cap = createCap(100);
    const first = cap.rounds;
    cap.pass(1);
    expect(cap.rounds).toBeGreaterThan(first);
    for (let round = 0; round < 100; round += 1) cap.pass(1);
    expect(cap.rounds).toBeGreaterThan(3.5);
    expect(cap.rounds).toBeLessThan(4);
  });

  it('tightens at once to what a burst that nothing announced would have needed', () => {
    const cap = createCap(100);
    for (let round = 0; round < 100; round += 1) cap.pass(1);
    cap.found({ items: 60, expectedItems: 70, spanRounds: 1.2 });
    expect(cap.rounds).toBeGreaterThan(3.5);
    cap.found({ items: 60, expectedItems: 1, spanRounds: 1.2 });
    expect(cap.rounds).toBeGreaterThan(1.2);
    expect(cap.rounds).toBeLessThan(2);
  });
});
