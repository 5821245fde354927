import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { createVenueAvailability } from '../../src/feed/availability.ts';
import { createPollLoop } from '../../src/feed/poll-loop.ts';
import { createSchedule, type Endpoint, type Schedule } from '../../src/poll-policy/schedule.ts';
import { answeredError } from '../../src/venue/errors.ts';
import { every } from '../support/every.ts';
import { testMachine } from '../support/machine.ts';
import { SoakClock } from '../support/soak/clock.ts';
import { walletOf } from '../support/wallets.ts';
import { budgetIn, SimulatedVenue } from '../venue/rate-limit/simulated-venue.ts';

const HOUR_MS = 3_600_000;
const PROBE_MS = HOUR_MS / 6;
const START_MS = Date.parse('2026-11-21T00:00:00Z');

type Deps = Parameters<typeof createPollLoop>[1];

/** A loop that ticks every five seconds, on a clock that a test moves. */
function openLoop(
  clock: SoakClock,
  given: Pick<Deps, 'budget' | 'schedule' | 'poll'> & Partial<Deps>,
  nowMs = () => START_MS + clock.nowMs,
) {
  const sleep = (delayMs: number, signal: AbortSignal) => clock.sleep(delayMs, signal);
  const machine = testMachine({ nowMs, monotonicMs: () => clock.nowMs, sleep });
  return createPollLoop(machine, {
    cronTimer: every(5_000, clock),
    pollMinMs: 0,
    availability: createVenueAvailability(machine, () => {}),
    isBusy: () => false,
    watched: [],
    ops: { ticked() {} },
    ...given,
  });
}

/** Reports a poll that has found nothing. */
const reported = (atMs: number) => ({
  atSeconds: atMs / 1000,
  freshTimesSeconds: [],
  pageTimesSeconds: [],
});

/** A ticker with five polls a tick, on a wall clock that can be set. */
function pollLoopOf() {
  const clock = new SoakClock(0);
  const wall = { offsetMs: START_MS, isBusy: false };
  const nowMs = () => clock.nowMs + wall.offsetMs;
  const pollsMs: number[] = [];
  const plannedMs: number[] = [];
  const schedule = createSchedule({ isInTurn: true });
  for (let index = 0; index < 20; index += 1)
    schedule.add({ wallet: walletOf(index), name: 'activity' });
  const budget = {
    pollAllowance(untilMs: number) {
      plannedMs.push(untilMs - nowMs());
      return 5;
    },
    venueNowMs: () => clock.nowMs,
  };
  const poll: Deps['poll'] = async (endpoint) => {
    pollsMs.push(clock.nowMs);
    schedule.polled(endpoint, reported(clock.nowMs));
  };
  const deps = { budget, schedule, poll, isBusy: () => wall.isBusy };
  const pollLoop = openLoop(clock, deps, nowMs);
  return { clock, wall, pollLoop, pollsMs, plannedMs };
}

const FOUR_WALLETS: readonly Endpoint[] = [1, 2, 3, 4].flatMap((index) =>
  ENDPOINT_NAMES.map((name) => ({ wallet: walletOf(index), name })),
);
const USUAL = { limit: 60_000, pollMinSeconds: 1, seconds: 30, skewMs: 0, isExpedited: false };

/**
 * The real budget, schedule and ticker before a venue that lets `limit` requests a minute through;
 * a poll takes 40 ms.
 */
