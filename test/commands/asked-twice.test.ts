import { describe, expect, it } from 'vitest';
import type { ToConfirm } from '../../commands/shared/answer.ts';
import type { CommandContext } from '../../commands/shared/context.ts';
import { createKept } from '../../commands/shared/kept.ts';
import { keyOf, pressAnyway, unlessWarned } from '../../commands/watch/shared/anyway.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { ButtonUse, CommandUse } from '../../src/slash-commands/slash-command.ts';
import { testMachine } from '../support/machine.ts';

/** A person who types a doubtful change. */
function openUnconfirmed() {
  let nowMs = 1_000;
  const askedTwice = createKept<ToConfirm>(testMachine({ monotonicMs: () => nowMs }));
  const context = { askedTwice, personId: '1', language: ENGLISH } as unknown as CommandContext;
  const use = {
    ...{ user: { id: '1' }, channelId: '2', options: { data: [] } },
    ...{ guildId: null, guild: null, context: 1, authorizingIntegrationOwners: {} },
  };
  let done = 0;
  const carryOut = async () => {
    done += 1;
    return 'done';
  };
  const change = { subcommand: 'edit', channelId: '2', warnings: ['?'], carryOut } as const;
  return {
    type: () => unlessWarned(use as unknown as CommandUse, context, change),
    press: (key: string) => pressAnyway(use as unknown as ButtonUse, [key], context),
    passMs: (ms: number) => {
      nowMs += ms;
    },
    done: () => done,
  };
}

describe('a change that is asked for twice', () => {
  it('is confirmed by a repeat within a quarter of an hour', async () => {
    const { type, passMs, done } = openUnconfirmed();
    const isDone = async () => (await type()) === 'done';
    expect([await isDone(), await isDone(), await isDone()]).toEqual([false, true, false]);
    passMs(899_000);
    expect(await isDone()).toBe(true);
    await type();
    passMs(901_000);
    expect(await isDone(), 'typed too late').toBe(false);
    expect(done()).toBe(2);
  });

  it('is known by who typed it, where, and which options', () => {
    const use = (user: string, channelId: string, value: string, extra = {}) => {
      const option = { name: 'words', type: 3, value, ...extra };
      const data = [{ name: 'edit', type: 1, options: [option] }];
      return { user: { id: user }, channelId, options: { data } } as unknown as CommandUse;
    };
    const keys = [use('1', '2', 'x'), use('9', '2', 'x'), use('1', '9', 'x'), use('1', '2', 'y')];
    expect(new Set(keys.map(keyOf)).size).toBe(keys.length);
    expect(keyOf(use('1', '2', 'x', { role: { id: '5' } }))).toBe(keyOf(use('1', '2', 'x')));
  });

  it('is carried out once, however often its button is pressed', async () => {
    const { type, press, done } = openUnconfirmed();
    const key = /watch:edit:([\w-]+)/.exec(JSON.stringify(await type()))?.[1] ?? '';
    const presses = await Promise.allSettled([press(key), press(key)]);
    expect(presses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(done()).toBe(1);
  });
});
