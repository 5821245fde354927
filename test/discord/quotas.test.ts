import { setImmediate as flushed } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from '../../src/discord/quotas/buckets.ts';
import {
  createAdmission,
  type FileLimits,
  type Limits,
  USUAL_LIMITS,
} from '../../src/discord/quotas/exceptions.ts';
import { createLookupShare } from '../../src/discord/quotas/lookup-share.ts';
import { createQuotas } from '../../src/discord/quotas/quotas.ts';
import { shareOfTotal } from '../../src/discord/quotas/total.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { BudgetExhausted } from '../../src/venue/errors.ts';
import {
  type Budget,
  type BudgetSnapshot,
  createBudget,
} from '../../src/venue/rate-limit/budget.ts';
import { createRegistry, type Registry } from '../../src/watches/registry.ts';
import {
  createImports,
  importKind,
  type PendingImport,
  planImport,
} from '../../src/watches/transfer/imports.ts';
import type { Watch, WatchId } from '../../src/watches/watch.ts';
import { accountOf } from '../support/accounts.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { seededRandom } from '../support/random.ts';
import { SoakClock } from '../support/soak/clock.ts';
import { randomRuns } from '../support/thorough.ts';
import { walletOf } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';
import { ask, budgetIn, SimulatedVenue, startPoller } from '../venue/rate-limit/simulated-venue.ts';

const START_MS = 1_800_000_000_000;
const GUILDS = ['one', 'two', 'three'];
const LIMITS: Limits = {
  ALLOWED_GUILDS: null,
  WATCHES_PER_GUILD: 3,
  WATCHES_PER_USER: 2,
  WATCHES_TOTAL: null,
  LIMITS_FILE: limitsFile([]),
};

/** Limits as a file states them, by owner. */
function limitsFile(
  exceptions: Iterable<[ownerId: string, ReturnType<Limits['LIMITS_FILE']['get']>]>,
  usual: FileLimits['usual'] = USUAL_LIMITS,
): Limits['LIMITS_FILE'] {
  const byOwner = new Map(exceptions);
  return { get: (ownerId) => byOwner.get(ownerId), usual: () => usual };
}

/** A budget that always gives leave, of a venue with the given limit. */
function generous(allowance: number | null, windowMs: number | null) {
  const snapshot = { allowance, windowMs, resetAtMs: null, blockedUntilMs: null } as BudgetSnapshot;
  return {
    snapshot: () => snapshot,
    acquire: async () => ({ complete: () => {}, trust: () => {} }),
  };
}

async function refusal(attempt: () => unknown): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

function secondsIn(message: string | null): number {
  return Number(/<t:(\d+):T>/.exec(message ?? '')?.[1]);
}

/** A machine whose clocks show so many milliseconds since the start. */
const machineAt = (nowMs = () => 0) =>
  testMachine({ nowMs: () => START_MS + nowMs(), monotonicMs: nowMs });

/** What somebody is answered who looks something up. */
function lookupsWith(budget: ReturnType<typeof generous>, share = 0.25, nowMs = () => 0) {
  const lookups = createLookupShare(machineAt(nowMs), { budget, accountOf, shareOf: () => share });
  return (ownerId = 'one') => refusal(() => lookups(ownerId).acquire('person'));
}

/** How often it is granted before it is refused. */
async function countGranted(ask: (index: number) => Promise<string | null>): Promise<number> {
  for (let granted = 0; ; granted += 1) if ((await ask(granted)) !== null) return granted;
}

