import { describe, expect, it } from 'vitest';
import type { Endpoint, Schedule } from '../../src/poll-policy/schedule.ts';
import { activity, create, keyOf, report, transfers, wallet } from './helpers.ts';

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
    expect([...polls.keys()].every((key) => key.endsWith(':activity'))).toBe(true);
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

  it('takes the first page that somebody else has fetched for a first poll', () => {
    const schedule = create();
    for (let index = 0; index < 50; index += 1) schedule.add(activity(index));
    poll(schedule, 0, 100);
    schedule.add(activity(99));
    schedule.polled(activity(99), report(100));
    expect(schedule.lastSeconds(activity(99))).toBe(100);
    expect([...poll(schedule, 100, 40).keys()]).not.toContain(keyOf(activity(99)));
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
    expect(Math.max(...gaps)).toBeLessThan(300 + 20 * 4);
  });

  it('tries again soon where whoever fails says so, however often it has failed', () => {
    const schedule = create();
    schedule.add(activity(7));
    const tries: number[] = [];
    for (let now = 0; now < 1000; now += 1) {
      for (const endpoint of schedule.pick(now, 1)) {
        tries.push(now);
        schedule.failed(endpoint, now, 10);
      }
    }
    const gaps = tries.slice(1).map((now, index) => now - (tries[index] ?? 0));
    expect(Math.max(...gaps)).toBe(10);
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
    const schedule = create();
    for (let index = 0; index < 300; index += 1) schedule.add(activity(index));
    const last = new Map<string, number>();
    let mostUnseen = 0;
    poll(schedule, 0, 6000, (endpoint, now) => {
      const every = endpoint.wallet === wallet(3) ? 0.5 : 120;
      const from = last.get(keyOf(endpoint)) ?? 0;
      last.set(keyOf(endpoint), now);
      const unseen = Math.floor(now / every) - Math.floor(from / every);
      if (now > 3000 && every < 1) mostUnseen = Math.max(mostUnseen, unseen);
      return Array.from({ length: Math.min(100, unseen) }, (_, n) => (Math.floor(now / every) - n) * every).reverse();
    });
    expect(mostUnseen).toBeLessThan(100);
  });

  it('lets nobody starve while one endpoint is expedited all the time', () => {
    const schedule = create();
    for (let index = 0; index < 5; index += 1) schedule.add(activity(index));
    const picked = new Set<string>();
    for (let now = 0; now < 5 * 5; now += 1) {
      schedule.expedite(activity(0));
      for (const endpoint of schedule.pick(now, 1)) {
        picked.add(keyOf(endpoint));
        schedule.polled(endpoint, report(now));
      }
    }
    expect(picked.size).toBe(5);
  });

  it('says when an endpoint was polled last', () => {
    const schedule = create();
    for (let index = 0; index < 10; index += 1) schedule.add(activity(index));
    expect(schedule.lastSeconds(activity(0))).toBeNull();
    poll(schedule, 0, 1000, (_, now) => [now]);
    expect(schedule.lastSeconds(activity(0))).toBeGreaterThan(900);
    expect(schedule.lastSeconds(activity(77))).toBeNull();
  });
});

describe('what the schedule has learned', () => {
  it('survives a restart: the same figures, and the same picks from then on', () => {
    const before = create();
    for (let index = 0; index < 30; index += 1) before.add(activity(index));
    poll(before, 0, 2000, (endpoint, now) => (Number(BigInt(endpoint.wallet)) % 3 === 0 ? [now - 5, now - 2] : []));
    const after = create();
    expect(after.restoreShared(JSON.parse(JSON.stringify(before.sharedLearning())))).toBe(true);
    expect(after.sharedLearning()).toEqual(before.sharedLearning());
    for (let index = 0; index < 30; index += 1) after.add(activity(index), before.learned(activity(index)));
    for (let index = 0; index < 30; index += 1) {
      expect(after.learned(activity(index))).toEqual(before.learned(activity(index)));
      expect(before.learned(activity(index))?.length).toBeLessThanOrEqual(12);
    }
    const first = after.pick(2000, 10).map((endpoint) => Number(BigInt(endpoint.wallet)) % 3);
    expect(first).toEqual(Array(10).fill(0));
  });

  it('counts for nothing when it has another shape', () => {
    for (const odd of [[], [1, 2], Array(10).fill(Number.NaN), Array(10).fill(-1), Array(13).fill(1)]) {
      const schedule = create();
      const shared = schedule.sharedLearning();
      for (const document of [null, 'x', odd, { activity: odd }, { ...shared, activity: [] }]) {
        expect(schedule.restoreShared(document)).toBe(false);
      }
      expect(schedule.sharedLearning()).toEqual(shared);
      schedule.add(activity(1), odd);
      expect(schedule.learned(activity(1))).toEqual([]);
      expect(schedule.lastSeconds(activity(1))).toBeNull();
      expect(schedule.pick(5, 1)).toEqual([activity(1)]);
    }
  });
});
