import { describe, expect, it } from 'vitest';
import { createAskedTwice, keyOf } from '../../commands/shared/asked-twice.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';

const CHANGE = { personId: '1', channelId: '2', carryOut: async () => 'done' };

describe('a change that is asked for twice', () => {
  it('is confirmed by a repeat, or found for its button, for a quarter of an hour', () => {
    let nowMs = 1_000;
    const asked = createAskedTwice<string>({ monotonicMs: () => nowMs });
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
});
