import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sqlite3 from 'sqlite3';
import { describe, expect, it } from 'vitest';
import type { Migration } from '../../src/store/migrate.ts';
import { openStore, type Store, UnreadableDocument } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temp.ts';

async function all(store: Store): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const [key, document] of store.entries()) found.set(key, document);
  found.delete('meta');
  return found;
}

function execute(path: string, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path);
    database.exec(sql, (error) => database.close(() => (error ? reject(error) : resolve())));
  });
}

describe('the store', () => {
  it('makes its file and folder, and keeps documents over a restart', async () => {
    const path = join(temporaryFolder(), 'deep', 'folder', 'store.sqlite');
    const first = await openStore(`sqlite://${path}`);
    await first.set('a:1', { hello: ['wörld', 0.1, null] });
    await first.set('b', 'text');
    await first.delete('b');
    await first.close();
    const second = await openStore(`sqlite://${path}`);
    expect(await second.get('a:1')).toEqual({ hello: ['wörld', 0.1, null] });
    expect(await second.get('b')).toBeUndefined();
    expect(await all(second)).toEqual(new Map([['a:1', { hello: ['wörld', 0.1, null] }]]));
    await second.close();
  });

  it('writes ahead and waits until the disk has it', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const store = await openStore(`sqlite://${path}`);
    await store.set('a', 1);
    expect(existsSync(`${path}-wal`)).toBe(true);
    await store.close();
  });

  it('marks a document that is not JSON and goes on with the others', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const store = await openStore(`sqlite://${path}`);
    await store.set('good', 1);
    await execute(path, "INSERT INTO keyv VALUES ('walletbell:bad', '{\"value\": tru')");
    const found = await all(store);
    expect(found.get('good')).toBe(1);
    expect(found.get('bad')).toBeInstanceOf(UnreadableDocument);
    await store.close();
  });

  it('says that a file is no database, and leaves it as it is', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    writeFileSync(path, 'not a database at all, but long enough to look like one'.repeat(100));
    await expect(openStore(`sqlite://${path}`)).rejects.toThrow(
      /store\.sqlite is not a sound SQLite database.*backup/s,
    );
    expect(readFileSync(path, 'utf8')).toContain('not a database at all');
  });

  it('says that a database is damaged', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const store = await openStore(`sqlite://${path}`);
    for (let index = 0; index < 200; index += 1) await store.set(`key:${index}`, 'x'.repeat(500));
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096 * 2, bytes.length - 100);
    writeFileSync(path, bytes);
    await expect(openStore(`sqlite://${path}`)).rejects.toThrow(/not a sound SQLite database/);
  });

  it('brings documents of older versions up to the present, each once, also after a crash in between', async () => {
    const url = `sqlite://${join(temporaryFolder(), 'store.sqlite')}`;
    const old = await openStore(url);
    await old.set('a', { version: 1, hops: 0 });
    await old.set('b', { version: 2, hops: 1 });
    await old.set('no version', [1]);
    await old.close();
    const hop: Migration = (_key, document) => ({ ...document, hops: Number(document['hops']) + 1 });
    const present = await openStore(url, [hop, hop]);
    expect(await present.get('a')).toEqual({ version: 3, hops: 2 });
    expect(await present.get('b')).toEqual({ version: 3, hops: 2 });
    expect(await present.get('no version')).toEqual([1]);
    await present.close();
  });

  it('does not touch what a later version has written', async () => {
    const url = `sqlite://${join(temporaryFolder(), 'store.sqlite')}`;
    await (await openStore(url, [(_key, document) => ({ ...document })])).close();
    await expect(openStore(url)).rejects.toThrow(/written by a later walletbell \(version 2, this one knows 1\)/);
  });

  it('lets one process in at a time, and the next one when the first has gone', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const first = await openStore(`sqlite://${path}`);
    await expect(openStore(`sqlite://${path}`)).rejects.toThrow(/in use by another walletbell.*twice/s);
    await first.close();
    await (await openStore(`sqlite://${path}`)).close();
  });

  it('says that another program holds the database', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    await (await openStore(`sqlite://${path}`)).close();
    const holder = new sqlite3.Database(path);
    await new Promise<void>((resolve) => holder.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE', () => resolve()));
    await expect(openStore(`sqlite://${path}`)).rejects.toThrow(/is locked by another program/);
    await new Promise<void>((resolve) => holder.close(() => resolve()));
  });

  it('says that the file, or its folder, is read-only', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'sub', 'store.sqlite');
    mkdirSync(join(folder, 'sub'));
    await (await openStore(`sqlite://${path}`)).close();
    chmodSync(path, 0o444);
    chmodSync(join(folder, 'sub'), 0o555);
    expect(await openAsOrdinaryUser(path)).toMatch(/cannot be locked|is read-only/);
    expect(await openAsOrdinaryUser(join(folder, 'sub', 'new', 'store.sqlite'))).toMatch(/cannot be created/);
  });
});

/** The superuser may write everything, so that the test's work is done by somebody else then. */
async function openAsOrdinaryUser(path: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('../../src/store/store.ts', import.meta.url).href)});
    await openStore('sqlite://' + ${JSON.stringify(path)}).then(() => console.log('opened'), (error) => console.log(error.message));
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    env: { PATH: process.env['PATH'], TSX_DISABLE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}
