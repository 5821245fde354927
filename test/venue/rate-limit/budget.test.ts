import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BudgetExhausted } from '../../../src/venue/errors.ts';
import { mayAskBeside, type Permit, type Priority } from '../../../src/venue/rate-limit/budget.ts';
import type { ResponseFacts } from '../../../src/venue/rate-limit/headers.ts';
import { seededRandom } from '../../support/random.ts';
import { SoakClock } from '../../support/soak/clock.ts';
import { randomRuns, within } from '../../support/thorough.ts';
import {
  ask,
  budgetIn,
  SimulatedVenue,
  startGreedyPoller,
  startPoller,
  type Traffic,
  type WindowKind,
} from './simulated-venue.ts';

const START = Date.UTC(2026, 0, 5, 10, 0, 0, 321);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const plans = fc.record({
  limit: fc.integer({ min: 4, max: 300 }),
  windowSeconds: fc.integer({ min: 5, max: 120 }),
  share: fc.constantFrom(0.5, 0.8, 0.9, 1),
  latencyMs: fc.integer({ min: 1, max: 150 }),
  skewMs: fc.constantFrom(0, HOUR, -HOUR, 700, -1_300),
  seed: fc.integer(),
});
const SHORT_PLAN = { limit: 100, windowSeconds: 10, share: 1, latencyMs: 20, skewMs: 0, seed: 5 };
const USUAL_PLAN = { limit: 60, windowSeconds: 60, share: 0.9, latencyMs: 40, skewMs: 0, seed: 9 };

const allowanceOf = (limit: number, share: number) => Math.max(1, Math.floor(share * limit + 1e-9));
const oursOf = ({ person, background, poller }: Readonly<Record<Priority, number>>) =>
  person + background + poller;

type More = Partial<Traffic> & { readonly kind?: WindowKind; readonly personMaxWaitMs?: number };

/** A budget before a simulated venue. */
function scene(
  changes: Partial<typeof USUAL_PLAN>,
  { kind = 'aligned', personMaxWaitMs = 8_000, ...more }: More = {},
) {
  const { limit, windowSeconds, share, seed, skewMs, latencyMs } = { ...USUAL_PLAN, ...changes };
  const world = new SoakClock(START + (Math.abs(seed) % 977));
  const venue = new SimulatedVenue(world, { limit, windowMs: windowSeconds * 1_000, kind, skewMs });
  const random = seededRandom(seed);
  const budget = budgetIn(world, { share, random, personMaxWaitMs });
  return { world, venue, budget, random, latencyMs, ...more } satisfies Traffic;
}

const rateResponse = (
  nowMs: number,
  limit: number,
  remaining: number,
  resetInSeconds: number,
  status = 200,
) => ({
  status,
  headers: {
    date: new Date(nowMs).toUTCString(),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.floor(nowMs / 1_000) + resetInSeconds),
  },
});

/** A budget whose requests are answered by hand. */
function bench(options: { share?: number; personMaxWaitMs?: number; clockErrorMs?: number } = {}) {
  const world = new SoakClock(START - (START % 1_000));
  const budget = budgetIn(world, { share: 1, random: () => 0.5, ...options });
  const granted: { priority: Priority; permit: Permit; atMs: number }[] = [];
  const refusedWith: unknown[] = [];
  const want = (priority: Priority, signal?: AbortSignal) => {
    budget.acquire(priority, signal).then(
      (permit) => granted.push({ priority, permit, atMs: world.nowMs }),
      (error: unknown) => refusedWith.push(error),
    );
    return world.quiet();
  };
  const response = (...figures: Tail<Parameters<typeof rateResponse>>) =>
    rateResponse(world.nowMs, ...figures);
  const answer = (index: number, facts: ResponseFacts | null) => {
    const grant = granted[index];
    if (grant === undefined) throw new Error(`no permit ${index}`);
    grant.permit.complete(facts);
    return world.quiet();
  };
  /** A poll that is sent and answered at once. */
  const poll = async (...figures: Parameters<typeof response>) => {
    await want('poller');
    await answer(granted.length - 1, response(...figures));
  };
  const wait = (ms: number) => world.runUntil(world.nowMs + ms);
  const priorities = () => granted.map(({ priority }) => priority);
  const gapsMs = () =>
    granted.slice(1).map(({ atMs }, index) => atMs - (granted[index]?.atMs ?? 0));
  const seen = { granted, refusedWith, priorities, gapsMs };
  return { world, budget, ...seen, want, response, answer, poll, wait };
}
type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