/** The quotas of `LIMITS`, but for what is given, where these watches are there. */
function quotasWith(
  given: Partial<Limits>,
  {
    watches = [] as Watch[],
    nowMs = (): number => 0,
    registry: present = undefined as Registry | undefined,
  } = {},
) {
  const limits = { ...LIMITS, ...given };
  const admission = createAdmission(limits);
  const registry = {
    ofOwner: (ownerId: string) => watches.filter((watch) => watch.ownerId === ownerId),
    owners: () => [...new Set(watches.map(({ ownerId }) => ownerId))],
    placesNeeded: (places: readonly WatchId[]) =>
      places.filter(({ wallet }) => !watches.some((watch) => watch.wallet === wallet)).length,
    get size() {
      return watches.length;
    },
  };
  const quotas = createQuotas(machineAt(nowMs), {
    limits,
    admission,
    registry: present ?? registry,
    accountOf,
    budget: generous(8, 60_000),
  });
  return { admission, ...quotas };
}

/** So many places in which nobody has a watch yet. */
const places = (count: number): WatchId[] =>
  Array.from({ length: count }, (_, index) => watchOf({ wallet: walletOf(index) }));

describe('token buckets', () => {
  it('never give more than the capacity and what has come back since, and never refuse who has kept to that', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 100, max: 5_000 }),
        gaps,
        (capacity, everyMs, pauses) => {
          let now = 0;
          const buckets = createTokenBuckets(testMachine({ monotonicMs: () => now }), () => ({
            capacity,
            everyMs,
          }));
          // The oracle counts tokens forward, in tiny steps of its own.
          let tokens = capacity;
          for (const pauseMs of pauses) {
            now += pauseMs;
            tokens = Math.min(capacity, tokens + pauseMs / everyMs);
            const waitMs = buckets.waitMs('key');
            expect(waitMs).toBeCloseTo(Math.max(0, (1 - tokens) * everyMs), 5);
            if (waitMs > 0) continue;
            buckets.take('key');
            tokens -= 1;
          }
        },
      ),
    );
  });

  it('remember only keys that have not rested', () => {
    let now = 0;
    const machine = testMachine({ monotonicMs: () => now });
    const buckets = createTokenBuckets(machine, () => ({ capacity: 6, everyMs: 5_000 }));
    for (let index = 0; index < 100_000; index += 1) {
      buckets.take(`user ${index}`);
      now += 10;
    }
    expect(buckets.size()).toBeLessThanOrEqual(501);
  });
});

describe('look-ups beside greedy servers', () => {
  /**
   * Half an hour before a venue with 60 requests a minute: how many of its look-ups each server
   * gets.
   */
  async function lookups(servers: Readonly<Record<string, number>>, share = 0.25) {
    const world = new SoakClock(START_MS);
    const venue = new SimulatedVenue(world, { limit: 60, windowMs: 60_000, kind: 'aligned' });
    const random = seededRandom(7);
    const budget = budgetIn(world, { share: 0.9, random });
    const machine = testMachine({ nowMs: () => world.nowMs, monotonicMs: () => world.nowMs });
    const lookups = createLookupShare(machine, { budget, accountOf, shareOf: () => share });
    const traffic = { world, venue, budget, random, latencyMs: 40 };
    startPoller(traffic, 5_000);
    const got = new Map(Object.keys(servers).map((ownerId) => [ownerId, 0]));
    for (const [ownerId, everyMs] of Object.entries(servers)) {
      const own = { acquire: lookups(ownerId).acquire } as Budget;
      const look = () => {
        world.at(world.nowMs + everyMs * (0.5 + random()), look);
        const onServed = () => void got.set(ownerId, (got.get(ownerId) ?? 0) + 1);
        void ask({ ...traffic, budget: own, onServed }, 'person');
      };
      world.at(world.nowMs + everyMs * random(), look);
    }
    await world.runUntil(START_MS + 30 * 60_000);
    expect(venue.refused).toBe(0);
    return {
      got: Object.fromEntries(got),
      polls: venue.oursAtMs.length - [...got.values()].reduce((a, b) => a + b, 0),
    };
  }

  it('gets an honest server nearly all of its own, and the greedy as much as each other', async () => {
    const { got, polls } = await lookups({ honest: 20_000, one: 500, two: 500, three: 500 });
    expect(got['honest']).toBeGreaterThanOrEqual(80);
    const greedy = [got['one'] ?? 0, got['two'] ?? 0, got['three'] ?? 0];
    expect(Math.max(...greedy)).toBeLessThan(1.25 * Math.min(...greedy));
    expect(Math.min(...greedy)).toBeGreaterThan(6 * 30);
    expect(polls).toBeGreaterThanOrEqual(27 * 29);
  });

  it('weighs all persons together as one server, and each of them alike', async () => {
    const persons = Array.from({ length: 10 }, (_, index) => `@${index}`);
    const { got } = await lookups({
      honest: 20_000,
      ...Object.fromEntries(persons.map((id) => [id, 2_000])),
    });
    expect(got['honest']).toBeGreaterThanOrEqual(80);
    const each = persons.map((id) => got[id] ?? 0);
    expect(Math.min(...each)).toBeGreaterThan(0.5 * Math.max(...each));
  });

  it('costs nobody anything where nobody is greedy', async () => {
    const { got } = await lookups({ one: 20_000, two: 15_000, three: 12_000, four: 30_000 });
    const wanted = { one: 90, two: 120, three: 150, four: 60 };
    for (const [ownerId, count] of Object.entries(wanted))
      expect(got[ownerId]).toBeGreaterThan(0.97 * count - 4);
  });

  it('keeps nothing from a server that is alone', async () => {
    const { got } = await lookups({ only: 500 }, 1);
    expect(got['only']).toBeGreaterThanOrEqual(26 * 29);
  });
});

