import { randomUUID } from 'node:crypto';
import sqlite3 from 'sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sqlitePath } from '../../src/store/address.ts';
import { UnreadableDocument } from '../../src/store/backend.ts';
import type { StartRule } from '../../src/store/conversion.ts';
import { StoreUnfit } from '../../src/store/error.ts';
import { createFormat, FORMAT } from '../../src/store/format.ts';
import { readMeta, writeMark } from '../../src/store/marks.ts';
import {
  awaitStore,
  inspectStore,
  lookForStandby,
  type OpenOptions,
  openStore,
  type Store,
} from '../../src/store/store.ts';
import { collectingLog } from '../support/log.ts';
import type { DatabaseServer } from '../support/servers.ts';

/**
 * What a kind of store needs to be put to the same tests as the others: where it is on a server, a
 * way to ask it.
 */
interface StoreWorld
  extends Pick<DatabaseServer, 'newStore'>,
    Partial<Pick<DatabaseServer, 'ask'>> {
  /** What it is warned of, as far as the tests' server is not set up as one should be. */
  readonly warnings?: readonly unknown[];
}

/** Runs SQL on a file, past the store. */
export function execute(path: string, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path);
    database.exec(sql, (error) => database.close(() => (error ? reject(error) : resolve())));
  });
}

/**
 * Puts a text in the place of a document, past the store.
 *
 * @param ask of the server, if it is on one
 */
export async function plant(
  url: string,
  key: string,
  text: string,
  ask?: DatabaseServer['ask'],
): Promise<void> {
  const insertInto = (table: string) =>
    `INSERT INTO ${table} VALUES ('walletbell:${key}', '${text}')`;
  if (url.startsWith('sqlite:')) return execute(sqlitePath(url), insertInto('keyv'));
  if (ask === undefined) throw new Error(`Nobody knows how to plant a document in ${url}.`);
  if (url.startsWith('redis:')) await ask(url, 'SET', `walletbell::${key}`, text);
  else await ask(url, insertInto('walletbell'));
}

/** Opens a store that is closed when the test ends, unless the test has done so. */
export async function opened(url: string, options: OpenOptions = {}): Promise<Store> {
  const store = await openStore(url, options);
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await store.close();
    isClosed = true;
  };
  onTestFinished(close);
  return { ...store, close };
}

export async function all(store: Pick<Store, 'entries'>): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const [key, document] of store.entries()) {
    if (found.has(key)) throw new Error(`${key} came twice`);
    found.set(key, document);
  }
  for (const mark of ['meta', 'store']) found.delete(mark);
  return found;
}

async function keysOf(store: Store, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.keys(prefix)) keys.push(key);
  return keys;
}

/**
 * Why a store is not opened if something of its address is another: what is planted there is not
 * said.
 */
export async function refusalOf(address: string, changes: Partial<URL>): Promise<string> {
  const { href } = Object.assign(new URL(address), changes);
  const text = await openStore(href).then(() => 'none', String);
  expect(text).not.toContain('planted');
  return text;
}

/** Says in a document that it was turned. */
const step = (format: number) => (key: string, document: unknown) => [
  ...(document as unknown[]),
  `${key} ${format}`,
];
const STEPS = [step(6), step(7)];
export const OLDER = createFormat(5, []);
export const NEWER = createFormat(5, STEPS);
const tear = () => {
  throw new Error('torn');
};

/** A start that cannot read documents under some keys. */
export function start(damaged: readonly string[], changes: Partial<StartRule> = {}): StartRule {
  return {
    log: collectingLog().log,
    nowMs: Date.now,
    release: { version: '0.9.0', commit: 'abc' },
    loadFaultsOf: async () => (key) => (damaged.includes(key) ? ['field: wrong'] : []),
    skipsDamaged: false,
    copies: true,
    ...changes,
  };
}

/** What every store on a server promises, beside what every kind of store does. */
export function serverContract(server: () => DatabaseServer): void {
  it('has every acknowledged write after the server was killed, and goes on when it is back', async () => {
    const onLost = vi.fn();
    const store = await opened(await server().newStore(), { onLost });
    let acknowledged = 0;
    let killed: Promise<void> | undefined;
    const writing = (async () => {
      for (;;) {
        await store.set(`w:${acknowledged}`, acknowledged);
        acknowledged += 1;
        if (acknowledged === 200) killed = server().kill();
      }
    })();
    await expect(writing).rejects.toThrow();
    // Neither hangs nor says that all is well.
    await expect(store.set('meanwhile', 1)).rejects.toThrow();
    await expect(store.get('w:0')).rejects.toThrow();
    await killed;
    await server().start();
    await vi.waitFor(() => store.set('back', 1), { timeout: 10_000, interval: 50 });
    const found = await all(store);
    for (let index = 0; index < acknowledged; index += 1)
      expect(found.get(`w:${index}`)).toBe(index);
    expect(acknowledged).toBeGreaterThanOrEqual(200);
    expect(onLost).not.toHaveBeenCalled();
  });
}