async function pollsOf(schedule: Schedule, more: Partial<typeof USUAL> = {}) {
  const { limit, pollMinSeconds, seconds, skewMs, isExpedited } = { ...USUAL, ...more };
  const clock = new SoakClock(START_MS + 250);
  const nowMs = () => clock.nowMs;
  const pollsMs = new Map<Endpoint, number[]>(FOUR_WALLETS.map((endpoint) => [endpoint, []]));
  for (const endpoint of FOUR_WALLETS) schedule.add(endpoint);
  const budget = budgetIn(clock, { share: 0.9, random: () => 0.5 });
  const venue = new SimulatedVenue(clock, { limit, windowMs: 60_000, kind: 'aligned', skewMs });
  const poll: Deps['poll'] = async ({ wallet, name }, signal) => {
    const endpoint = FOUR_WALLETS.find((each) => each.wallet === wallet && each.name === name);
    if (endpoint === undefined) throw new Error(`nobody asked for ${wallet} ${name}`);
    const permit = await budget.acquire('poller', signal);
    pollsMs.get(endpoint)?.push(nowMs());
    await clock.sleep(40, signal);
    permit.complete(venue.request('poller'));
    const isFailure = (pollsMs.get(endpoint)?.length ?? 0) % 10 === 9;
    if (isFailure) schedule.failed(endpoint, budget.venueNowMs() / 1000);
    else schedule.polled(endpoint, reported(budget.venueNowMs()));
    if (isExpedited) schedule.expedite(endpoint);
  };
  const deps = { budget, schedule, poll, pollMinMs: 1000 * pollMinSeconds };
  const pollLoop = openLoop(clock, deps, nowMs);
  pollLoop.start();
  await clock.runUntil(START_MS + seconds * 1000);
  const stopped = pollLoop.stop();
  await clock.runUntil(clock.nowMs + 1000);
  await stopped;
  return [...pollsMs.values()].map((times) => {
    const gapsMs = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    return { polls: times.length, leastGapMs: Math.min(...gapsMs) };
  });
}

describe('a large plan', () => {
  it('is used up also where each answer takes long', async () => {
    const clock = new SoakClock(0);
    const nowMs = () => START_MS + clock.nowMs;
    const schedule = createSchedule();
    for (let index = 0; index < 1_000; index += 1)
      schedule.add({ wallet: walletOf(index), name: 'activity' });
    let polls = 0;
    const pollLoop = openLoop(clock, {
      budget: { pollAllowance: () => 500, venueNowMs: nowMs },
      schedule,
      async poll(endpoint, signal) {
        await clock.sleep(750, signal);
        polls += 1;
        schedule.polled(endpoint, reported(nowMs()));
      },
    });
    pollLoop.start();
    await clock.runUntil(60_000);
    const before = polls;
    await clock.runUntil(120_000);
    await pollLoop.stop();
    // 100 a second.
    expect(polls - before).toBeGreaterThan(0.95 * 6_000);
  });
});

describe('a refused key', () => {
  it.each([2, 3, 4, 6, 12])(
    'is probed with another wallet of %i each time: one that is answered oddly does not end all polls',
    async (count) => {
      const places = Array.from({ length: count }, (_, index) => index + 1);
      const clock = new SoakClock(0);
      const nowMs = () => START_MS + clock.nowMs;
      const schedule = createSchedule();
      const availability = createVenueAvailability(testMachine({ nowMs }), schedule.setAvailable);
      const watched = new Set(places.map(walletOf));
      for (const wallet of watched)
        for (const name of ENDPOINT_NAMES) schedule.add({ wallet, name });
      let isRefused = true;
      const probed = new Map(ENDPOINT_NAMES.map((name) => [name, new Set<string>()]));
      const served = new Set<string>();
      const pollLoop = openLoop(clock, {
        budget: { pollAllowance: () => 5, venueNowMs: nowMs },
        schedule,
        availability,
        async poll(endpoint) {
          const { name, wallet } = endpoint;
          if (isRefused) probed.get(name)?.add(wallet);
          if (!isRefused && wallet === walletOf(places.length)) {
            served.add(name);
            schedule.polled(endpoint, reported(nowMs()));
            availability.succeeded(name);
          } else {
            const answer = { status: isRefused ? 401 : 404, venueMessage: null };
            schedule.failed(endpoint, nowMs() / 1000);
            availability.failed(name, answeredError({ endpoint: name, wallet }, answer));
          }
        },
        watched,
      });
      pollLoop.start();
      // The probes come after 30 s, 60 s, 2 min, 4 min, 8 min, and every 10 min.
      const longEnoughMs = (count + 6) * PROBE_MS;
      await clock.runUntil(longEnoughMs);
      const refused = [...probed.values()].map(({ size }) => size);
      isRefused = false;
      await clock.runUntil(2 * longEnoughMs);
      await pollLoop.stop();
      expect(refused).toEqual([places.length, places.length]);
      expect(served).toEqual(new Set(ENDPOINT_NAMES));
    },
  );
});