describe('the share of look-ups', () => {
  it('is never exceeded in any stretch as long as a window, and a guild that has not used its own is never refused', async () => {
    const deeds = fc.array(
      fc.record({
        pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30_000 })),
        guild: fc.constantFrom(...GUILDS),
      }),
      { maxLength: 120 },
    );
    const shares = fc.constantFrom(0.1, 0.25, 0.5, 1);
    const run = async (
      allowance: number,
      windowMs: number,
      share: number,
      played: readonly { pauseMs: number; guild: string }[],
    ) => {
      let now = 0;
      const ask = lookupsWith(generous(allowance, windowMs), share, () => now);
      const sent = new Map<string, number[]>(GUILDS.map((guild) => [guild, []]));
      const most = Math.max(1, Math.floor(share * allowance + 1e-9));
      for (const { pauseMs, guild } of played) {
        now += pauseMs;
        const times = sent.get(guild) ?? [];
        const included = await ask(guild);
        if (included === null) times.push(now);
        const inWindow = times.filter((atMs) => atMs > now - windowMs).length;
        expect(inWindow).toBeLessThanOrEqual(most);
        if (included === null) continue;
        expect(inWindow).toBe(most);
        expect(secondsIn(included)).toBeGreaterThanOrEqual((START_MS + now) / 1000);
        expect(secondsIn(included)).toBeLessThanOrEqual((START_MS + now + windowMs) / 1000 + 1);
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1_000, max: 90_000 }),
        shares,
        deeds,
        run,
      ),
      randomRuns(200),
    );
  });

  it('says the time from which on a request goes through', async () => {
    let now = 0;
    const ask = lookupsWith(generous(8, 60_000), 0.25, () => now);
    expect(await ask()).toBeNull();
    now = 20_000;
    expect(await ask()).toBeNull();
    now = 30_000;
    const included = await ask();
    expect(included).toMatch(
      /^This server has used up its lookups \(2 in 60 s\)\. Try again at <t:\d+:T>\. Alerts go on/,
    );
    expect(secondsIn(included)).toBe(START_MS / 1000 + 60);
    now = 60_000;
    expect(await ask()).toBeNull();
    expect(await ask()).not.toBeNull();
  });

  it('counts what still waits for the budget, and gives back what the budget refuses', async () => {
    const answers: ((isGranted: boolean) => void)[] = [];
    const budget = {
      ...generous(4, 60_000),
      acquire: () =>
        new Promise<{ complete: () => void; trust: () => void }>((resolve, reject) => {
          answers.push((isGranted) => {
            if (isGranted) resolve({ complete: () => {}, trust: () => {} });
            else reject(new BudgetExhausted(null));
          });
        }),
    };
    const { acquire } = createLookupShare(machineAt(), { budget, accountOf, shareOf: () => 0.5 })(
      'one',
    );
    const pending = [acquire('person'), acquire('person')];
    expect(await refusal(() => acquire('person'))).toContain('its lookups');
    answers[0]?.(false);
    await expect(pending[0]).rejects.toThrow(BudgetExhausted);
    const third = acquire('person');
    answers[1]?.(true);
    answers[2]?.(true);
    await Promise.all([pending[1], third]);
    expect(await refusal(() => acquire('person'))).toContain('its lookups');
  });

  it('blames no guild where the venue leaves nobody anything', async () => {
    const limits = {
      allowance: 540,
      windowMs: 60_000,
      resetAtMs: null,
      blockedUntilMs: null as number | null,
    };
    const ask = lookupsWith({ ...generous(null, null), snapshot: () => limits as BudgetSnapshot });
    while ((await ask()) === null);
    expect(await ask()).toContain('This server has used up its lookups');
    limits.allowance = 1;
    expect(await ask()).toMatch(
      /^The exchange’s rate limit is used up\. Alerts may be late\. You’ll get what it still lists\. Try again at <t:/,
    );
    Object.assign(limits, { allowance: 540, blockedUntilMs: START_MS + 60_000 });
    expect(await ask()).toMatch(/^The exchange’s rate limit is used up/);
  });

  it('follows the limit that the venue states, and lets some through before it has stated any', async () => {
    let now = 0;
    const limits = { allowance: null as number | null, windowMs: null as number | null };
    const snapshot = () => ({ ...limits, resetAtMs: null, blockedUntilMs: null }) as BudgetSnapshot;
    const ask = lookupsWith({ ...generous(null, null), snapshot }, 0.25, () => now);
    expect(await countGranted(() => ask())).toBe(10);
    Object.assign(limits, { allowance: 540, windowMs: 60_000 });
    expect(await countGranted(() => ask())).toBe(125);
    now += 61_000;
    expect(await countGranted(() => ask())).toBe(135);
  });

  it('leaves requests of the real budget to a second guild when the first uses all that it can', async () => {
    const timers = { setTimeout: () => 0, clearTimeout: () => {} };
    const machine = { ...machineAt(), random: () => 0.5 };
    const budget = createBudget(machine, { share: 1, timers, personMaxWaitMs: 1 });
    const answer = (left: number) => ({
      status: 200,
      headers: {
        'x-ratelimit-limit': '40',
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': String(START_MS / 1000 + 60),
        date: new Date(START_MS).toUTCString(),
      },
    });
    const lookups = createLookupShare(machineAt(), { budget, accountOf, shareOf: () => 0.25 });
    let left = 40;
    const granted = async (guild: string) => {
      for (let count = 0; ; count += 1) {
        const included = refusal(async () => {
          const permit = await lookups(guild).acquire('person');
          left -= 1;
          permit.complete(answer(left));
        });
        if ((await Promise.race([included, flushed('it waits')])) !== null) return count;
      }
    };
    (await budget.acquire('poller')).complete(answer(40));
    expect(await granted('greedy')).toBe(10);
    // The other half of what is left for persons is kept for a third; it is given away as the
    // window goes.
    expect(await granted('modest')).toBe(5);
    expect(await granted('third')).toBe(2);
  });
});

