import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DatabaseServer, hasRedis, startRedis } from '../support/servers.ts';
import { all, opened, refusalOf, serverContract, storeContract } from './contract.ts';

describe.skipIf(!hasRedis)('the store on Redis', () => {
  let redis: DatabaseServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  storeContract(() => redis);
  serverContract(() => redis);

  it('leaves the other data of the database alone', async () => {
    const url = await redis.newStore();
    for (const key of ['walletbell', 'walletbell:other', 'other::a', 'a'])
      await redis.ask(url, 'SET', key, 'theirs');
    const store = await opened(url);
    await store.set('a', 1);
    expect(await all(store)).toEqual(new Map([['a', 1]]));
    await store.delete('a');
    await store.close();
    for (const key of ['walletbell', 'walletbell:other', 'other::a', 'a']) {
      expect(await redis.ask(url, 'GET', key)).toBe('theirs');
    }
  });

  it('writes nothing any more when another process has opened it, and says so once', async () => {
    const url = await redis.newStore();
    const onLost = vi.fn();
    const first = await opened(url, { onLost });
    await first.set('a', 'first');
    // As if the first had been stopped for longer than its lease.
    await redis.ask(url, 'DEL', 'walletbell:lock');
    const second = await opened(url);
    await second.set('a', 'second');
    await expect(first.set('a', 'late')).rejects.toThrow(
      /does not belong to this process any more/,
    );
    await expect(first.delete('a')).rejects.toThrow(/does not belong to this process any more/);
    expect(onLost).toHaveBeenCalledOnce();
    await first.close();
    expect(await second.get('a')).toBe('second');
    await second.set('a', 'still mine');
  });

  it('ends when the data has gone, before it sends everything again', async () => {
    const url = await redis.newStore();
    const onLost = vi.fn();
    await opened(url, { onLost });
    await redis.ask(url, 'FLUSHDB');
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), { timeout: 5_000 });
  });

  it('takes up its lease again when nobody else has had the store', async () => {
    const url = await redis.newStore();
    const onLost = vi.fn();
    const store = await opened(url, { onLost });
    await redis.ask(url, 'DEL', 'walletbell:lock');
    await vi.waitFor(
      async () => expect(await redis.ask(url, 'EXISTS', 'walletbell:lock')).toBe('1'),
      {
        timeout: 5_000,
      },
    );
    await store.set('a', 1);
    expect(onLost).not.toHaveBeenCalled();
  });

  it('says what is wrong with the address, and never shows the password', async () => {
    const url = await redis.newStore();
    const refusal = (changes: Partial<URL>) => refusalOf(url, changes);
    expect(await refusal({ password: 'planted-wrong' })).toMatch(/refuses user name or password/);
    expect(await refusal({ password: '' })).toMatch(/refuses user name or password/);
    expect(await refusal({ pathname: '/5000' })).toMatch(/has no such database/);
    expect(await refusal({ port: '1' })).toMatch(
      /redis:\/\/127\.0\.0\.1:1\/\d+ cannot be reached.*ECONNREFUSED/,
    );
  });

  it('warns of settings that may lose or drop what was acknowledged', async () => {
    const careless = await startRedis([
      ...['--appendfsync', 'everysec'],
      ...['--maxmemory', '100mb'],
      ...['--maxmemory-policy', 'allkeys-lru'],
    ]);
    onTestFinished(careless.stop);
    const onWarning = vi.fn();
    await (await opened(await careless.newStore(), { onWarning })).close();
    expect(onWarning.mock.calls.flat()).toEqual([
      expect.stringContaining('Set appendonly yes and appendfsync always'),
      expect.stringContaining('Set maxmemory-policy noeviction'),
    ]);
  });
});
