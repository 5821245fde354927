import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endpoint, Schedule } from '../../src/poll/schedule.ts';
import { createSchedule } from '../../src/poll/schedule.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { parseAddress } from '../../src/venue/address.ts';
import { nastyTape } from '../bench/schedule-nasty.ts';
import { seededRandom } from '../bench/schedule-random.ts';
import { roundRobin, simulate } from '../bench/schedule-simulation.ts';
import { makeTape, SCENARIOS } from '../bench/schedule-tapes.ts';

function wallet(index: number): WalletAddress {
  const parsed = parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.address;
}

const activity = (index: number): Endpoint => ({ wallet: wallet(index), name: 'activity' });
const transfers = (index: number): Endpoint => ({ wallet: wallet(index), name: 'deposits-withdrawals' });
const create = (seed = 1, maxRounds = 8): Schedule => createSchedule({ random: seededRandom(seed), maxRounds });
const keyOf = (endpoint: Endpoint): string => `${endpoint.wallet} ${endpoint.name}`;

/** `freshTimesSeconds` for later polls, and the same page for a first one. */
const report = (atSeconds: number, freshTimesSeconds: number[] = []) => ({
  atSeconds,
  freshTimesSeconds,
  pageTimesSeconds: freshTimesSeconds.toReversed(),
});

/** One poll a second from `from` on; `itemsAt` says what a poll finds. Returns how often each endpoint was polled. */
function poll(
  schedule: Schedule,
  from: number,
  count: number,
  itemsAt: (endpoint: Endpoint, now: number) => number[] = () => [],
): Map<string, number> {
  const polls = new Map<string, number>();
  for (let now = from; now < from + count; now += 1) {
    for (const endpoint of schedule.pick(now, 1)) {
      polls.set(keyOf(endpoint), (polls.get(keyOf(endpoint)) ?? 0) + 1);
      schedule.polled(endpoint, report(now, itemsAt(endpoint, now)));
    }
  }
  return polls;
}

