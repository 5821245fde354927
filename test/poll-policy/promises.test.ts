import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRoundRobin } from '../../src/poll-policy/round-robin.ts';
import { createSchedule, type Endpoint } from '../../src/poll-policy/schedule.ts';
import { nastyTape } from '../bench/schedule-nasty.ts';
import { seededRandom } from '../bench/schedule-random.ts';
import { roundRobin, simulate } from '../bench/schedule-simulation.ts';
import { makeTape, SCENARIOS } from '../bench/schedule-tapes.ts';
import { activity, create, keyOf, report, transfers, wallet } from './helpers.ts';

type Step =
  | { readonly kind: 'pick'; readonly count: number; readonly pause: number }
  | { readonly kind: 'add' | 'remove' | 'expedite'; readonly index: number }
  | { readonly kind: 'settle'; readonly items: number; readonly ok: boolean }
  | { readonly kind: 'plan'; readonly on: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pick'), count: fc.nat(7), pause: fc.nat(300) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle'), items: fc.nat(120), ok: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('add', 'remove', 'expedite'), index: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('plan'), on: fc.boolean() }) },
);

/** From one look a pick to more than there ever are. */
const lookLimits = fc.constantFrom(1, 2, 5, 10_000);

describe('whatever happens', () => {
  it('picks only what is there, allowed, not in flight nor to be tried later, and as many as asked while there are', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.nat(), lookLimits, (steps, seed, lookLimit) => {
        const schedule = create(seed, 8, lookLimit);
        const failures = new Map<string, { readonly count: number; readonly untilSeconds: number }>();
        const here = new Map<string, Endpoint>();
        const flying = new Map<string, Endpoint>();
        let isOn = true;
        let now = 0;
        for (const each of steps) {
          if (each.kind === 'pick') {
            now += each.pause;
            const picked = schedule.pick(now, each.count);
            const able = [...here].filter(
              ([key, { name }]) =>
                !flying.has(key) && (isOn || name === 'activity') && !((failures.get(key)?.untilSeconds ?? 0) > now),
            );
            // Plain comparisons: as assertions these take most of the time.
            if (picked.length !== Math.min(each.count, able.length)) return false;
            for (const endpoint of picked) {
              const key = keyOf(endpoint);
              if (flying.has(key) || !able.some(([one]) => one === key)) return false;
              flying.set(key, endpoint);
            }
          } else if (each.kind === 'settle') {
            const [endpoint] = flying.values();
            if (endpoint === undefined) continue;
            flying.delete(keyOf(endpoint));
            const times = Array.from({ length: each.items }, (_, index) => now - index);
            const { count } = failures.get(keyOf(endpoint)) ?? { count: 0 };
            if (each.ok) {
              failures.delete(keyOf(endpoint));
              schedule.polled(endpoint, report(now, times));
            } else {
              failures.set(keyOf(endpoint), { count: count + 1, untilSeconds: now + Math.min(300, 5 * 2 ** count) });
              schedule.failed(endpoint, now);
            }
          } else if (each.kind === 'plan') {
            isOn = each.on;
            schedule.setAvailable('deposits-withdrawals', isOn);
          } else if (each.kind === 'remove') {
            schedule.remove(wallet(each.index));
            for (const endpoint of [activity(each.index), transfers(each.index)]) {
              here.delete(keyOf(endpoint));
              failures.delete(keyOf(endpoint));
              flying.delete(keyOf(endpoint));
            }
          } else {
            for (const endpoint of [activity(each.index), transfers(each.index)]) {
              if (each.kind === 'expedite') schedule.expedite(endpoint);
              else {
                schedule.add(endpoint);
                here.set(keyOf(endpoint), endpoint);
              }
            }
          }
          const countable = [...here.values()].filter(({ name }) => isOn || name === 'activity');
          if (schedule.size !== countable.length) return false;
        }
        return true;
      }),
      { numRuns: 150 },
    );
  });

  it('picks no endpoint twice within the least interval, and everybody else as before', () => {
    const scripts = fc.record({
      seed: fc.nat(),
      pollMinSeconds: fc.double({ min: 0.1, max: 100, noNaN: true }),
      endpoints: fc.integer({ min: 1, max: 12 }),
      lookLimit: lookLimits,
      isRoundRobin: fc.boolean(),
      steps: fc.array(
        fc.record({ pause: fc.double({ min: 0, max: 60, noNaN: true }), ok: fc.boolean(), soon: fc.boolean() }),
        {
          minLength: 30,
        },
      ),
    });
    fc.assert(
      fc.property(scripts, ({ seed, pollMinSeconds, endpoints, lookLimit, isRoundRobin, steps }) => {
        const random = seededRandom(seed);
        const schedule = isRoundRobin
          ? createRoundRobin({ pollMinSeconds })
          : createSchedule({ random, pollMinSeconds, lookLimit });
        for (let index = 0; index < endpoints; index += 1) schedule.add(activity(index));
        const pickedAt = new Map<string, number>();
        let now = 0;
        for (const { pause, ok, soon } of steps) {
          now += pause;
          const isDue = (index: number) =>
            !(now - (pickedAt.get(keyOf(activity(index))) ?? Number.NEGATIVE_INFINITY) < pollMinSeconds);
          const due = Array.from({ length: endpoints }, (_, index) => index).filter(isDue);
          const picked = schedule.pick(now, endpoints);
          if (picked.some((endpoint) => !due.some((index) => keyOf(activity(index)) === keyOf(endpoint)))) return false;
          if (ok && picked.length < due.length && pickedAt.size === 0) return false;
          for (const endpoint of picked) {
            pickedAt.set(keyOf(endpoint), now);
            if (ok) schedule.polled(endpoint, report(now, [now - 0.1, now - 0.2]));
            else schedule.failed(endpoint, now);
            if (soon) schedule.expedite(endpoint);
          }
        }
        return true;
      }),
      { numRuns: 150 },
    );
  });

  it('polls again when the clock is set back', () => {
    for (const schedule of [
      createSchedule({ random: Math.random, pollMinSeconds: 5 }),
      createRoundRobin({ pollMinSeconds: 5 }),
    ]) {
      schedule.add(activity(1));
      for (const now of [10_000, 6_400, 6_405]) {
        expect(schedule.pick(now, 3)).toEqual([activity(1)]);
        schedule.polled(activity(1), report(now));
        expect(schedule.pick(now + 4.9, 3)).toEqual([]);
      }
    }
  });

  it('lets no endpoint wait longer than the age cap, however the items mislead it', () => {
    const scripts = fc.record({
      seed: fc.nat(),
      maxRounds: fc.integer({ min: 2, max: 9 }),
      endpoints: fc.integer({ min: 1, max: 25 }),
      lookLimit: lookLimits,
      expediteEvery: fc.constantFrom(0, 1, 3),
      polls: fc.array(fc.record({ pause: fc.nat(400), count: fc.integer({ min: 1, max: 6 }) }), { minLength: 200 }),
    });
    fc.assert(
      fc.property(scripts, ({ seed, maxRounds, endpoints, lookLimit, expediteEvery, polls }) => {
        const schedule = create(seed, maxRounds, lookLimit);
        for (let index = 0; index < endpoints; index += 1) schedule.add(activity(index));
        const lastPick = new Map<string, number>();
        for (let index = 0; index < endpoints; index += 1) lastPick.set(keyOf(activity(index)), 0);
        const cap = (maxRounds + (expediteEvery > 0 ? 1 : 0)) * endpoints;
        let picks = 0;
        let now = 0;
        for (const { pause, count } of polls) {
          now += pause;
          for (const endpoint of schedule.pick(now, count)) {
            picks += 1;
            lastPick.set(keyOf(endpoint), picks);
            const isLoud = Number(BigInt(endpoint.wallet)) === 0;
            schedule.polled(endpoint, report(now, isLoud ? Array.from({ length: 90 }, (_, n) => now - n / 9) : []));
            if (expediteEvery > 0 && picks % expediteEvery === 0) schedule.expedite(activity(0));
          }
          if (picks - Math.min(...lastPick.values()) > cap + count) return false;
        }
        return true;
      }),
      { numRuns: 60 },
    );
  });

  it('does the same again with the same seed', () => {
    const tape = makeTape('hawkes', { endpoints: 30, hours: 1, historyHours: 1, seed: 3, sigma: 1.5 });
    expect(simulate(tape, 0.2, create(5))).toEqual(simulate(tape, 0.2, create(5)));
  });

  it.each(SCENARIOS)('finds nearly the most urgent even if it looks at few of those that sleep: %s', (scenario) => {
    const tape = makeTape(scenario, { endpoints: 300, hours: 6, historyHours: 24, seed: 41, sigma: 2.5 });
    const all = simulate(tape, 0.75, create(1));
    const few = simulate(tape, 0.75, create(1, 8, 40));
    expect(few.polls).toBe(all.polls);
    expect(few.mean).toBeLessThan(1.06 * all.mean);
    expect(few.max).toBeLessThanOrEqual((8 * 300) / 0.75);
  });

  it.each(SCENARIOS)('is not slower than round-robin, and well inside its cap: %s', (scenario) => {
    for (const seed of [31, 32, 33]) {
      const tape = makeTape(scenario, { endpoints: 60, hours: 6, historyHours: 0, seed, sigma: 1.5 });
      const fair = simulate(tape, 0.15, roundRobin());
      const ours = simulate(tape, 0.15, create(seed));
      expect(ours.mean).toBeLessThan(fair.mean);
      expect(ours.p99).toBeLessThan(2.5 * fair.p99);
      expect(ours.max).toBeLessThanOrEqual((8 * 60) / 0.15);
      expect(ours.overflowLost).toBeLessThanOrEqual(fair.overflowLost);
    }
  });

  it('loses nothing to overflow where silent wallets start at a high rate, if round-robin does not', () => {
    for (const seed of [1, 2, 3]) {
      const tape = nastyTape('silent-starters', seed);
      const budget = tape.items.length / 320;
      const fair = simulate(tape, budget, roundRobin());
      const ours = simulate(tape, budget, create(seed));
      expect(fair.overflowLost).toBe(0);
      expect(ours.overflowLost).toBe(0);
      expect(ours.mean).toBeLessThan(0.6 * fair.mean);
      expect(ours.p99).toBeLessThan(1.5 * fair.p99);
    }
  });

  it('follows a budget that changes, and bursts of picks as well as single ones', () => {
    for (const [every, count] of [
      [1, 1],
      [5, 10],
      [2, 1],
    ] as const) {
      const schedule = create();
      for (let index = 0; index < 20; index += 1) schedule.add(activity(index));
      const seen = new Set<string>();
      for (let now = 0; now < (20 * 8 * every) / count; now += every) {
        for (const endpoint of schedule.pick(now, count)) {
          seen.add(keyOf(endpoint));
          schedule.polled(endpoint, report(now));
        }
      }
      expect(seen.size).toBe(20);
    }
  });
});
