import { describe, expect, it } from 'vitest';
import type { Answer } from '../../commands/shared/answer.ts';
import { createAskedTwice, keyOf } from '../../commands/shared/asked-twice.ts';
import type { CommandContext } from '../../commands/shared/context.ts';
import { pressAnyway, unlessDoubted } from '../../commands/watch/shared/anyway.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { ButtonUse, CommandUse } from '../../src/slash-commands/slash-command.ts';
import { testMachine } from '../support/machine.ts';

const CHANGE = { personId: '1', channelId: '2', carryOut: async () => 'done' };

describe('a change that is asked for twice', () => {
  it('is confirmed by a repeat, or found for its button, for a quarter of an hour', () => {
    let nowMs = 1_000;
    const asked = createAskedTwice<string>(testMachine({ monotonicMs: () => nowMs }));
    expect([1, 2, 3].map(() => asked.isToConfirm('a', CHANGE))).toEqual([true, false, true]);
    expect(asked.find('a')).toBe(CHANGE);
    nowMs += 899_000;
    expect(asked.find('a')).toBe(CHANGE);
    nowMs += 2_000;
    expect(asked.isToConfirm('a', CHANGE), 'typed too late').toBe(true);
    expect(asked.find('a')).toBe(CHANGE);
    asked.drop('a');
    expect(asked.find('a')).toBeUndefined();
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
    const askedTwice = createAskedTwice<Answer>(testMachine({ monotonicMs: () => 1 }));
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
    const change = { subcommand: 'edit', channelId: '2', doubts: ['?'], carryOut } as const;
    const question = await unlessDoubted(use as unknown as CommandUse, context, change);
    const key = /watch:edit:([\w-]+)/.exec(JSON.stringify(question))?.[1] ?? '';
    const press = () => pressAnyway(use as unknown as ButtonUse, [key], context);
    const presses = await Promise.allSettled([press(), press()]);
    expect(presses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(done).toBe(1);
  });
});