describe('what is kept of channels', () => {
  it('is kept of as many as a server may have watches, and of those that have it already', () => {
    const { requireChannel } = quotasWith({ WATCHES_PER_GUILD: 2 });
    const of = (ownerId: string, ...channelIds: string[]) =>
      channelIds.map((channelId) => ({ ownerId, channelId }));
    const others = of('two', '7', '8', '9');
    expect(() => requireChannel('one', '2', [...of('one', '1'), ...others])).not.toThrow();
    expect(() => requireChannel('one', '2', [...of('one', '1', '2'), ...others])).not.toThrow();
    expect(() => requireChannel('one', '3', [...of('one', '1', '2'), ...others])).toThrow(
      'for up to 2 channels',
    );
  });
});

describe('limits of single servers and people', () => {
  const exceptions = limitsFile([
    ['one', { watches: 1, commandsPerMinute: 2, lookupShare: 0.5 }],
    ['two', { blocked: true }],
    ['four', { commandsPerMinute: 1_000 }],
    ['@ada', { commandsPerMinute: 120 }],
    ['@eve', { blocked: true }],
  ]);

  it('stand in the place of the usual ones, and leave all others as they are', async () => {
    const { use, watchesTooMany, lookups } = quotasWith({ LIMITS_FILE: exceptions });
    const uses = (ownerId: string, userOf: (index: number) => string) =>
      countGranted((index) => refusal(() => use(ownerId, userOf(index))));
    expect(await uses('one', (index) => `user ${index}`)).toBe(1);
    expect(await uses('three', (index) => `user ${index}`)).toBe(15);
    expect(await uses('four', () => 'ada')).toBe(60);
    expect(await uses('four', () => 'bob')).toBe(6);
    expect(watchesTooMany('one', 1)).toBeNull();
    expect(watchesTooMany('one', 2)?.(ENGLISH)).toContain(
      'can have 1 watched wallet, counted once in each channel.',
    );
    expect(watchesTooMany('three', 3)).toBeNull();
    const look = (ownerId: string) =>
      countGranted(() => refusal(() => lookups(ownerId).acquire('person')));
    expect([await look('one'), await look('three')]).toEqual([4, 2]);
  });

  it('block, and say so, before anything is counted', async () => {
    const allowed = new Set(['one', 'two']);
    const { use } = quotasWith({ ALLOWED_GUILDS: allowed, LIMITS_FILE: exceptions });
    expect(await refusal(() => use('two', 'ada'))).toContain('has blocked this server');
    expect(await refusal(() => use('one', 'eve'))).toContain('has blocked you');
    expect(await refusal(() => use('three', 'ada'))).toContain('This server isn’t one of them');
    expect(await refusal(() => use('one', 'ada'))).toBeNull();
    const { isServed } = createAdmission({ ...LIMITS, LIMITS_FILE: exceptions });
    expect(['one', 'two', 'three'].map(isServed)).toEqual([true, false, true]);
  });
});

