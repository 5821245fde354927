import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDiscordClient } from '../../../src/discord/client.ts';
import {
  readSharding,
  requestsPerSecond,
  type Sharding,
} from '../../../src/discord/gateway/shards.ts';

const API = 'http://127.0.0.1:9/api';

function faults(shards: string): readonly string[] {
  const read = readSharding(shards);
  return 'faults' in read ? read.faults : [];
}

describe('SHARDS', () => {
  it('take as many as Discord recommends unless they name some of a number', () => {
    for (const auto of [undefined, 'auto', ' auto '])
      expect(readSharding(auto)).toEqual({ sharding: 'auto' });
    expect(readSharding(' 2, 0,1 / 6 ')).toEqual({ sharding: { ids: [0, 1, 2], count: 6 } });
    expect(readSharding('0/1')).toEqual({ sharding: { ids: [0], count: 1 } });
  });

  it.each([
    ['0,1', 'is not a list of shards with the number of all'],
    ['0/4/5', 'is not a list of shards with the number of all'],
    ['auto/4', 'is not a list of shards'],
    ['/4', 'is not a list of shards'],
    ['0,6/6', 'names shard 6, and there are 6'],
    ['1,1/6', 'names shard 1 twice'],
    ['[0,1]/6', 'is not a list of shards'],
    ['0,/6', 'is not a list of shards'],
    ['-1/6', 'is not a list of shards'],
    ['all/6', 'is not a list of shards'],
    ['0/', 'behind the slash is not a number of shards'],
    ['0/0', 'behind the slash is not a number of shards'],
    ['0/10001', 'behind the slash is not a number of shards'],
    ['0/six', 'behind the slash is not a number of shards'],
  ])('%s: says what is wrong and what is accepted', (shards, text) => {
    const [fault, ...others] = faults(shards);
    expect(others).toEqual([]);
    expect(fault?.replace(/^SHARDS ?/, '')).toMatch(text);
    expect(fault).toMatch(/^SHARDS.* Accepted: /);
  });

  it('names every fault at once', () => {
    expect(faults('x,3,3,9/6')).toHaveLength(3);
  });
});

describe('Discord’s 50 requests a second', () => {
  const splits = fc
    .array(fc.nat(3), { minLength: 1, maxLength: 48 })
    .map((owners) =>
      [0, 1, 2, 3].map((process) => owners.flatMap((owner, id) => (owner === process ? [id] : []))),
    );

  it('are shared by shards, and not exceeded together', () => {
    expect(requestsPerSecond('auto')).toBe(50);
    fc.assert(
      fc.property(splits, (processes) => {
        const count = processes.flat().length;
        const parts = processes
          .filter((ids) => ids.length > 0)
          .map((ids) => requestsPerSecond({ ids, count }));
        for (const part of parts) expect(part).toBeGreaterThanOrEqual(1);
        expect(parts.reduce((sum, part) => sum + part)).toBeLessThanOrEqual(50);
      }),
    );
    expect(requestsPerSecond({ ids: [7], count: 400 })).toBe(1);
  });
});

describe('discord.js', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each<[string, Sharding, unknown]>([
    ['auto', 'auto', 'auto'],
    ['0,2', { ids: [0, 2], count: 6 }, [0, 2]],
    ['0', { ids: [0], count: 1 }, [0]],
  ])(
    'is given its shards, and does not read SHARDS=%s from the environment',
    (shards, sharding, expected) => {
      vi.stubEnv('SHARDS', shards);
      vi.stubEnv('SHARD_COUNT', sharding === 'auto' ? '' : String(sharding.count));
      const { options } = createDiscordClient({ apiUrl: API, sharding });
      expect(options.shards).toEqual(expected);
      if (sharding !== 'auto') expect(options.shardCount).toBe(sharding.count);
    },
  );
});
