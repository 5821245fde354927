import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/poll-policy/schedule.ts';
import {
  activity,
  create,
  indexOf,
  keyOf,
  poll,
  report,
  scheduleOf,
  transfers,
  wallet,
} from './helpers.ts';

describe('schedule', () => {
  it('forgets a removed wallet at once, in flight or not', () => {
    const schedule = scheduleOf(1);
    schedule.add(transfers(0));
    schedule.pick(0, 1);
    schedule.remove(wallet(0));
    schedule.polled(activity(0), report(1, [0]));
    expect([schedule.size, schedule.learned(activity(0))]).toEqual([0, undefined]);
  });

  it('spends nothing on endpoints that the plan does not include', () => {
    const schedule = scheduleOf(10);
    for (let index = 0; index < 10; index += 1) schedule.add(transfers(index));
    schedule.setAvailable('deposits-withdrawals', false);
    expect(schedule.size).toBe(10);
    const polls = poll(schedule, 0, 200);
    expect([...polls.keys()].every((key) => key.endsWith(':activity'))).toBe(true);
    expect([...polls.values()].reduce((sum, count) => sum + count, 0)).toBe(200);
    schedule.setAvailable('deposits-withdrawals', true);
    expect(schedule.size).toBe(20);
    const later = [...poll(schedule, 200, 100).keys()];
    expect(later.filter((key) => key.endsWith('withdrawals'))).toHaveLength(10);
  });

  it('picks an expedited endpoint before all others', () => {
    const schedule = scheduleOf(50);
    poll(schedule, 0, 100);
    const [justPolled] = schedule.pick(100, 1);
    if (justPolled === undefined) throw new Error('nothing was picked');
    schedule.polled(justPolled, report(100));
    schedule.expedite(justPolled);
    expect(schedule.pick(101, 1)).toEqual([justPolled]);
  });

  it('polls a new endpoint within two picks', () => {
    const schedule = scheduleOf(50);
    poll(schedule, 0, 500, (_, now) => [now - 1]);
    schedule.add(activity(99));
    expect([...poll(schedule, 500, 2).keys()]).toContain(keyOf(activity(99)));
  });

  it('takes the first page that somebody else has fetched for a first poll, and says when the last one was', () => {
    const schedule = scheduleOf(50);
    poll(schedule, 0, 100);
    schedule.add(activity(99));
    schedule.polled(activity(99), report(100));
    expect(schedule.lastSeconds(activity(99))).toBe(100);
    expect([...poll(schedule, 100, 40).keys()]).not.toContain(keyOf(activity(99)));
    for (const atSeconds of [150, 145]) schedule.polled(activity(99), report(atSeconds));
    expect([99, 77].map((index) => schedule.lastSeconds(activity(index)))).toEqual([150, null]);
  });

  it.each([
    ['five minutes', undefined, [5, 10, 20, 40, 80, 160, 300, 300]],
    ['as long as whoever fails says', 10, [5, 10, 10, 10, 10, 10, 10, 10]],
  ])(
    'tries a failing endpoint less and less often, but after %s at the latest',
    (_, limitSeconds, gaps) => {
      const schedule = scheduleOf(1);
      const tries: number[] = [];
      for (let now = 0; tries.length <= gaps.length; now += 1) {
        for (const endpoint of schedule.pick(now, 1)) {
          tries.push(now);
          schedule.failed(endpoint, now, limitSeconds);
        }
      }
      expect(tries.slice(1).map((now, index) => now - (tries[index] ?? 0))).toEqual(gaps);
    },
  );

  it('polls a busy endpoint more often than a quiet one, by about the square root', () => {
    const schedule = scheduleOf(20);
    const last = new Map<string, number>();
    const everySeconds = (endpoint: Endpoint): number => (indexOf(endpoint) < 4 ? 37 : 37 * 16);
    const items = (endpoint: Endpoint, now: number): number[] => {
      const from = last.get(keyOf(endpoint)) ?? 0;
      last.set(keyOf(endpoint), now);
      const every = everySeconds(endpoint);
      const first = Math.floor(from / every) + 1;
      const length = Math.max(0, Math.floor(now / every) - first + 1);
      return Array.from({ length }, (_, n) => (first + n) * every);
    };
    poll(schedule, 1, 20_000, items);
    const polls = poll(schedule, 20_001, 5000, items);
    const busy = polls.get(keyOf(activity(0))) ?? 0;
    const quiet = polls.get(keyOf(activity(10))) ?? 0;
    expect(busy / quiet).toBeGreaterThan(2.5);
    expect(busy / quiet).toBeLessThan(6.5);
  });

  it('polls before half a page is expected to be unseen, where waiting alone would overflow it', () => {
    const schedule = scheduleOf(300);
    const last = new Map<string, number>();
    let mostUnseen = 0;
    poll(schedule, 0, 6000, (endpoint, now) => {
      const every = endpoint.wallet === wallet(3) ? 0.5 : 120;
      const from = last.get(keyOf(endpoint)) ?? 0;
      last.set(keyOf(endpoint), now);
      const unseen = Math.floor(now / every) - Math.floor(from / every);
      if (now > 3000 && every < 1) mostUnseen = Math.max(mostUnseen, unseen);
      const newest = Math.floor(now / every);
      const length = Math.min(100, unseen);
      return Array.from({ length }, (_, n) => (newest - n) * every).reverse();
    });
    expect(mostUnseen).toBeLessThan(100);
  });

  it('lets nobody starve while one endpoint is expedited all the time', () => {
    const schedule = scheduleOf(5);
    const polls = poll(schedule, 0, 25, () => {
      schedule.expedite(activity(0));
      return [];
    });
    expect(polls.size).toBe(5);
  });

  it('tries again after seconds what failed while the clock was ahead by hours', () => {
    for (const aheadSeconds of [600, 3_600, 43_200]) {
      const schedule = scheduleOf(1, create());
      const [endpoint] = schedule.pick(1_000 + aheadSeconds, 1);
      if (endpoint === undefined) throw new Error('Nothing was picked.');
      schedule.failed(endpoint, 1_000 + aheadSeconds);
      expect(schedule.pick(1_001, 1)).toEqual([endpoint]);
    }
  });
});

describe('what the schedule has learned', () => {
  it('survives a restart: the same figures, and the same picks from then on', () => {
    const before = scheduleOf(30);
    poll(before, 0, 2000, (endpoint, now) =>
      indexOf(endpoint) % 3 === 0 ? [now - 5, now - 2] : [],
    );
    const after = create();
    expect(after.restoreShared(JSON.parse(JSON.stringify(before.sharedLearning())))).toBe(true);
    expect(after.sharedLearning()).toEqual(before.sharedLearning());
    for (let index = 0; index < 30; index += 1) {
      after.add(activity(index), before.learned(activity(index)));
      expect(after.learned(activity(index))).toEqual(before.learned(activity(index)));
      expect(before.learned(activity(index))?.length).toBeLessThanOrEqual(12);
    }
    const picked = after.pick(2000, 10).map((endpoint) => indexOf(endpoint) % 3);
    expect(picked).toEqual(Array(10).fill(0));
  });

  it('counts for nothing when it has another shape', () => {
    const tens = [Number.NaN, -1].map((figure) => Array(10).fill(figure));
    for (const odd of [[], [1, 2], ...tens, Array(13).fill(1)]) {
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
