import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  changeOf,
  changesKind,
  changesOfChannel,
  createChanges,
} from '../../src/watches/changes.ts';
import {
  type ChannelSettings,
  defaultChannelSettings,
} from '../../src/watches/channel-settings.ts';
import { personOwner } from '../../src/watches/owner.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { randomRuns } from '../support/thorough.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const SERVERS = ['100000000000000001', '100000000000000002'] as const;
const PERSONS = ['200000000000000001', '200000000000000002'] as const;
const DAY_MS = 86_400_000;

function open() {
  const clock = { nowMs: 1_800_000_000_000 };
  const { log, lines } = collectingLog();
  const machine = testMachine({ nowMs: () => clock.nowMs, log });
  const documents = changesKind.open(machine, documentStore());
  return { clock, documents, lines, changes: createChanges(machine, documents) };
}

const MADE = {
  channelId: '300000000000000001',
  wallet: walletOfDigit('1'),
  deed: 'edited' as const,
  parts: ['minUsdc'],
};

describe('who changed what', () => {
  it('is kept of each server: the newest 500 of 30 days, without those who are forgotten', async () => {
    const server = fc.constantFrom(...SERVERS);
    const person = fc.constantFrom(...PERSONS);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('note' as const), server, person, count: fc.nat(300) }),
      fc.record({ kind: fc.constant('forget' as const), server, person }),
      fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ kind: fc.constant('prune' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { clock, documents, changes } = open();
        let all: { server: string; by: string | null; atMs: number }[] = [];
        for (const taken of steps) {
          if (taken.kind === 'wait') clock.nowMs += taken.days * DAY_MS;
          if (taken.kind === 'prune') await changes.prune();
          if (taken.kind === 'note') {
            await changes.note(taken.server, taken.person, Array(taken.count).fill(MADE));
            for (let at = 0; at < taken.count; at += 1)
              all.push({ server: taken.server, by: taken.person, atMs: clock.nowMs });
          }
          if (taken.kind === 'forget') {
            await changes.forgetPerson(taken.server, taken.person);
            all = all.map((one) =>
              one.server === taken.server && one.by === taken.person ? { ...one, by: null } : one,
            );
          }
        }
        await changes.prune();
        for (const id of SERVERS) {
          const expected = all
            .filter((one) => one.server === id && clock.nowMs - one.atMs < 30 * DAY_MS)
            .slice(-500)
            .map(({ by, atMs }) => ({ by, atMs }));
          expect(changes.of(id).map(({ by, atMs }) => ({ by, atMs }))).toEqual(expected);
          expect(documents.get(id)?.changes.length ?? 0).toBe(expected.length);
        }
      }),
      randomRuns(300),
    );
  });

  it('is not kept of what people watch for themselves', async () => {
    const { documents, changes } = open();
    await changes.note(personOwner(PERSONS[0]), PERSONS[0], [MADE]);
    expect(documents.ids()).toEqual([]);
  });

  it('is deleted every hour, whether anybody changes something or not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { clock, documents, changes } = open();
    await changes.note(SERVERS[0], PERSONS[0], [MADE]);
    clock.nowMs += DAY_MS;
    await changes.note(SERVERS[0], PERSONS[1], [MADE]);
    const stop = changes.start();
    for (const left of [1, 0]) {
      clock.nowMs += left === 1 ? 29 * DAY_MS : DAY_MS;
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(documents.get(SERVERS[0])?.changes.length ?? 0).toBe(left);
    }
    expect(documents.ids()).toEqual([]);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is deleted at the start', async () => {
    const { clock, documents, changes } = open();
    await changes.note(SERVERS[0], PERSONS[0], [MADE]);
    clock.nowMs += 30 * DAY_MS;
    changes.start()();
    await expect.poll(documents.ids).toEqual([]);
  });

  it('is logged of channels with who it was, of people for themselves as well', async () => {
    const { lines, changes } = open();
    const ofChannel = { ...MADE, wallet: null };
    for (const owner of [SERVERS[0], personOwner(PERSONS[1])])
      await changes.note(owner, PERSONS[1], [MADE, ofChannel]);
    const said = lines.map(({ event, guild, channel, by, parts }) => [
      event,
      guild,
      channel,
      by,
      parts,
    ]);
    expect(said).toEqual(
      [SERVERS[0], `@${PERSONS[1]}`].map((guild) => [
        ...['channel.changed', guild, MADE.channelId, PERSONS[1], ['minUsdc']],
      ]),
    );
  });
});

describe('what a change did', () => {
  it('names each setting of a channel that has changed, and no other', () => {
    const before = defaultChannelSettings(SERVERS[0], MADE.channelId);
    const changed: Partial<ChannelSettings> = {
      view: 'compact',
      consensus: { wallets: 2, hours: 3 },
      words: { mode: 'only', names: ['nba'] },
      consensusOnly: true,
      results: false,
      language: 'de',
      quiet: { fromMinutes: 0, toMinutes: 60, timeZone: 'UTC' },
    };
    const names = Object.keys(changed) as (keyof ChannelSettings)[];
    expect(changesOfChannel(before, { ...before, rankedBefore: 3 })).toEqual([]);
    fc.assert(
      fc.property(fc.subarray(names), (some) => {
        const after = Object.fromEntries(some.map((name) => [name, changed[name]]));
        const [made] = changesOfChannel(before, { ...before, ...after });
        const option = (name: string) => (name === 'consensusOnly' ? 'consensus-only' : name);
        expect(made?.parts ?? []).toEqual(some.map(option));
      }),
    );
  });

  it('is the removal, its undoing, a pause, its end, or the settings that differ', () => {
    const watch = watchOf();
    const paused = { ...watch, pause: { untilSeconds: null } };
    const left = { ...watch, leavesAtMs: 1 };
    const edited = { ...watch, label: 'x', settings: { ...watch.settings, minUsdc: 5 } };
    const parts = ['label', 'minUsdc'];
    for (const [before, after, deed, changed] of [
      [watch, left, 'removed', []],
      [left, watch, 'restored', []],
      [watch, paused, 'paused', []],
      [paused, watch, 'resumed', []],
      [watch, edited, 'edited', parts],
      [paused, edited, 'resumed', parts],
    ] as const)
      expect(changeOf(before, after)).toMatchObject({ deed, parts: changed });
    const later = { ...watch, sinceSeconds: 5 };
    expect(changeOf(watch, later)).toBeUndefined();
  });
});
