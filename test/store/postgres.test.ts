import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { type DatabaseServer, hasPostgres, startPostgres } from '../support/servers.ts';
import { all, opened, refusalOf, serverContract, storeContract } from './contract.ts';

const OURS =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'walletbell'";

/**
 * Writes until the connection that was taken away has been made anew, and gives what the store says
 * then.
 */
async function lateWrite(store: Store): Promise<void> {
  const broken = /terminat|ECONNRESET|not queryable/;
  for (;;) {
    try {
      return await store.set('a', 'late');
    } catch (error) {
      if (!broken.test(String(error))) throw error;
    }
  }
}

describe.skipIf(!hasPostgres)('the store on PostgreSQL', () => {
  let postgres: DatabaseServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  const warnings = [expect.stringMatching(/may lose acknowledged writes.*Set fsync on/)];
  storeContract(() => ({ ...postgres, warnings }));
  serverContract(() => postgres);

  /** A store from which its connection was taken away. */
  const cutOff = async () => {
    const url = await postgres.newStore();
    const onLost = vi.fn();
    const store = await opened(url, { onLost });
    await postgres.ask(url, OURS);
    return { url, store, onLost };
  };

  it('leaves the other data of the database alone', async () => {
    const url = await postgres.newStore();
    await postgres.ask(
      url,
      'CREATE TABLE keyv (key text, value text)',
      "INSERT INTO keyv VALUES ('walletbell:a', 'theirs')",
    );
    const store = await opened(url);
    await store.set('a', 1);
    await postgres.ask(url, "INSERT INTO walletbell VALUES ('other:a', 'theirs')");
    expect(await all(store)).toEqual(new Map([['a', 1]]));
    await store.delete('a');
    await store.close();
    expect(await postgres.ask(url, 'SELECT value FROM keyv')).toBe('theirs');
    expect(await postgres.ask(url, "SELECT value FROM walletbell WHERE key = 'other:a'")).toBe(
      'theirs',
    );
  });

  it('gets its lock back with a new connection when the old one broke while nothing was asked', async () => {
    const { url, store, onLost } = await cutOff();
    await vi.waitFor(() => store.set('a', 1), { timeout: 10_000, interval: 50 });
    await expect(openStore(url)).rejects.toThrow(/in use by another walletbell/);
    expect(onLost).not.toHaveBeenCalled();
  });

  it('writes nothing any more when another process has opened it, and says so once', async () => {
    const { url, store: first, onLost } = await cutOff();
    const second = await opened(url);
    await second.set('a', 'second');
    await expect(lateWrite(first)).rejects.toThrow(/does not belong to this process any more/);
    await second.close();
    await expect(first.set('a', 'later')).rejects.toThrow(
      /does not belong to this process any more/,
    );
    expect(onLost).toHaveBeenCalledOnce();
    expect(
      await postgres.ask(url, "SELECT value FROM walletbell WHERE key = 'walletbell:a'"),
    ).toContain('second');
  });

  it('writes nothing any more either when the other process has gone already', async () => {
    const { url, store: first, onLost } = await cutOff();
    await (await opened(url)).close();
    await expect(lateWrite(first)).rejects.toThrow(/does not belong to this process any more/);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('says so when an iteration fails in the middle, instead of taking it for the end', async () => {
    const url = await postgres.newStore();
    const store = await opened(url);
    await postgres.ask(
      url,
      `INSERT INTO walletbell SELECT 'walletbell:' || n, '{"value":1}' FROM generate_series(1, 2500) AS n`,
    );
    let seen = 0;
    const reading = async () => {
      for await (const _ of store.entries()) {
        seen += 1;
        if (seen === 1) await postgres.ask(url, 'ALTER TABLE walletbell RENAME TO away');
      }
    };
    await expect(reading()).rejects.toThrow(/does not exist/);
    // What had been read of it already: one page.
    expect(seen).toBeLessThan(100);
  });

  it('says what is wrong with the address, and never shows the password', async () => {
    const url = await postgres.newStore();
    const refusal = (changes: Partial<URL>) => refusalOf(url, changes);
    expect(await refusal({ password: 'planted-wrong' })).toMatch(/refuses user name or password/);
    expect(await refusal({ username: 'nobody' })).toMatch(/refuses user name or password/);
    expect(await refusal({ pathname: '/nowhere' })).toMatch(/has no such database.*createdb/s);
    expect(await refusal({ port: '1' })).toMatch(
      /postgres:\/\/127\.0\.0\.1:1\/\w+ cannot be reached.*ECONNREFUSED/,
    );
    await postgres.ask(url, "CREATE ROLE reader LOGIN PASSWORD 'planted-reader'");
    const reader = { username: 'reader', password: 'planted-reader' };
    expect(await refusal(reader)).toMatch(/cannot be written.*schema public/s);
  });
});