/** What every kind of store promises. */
export function storeContract(world: () => StoreWorld): void {
  describe('as every store', () => {
    it('keeps documents over a restart', async () => {
      const url = await world().newStore();
      const first = await opened(url);
      const document = { hello: ['wörld', 0.1, null, '\u0000', '\ud800', "'; --"] };
      await first.set('a:1', document);
      await first.set('b', 'text');
      await first.delete('b');
      await first.delete('was never there');
      await first.close();
      const second = await opened(url);
      expect(await second.get('a:1')).toEqual(document);
      expect(await second.get('b')).toBeUndefined();
      expect(await all(second)).toEqual(new Map([['a:1', document]]));
    });

    it('gives every document once, and lists every key once, however many there are', async () => {
      const store = await opened(await world().newStore());
      const keys = Array.from({ length: 1_100 }, (_, index) => `wallet:${index}`);
      for (let start = 0; start < keys.length; start += 100) {
        await Promise.all(keys.slice(start, start + 100).map((key) => store.set(key, { key })));
      }
      expect([...(await all(store)).keys()].toSorted()).toEqual(keys.toSorted());
      expect((await keysOf(store, 'wallet:')).toSorted()).toEqual(keys.toSorted());
    });

    it('lists keys by their beginning, and leaves documents out by it', async () => {
      const url = await world().newStore();
      const store = await opened(url);
      const keys = ['posted:1:a', 'wallet:a', 'wallet:b', 'wallets', 'watch:1:a', 'welcome:1', 'a'];
      for (const key of keys) await store.set(key, { key });
      // It is not even read.
      await plant(url, 'wallet:c', 'torn', world().ask);
      const listed = await keysOf(store, 'wallet:');
      expect(listed.toSorted()).toEqual(['wallet:a', 'wallet:b', 'wallet:c']);
      const found = await all({ entries: () => store.entries(['wallet:', 'posted:']) });
      expect([...found.keys()].toSorted()).toEqual(['a', 'wallets', 'watch:1:a', 'welcome:1']);
      expect(found.get('wallets')).toEqual({ key: 'wallets' });
    });

    it('reads how documents end, of those alone that there are', async () => {
      const store = await opened(await world().newStore());
      for (const title of ['Ja', 'Será']) await store.set(`wallet:${title}`, { title, left: [] });
      await store.set('wallet:long', { title: 'é'.repeat(100_000), left: ['not empty'] });
      const keys = ['wallet:Ja', 'wallet:long', 'wallet:none', 'wallet:Será'];
      const endings = await store.endings(keys, 12);
      expect([...endings].toSorted()).toEqual([
        ['wallet:Ja', ',"left":[]}}'],
        ['wallet:Será', ',"left":[]}}'],
        ['wallet:long', 'ot empty"]}}'],
      ]);
      // A character is left out or cut, and none of the end is.
      expect((await store.endings(['wallet:Será'], 14)).get('wallet:Será')).toMatch(
        /"left":\[\]\}\}$/,
      );
      expect(await store.endings(['wallet:none'], 12)).toEqual(new Map());
    });

    it('marks a document that is not JSON and goes on with the others', async () => {
      const url = await world().newStore();
      const store = await opened(url);
      await store.set('good', 1);
      await plant(url, 'bad', '{"value": tru', world().ask);
      const found = await all(store);
      expect(found.get('good')).toBe(1);
      expect(found.get('bad')).toBeInstanceOf(UnreadableDocument);
    });

    it.each([
      [
        'a later version',
        { schemaVersion: FORMAT.version + 1 },
        /by a later walletbell .*Start the later one/,
      ],
      [
        'a later version that says so',
        {
          schemaVersion: FORMAT.version + 1,
          writtenBy: { version: '0.10.0', commit: '1a2b3c4' },
        },
        /by a later walletbell 0\.10\.0, 1a2b3c4 .*Start 0\.10\.0, 1a2b3c4/,
      ],
      [
        'an earlier version',
        { schemaVersion: FORMAT.first - 1 },
        /by a walletbell before 0\.9\.0 .*none of .*\/watch export/,
      ],
      ['nobody knows who', { schemaVersion: 'x' }, /does not say which walletbell wrote it/],
    ])('does not touch what %s has written', async (_, meta, refusal) => {
      const url = await world().newStore();
      const other = await opened(url);
      await other.set('meta', meta);
      await other.close();
      await expect(openStore(url)).rejects.toThrow(refusal);
      // The refusal has given the store back, and has changed nothing.
      await expect(openStore(url)).rejects.toBeInstanceOf(StoreUnfit);
      const inspection = await inspectStore(url);
      expect(await inspection.get('meta')).toEqual(meta);
      await inspection.close();
    });

    it('turns what earlier releases have written when it is read, one document at a time, and stores it so when it changes', async () => {
      const url = await world().newStore();
      const first = await opened(url, { format: OLDER });
      for (const name of ['a', 'b']) await first.set(`watch:${name}`, [name]);
      await first.set('quarantine:watch:c', ['c']);
      await first.close();
      const second = await opened(url, { format: NEWER });
      expect(await second.get('watch:a')).toEqual(['a', 'watch:a 6', 'watch:a 7']);
      expect(await second.get('quarantine:watch:c')).toEqual(['c', 'watch:c 6', 'watch:c 7']);
      await second.set('watch:a', ['new']);
      expect((await all(second)).get('watch:a')).toEqual(['new']);
      await second.set('quarantine:watch:c', ['aside']);
      await second.close();
      const third = await opened(url, { format: createFormat(OLDER.first, [...STEPS, step(8)]) });
      expect(await all(third)).toEqual(
        new Map([
          ['watch:a', ['new', 'watch:a 8']],
          ['watch:b', ['b', 'watch:b 6', 'watch:b 7', 'watch:b 8']],
          // With the format in which it was put aside.
          ['quarantine:watch:c', ['aside', 'watch:c 8']],
        ]),
      );
      // A tool marks nothing.
      expect(await readMeta(third)).toEqual({ schemaVersion: OLDER.version });
    });

    it('keeps what no step turns as it was found, wherever it is put', async () => {
      const url = await world().newStore();
      const first = await opened(url, { format: NEWER });
      await first.set('watch:a', ['a']);
      await first.close();
      const later = await opened(url, {
        format: createFormat(OLDER.first, [...STEPS, tear]),
      });
      const found = await later.get('watch:a');
      expect(found).toBeInstanceOf(UnreadableDocument);
      expect(found).toMatchObject({ reason: 'torn' });
      await later.set('quarantine:watch:a', found);
      await later.close();
      const last = await opened(url, { format: NEWER });
      expect(await last.get('quarantine:watch:a')).toEqual(['a']);
    });

    it('is read whole before a start converts it: nothing is written where something cannot be read', async () => {
      const url = await world().newStore();
      const first = await opened(url, { format: OLDER, start: start([]) });
      await first.set('watch:a', ['a']);
      await first.set('watch:b', ['b']);
      await first.close();
      const writtenBy = { version: '0.9.0', commit: 'abc' };
      const refused = openStore(url, {
        format: NEWER,
        start: start(['watch:b'], { release: { version: '0.10.0', commit: 'def' } }),
      });
      await expect(refused).rejects.toBeInstanceOf(StoreUnfit);
      await expect(refused).rejects.toThrow(
        /1 cannot be read .*0\.10\.0, def, format 7.*\n {2}watch:b \(field: wrong\)\n.*walletbell 0\.9\.0, abc works.*--skip-damaged/s,
      );
      const between = await opened(url, { format: OLDER });
      expect(await readMeta(between)).toEqual({ schemaVersion: 5, writtenBy });
      expect(await between.get('watch:a')).toEqual(['a']);
      // A standby beside it says the same before.
      const beside = { format: NEWER, start: start(['watch:b']) };
      expect(await lookForStandby(url, beside, true)).toMatchObject({
        isFinal: true,
        reason: expect.stringContaining('watch:b (field: wrong)'),
      });
      // It reads the whole store once.
      expect(await lookForStandby(url, beside, false)).toMatchObject({
        reason: null,
        conversion: expect.stringMatching(/^format 5, mine 7: will convert/),
      });
      await between.close();
      const last = await opened(url, {
        format: NEWER,
        start: start(['watch:b'], { skipsDamaged: true }),
      });
      expect(await readMeta(last)).toEqual({ schemaVersion: 7, writtenBy });
      // On its own format a start does not look.
      await last.close();
      const again = await opened(url, { format: NEWER, start: start(['watch:a', 'watch:b']) });
      await again.close();
      await expect(openStore(url, { format: OLDER, start: start([]) })).rejects.toThrow(
        /later walletbell 0\.9\.0, abc/,
      );
    });

    it('lets one process in at a time, and the next one when the first has gone', async () => {
      const url = await world().newStore();
      const first = await opened(url);
      await expect(openStore(url)).rejects.toThrow(/in use by another walletbell.*twice/s);
      await first.set('a', 1);
      await first.close();
      expect(await (await opened(url)).get('a')).toBe(1);
    });

    it('proves whose it is', async () => {
      const url = await world().newStore();
      const first = await opened(url);
      await first.prove();
      await first.close();
      await expect(first.prove()).rejects.toThrow();
    });

    it('can be waited for', async () => {
      const url = await world().newStore();
      const first = await opened(url);
      await first.set('a', 1);
      const { log, lines } = collectingLog();
      const second = await awaitStore(url, {}, log, () => first.close());
      onTestFinished(second.close);
      expect(lines.map(({ event }) => event)).toEqual(['standby.waiting', 'standby.taking_over']);
      expect(await second.get('a')).toBe(1);
    });

    it('tells a standby beside its owner whether it could take over: not where it moved, or is of another format', async () => {
      const url = await world().newStore();
      const first = await opened(url);
      const look = () => lookForStandby(url, {}, true);
      expect(await look()).toEqual({ reason: null, isFinal: false, conversion: null });
      await first.set('copying', { from: 'another' });
      expect(await look()).toMatchObject({
        isFinal: false,
        reason: expect.stringContaining('incomplete'),
      });
      await first.delete('copying');
      await first.set('moved', {
        moves: [{ to: 'elsewhere', storeId: randomUUID(), shards: null }],
      });
      expect(await look()).toMatchObject({
        isFinal: true,
        reason: expect.stringContaining('has moved'),
      });
      await first.delete('moved');
      await first.set('meta', { schemaVersion: 999 });
      expect(await look()).toMatchObject({
        isFinal: true,
        reason: expect.stringContaining('999'),
      });
      await first.close();
    });

    it('is not waited for any longer once it has moved', async () => {
      const url = await world().newStore();
      const first = await opened(url);
      const { log, lines } = collectingLog();
      const waiting = awaitStore(url, {}, log, async () => {
        const move = { to: 'elsewhere', storeId: first.id, shards: null };
        await writeMark(first, 'moved', { moves: [move] });
        await first.close();
      });
      await expect(waiting).rejects.toThrow(StoreUnfit);
      expect(lines.map(({ event }) => event)).toEqual(['standby.waiting']);
    });

    it('has an id of its own, which it keeps', async () => {
      const [url, other] = [await world().newStore(), await world().newStore()];
      const ids: string[] = [];
      for (const place of [url, url, other]) {
        const store = await opened(place);
        ids.push(store.id);
        await store.close();
      }
      expect(ids).toEqual([
        expect.stringMatching(/^[0-9a-f-]{36}$/),
        ids[0],
        expect.not.stringMatching(ids[0] ?? ''),
      ]);
      const torn = await opened(url);
      await torn.set('store', { id: 'torn' });
      await torn.close();
      expect((await opened(url)).id).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('can be looked into without being changed, while it is open and when it is not', async () => {
      const url = await world().newStore();
      const before = await inspectStore(url);
      expect(before).toMatchObject({ isInUse: false, isNew: true });
      expect(await all(before)).toEqual(new Map());
      expect(await before.get('a')).toBeUndefined();
      await before.close();
      const store = await opened(url);
      await store.set('a', { b: 1 });
      const during = await inspectStore(url);
      expect(during).toMatchObject({
        isInUse: true,
        isNew: false,
        warnings: world().warnings ?? [],
      });
      expect(await all(during)).toEqual(new Map([['a', { b: 1 }]]));
      expect([await during.get('a'), await during.get("it's not there")]).toEqual([
        { b: 1 },
        undefined,
      ]);
      await during.close();
      await store.close();
      // PostgreSQL learns a moment later that its connection has ended.
      const after = await vi.waitFor(async () => {
        const inspection = await inspectStore(url);
        if (!inspection.isInUse) return inspection;
        await inspection.close();
        throw new Error('The store is still in use.');
      }, 20_000);
      expect(after).toMatchObject({ isInUse: false, isNew: false });
      expect(await all(after)).toEqual(new Map([['a', { b: 1 }]]));
      await after.close();
    });
  });
}
