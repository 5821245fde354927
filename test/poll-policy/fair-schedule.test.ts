import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairSchedule, type Watchers } from '../../src/poll-policy/fair-schedule.ts';
import type { Endpoint } from '../../src/poll-policy/schedule.ts';
import { simulateServers } from '../bench/fairness.ts';
import { randomRuns, variants } from '../support/thorough.ts';
import { activity, create, indexOf, keyOf, poll, report, scheduleOf, wallet } from './helpers.ts';

const options = { pollsPerMinute: 54, hours: 0.5, seed: 3 };
const HONEST = { guildId: 'honest', wallets: 10, meanGapSeconds: 300 };
const BUSY = { guildId: 'busy', wallets: 100, meanGapSeconds: 40 };

describe('polls shared between servers', () => {
  it('at most double the delay of a server beside one that floods', () => {
    // Of one seed alone the mean is of some hundred delays, and says little.
    const seeds = variants([1, 2, 3, 4], (seed) => seed < 3);
    const runs = seeds.map((seed) => {
      const anHour = { ...options, hours: 1, seed };
      const [alone] = simulateServers([HONEST], { ...anHour, isFair: true });
      const [fair, flooding] = simulateServers([HONEST, BUSY], { ...anHour, isFair: true });
      return { alone, fair, flooding };
    });
    const sum = (of: 'alone' | 'fair') =>
      runs.reduce((total, run) => total + (run[of]?.meanSeconds ?? Number.NaN), 0);
    const [unfair] = simulateServers([HONEST, BUSY], { ...options, hours: 1, isFair: false });
    const [{ alone, fair, flooding } = {}] = runs;
    expect((unfair?.meanSeconds ?? 0) / (alone?.meanSeconds ?? Number.NaN)).toBeGreaterThan(8);
    expect(sum('fair') / sum('alone')).toBeLessThan(2.2);
    expect(fair?.share).toBeCloseTo(0.5, 1);
    expect(flooding?.share).toBeCloseTo(0.5, 1);
  });

  it('leave a third to a server beside two that flood', () => {
    const populations = [HONEST, BUSY, { ...BUSY, guildId: 'busy too' }];
    for (const { share } of simulateServers(populations, { ...options, isFair: true }))
      expect(share).toBeCloseTo(1 / 3, 1);
  });

  it('are as many for all persons together as for one server, and shared among them as between servers', () => {
    const flooding = Array.from({ length: 9 }, (_, index) => ({
      guildId: `@${index}`,
      payer: '@',
      wallets: 25,
      meanGapSeconds: 20,
    }));
    const modest = { guildId: '@modest', payer: '@', wallets: 2, meanGapSeconds: 300 };
    const anHour = { ...options, hours: 1, isFair: true };
    const [alone] = simulateServers([HONEST], anHour);
    const [beside, own, ...others] = simulateServers([HONEST, modest, ...flooding], anHour);
    expect(beside?.share).toBeCloseTo(0.5, 1);
    const [withFlood, without] = [beside, alone].map((each) => each?.meanSeconds ?? Number.NaN);
    expect(Number(withFlood) / Number(without)).toBeLessThan(3);
    const shares = others.map(({ share }) => share);
    expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.5);
    // Who floods nobody is polled before those who do.
    expect(own?.meanSeconds ?? Number.NaN).toBeLessThan(
      0.2 * Math.min(...others.map((each) => each.meanSeconds)),
    );
  });

  it('leave nearly half to a server beside thousands of wallets that one person’s servers watch', () => {
    const flood = Array.from({ length: 30 }, (_, index) => ({
      ...BUSY,
      guildId: `flood ${index}`,
      payer: 'flood',
    }));
    const [honest] = simulateServers([HONEST, ...flood], { ...options, isFair: true });
    expect(honest?.share).toBeGreaterThan(0.4);
  });

  it('are not spent on a single wallet because its server is small', () => {
    const one = { guildId: 'one wallet', wallets: 1, meanGapSeconds: 300 };
    const [unfair] = simulateServers([one, BUSY], { ...options, isFair: false });
    const [fair] = simulateServers([one, BUSY], { ...options, isFair: true });
    expect(fair?.meanSeconds).toBeLessThan(0.3 * (unfair?.meanSeconds ?? 0));
    // Of 202 endpoints two go first, each at most once in ten polls.
    expect(fair?.share).toBeLessThan(0.21);
  });

  it('are as they were where nobody floods', () => {
    const populations = [8, 10, 14, 20, 25].map((wallets, index) => ({
      guildId: `${index}`,
      wallets,
      meanGapSeconds: 600,
    }));
    const [fair, unfair] = [true, false].map((isFair) =>
      simulateServers(populations, { ...options, isFair }),
    );
    for (const [index, { meanSeconds }] of (unfair ?? []).entries()) {
      expect((fair?.[index]?.meanSeconds ?? Number.NaN) / meanSeconds).toBeCloseTo(1, 1);
    }
  });

  it('are never fewer than they could be, whoever watches what', () => {
    const worlds = fc.record({
      guilds: fc.array(fc.array(fc.nat(9), { maxLength: 10 }), { minLength: 1, maxLength: 5 }),
      picks: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 20, maxLength: 60 }),
    });
    fc.assert(
      fc.property(worlds, ({ guilds, picks }) => {
        const payerOf = (ownerId: string) => (Number(ownerId) < 2 ? ownerId : 'together');
        const schedule = scheduleOf(10, createFairSchedule(create(), watchersOf(guilds, payerOf)));
        for (const [turn, count] of picks.entries()) {
          const picked = schedule.pick(turn, count);
          if (picked.length !== Math.min(10, count)) return false;
          for (const endpoint of picked) schedule.polled(endpoint, report(turn));
        }
        return true;
      }),
      randomRuns(40),
    );
  });

  it('are not held up by an import of two hundred wallets: of three polls at least one goes on to the others', () => {
    const imported = Array.from({ length: 200 }, (_, index) => 20 + index);
    const guilds = [Array.from({ length: 20 }, (_, index) => index), [] as number[]];
    const schedule = scheduleOf(20, createFairSchedule(create(), watchersOf(guilds)));
    const run = (from: number, polls: number) => ownPolls(poll(schedule, from, polls, newItem), 20);
    run(0, 500);
    guilds[1] = imported;
    for (const index of imported) schedule.add(activity(index));
    expect(run(500, 60)).toBeGreaterThan(20);
    expect(run(560, 300)).toBeGreaterThan(130);
  });

  it('are spent on what a server at its limit adds only in its share', () => {
    const guilds = [[0, 1, 2, 3, 4], Array.from({ length: 60 }, (_, index) => 5 + index)];
    const schedule = scheduleOf(65, createFairSchedule(create(), watchersOf(guilds)));
    let own = 0;
    for (let now = 0; now < 1000; now += 5) {
      guilds[1]?.push(100 + now);
      schedule.add(activity(100 + now));
      const polls = poll(schedule, now, 5, newItem);
      if (now >= 300) own += ownPolls(polls, 5);
    }
    // Of 165 and more endpoints five go first, each at most once in eight polls and later in
    // thirteen.
    expect(own / 700).toBeGreaterThan(0.3);
  });

  it('are told of as they are spent, in equal parts for each that watches the wallet', () => {
    const guilds = [[0, 1, 2], [2], []];
    const parts = new Map<string, number>();
    const onPoll = ({ owner }: { readonly owner: string }, part: number) =>
      void parts.set(owner, (parts.get(owner) ?? 0) + part);
    const schedule = scheduleOf(4, createFairSchedule(create(), watchersOf(guilds), onPoll));
    const polls = poll(schedule, 0, 90);
    const shared = polls.get(keyOf(activity(2))) ?? 0;
    const alone = ownPolls(polls, 2);
    expect(Object.fromEntries(parts)).toEqual({ 0: alone + shared / 2, 1: shared / 2 });
  });

  it('do not hold a wallet that a modest server watches as well, nor one whose flooding server has gone', () => {
    // The first server watches all, the second one of them.
    const guilds = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [9]];
    const schedule = scheduleOf(10, createFairSchedule(create(), watchersOf(guilds)));
    const before = poll(schedule, 0, 1_000);
    // Half of the polls are the modest server's, and what is polled for it is not charged to the
    // other.
    expect(before.get(keyOf(activity(9)))).toBeGreaterThan(400);
    for (let index = 0; index < 9; index += 1)
      expect(before.get(keyOf(activity(index)))).toBeGreaterThan(20);
    guilds[0] = [];
    guilds[1] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (const index of guilds[1]) schedule.watchersChanged(wallet(index));
    poll(schedule, 1_000, 200);
    expect(Math.max(...poll(schedule, 1_200, 1_000).values())).toBeLessThan(160);
  });
});

const newItem = (_: Endpoint, now: number) => [now - 1];
/** How many polls were of the first wallets. */
const ownPolls = (polls: ReadonlyMap<string, number>, wallets: number) =>
  Array.from({ length: wallets }, (_, index) => polls.get(keyOf(activity(index))) ?? 0).reduce(
    (a, b) => a + b,
  );

/** By server, the numbers of its wallets; they may change. */
function watchersOf(
  guilds: readonly (readonly number[])[],
  payerOf = (ownerId: string) => ownerId,
): Watchers {
  return {
    ownersOf: (of) => {
      const watched = indexOf({ wallet: of });
      return guilds.flatMap((indices, guild) => (indices.includes(watched) ? [`${guild}`] : []));
    },
    walletsOf: (ownerId) => (guilds[Number(ownerId)] ?? []).map(wallet),
    owners: () => guilds.flatMap((indices, guild) => (indices.length > 0 ? [`${guild}`] : [])),
    accountOf: (owner) => ({ payer: payerOf(owner), owner, weight: 1 }),
  };
}