describe('a plan of 60,000 requests a minute for four wallets', () => {
  it.each([
    ['schedule', false],
    ['round-robin', true],
  ])(
    'polls no endpoint more often than once a second, and hardly less often: %s',
    async (_, isInTurn) => {
      for (const skewMs of [0, -700, 3 * HOUR_MS]) {
        const found = await pollsOf(createSchedule({ pollMinSeconds: 1, isInTurn }), { skewMs });
        for (const { polls, leastGapMs } of found) {
          expect(leastGapMs).toBeGreaterThanOrEqual(1000);
          // Every tenth fails here and is tried again after five seconds.
          expect(polls).toBeGreaterThanOrEqual(18);
        }
      }
    },
  );

  it.each([0.2, 2.5, 7])('keeps to %d s, whatever is expedited', async (pollMinSeconds) => {
    const options = { pollMinSeconds, isExpedited: true, seconds: 60 };
    const found = await pollsOf(createSchedule({ pollMinSeconds }), options);
    for (const { polls, leastGapMs } of found) {
      expect(leastGapMs).toBeGreaterThanOrEqual(1000 * pollMinSeconds);
      expect(polls).toBeGreaterThan(1);
    }
  });

  it('leaves a budget that is spent otherwise as it is', async () => {
    const found = await pollsOf(createSchedule({ pollMinSeconds: 1 }), { limit: 120 });
    const polls = found.reduce((sum, each) => sum + each.polls, 0);
    expect(polls).toBeGreaterThan(45);
  });
});

describe('the poll loop', () => {
  it('makes a quarter of its polls, the first of them at once, while the process is busy', async () => {
    const { clock, wall, pollLoop, pollsMs } = pollLoopOf();
    wall.isBusy = true;
    pollLoop.start();
    await clock.runUntil(9_999);
    expect(pollsMs).toEqual([0, 4_000, 5_000, 9_000]);
    wall.isBusy = false;
    await clock.runUntil(14_999);
    expect(pollsMs.slice(4)).toEqual([10_000, 11_000, 12_000, 13_000, 14_000]);
  });

  it('spreads what the budget allows evenly over the time until the next tick', async () => {
    const { clock, pollLoop, pollsMs, plannedMs } = pollLoopOf();
    pollLoop.start();
    await clock.runUntil(9_999);
    await pollLoop.stop();
    expect(plannedMs).toEqual([5_000, 5_000]);
    expect(pollsMs).toEqual(Array.from({ length: 10 }, (_, index) => index * 1_000));
  });

  it.each([3 * HOUR_MS, -3 * HOUR_MS])(
    'polls on when the clock is set by %d ms in the middle of a plan',
    async (byMs) => {
      const { clock, wall, pollLoop, pollsMs } = pollLoopOf();
      pollLoop.start();
      await clock.runUntil(7_300);
      wall.offsetMs += byMs;
      await clock.runUntil(60_000);
      await pollLoop.stop();
      const gapsMs = pollsMs.slice(1).map((atMs, index) => atMs - (pollsMs[index] ?? 0));
      expect(Math.max(...gapsMs)).toBeLessThanOrEqual(2_000);
      expect(pollsMs.length).toBeGreaterThanOrEqual(58);
      expect(pollsMs.length).toBeLessThanOrEqual(66);
    },
  );
});