describe('people for themselves', () => {
  const [ADA, EVE, ZOE] = ['100000000000000001', '100000000000000002', '100000000000000003'];
  const slow = { ...USUAL_LIMITS, guilds: { ...USUAL_LIMITS.guilds, commandsPerMinute: 2 } };
  const exceptions = limitsFile(
    [
      [`@${EVE}`, { blocked: true }],
      [`@${ZOE}`, { watches: 5 }],
    ],
    slow,
  );
  const quotasOf = (watchesPerUser: number, allowed: ReadonlySet<string> | null = null) => {
    const changes = {
      WATCHES_PER_USER: watchesPerUser,
      ALLOWED_GUILDS: allowed,
      LIMITS_FILE: exceptions,
    };
    return quotasWith(changes);
  };

  it('count what they have removed until it is gone, and are told why', () => {
    const watch = watchOf({ ownerId: `@${ADA}`, leavesAtMs: 600_000 });
    const { watchesTooMany } = quotasWith({ WATCHES_PER_USER: 1 }, { watches: [watch] });
    expect(watchesTooMany(`@${ADA}`, 0)).toBeNull();
    expect(watchesTooMany(`@${ADA}`, 1)?.(ENGLISH)).toMatch(
      /You watch 1[\s\S]*One of them was just removed: removed wallets count for ten minutes/,
    );
  });

  it('have a number of watches of their own, and none where it is 0', () => {
    const some = quotasOf(2);
    expect(some.watchesTooMany(`@${ADA}`, 2)).toBeNull();
    expect(some.watchesTooMany(`@${ADA}`, 3)?.(ENGLISH)).toContain(
      'You can watch 2 wallets privately. You watch 0',
    );
    expect(some.watchesTooMany(`@${ZOE}`, 5)).toBeNull();
    const off = quotasOf(0);
    expect(off.watchesTooMany(`@${ADA}`, 1)?.(ENGLISH)).toContain('Private alerts are turned off');
    const owners = [`@${ADA}`, `@${EVE}`, `@${ZOE}`, ADA];
    expect(owners.map(off.mayWatch)).toEqual([false, false, true, true]);
    expect(owners.map(off.admission.isServed)).toEqual([false, false, true, true]);
    expect(owners.map(some.admission.isServed)).toEqual([true, false, true, true]);
  });

  it('are counted as people alone, each of them, and told so', async () => {
    const { use, lookups, useImport } = quotasOf(2);
    for (let count = 0; count < 6; count += 1) use(`@${ADA}`, ADA);
    expect(await refusal(() => use(`@${ADA}`, ADA))).toContain('Slow down a little');
    use(`@${ZOE}`, ZOE);
    for (let count = 0; count < 2; count += 1) await lookups(`@${ADA}`).acquire('person');
    expect(await refusal(() => lookups(`@${ADA}`).acquire('person'))).toContain(
      'You have used up your lookups',
    );
    await lookups(`@${ZOE}`).acquire('person');
    useImport(`@${ADA}`);
    expect(await refusal(() => useImport(`@${ADA}`))).toContain('Slow down a little');
  });

  it('are served only by name where servers are', async () => {
    const { use, admission } = quotasOf(2, new Set(['one']));
    expect(await refusal(() => use(`@${ADA}`, ADA))).toContain(
      'only works in servers that its operator has chosen.',
    );
    use(`@${ZOE}`, ZOE);
    use('one', ADA);
    expect(await refusal(() => use(`@${EVE}`, EVE))).toContain('only works in servers');
    expect([`@${ADA}`, `@${ZOE}`].map(admission.isServed)).toEqual([false, true]);
  });
});

