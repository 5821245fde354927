import { describe, expect, it } from 'vitest';
import { createForecast, createPopulation, type Forecast } from '../../src/poll-policy/forecast.ts';
import { seededRandom } from '../support/random.ts';

const HOUR = 3600;

describe('what is forecast', () => {
  it('is seen at once where the silent wake', () => {
    const population = createPopulation();
    const [sleeper, woken] = [createForecast(), createForecast()];
    for (const forecast of [sleeper, woken]) {
      population.grow(1);
      population.later(forecast, [], HOUR, 1);
    }
    const before = [200, 900].map((age) => population.count(sleeper, age));
    const ages = Array.from({ length: 50 }, (_, index) => index);
    population.later(woken, ages, 300, 1);
    const after = [200, 900].map((age) => population.count(sleeper, age));
    for (const [index, urgency] of after.entries())
      expect(urgency).toBeGreaterThan(1.5 * (before[index] ?? 0));
  });

  it('is an endpoint’s own rate where first pages show constant rates', () => {
    const random = seededRandom(5);
    const population = createPopulation();
    const known: { forecast: Forecast; perSecond: number }[] = [];
    for (let index = 0; index < 300; index += 1) {
      const perSecond = (10 ** (2 * random() - 1) * 3) / HOUR;
      const times: number[] = [];
      for (let time = 0; times.length < 60; ) {
        time -= Math.log(1 - random()) / perSecond;
        times.push(time);
      }
      const forecast = createForecast();
      population.grow(1);
      population.first(forecast, times, (times.at(-1) ?? 0) + -Math.log(1 - random()) / perSecond);
      known.push({ forecast, perSecond });
    }
    const squares = known
      .slice(200)
      .map(
        ({ forecast, perSecond }) =>
          Math.log(population.count(forecast, 300) / (300 * perSecond)) ** 2,
      );
    const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
    // With the rate alone it would be 1/√60.
    expect(deviation).toBeLessThan(0.2);
  });
});
