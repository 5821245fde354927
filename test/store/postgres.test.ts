import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { type DatabaseServer, hasPostgres, startPostgres } from '../support/servers.ts';
import { all, opened, storeContract } from './contract.ts';

const OURS =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'walletbell'";

/** Writes until the connection that was taken away has been made anew, and gives what the store says then. */
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
  }, 60_000);
  afterAll(() => postgres?.stop());

  storeContract(() => ({
    newStore: () => postgres.newStore(),
    warnings: [expect.stringMatching(/may lose acknowledged writes.*Set fsync on/)],
    plant: async (url, key, text) =>
      void (await postgres.ask(url, `INSERT INTO walletbell VALUES ('walletbell:${key}', '${text}')`)),
  }));

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
    expect(await postgres.ask(url, "SELECT value FROM walletbell WHERE key = 'other:a'")).toBe('theirs');
  });

  it('has every acknowledged write after the server was killed, and goes on when it is back', async () => {
    const url = await postgres.newStore();
    const onLost = vi.fn();
    const store = await opened(url, { onLost });
    let acknowledged = 0;
    let killed: Promise<void> | undefined;
    const writing = (async () => {
      for (;;) {
        await store.set(`w:${acknowledged}`, acknowledged);
        acknowledged += 1;
        if (acknowledged === 200) killed = postgres.kill();
      }
    })();
    await expect(writing).rejects.toThrow();
    await expect(store.set('meanwhile', 1)).rejects.toThrow();
    await expect(store.get('w:0')).rejects.toThrow();
    await killed;
    await postgres.start();
    await vi.waitFor(() => store.set('back', 1), { timeout: 10_000, interval: 50 });
    const found = await all(store);
    for (let index = 0; index < acknowledged; index += 1) expect(found.get(`w:${index}`)).toBe(index);
    expect(acknowledged).toBeGreaterThanOrEqual(200);
    expect(onLost).not.toHaveBeenCalled();
  }, 60_000);

  it('gets its lock back with a new connection when the old one broke while nothing was asked', async () => {
    const url = await postgres.newStore();
    const onLost = vi.fn();
    const store = await opened(url, { onLost });
    await postgres.ask(url, OURS);
    await vi.waitFor(() => store.set('a', 1), { timeout: 10_000, interval: 50 });
    await expect(openStore(url)).rejects.toThrow(/in use by another walletbell/);
    expect(onLost).not.toHaveBeenCalled();
  });

  it('writes nothing any more when another process has opened it, and says so once', async () => {
    const url = await postgres.newStore();
    const onLost = vi.fn();
    const first = await opened(url, { onLost });
    await postgres.ask(url, OURS);
    const second = await opened(url);
    await second.set('a', 'second');
    await expect(lateWrite(first)).rejects.toThrow(/does not belong to this process any more/);
    await second.close();
    await expect(first.set('a', 'later')).rejects.toThrow(/does not belong to this process any more/);
    expect(onLost).toHaveBeenCalledOnce();
    expect(await postgres.ask(url, "SELECT value FROM walletbell WHERE key = 'walletbell:a'")).toContain('second');
  });

  it('writes nothing any more either when the other process has gone already', async () => {
    const url = await postgres.newStore();
    const onLost = vi.fn();
    const first = await opened(url, { onLost });
    await postgres.ask(url, OURS);
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
        if (seen === 1_000) await postgres.ask(url, 'ALTER TABLE walletbell RENAME TO away');
      }
    };
    await expect(reading()).rejects.toThrow(/does not exist/);
    expect(seen).toBe(1_000);
  });

  it('says what is wrong with the address, and never shows the password', async () => {
    const url = new URL(await postgres.newStore());
    const refusal = async (change: (url: URL) => void) => {
      const changed = new URL(url);
      change(changed);
      const error = await openStore(changed.href).then(
        () => null,
        (refused: unknown) => refused,
      );
      const text = error instanceof Error ? error.message : '';
      expect(text).not.toContain('planted');
      return text;
    };
    expect(await refusal((it) => (it.password = 'planted-wrong'))).toMatch(/refuses user name or password/);
    expect(await refusal((it) => (it.username = 'nobody'))).toMatch(/refuses user name or password/);
    expect(await refusal((it) => (it.pathname = '/nowhere'))).toMatch(/has no such database.*createdb/s);
    expect(await refusal((it) => (it.port = '1'))).toMatch(
      /postgres:\/\/127\.0\.0\.1:1 cannot be reached.*ECONNREFUSED/,
    );
    await postgres.ask(url.href, "CREATE ROLE reader LOGIN PASSWORD 'planted-reader'");
    expect(
      await refusal((it) => {
        it.username = 'reader';
        it.password = 'planted-reader';
      }),
    ).toMatch(/cannot be written.*schema public/s);
  });
});