describe('quotas', () => {
  function quotasOf() {
    const clock = { ms: 0 };
    return { quotas: quotasWith({}, { nowMs: () => clock.ms }), clock };
  }

  it('hold back one person who presses what many of a server may press at once, and no server', async () => {
    const { quotas, clock } = quotasOf();
    const press = (userId: string) => refusal(() => quotas.use('one', userId, true));
    for (let index = 0; index < 100; index += 1) expect(await press(`member ${index}`)).toBeNull();
    expect(await refusal(() => quotas.use('one', 'ada'))).toBeNull();
    for (let count = 0; count < 5; count += 1) expect(await press('ada')).toBeNull();
    expect(await press('ada'), 'commands and presses of one person add up').toMatch(
      /^Slow down a little/,
    );
    clock.ms = 5_000;
    expect(await press('ada')).toBeNull();
  });

  it('let a person ask for ten times as many suggestions, which take nothing from the commands', async () => {
    const { quotas, clock } = quotasOf();
    const asked = (count: number) =>
      Array.from({ length: count }, () => quotas.mayComplete('one', 'ada'));
    expect(asked(60).every((isGiven) => isGiven)).toBe(true);
    expect(asked(100).some((isGiven) => isGiven)).toBe(false);
    expect(quotas.mayComplete('one', 'bob')).toBe(true);
    for (let count = 0; count < 6; count += 1)
      expect(await refusal(() => quotas.use('one', 'ada'))).toBeNull();
    clock.ms = 500;
    expect(asked(2)).toEqual([true, false]);
  });

  it('bound the suggestions of a server, without taking from others', () => {
    const { quotas } = quotasOf();
    for (let index = 0; index < 150; index += 1)
      expect(quotas.mayComplete('one', `user ${index}`)).toBe(true);
    expect(quotas.mayComplete('one', 'late')).toBe(false);
    expect(quotas.mayComplete('two', 'late')).toBe(true);
  });

  it('bound a server too, without taking from others, and refused attempts cost nothing', async () => {
    const { quotas, clock } = quotasOf();
    for (let index = 0; index < 15; index += 1) quotas.use('one', `user ${index}`);
    for (let index = 0; index < 100; index += 1) {
      expect(await refusal(() => quotas.use('one', 'late'))).toContain(
        'This server has used a lot of commands',
      );
    }
    expect(await refusal(() => quotas.use('two', 'late'))).toBeNull();
    clock.ms = 2_000;
    expect(await refusal(() => quotas.use('one', 'late'))).toBeNull();
  });

  it('accepts few files from a server in a minute, apart from its commands', async () => {
    const { quotas, clock } = quotasOf();
    quotas.useImport('one');
    quotas.useImport('one');
    expect(await refusal(() => quotas.useImport('one'))).toContain(
      'This server has used a lot of commands',
    );
    expect(await refusal(() => quotas.useImport('two'))).toBeNull();
    expect(await refusal(() => quotas.use('one', 'ada'))).toBeNull();
    clock.ms = 20_000;
    expect(await refusal(() => quotas.useImport('one'))).toBeNull();
    expect(await refusal(() => quotas.useImport('one'))).not.toBeNull();
  });

  it('keep a server to its watches, also while others are on their way', async () => {
    const one = watchOf({ ownerId: 'one' });
    const watches = [one];
    const quotas = quotasWith({}, { watches });
    let finish = () => {};
    const adding = quotas.withSpaceFor(
      'one',
      places(2),
      () => new Promise<void>((resolve) => (finish = resolve)),
    );
    const included = await refusal(() =>
      quotas.withSpaceFor('one', places(1), async () => expect.fail('carried out')),
    );
    expect(included).toMatch(
      /can have 3 watched wallets, counted once in each channel\. This one has 3, so there’s no room for another\..*WATCHES_PER_GUILD/,
    );
    expect(quotas.watchesTooMany('two', 3)).toBeNull();
    finish();
    await adding;
    await quotas.withSpaceFor('one', places(2), async () => watches.push(one, one));
    expect(quotas.watchesTooMany('one', 1)?.(ENGLISH)).toContain('no room for');
    await quotas.withSpaceFor('one', [], async () => {});
  });

  it('free the places that were kept when the work fails', async () => {
    const { quotas } = quotasOf();
    await expect(
      quotas.withSpaceFor('one', places(3), () => Promise.reject(new Error('SQLITE_FULL'))),
    ).rejects.toThrow('FULL');
    expect(quotas.watchesTooMany('one', 3)).toBeNull();
  });

  it('give payers with less than their part of WATCHES_TOTAL room when it is reached, and others none', async () => {
    const watches = ['one', 'one', 'one', 'two'].map((ownerId) => watchOf({ ownerId }));
    const limits = { WATCHES_TOTAL: 4, WATCHES_PER_GUILD: 100 };
    const { watchesTooMany, withSpaceFor } = quotasWith(limits, { watches });
    const refused = watchesTooMany('one', 1)?.(ENGLISH) ?? '';
    expect(refused).toContain('no room for another. Nothing changed.');
    expect(refused.replaceAll('WATCHES_TOTAL', '')).not.toMatch(/\d/);
    // Nothing more than was there, such as an Undo.
    expect(watchesTooMany('one', 0)).toBeNull();
    // Of two payers each has a part of two, of three one and a third.
    expect(watchesTooMany('two', 1)).toBeNull();
    expect(watchesTooMany('two', 2)?.(ENGLISH)).toContain('no room for 2 more');
    expect(watchesTooMany('three', 2)).toBeNull();
    expect(watchesTooMany('three', 3)).not.toBeNull();
    await withSpaceFor('three', places(2), async () => {
      expect(watchesTooMany('three', 1)).not.toBeNull();
      // Two who come at once share.
      expect(watchesTooMany('two', 1)).toBeNull();
      expect(watchesTooMany('two', 2)).not.toBeNull();
    });
  });

  it('count what is on its way into WATCHES_TOTAL', async () => {
    const { watchesTooMany, withSpaceFor } = quotasWith({ WATCHES_TOTAL: 3, WATCHES_PER_GUILD: 9 });
    await withSpaceFor('one', places(3), async () => {
      expect(watchesTooMany('one', 1)).not.toBeNull();
      expect(watchesTooMany('two', 3)).not.toBeNull();
      expect(watchesTooMany('two', 2)).toBeNull();
    });
    expect(watchesTooMany('two', 3)).toBeNull();
  });
});