describe('schedule', () => {
  it('never picks an endpoint that is in flight', () => {
    const schedule = create();
    schedule.add(activity(1));
    schedule.add(activity(2));
    expect(schedule.pick(0, 5)).toHaveLength(2);
    expect(schedule.pick(1, 5)).toEqual([]);
    schedule.polled(activity(1), report(1));
    expect(schedule.pick(2, 5)).toEqual([activity(1)]);
  });

  it('forgets a removed wallet at once, in flight or not', () => {
    const schedule = create();
    for (const endpoint of [activity(1), transfers(1), activity(2)]) schedule.add(endpoint);
    schedule.pick(0, 1);
    schedule.remove(wallet(1));
    expect(schedule.size).toBe(1);
    schedule.polled(activity(1), report(1, [0]));
    expect(schedule.learned(activity(1))).toBeUndefined();
    expect(schedule.pick(1, 5).every((endpoint) => endpoint.wallet === wallet(2))).toBe(true);
  });

  it('spends nothing on endpoints that the plan does not include', () => {
    const schedule = create();
    for (let index = 0; index < 10; index += 1) {
      schedule.add(activity(index));
      schedule.add(transfers(index));
    }
    schedule.setAvailable('deposits-withdrawals', false);
    expect(schedule.size).toBe(10);
    const polls = poll(schedule, 0, 200);
    expect([...polls.keys()].every((key) => key.endsWith(' activity'))).toBe(true);
    expect([...polls.values()].reduce((sum, count) => sum + count, 0)).toBe(200);
    schedule.setAvailable('deposits-withdrawals', true);
    expect(schedule.size).toBe(20);
    expect([...poll(schedule, 200, 100).keys()].filter((key) => key.endsWith('withdrawals'))).toHaveLength(10);
  });

  it('picks an expedited endpoint before all others', () => {
    const schedule = create();
    for (let index = 0; index < 50; index += 1) schedule.add(activity(index));
    poll(schedule, 0, 100);
    const [justPolled] = schedule.pick(100, 1);
    if (justPolled === undefined) throw new Error('nothing was picked');
    schedule.polled(justPolled, report(100));
    schedule.expedite(justPolled);
    expect(schedule.pick(101, 1)).toEqual([justPolled]);
  });

  it('polls a new endpoint within two picks', () => {
    const schedule = create();
    for (let index = 0; index < 50; index += 1) schedule.add(activity(index));
    poll(schedule, 0, 500, (_, now) => [now - 1]);
    schedule.add(activity(99));
    expect([...poll(schedule, 500, 2).keys()]).toContain(keyOf(activity(99)));
  });

  it('tries a failing endpoint less and less often, but never gives up', () => {
    const schedule = create();
    for (let index = 0; index < 20; index += 1) schedule.add(activity(index));
    const tries: number[] = [];
    for (let now = 0; now < 4000; now += 1) {
      for (const endpoint of schedule.pick(now, 1)) {
        if (endpoint.wallet === wallet(7)) {
          tries.push(now);
          schedule.failed(endpoint, now);
        } else schedule.polled(endpoint, report(now, [now]));
      }
    }
    const gaps = tries.slice(1).map((now, index) => now - (tries[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
    expect(Math.min(...gaps.slice(7))).toBeGreaterThanOrEqual(300);
    expect(Math.max(...gaps)).toBeLessThan(300 + 20 * 8);
  });

  it('polls a busy endpoint more often than a quiet one, by about the square root', () => {
    const schedule = create();
    for (let index = 0; index < 20; index += 1) schedule.add(activity(index));
    const last = new Map<string, number>();
    const everySeconds = (endpoint: Endpoint): number => (Number(BigInt(endpoint.wallet)) < 4 ? 37 : 37 * 16);
    const items = (endpoint: Endpoint, now: number): number[] => {
      const from = last.get(keyOf(endpoint)) ?? 0;
      last.set(keyOf(endpoint), now);
      const every = everySeconds(endpoint);
      const first = Math.floor(from / every) + 1;
      return Array.from({ length: Math.max(0, Math.floor(now / every) - first + 1) }, (_, n) => (first + n) * every);
    };
    poll(schedule, 1, 20_000, items);
    const polls = poll(schedule, 20_001, 5000, items);
    const busy = polls.get(keyOf(activity(0))) ?? 0;
    const quiet = polls.get(keyOf(activity(10))) ?? 0;
    expect(busy / quiet).toBeGreaterThan(2.5);
    expect(busy / quiet).toBeLessThan(6.5);
  });

  it('polls before half a page is expected to be unseen, where waiting alone would overflow it', () => {
    const schedule = createSchedule({ random: seededRandom(1), pageSize: 10 });
    for (let index = 0; index < 300; index += 1) schedule.add(activity(index));
    const last = new Map<string, number>();
    let mostUnseen = 0;
    poll(schedule, 0, 6000, (endpoint, now) => {
      const every = endpoint.wallet === wallet(3) ? 5 : 120;
      const from = last.get(keyOf(endpoint)) ?? 0;
      last.set(keyOf(endpoint), now);
      const unseen = Math.floor(now / every) - Math.floor(from / every);
      if (now > 3000 && every === 5) mostUnseen = Math.max(mostUnseen, unseen);
      return Array.from({ length: Math.min(10, unseen) }, (_, n) => (Math.floor(now / every) - n) * every).reverse();
    });
    expect(mostUnseen).toBeLessThan(10);
  });

  it('lets nobody starve while one endpoint is expedited all the time', () => {
    const schedule = create(1, 3);
    for (let index = 0; index < 5; index += 1) schedule.add(activity(index));
    const picked = new Set<string>();
    for (let now = 0; now < 4 * 5; now += 1) {
      schedule.expedite(activity(0));
      for (const endpoint of schedule.pick(now, 1)) {
        picked.add(keyOf(endpoint));
        schedule.polled(endpoint, report(now));
      }
    }
    expect(picked.size).toBe(5);
  });

  it('says when an endpoint was polled last and is expected next', () => {
    const schedule = create();
    for (let index = 0; index < 10; index += 1) schedule.add(activity(index));
    expect(schedule.outlook(activity(0))).toEqual({ lastSeconds: null, nextSeconds: null });
    poll(schedule, 0, 1000, (_, now) => [now]);
    const { lastSeconds, nextSeconds } = schedule.outlook(activity(0));
    expect(lastSeconds).toBeGreaterThan(900);
    expect(nextSeconds).toBeGreaterThan(lastSeconds ?? 0);
    expect(nextSeconds).toBeLessThan(1100);
    expect(schedule.outlook(activity(77))).toEqual({ lastSeconds: null, nextSeconds: null });
  });

  it('goes on telling when an endpoint is expected next after a pick that took all there were', () => {
    const schedule = create();
    for (let index = 0; index < 10; index += 1) schedule.add(activity(index));
    poll(schedule, 0, 100, () => []);
    schedule.add(activity(10));
    expect(schedule.pick(100, 11)).toHaveLength(11);
    for (let index = 0; index < 11; index += 1) schedule.polled(activity(index), report(100));
    poll(schedule, 101, 130, () => []);
    for (let index = 0; index < 11; index += 1) {
      const { lastSeconds, nextSeconds } = schedule.outlook(activity(index));
      expect(nextSeconds).toBeGreaterThan(lastSeconds ?? 0);
    }
  });

  it('refuses a page or a cap that makes no sense', () => {
    expect(() => createSchedule({ random: Math.random, pageSize: 0 })).toThrow(/pageSize.*at least 1, got 0/);
    expect(() => createSchedule({ random: Math.random, maxRounds: 1 })).toThrow(/maxRounds.*at least 2, got 1/);
  });
});

describe('what the schedule has learned', () => {
  it('survives a restart: the same figures, and the same picks from then on', () => {
    const before = create();
    for (let index = 0; index < 30; index += 1) before.add(activity(index));
    poll(before, 0, 2000, (endpoint, now) => (Number(BigInt(endpoint.wallet)) % 3 === 0 ? [now - 5, now - 2] : []));
    const after = create();
    for (let index = 0; index < 30; index += 1) after.add(activity(index), before.learned(activity(index)));
    for (let index = 0; index < 30; index += 1) {
      expect(after.learned(activity(index))).toEqual(before.learned(activity(index)));
      expect(before.learned(activity(index))?.length).toBeLessThanOrEqual(12);
    }
    const first = after.pick(2000, 10).map((endpoint) => Number(BigInt(endpoint.wallet)) % 3);
    expect(first).toEqual(Array(10).fill(0));
  });

  it('counts for nothing when it has another shape', () => {
    for (const odd of [[], [1, 2], Array(12).fill(Number.NaN), Array(12).fill(-1), Array(13).fill(1)]) {
      const schedule = create();
      schedule.add(activity(1), odd);
      expect(schedule.learned(activity(1))).toEqual([]);
      expect(schedule.outlook(activity(1)).lastSeconds).toBeNull();
      expect(schedule.pick(5, 1)).toEqual([activity(1)]);
    }
  });
});

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

describe('whatever happens', () => {
  it('picks only what is there, allowed and not in flight, and no more than asked', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.nat(), (steps, seed) => {
        const schedule = create(seed);
        const here = new Map<string, Endpoint>();
        const flying = new Map<string, Endpoint>();
        let isOn = true;
        let now = 0;
        for (const each of steps) {
          if (each.kind === 'pick') {
            now += each.pause;
            const picked = schedule.pick(now, each.count);
            const able = [...here].filter(([key, { name }]) => !flying.has(key) && (isOn || name === 'activity'));
            expect(picked.length).toBeLessThanOrEqual(Math.min(each.count, able.length));
            for (const endpoint of picked) {
              expect(able.map(([key]) => key)).toContain(keyOf(endpoint));
              expect(flying.has(keyOf(endpoint))).toBe(false);
              flying.set(keyOf(endpoint), endpoint);
            }
          } else if (each.kind === 'settle') {
            const [endpoint] = flying.values();
            if (endpoint === undefined) continue;
            flying.delete(keyOf(endpoint));
            const times = Array.from({ length: each.items }, (_, index) => now - index);
            if (each.ok) schedule.polled(endpoint, report(now, times));
            else schedule.failed(endpoint, now);
          } else if (each.kind === 'plan') {
            isOn = each.on;
            schedule.setAvailable('deposits-withdrawals', isOn);
          } else if (each.kind === 'remove') {
            schedule.remove(wallet(each.index));
            for (const endpoint of [activity(each.index), transfers(each.index)]) {
              here.delete(keyOf(endpoint));
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
          expect(schedule.size).toBe(countable.length);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('lets no endpoint wait longer than the age cap, however the items mislead it', () => {
    const scripts = fc.record({
      seed: fc.nat(),
      maxRounds: fc.integer({ min: 2, max: 9 }),
      endpoints: fc.integer({ min: 1, max: 25 }),
      expediteEvery: fc.constantFrom(0, 1, 3),
      polls: fc.array(fc.record({ pause: fc.nat(400), count: fc.integer({ min: 1, max: 6 }) }), { minLength: 200 }),
    });
    fc.assert(
      fc.property(scripts, ({ seed, maxRounds, endpoints, expediteEvery, polls }) => {
        const schedule = create(seed, maxRounds);
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
          expect(picks - Math.min(...lastPick.values())).toBeLessThanOrEqual(cap + count);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('does the same again with the same seed', () => {
    const tape = makeTape('hawkes', { endpoints: 30, hours: 1, historyHours: 1, seed: 3, sigma: 1.5 });
    expect(simulate(tape, 0.2, create(5))).toEqual(simulate(tape, 0.2, create(5)));
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
