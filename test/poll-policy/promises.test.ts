import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchedule, type Endpoint, type Schedule } from '../../src/poll-policy/schedule.ts';
import { nastyTape } from '../bench/schedule-nasty.ts';
import { roundRobin, simulate } from '../bench/schedule-simulation.ts';
import { makeTape, SCENARIOS } from '../bench/schedule-tapes.ts';
import { happening } from '../support/happening.ts';
import { randomRuns, variants } from '../support/thorough.ts';
import { activity, create, keyOf, report, scheduleOf, transfers, wallet } from './helpers.ts';

const OF_A_WALLET = ['add', 'remove', 'expedite', 'hold', 'let go'] as const;
const step = fc.oneof(
  happening(30, 'pick', { count: fc.nat(7), pause: fc.nat(300) }),
  happening(20, 'settle', { items: fc.nat(120), ok: fc.boolean() }),
  ...OF_A_WALLET.map((kind) => happening(3, kind, { index: fc.nat(12) })),
  happening(5, 'plan', { on: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A schedule beside what is known of it: which endpoints are there, in flight, failing. */
function createChecked() {
  const schedule = create();
  const failures = new Map<string, { readonly count: number; readonly untilSeconds: number }>();
  const here = new Map<string, Endpoint>();
  const flying = new Map<string, Endpoint>();
  let isOn = true;
  let now = 0;
  const both = (index: number) => [activity(index), transfers(index)];
  const isCountable = ({ name }: Endpoint) => isOn || name === 'activity';
  const mayBePicked = ([key, endpoint]: [string, Endpoint]) =>
    !flying.has(key) && isCountable(endpoint) && !((failures.get(key)?.untilSeconds ?? 0) > now);

  function pick(count: number, pause: number): boolean {
    now += pause;
    const able = new Map([...here].filter(mayBePicked));
    const picked = schedule.pick(now, count);
    const keys = new Set(picked.map(keyOf));
    for (const endpoint of picked) flying.set(keyOf(endpoint), endpoint);
    // Plain comparisons: as assertions these take most of the time.
    const isAllowed = [...keys].every((key) => able.has(key));
    return isAllowed && keys.size === picked.length && picked.length === Math.min(count, able.size);
  }

  function settle(items: number, ok: boolean): void {
    const [endpoint] = flying.values();
    if (endpoint === undefined) return;
    const key = keyOf(endpoint);
    const { count } = failures.get(key) ?? { count: 0 };
    const times = Array.from({ length: items }, (_, index) => now - index);
    flying.delete(key);
    failures.delete(key);
    if (ok) schedule.polled(endpoint, report(now, times));
    else {
      failures.set(key, { count: count + 1, untilSeconds: now + Math.min(300, 5 * 2 ** count) });
      schedule.failed(endpoint, now);
    }
  }

  function remove(index: number): void {
    schedule.remove(wallet(index));
    for (const known of [here, failures, flying])
      for (const endpoint of both(index)) known.delete(keyOf(endpoint));
  }

  function add(index: number): void {
    for (const endpoint of both(index)) {
      schedule.add(endpoint);
      here.set(keyOf(endpoint), endpoint);
    }
  }

  function plan(on: boolean): void {
    isOn = on;
    schedule.setAvailable('deposits-withdrawals', on);
  }

  function change(step: Exclude<Step, { kind: 'pick' }>): void {
    if (step.kind === 'settle') settle(step.items, step.ok);
    else if (step.kind === 'plan') plan(step.on);
    else if (step.kind === 'add') add(step.index);
    else if (step.kind === 'remove') remove(step.index);
    else if (step.kind === 'expedite') both(step.index).forEach(schedule.expedite);
    else schedule.setThrottled(wallet(step.index), step.kind === 'hold');
  }

  /** Does a step; false if the schedule did what it must not. */
  return (step: Step): boolean => {
    if (step.kind === 'pick') {
      if (!pick(step.count, step.pause)) return false;
    } else change(step);
    return schedule.size === [...here.values()].filter(isCountable).length;
  };
}

function settle(schedule: Schedule, endpoint: Endpoint, ok: boolean, now: number): void {
  if (ok) schedule.polled(endpoint, report(now, [now - 0.1, now - 0.2]));
  else schedule.failed(endpoint, now);
}

describe('whatever happens', () => {
  it('picks only what is there, allowed, not in flight nor to be tried later, and as many as asked while there are', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) =>
        steps.every(createChecked()),
      ),
      randomRuns(80),
    );
  });

  it('picks no endpoint twice within the least interval, and everybody else as before', () => {
    const pause = fc.double({ min: 0, max: 60, noNaN: true });
    const step = fc.record({ pause, ok: fc.boolean(), soon: fc.boolean() });
    const scripts = fc.record({
      pollMinSeconds: fc.double({ min: 0.1, max: 100, noNaN: true }),
      endpoints: fc.integer({ min: 1, max: 12 }),
      isInTurn: fc.boolean(),
      steps: fc.array(step, { minLength: 30 }),
    });
    fc.assert(
      fc.property(scripts, ({ pollMinSeconds, endpoints, isInTurn, steps }) => {
        const schedule = scheduleOf(endpoints, createSchedule({ pollMinSeconds, isInTurn }));
        const pickedAt = new Map<string, number>();
        let now = 0;
        return steps.every(({ pause, ok, soon }) => {
          now += pause;
          const isDue = (endpoint: Endpoint) =>
            !(now - (pickedAt.get(keyOf(endpoint)) ?? Number.NEGATIVE_INFINITY) < pollMinSeconds);
          const least = pickedAt.size === 0 ? endpoints : 0;
          const picked = schedule.pick(now, endpoints);
          const areDue = picked.every(isDue);
          for (const endpoint of picked) {
            pickedAt.set(keyOf(endpoint), now);
            settle(schedule, endpoint, ok, now);
            if (soon) schedule.expedite(endpoint);
          }
          return areDue && picked.length >= least;
        });
      }),
      randomRuns(80),
    );
  });

  it('polls again when the clock is set back', () => {
    for (const isInTurn of [false, true]) {
      const schedule = scheduleOf(1, createSchedule({ pollMinSeconds: 5, isInTurn }));
      for (const now of [10_000, 6_400, 6_405]) {
        expect(schedule.pick(now, 3)).toEqual([activity(0)]);
        schedule.polled(activity(0), report(now));
        expect(schedule.pick(now + 4.9, 3)).toEqual([]);
      }
    }
  });

  it('lets no endpoint wait longer than four fair rounds, however the items mislead it', () => {
    const scripts = fc.record({
      endpoints: fc.integer({ min: 1, max: 25 }),
      expediteEvery: fc.constantFrom(0, 1, 3),
      polls: fc.array(fc.record({ pause: fc.nat(400), count: fc.integer({ min: 1, max: 6 }) }), {
        minLength: 200,
      }),
    });
    fc.assert(
      fc.property(scripts, ({ endpoints, expediteEvery, polls }) => {
        const schedule = scheduleOf(endpoints);
        const lastPick = new Map(
          Array.from({ length: endpoints }, (_, index) => [keyOf(activity(index)), 0]),
        );
        const cap = (4 + (expediteEvery > 0 ? 1 : 0)) * endpoints;
        let picks = 0;
        let now = 0;
        const poll = (endpoint: Endpoint) => {
          picks += 1;
          lastPick.set(keyOf(endpoint), picks);
          const loud = endpoint.wallet === wallet(0) ? 90 : 0;
          const times = Array.from({ length: loud }, (_, n) => now - n / 9);
          schedule.polled(endpoint, report(now, times));
          if (expediteEvery > 0 && picks % expediteEvery === 0) schedule.expedite(activity(0));
        };
        return polls.every(({ pause, count }) => {
          now += pause;
          schedule.pick(now, count).forEach(poll);
          return picks - Math.min(...lastPick.values()) <= cap + count;
        });
      }),
      randomRuns(40),
    );
  });

  it('does the same again for the same items', () => {
    const options = { endpoints: 30, hours: 1, historyHours: 1, seed: 3, sigma: 1.5 };
    const tape = makeTape('hawkes', options);
    expect(simulate(tape, 0.2, create())).toEqual(simulate(tape, 0.2, create()));
  });

  it.each(SCENARIOS)('is not slower than round-robin, and well inside its cap: %s', (scenario) => {
    const p99Seconds = { fair: 0, ours: 0 };
    for (const seed of [31, 32, 33]) {
      const options = { endpoints: 60, hours: 6, historyHours: 0, seed, sigma: 1.5 };
      const tape = makeTape(scenario, options);
      const fair = simulate(tape, 0.15, roundRobin());
      const ours = simulate(tape, 0.15, create());
      p99Seconds.fair += fair.p99;
      p99Seconds.ours += ours.p99;
      expect(ours.mean).toBeLessThan(fair.mean);
      expect(ours.max).toBeLessThanOrEqual((4 * 60) / 0.15);
      expect(ours.overflowLost).toBeLessThanOrEqual(fair.overflowLost);
    }
    // Of one seed alone it is a handful of items that decide.
    expect(p99Seconds.ours).toBeLessThan(2 * p99Seconds.fair);
  });

  it('loses nothing to overflow where silent wallets start at a high rate, if round-robin does not', () => {
    for (const seed of variants([1, 2, 3], (one) => one === 1)) {
      const tape = nastyTape('silent-starters', seed);
      const budget = tape.items.length / 320;
      const fair = simulate(tape, budget, roundRobin());
      const ours = simulate(tape, budget, create());
      expect(fair.overflowLost).toBe(0);
      expect(ours.overflowLost).toBe(0);
      expect(ours.mean).toBeLessThan(0.6 * fair.mean);
      expect(ours.p99).toBeLessThan(1.5 * fair.p99);
    }
  });
});