describe('an import that is carried out', () => {
  it('counts as many watches as it brings, before, between and after any two of them', async () => {
    const store = documentStore();
    const guild = '100000000000000001';
    const registry = createRegistry(testMachine(), store);
    await registry.add(watchOf({ ownerId: guild, wallet: walletOf(100) }));
    const quotas = quotasWith({ WATCHES_TOTAL: 10, WATCHES_PER_GUILD: 9 }, { registry });
    const channels: unknown[] = [];
    /** What of eight may still be added: another server's, and its own. */
    const look = () => {
      const most = (ownerId: string) =>
        [8, 7, 6, 5, 4, 3, 2, 1, 0].find((count) => quotas.watchesTooMany(ownerId, count) === null);
      channels.push([most('two'), most(guild)]);
    };
    const machine = testMachine({ onFailpoint: look, nowMs: () => START_MS });
    const pending = importKind.open(machine, store);
    const imports = createImports(machine, {
      pending,
      registry,
      changes: { note: async () => {} },
      quotas,
    });
    const orders = places(4).map((place) => ({ ...place, settings: {} }));
    const proposal: PendingImport = {
      id: '100000000000000009',
      ownerId: guild,
      userId: guild,
      isManager: true,
      createdAtMs: START_MS,
      sinceSeconds: null,
      targets: planImport(orders, registry.get, 0).map(({ target }) => target),
    };
    await imports.propose(proposal);
    await imports.apply(proposal, START_MS / 1000);
    look();
    expect(registry.size).toBe(5);
    expect(channels).toEqual(Array.from({ length: 5 }, () => [5, 4]));
  });
});