describe('the budget against a venue', () => {
  // A sliding window is taken for a row of fixed ones, so that about half of it stays unused.
  it.each(['aligned', 'fromFirstRequest', 'slidingFullReset', 'slidingNextSlot'] as const)(
    'keeps to its share of every window and is never refused (%s)',
    async (kind) => {
      const mostShare = kind.startsWith('sliding') ? 0.9 : 1;
      await fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          const traffic = scene({ ...plan, share: Math.min(plan.share, mostShare) }, { kind });
          startPoller(traffic, 5_000);
          const person = () => {
            void ask(traffic, 'person');
            traffic.world.at(traffic.world.nowMs + traffic.random() * 4_000, person);
          };
          person();
          await traffic.world.runUntil(START + 5 * traffic.venue.windowMs);
          expect(traffic.venue.refused).toBe(0);
          expect(traffic.venue.oursAtMs.length).toBeGreaterThan(0);
          for (const window of traffic.venue.windows) {
            expect(oursOf(window)).toBeLessThanOrEqual(allowanceOf(plan.limit, plan.share));
          }
        }),
        randomRuns(20),
      );
    },
    within(60_000),
  );

  it('is not refused either when answers are lost, no Date comes, or resets are cut to whole seconds', async () => {
    const faults = fc.record({
      isLossy: fc.boolean(),
      hasDate: fc.boolean(),
      cutSeconds: fc.constantFrom(0, 1),
    });
    await fc.assert(
      fc.asyncProperty(plans, faults, async (plan, { isLossy, hasDate, cutSeconds }) => {
        const skewMs = hasDate ? plan.skewMs : 0;
        const traffic: Traffic = scene(
          { ...plan, share: Math.min(plan.share, 0.9), skewMs },
          {
            tamper: ({ status, headers: { date = '', ...headers } }) => {
              if (isLossy && traffic.random() < 0.05) return null;
              const reset = String(Number(headers['x-ratelimit-reset']) - cutSeconds);
              const dated = hasDate ? { date } : {};
              return { status, headers: { ...headers, 'x-ratelimit-reset': reset, ...dated } };
            },
          },
        );
        startPoller(traffic, 5_000);
        await traffic.world.runUntil(START + 5 * traffic.venue.windowMs);
        expect(traffic.venue.refused).toBe(0);
        expect(traffic.venue.oursAtMs.length).toBeGreaterThan(0);
      }),
      randomRuns(20),
    );
  });

  it.each([
    { limit: 10, windowSeconds: 1, tickMs: 5_000 },
    { limit: 60, windowSeconds: 10, tickMs: 5_000 },
    { limit: 600, windowSeconds: 60, tickMs: 5_000 },
    { limit: 100, windowSeconds: 3_600, tickMs: 60_000 },
    { limit: 1_000, windowSeconds: 86_400, tickMs: 60_000 },
  ])(
    'uses at least 95 % of its allowance of $limit per $windowSeconds s',
    async ({ limit, windowSeconds, tickMs }) => {
      const traffic = scene({ limit, windowSeconds, skewMs: HOUR });
      startPoller(traffic, tickMs);
      const { windowMs } = traffic.venue;
      const fromMs = traffic.world.nowMs + Math.max(4 * tickMs, windowMs);
      const toMs = fromMs + Math.max(3 * windowMs, 60_000);
      await traffic.world.runUntil(toMs);
      const sent = traffic.venue.oursAtMs.filter((atMs) => atMs >= fromMs).length;
      expect(sent / (((toMs - fromMs) / windowMs) * allowanceOf(limit, 0.9))).toBeGreaterThan(0.95);
      expect(traffic.venue.refused).toBe(0);
    },
  );

  it('spreads a day over the day', async () => {
    const traffic = scene({ limit: 1_000, windowSeconds: 86_400 });
    startPoller(traffic, 5_000);
    await traffic.world.runUntil(START + 12 * HOUR);
    const hours = traffic.venue.oursAtMs.map((atMs) => Math.floor((atMs - START) / HOUR));
    // The first day is begun at ten o'clock: 900 requests over its last 14 hours.
    for (let hour = 0; hour < 12; hour += 1) {
      expect(Math.abs(hours.filter((each) => each === hour).length - 900 / 14)).toBeLessThan(5);
    }
  });

  it('leaves the reserve alone when another program uses the same key', async () => {
    await fc.assert(
      fc.asyncProperty(
        plans,
        fc.double({ min: 0.1, max: 0.7, noNaN: true }),
        async (plan, othersShare) => {
          let worst = Number.NEGATIVE_INFINITY;
          const traffic: Traffic = scene(plan, {
            onProcessed: (remainingAfter, othersShown) => {
              const reserve = plan.limit - allowanceOf(plan.limit, plan.share);
              // What others took since our last answer cannot be known; everything else must be.
              const unknown = traffic.venue.othersTotal - othersShown;
              worst = Math.max(worst, reserve - remainingAfter - unknown);
            },
          });
          const other = () => {
            traffic.venue.request('others');
            const meanMs = traffic.venue.windowMs / (plan.limit * othersShare);
            traffic.world.at(traffic.world.nowMs + 2 * traffic.random() * meanMs, other);
          };
          other();
          startPoller(traffic, 5_000);
          await traffic.world.runUntil(START + 4 * traffic.venue.windowMs);
          expect(worst).toBeLessThanOrEqual(0);
        },
      ),
      randomRuns(25),
    );
  });

  it('gives people no more than half of a window in which polls wait, also of what was on its way when it began', async () => {
    const bursts = fc.record({
      limit: fc.integer({ min: 4, max: 40 }),
      latencyMs: fc.integer({ min: 10, max: 800 }),
      beforeEndMs: fc.integer({ min: 0, max: 500 }),
      burst: fc.integer({ min: 0, max: 20 }),
      seed: fc.integer(),
    });
    await fc.assert(
      fc.asyncProperty(bursts, async ({ limit, latencyMs, beforeEndMs, burst, seed }) => {
        const windowMs = 10_000;
        const startMs = START - (START % windowMs);
        const world = new SoakClock(startMs);
        const venue = new SimulatedVenue(world, { limit, windowMs, kind: 'aligned' });
        const budget = budgetIn(world, { share: 1, random: seededRandom(seed) });
        /** Of each window, people's requests that were sent before it was known to have begun. */
        const early = new Map<number, number>();
        const turnMs = startMs + 3 * windowMs;
        const send = async (priority: 'person' | 'poller') => {
          const permit = await budget.acquire(priority).catch(() => null);
          if (permit === null) return;
          const { resetAtMs } = budget.snapshot();
          world.at(world.nowMs + latencyMs / 2, () => {
            const answer = venue.request(priority);
            const index = Math.floor((world.nowMs - startMs) / windowMs);
            const isEarly =
              resetAtMs !== null && Math.round((resetAtMs - startMs) / windowMs) <= index;
            if (priority === 'person' && isEarly) early.set(index, (early.get(index) ?? 0) + 1);
            world.at(world.nowMs + latencyMs / 2, () => permit.complete(answer));
          });
        };
        const everyMs = (ms: number, act: () => void) => {
          act();
          world.at(world.nowMs + ms, () => everyMs(ms, act));
        };
        // Fewer polls than would use up the window; from the fourth on some always wait, and people
        // ask all the time.
        everyMs((2.2 * windowMs) / limit, () => void send('poller'));
        world.at(turnMs - beforeEndMs, () => {
          for (let count = 0; count < burst; count += 1) void send('person');
          everyMs(50, () => {
            if (budget.snapshot().waiting.poller < 3) void send('poller');
          });
        });
        world.at(turnMs, () => everyMs(50, () => void send('person')));
        await world.runUntil(startMs + 5 * windowMs);
        expect(venue.refused).toBe(0);
        // Beyond its half there can be what was on its way already, and the one request that finds
        // out how much is left.
        for (const index of [3, 4]) {
          const { person = 0, poller = 0 } = venue.windows[index] ?? {};
          expect(person + poller).toBe(limit);
          const most = Math.max(Math.floor(limit / 2), (early.get(index) ?? 0) + 1);
          expect(person).toBeLessThanOrEqual(most);
        }
      }),
      randomRuns(25),
    );
  });

  it('gives a tenth of every window to what the bot asks by itself, after people, and half of the window less that to polls', async () => {
    const crowds = fc.record({ people: fc.nat({ max: 4 }), own: fc.nat({ max: 4 }) });
    let served = 0;
    await fc.assert(
      fc.asyncProperty(plans, crowds, async (plan, { people, own }) => {
        const faults: string[] = [];
        const traffic: Traffic = scene(plan, {
          personMaxWaitMs: 1_000,
          onServed: (priority) => {
            if (priority === 'background' && traffic.budget.snapshot().waiting.person > 0)
              faults.push('a person waits');
          },
        });
        /** Says before whether it is served at once. */
        const askItself = async () => {
          const maySend = mayAskBeside(traffic.budget.snapshot());
          let isServed = false;
          const onServed: Traffic['onServed'] = (priority) => {
            isServed = true;
            traffic.onServed?.(priority);
          };
          void ask({ ...traffic, onServed }, 'background');
          await traffic.world.quiet();
          if (isServed !== maySend) faults.push(`${maySend ? 'not ' : ''}served at once`);
        };
        const crowd = () => {
          for (let index = 0; index < people; index += 1) void ask(traffic, 'person');
          for (let index = 0; index < own; index += 1) void askItself();
          traffic.world.at(traffic.world.nowMs + 500 * traffic.random(), crowd);
        };
        crowd();
        for (let index = 0; index < 4; index += 1) startGreedyPoller(traffic);
        await traffic.world.runUntil(START + 4 * traffic.venue.windowMs);
        expect(faults).toEqual([]);
        expect(traffic.venue.refused).toBe(0);
        const allowance = allowanceOf(plan.limit, plan.share);
        for (const window of traffic.venue.windows) {
          expect(oursOf(window)).toBeLessThanOrEqual(allowance);
          expect(window.background).toBeLessThanOrEqual(Math.floor(allowance / 10));
          served += window.background;
        }
        for (const { person, background, poller } of traffic.venue.windows.slice(1, -1)) {
          // People may have had their half before the bot asked anything by itself.
          expect(poller).toBeGreaterThanOrEqual(
            Math.min(Math.ceil(allowance / 2) - background, person) - 1,
          );
        }
      }),
      // In a small one it has no tenth, and beside many people no turn.
      { ...randomRuns(30), examples: [[SHORT_PLAN, { people: 0, own: 1 }]] },
    );
    expect(served).toBeGreaterThan(0);
  });

  it('follows a limit that changes at any time', async () => {
    const traffic = scene({ limit: 100, windowSeconds: 10 });
    startPoller(traffic, 5_000);
    await traffic.world.runUntil(START + 60_000);
    traffic.venue.limit = 20;
    await traffic.world.runUntil(START + 120_000);
    expect(traffic.budget.snapshot()).toMatchObject({ limit: 20, allowance: 18 });
    traffic.venue.limit = 200;
    await traffic.world.runUntil(START + 180_000);
    for (const { poller } of traffic.venue.windows.slice(-3, -1)) {
      expect(poller).toBeGreaterThan(165);
      expect(poller).toBeLessThanOrEqual(180);
    }
  });
});