describe('the share of WATCHES_TOTAL', () => {
  const payers = fc.constantFrom('a', 'b', 'c', 'd');
  const held = fc.array(
    fc.record({ payer: payers, owner: fc.string(), watches: fc.integer({ min: 0, max: 50 }) }),
  );
  const total = fc.integer({ min: 1, max: 200 });

  it('lets a payer with less than total ÷ payers add one, and none that has as much', () => {
    fc.assert(
      fc.property(total, held, payers, (most, all, asking) => {
        const accounts = all.map(({ payer, owner, watches }) => ({
          account: { payer, owner, weight: 1 },
          watches,
        }));
        const found = shareOfTotal(most, accounts, { payer: asking, owner: 'x', weight: 1 });
        const having = all.filter(({ watches }) => watches > 0).map(({ payer }) => payer);
        const count = new Set([...having, asking]).size;
        const own = all.filter(({ payer }) => payer === asking);
        const present = own.reduce((sum, { watches }) => sum + watches, 0);
        expect(found.watches).toBe(present);
        expect(present + 1 <= found.share).toBe(present < most / count);
      }),
    );
  });

  it('goes by weight', () => {
    const held = [{ account: { payer: 'a', owner: 'a', weight: 1 }, watches: 6 }];
    const heavy = { payer: 'b', owner: 'b', weight: 2 };
    expect(shareOfTotal(6, held, heavy)).toEqual({ watches: 0, share: 4 });
  });
});