describe('the budget step by step', () => {
  it('sends one request first, then serves people before what the bot asks by itself, and that before polls', async () => {
    const { want, granted, answer, response, budget, priorities } = bench();
    await want('background');
    expect([granted.length, mayAskBeside(budget.snapshot())]).toEqual([0, false]);
    for (const priority of ['poller', 'poller', 'background', 'person'] as const)
      await want(priority);
    expect(priorities()).toEqual(['poller']);
    const waiting = { person: 1, background: 2, poller: 1 };
    expect(budget.snapshot()).toMatchObject({ remaining: null, inFlight: 1, waiting });
    await answer(0, response(100, 99, 60));
    expect(priorities()).toEqual(['poller', 'person', 'background', 'background', 'poller']);
    expect(budget.snapshot()).toMatchObject({ limit: 100, remaining: 99, inFlight: 4 });
    expect(mayAskBeside(budget.snapshot())).toBe(true);
  });

  it('refuses what the bot asks by itself after eight seconds, and at once where nothing is left for it', async () => {
    const { want, poll, refusedWith, budget, wait, priorities } = bench();
    await want('background');
    await wait(7_999);
    expect(refusedWith).toEqual([]);
    await wait(1);
    expect(refusedWith).toHaveLength(1);
    await poll(29, 28, 60);
    for (let count = 0; count < 3; count += 1) await want('background');
    expect(priorities()).toEqual(['poller', 'background', 'background']);
    expect(mayAskBeside(budget.snapshot())).toBe(false);
    expect(refusedWith).toEqual([expect.any(BudgetExhausted), expect.any(BudgetExhausted)]);
    expect(String(refusedWith[1])).toContain('the rate limit has none left for it');
    const small = bench();
    await small.poll(9, 8, 60);
    await small.want('background');
    expect([small.granted.length, small.refusedWith.length]).toEqual([1, 1]);
  });

  it('sends nothing by itself while a 429 is waited out, nor as the request that sees how much is left', async () => {
    const { want, granted, answer, response, poll, wait, budget, priorities } = bench();
    await poll(100, 99, 60);
    await poll(100, 0, 2, 429);
    await want('background');
    expect(mayAskBeside(budget.snapshot())).toBe(false);
    await wait(3_000);
    expect(granted).toHaveLength(2);
    await poll(100, 99, 60);
    expect(priorities()).toEqual(['poller', 'poller', 'poller', 'background']);
    await answer(3, response(100, 98, 60));
    await wait(61_000);
    await want('background');
    expect([granted.length, mayAskBeside(budget.snapshot())]).toEqual([4, false]);
  });

  it('promises polls no more than what the bot has left by itself', async () => {
    const { want, poll, budget, world } = bench();
    await poll(100, 99, 60);
    for (let count = 0; count < 12; count += 1) await want('background');
    expect(budget.snapshot().used).toEqual({ person: 0, background: 10, poller: 1 });
    expect(budget.pollAllowance(world.nowMs + 60_000)).toBe(89);
  });

  it('counts what was on its way when a window began until it is known to be of the one before', async () => {
    const { want, answer, response, poll, budget, wait } = bench();
    await poll(10, 9, 5);
    await Promise.all([want('person'), want('poller')]);
    const old = response(10, 7, 5);
    await wait(5_001);
    expect(budget.snapshot().used).toEqual({ person: 1, background: 0, poller: 1 });
    await answer(1, old);
    expect(budget.snapshot().used).toEqual({ person: 0, background: 0, poller: 1 });
    await answer(2, null);
    expect(budget.snapshot().used).toEqual({ person: 0, background: 0, poller: 0 });
  });

  it('counts the request that shows that a window has begun, and what overtook it', async () => {
    const { want, answer, response, poll, budget } = bench();
    await poll(10, 9, 5);
    await Promise.all([want('person'), want('poller')]);
    await answer(2, response(10, 8, 5));
    await answer(1, response(10, 9, 65));
    expect(budget.snapshot()).toMatchObject({ used: { person: 1, poller: 0 }, remaining: 8 });
  });

  it('waits out a 429 until the reset, by the clock of the venue', async () => {
    const { want, granted, poll, wait, world, budget } = bench({ clockErrorMs: HOUR });
    await poll(10, 0, 30, 429);
    await Promise.all([want('poller'), want('poller')]);
    expect(budget.snapshot().blockedUntilMs).toBeGreaterThanOrEqual(world.nowMs + HOUR + 30_000);
    await wait(29_900);
    expect(granted).toHaveLength(1);
    await wait(600);
    expect(granted).toHaveLength(2);
  });

  it('backs off from a second up to a minute when 429s come without any header', async () => {
    const { want, granted, answer, wait, gapsMs } = bench();
    for (let index = 0; index < 12; index += 1) {
      await want('poller');
      while (granted.length <= index) await wait(100);
      await answer(index, { status: 429, headers: {} });
    }
    const gaps = gapsMs();
    expect(gaps[0]).toBeGreaterThanOrEqual(1_000);
    for (const [index, gap] of gaps.entries())
      expect(gap).toBeGreaterThanOrEqual((gaps[index - 1] ?? 0) * 0.99);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(45_000);
    expect(gaps.at(-1)).toBeLessThanOrEqual(61_000);
  });

  const farReset = (status: number, nowMs: number) =>
    rateResponse(nowMs, 100, 0, (39 * DAY) / 1_000, status);
  it.each<[string, (nowMs: number) => ResponseFacts]>([
    ['Retry-After', () => ({ status: 429, headers: { 'retry-after': String(40 * 86_400) } })],
    ['the reset of a 429', (nowMs) => farReset(429, nowMs)],
    ['the reset of a page, with nothing left', (nowMs) => farReset(200, nowMs)],
  ])(
    'asks once more after a quarter of an hour when %s says forty days, and goes on',
    async (_, far) => {
      const { want, granted, answer, response, poll, wait, world, budget } = bench();
      await poll(100, 99, 60);
      await want('poller');
      await answer(1, far(world.nowMs));
      const sinceMs = world.nowMs;
      for (let index = 0; index < 4; index += 1) await want('poller');
      for (let probe = 2; probe < 6; probe += 1) {
        await wait(15 * 60_000 - 1_000);
        expect(granted).toHaveLength(probe);
        expect(budget.pollAllowance(world.nowMs + 500)).toBe(0);
        expect(budget.snapshot().pause).toMatchObject({ sinceMs });
        await wait(1_500);
        expect(granted).toHaveLength(probe + 1);
        expect(budget.snapshot().pause).toMatchObject({ sinceMs });
        if (probe < 5) await answer(probe, far(world.nowMs));
      }
      await answer(5, response(100, 99, 60));
      expect(budget.snapshot().pause).toBeNull();
      for (let index = 0; index < 4; index += 1) await want('poller');
      expect(granted).toHaveLength(10);
    },
  );

  it.each([
    [1, 2],
    [10, 20],
    [700, 24],
  ])(
    'waits longer for a venue whose windows are longer: of %d hours %d, a day at most',
    async (windowHours, hours) => {
      const { want, granted, answer, poll, wait, world } = bench();
      await poll(100, 99, windowHours * 3_600);
      await want('poller');
      await answer(1, farReset(429, world.nowMs));
      await want('poller');
      await wait(hours * HOUR - 5_000);
      expect(granted).toHaveLength(2);
      await wait(6_000);
      expect(granted).toHaveLength(3);
    },
  );

  it.each([
    { limit: 4, windowSeconds: 120 },
    { limit: 600, windowSeconds: 60 },
    { limit: 100, windowSeconds: 3_600 },
    { limit: 100, windowSeconds: 86_400 },
  ])(
    'does not call it a pause when $limit per $windowSeconds s are spent as they come',
    async (window) => {
      const traffic = scene(window);
      startPoller(traffic, 5_000);
      const endMs = traffic.world.nowMs + Math.max(600_000, 2.5 * traffic.venue.windowMs);
      while (traffic.world.nowMs < endMs) {
        await traffic.world.runUntil(traffic.world.nowMs + 30_000);
        if (traffic.budget.snapshot().pause !== null)
          throw new Error(`paused at ${traffic.world.nowMs - START} ms`);
      }
      expect(traffic.venue.refused).toBe(0);
    },
  );

  it('counts 429s of requests that were under way together as one', async () => {
    const { want, answer, poll, budget, world } = bench();
    await poll(100, 99, 60);
    await Promise.all([want('poller'), want('poller'), want('poller'), want('poller')]);
    for (const index of [1, 2, 3, 4]) await answer(index, { status: 429, headers: {} });
    expect((budget.snapshot().blockedUntilMs ?? 0) - world.nowMs).toBeLessThanOrEqual(1_001);
  });

  /** The reset as a number: so many seconds ahead. */
  it.each<[string, limit?: string | string[], remaining?: string, reset?: string | number]>([
    ['missing'],
    ['negative', '-5', '-1', '99'],
    ['no numbers', 'NaN', 'many', 'soon'],
    ['more left than allowed', '5', '6', 60],
    ['a limit of 0', '0', '0', 60],
    ['a reset in the past', '5', '4', -60],
    ['a reset in a year', '5', '4', 31_536_000],
    ['two limits', ['5', '9'], '4', 60],
  ])(
    'goes on one at a time, a second apart, when the headers are %s',
    async (_, limit, remaining, reset) => {
      const { want, granted, answer, wait, world } = bench();
      for (let index = 0; index < 6; index += 1) await want('poller');
      for (let index = 0; index < 6; index += 1) {
        expect(granted).toHaveLength(index + 1);
        const headers = {
          date: new Date(world.nowMs).toUTCString(),
          'x-ratelimit-limit': limit,
          'x-ratelimit-remaining': remaining,
          'x-ratelimit-reset':
            typeof reset === 'number' ? String(Math.floor(world.nowMs / 1_000) + reset) : reset,
        };
        await answer(index, { status: 200, headers });
        await wait(900);
        expect(granted).toHaveLength(index + 1);
        await wait(101);
      }
    },
  );

  it('goes on, one by one and once a second, while no answer comes at all', async () => {
    const { want, granted, answer, wait, gapsMs } = bench();
    for (let index = 0; index < 8; index += 1) {
      await want('poller');
      while (granted.length <= index) await wait(50);
      await answer(index, null);
    }
    expect(gapsMs()).toEqual(Array(7).fill(1_000));
  });

  it('counts each request once, however often it is said to be over', async () => {
    const { want, granted, poll, budget } = bench();
    await poll(10, 9, 60);
    await want('poller');
    granted[1]?.permit.complete(null);
    granted[1]?.permit.complete(null);
    const used = { poller: 2, person: 0 };
    expect(budget.snapshot()).toMatchObject({ remaining: 8, inFlight: 0, used });
  });

  it('refuses a person at once when the reset is too far away, and says when to come back', async () => {
    const { want, answer, response, refusedWith, world } = bench();
    await want('person');
    await answer(0, response(10, 0, 600));
    await want('person');
    expect(refusedWith[0]).toBeInstanceOf(BudgetExhausted);
    expect(refusedWith[0]).toMatchObject({ resetAtMs: world.nowMs + 600_000 });
  });

  it('lets a person wait for a near reset', async () => {
    const { want, answer, response, granted, wait } = bench({ personMaxWaitMs: 8_000 });
    await want('person');
    await answer(0, response(10, 0, 5));
    await want('person');
    await wait(5_001);
    expect(granted).toHaveLength(2);
  });

  it('lets a person wait for requests in flight, but no longer than it may', async () => {
    const { want, answer, response, refusedWith, wait } = bench({ personMaxWaitMs: 8_000 });
    await want('person');
    await answer(0, response(10, 1, 600));
    await Promise.all([want('person'), want('person')]);
    await wait(7_999);
    expect(refusedWith).toEqual([]);
    await wait(1);
    expect(refusedWith).toEqual([expect.any(BudgetExhausted)]);
  });

  it('forgets a waiter whose signal is aborted', async () => {
    const { want, answer, response, refusedWith, granted } = bench();
    const abort = new AbortController();
    await want('poller');
    await want('poller', abort.signal);
    await want('poller');
    abort.abort(new Error('stopped'));
    await answer(0, response(10, 9, 60));
    expect(refusedWith).toEqual([new Error('stopped')]);
    expect(granted).toHaveLength(2);
  });

  it.each([
    [-HOUR, true],
    [400 * DAY, false],
    [-2 * DAY, false],
  ])(
    'follows a venue’s clock that is %d ms off: %s, and keeps to its windows all the same',
    async (skewMs, isTrusted) => {
      const traffic = scene({ skewMs });
      const { budget, world, venue } = traffic;
      const offMs = (atMs: number, expectedMs: number) => Math.abs(atMs - world.nowMs - expectedMs);
      expect(budget.skewKnown()).toBe(false);
      startPoller(traffic, 5_000);
      await world.runUntil(START + 300_000);
      expect(budget.skewKnown()).toBe(isTrusted);
      const venueOffMs = offMs(budget.venueNowMs(), isTrusted ? skewMs : 0);
      expect(venueOffMs).toBeLessThan(isTrusted ? 150 : 5);
      expect(offMs(budget.reportedNowMs() ?? 0, skewMs)).toBeLessThan(150);
      expect(budget.snapshot().skewMs).toBeCloseTo(skewMs, -3);
      expect(venue.refused).toBe(0);
      expect(venue.windows.slice(-3, -1).every(({ poller }) => poller > 50)).toBe(true);
    },
  );

  it('goes on at once when the clock of the venue is set back by an hour', async () => {
    let skewMs = 0;
    const traffic = scene(
      {},
      {
        tamper: ({ status, headers: { date = '', 'x-ratelimit-reset': reset, ...headers } }) => {
          const skewed = {
            date: new Date(Date.parse(date) + skewMs).toUTCString(),
            'x-ratelimit-reset': String(Number(reset) + skewMs / 1_000),
          };
          return { status, headers: { ...headers, ...skewed } };
        },
      },
    );
    startPoller(traffic, 5_000);
    await traffic.world.runUntil(START + 150_000);
    skewMs = -HOUR;
    await traffic.world.runUntil(START + 400_000);
    expect(traffic.venue.refused).toBe(0);
    expect(traffic.venue.windows.slice(-3, -1).every(({ poller }) => poller > 50)).toBe(true);
  });
});
