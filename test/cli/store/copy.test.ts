import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDocuments, writeDocuments } from '../../../src/cli/store/fill.ts';
import { sqlitePath } from '../../../src/store/address.ts';
import { backUpSqlite } from '../../../src/store/sqlite.ts';
import { openStore } from '../../../src/store/store.ts';
import { countKinds } from '../../releases/keep.ts';
import { FULL_WORLD, walletAddress, worldDocuments } from '../../support/stored-world.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { variants, within } from '../../support/thorough.ts';
import {
  contents,
  copyStore,
  documentOf,
  runStore,
  spawnStore,
  storeKinds,
  writeStore,
} from './stores.ts';

const kinds = storeKinds();
/** The one that differs most from SQLite, where it is there. */
const lastKind = kinds.names.at(-1);
const pairs = kinds.names.flatMap((from) =>
  kinds.names.map((to): [from: string, to: string] => [from, to]),
);
/** Each kind once as FROM and once as TO: what is chosen does not depend on the kind. */
const neighbours = kinds.names.map((from, index): [from: string, to: string] => [
  from,
  kinds.names.at(index - 1) ?? from,
]);
const fullWorld = worldDocuments(FULL_WORLD);

describe('npm run store -- copy', { timeout: within(120_000) }, () => {
  it.each(variants(pairs, (pair) => neighbours.some((other) => String(other) === String(pair))))(
    'copies every document from %s to %s, and counts them',
    async (fromKind, toKind) => {
      const [[from], to] = [await kinds.pair(fullWorld, fromKind), await kinds.newStore(toKind)];
      const { exitCode, output, errors } = await runStore(['copy', 'env:FROM', 'env:TO'], {
        FROM: from,
        TO: to,
      });
      expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
      expect(await contents(to)).toEqual(fullWorld);
      expect(await contents(from)).toEqual(fullWorld);
      expect(output).toMatch(/^Copied \S+ to \S+: \d+ documents, read back and compared\.\n/);
      expect(output).toContain(`: ${fullWorld.size} documents, `);
      const counted = Object.fromEntries(
        [...output.matchAll(/^ {2}(\w+): (\d+)$/gm)].map(([, kind, count]) => [
          kind,
          Number(count),
        ]),
      );
      expect(counted).toEqual(countKinds(fullWorld.keys()));
      expect(output).toMatch(
        /^A bot can still be started on \S+\. If one ran on it and one on \S+, both would post every alert/m,
      );
      // Each is a store of its own, and can be started.
      const ids = await Promise.all(
        [from, to].map(async (url) => {
          const store = await openStore(url);
          await store.close();
          return store.id;
        }),
      );
      expect(new Set(ids).size).toBe(2);
    },
  );

  it('copies all for a bot of some shards, and names these as its own', async () => {
    const [from, to] = await kinds.pair(fullWorld);
    const { exitCode, output } = await copyStore(from, to, '--shards 0,2 --of 4');
    expect(exitCode).toBe(0);
    expect(output).toMatch(
      /^\S+ is for shards 0,2 of 4: a bot with these deletes the rest there when it starts\.$/m,
    );
    expect(await contents(to)).toEqual(fullWorld);
    expect(await documentOf(to, 'moved')).toMatchObject({
      moves: [{ shards: { ids: [1, 3], count: 4 } }],
    });
    const all = await kinds.newStore();
    expect(await copyStore(from, all, '--shards 0,1 --of 2')).toMatchObject({ exitCode: 0 });
    expect(await documentOf(all, 'moved')).toBeUndefined();
  });

  it.each(variants(kinds.names, (kind) => kind === lastKind))(
    'names what cannot be read or is of nobody in %s, and writes nothing until it is told to',
    async (kind) => {
      const [[from], to] = [await kinds.pair(fullWorld, kind), await kinds.newStore()];
      const wallet = (number: number) => `wallet:${walletAddress(number)}`;
      const [first, second] = [fullWorld.get(wallet(1)), fullWorld.get(wallet(2))] as {
        outbox: unknown[];
        state: object;
      }[];
      const torn = { detectionState: 'torn' };
      await writeStore(from, [
        ['watch:1:2', { ownerId: 'none' }],
        [wallet(1), { ...first, outbox: [...(first?.outbox ?? []), { id: 'torn' }] }],
        [wallet(2), { ...second, state: { ...second?.state, activity: torn, other: 1 } }],
        [wallet(0), { version: 7 }],
        ['session:abc', { of: 'another program' }],
      ]);
      await kinds.plant(from, 'digest:torn', '{"value": tru');
      const refused = await copyStore(from, to);
      expect(refused).toMatchObject({ exitCode: 1, output: '' });
      const named = refused.errors.split('\n');
      expect([...named.slice(1, 6)].toSorted()).toEqual(
        [
          '  digest:torn',
          `  ${wallet(0)}`,
          `  ${wallet(1)} (alerts: 1)`,
          `  ${wallet(2)} (activity, other)`,
          '  watch:1:2',
        ].toSorted(),
      );
      expect([named[0], ...named.slice(6)]).toEqual([
        'Documents that cannot be read: 5',
        'Documents that belong to nobody: 1',
        '  session:abc',
        'With --skip-damaged these stay where they are, and the rest is copied.',
        'Nothing has been copied.',
        '',
      ]);
      expect(await contents(to)).toEqual(new Map());
      const before = await contents(from);

      const { output } = await copyStore(from, to, '--skip-damaged');
      expect(output).toMatch(/^Left in \S+: 6 that cannot be read or belong to nobody\.$/m);
      const copy = await contents(to);
      expect(await contents(from)).toEqual(before);
      // A watched wallet without a document would announce everything since its watches began.
      expect(copy.get(wallet(0))).toMatchObject({
        state: { activity: { detectionState: { seen: [] } } },
        outbox: [{ event: { gap: { cause: 'damage' } } }, { event: { gap: { cause: 'damage' } } }],
      });
      expect(copy.get(wallet(1))).toEqual(first);
      // Its channels are told of the time that is missing.
      expect(copy.get(wallet(2))).toEqual({
        ...second,
        state: { ...second?.state, activity: null },
      });
      // What channels were told of a wallet that begins anew is left behind.
      const isOfAnew = (key: string) =>
        key.startsWith('posted:') && key.endsWith(wallet(0).replace('wallet:', ':'));
      const others = (documents: ReadonlyMap<string, unknown>) =>
        [...documents].filter(([key]) => !key.startsWith('wallet:') && !isOfAnew(key));
      expect([...copy.keys()].filter(isOfAnew)).toEqual([]);
      expect([...fullWorld.keys()].filter(isOfAnew)).not.toEqual([]);
      expect(new Map(others(copy))).toEqual(new Map(others(fullWorld)));
    },
  );

  it.each(variants(kinds.names, (kind) => kind === lastKind))(
    'refuses %s that is not empty, is in use, is missing or is the same',
    async (kind) => {
      const [[from, to], empty] = [await kinds.pair(fullWorld, kind), await kinds.newStore(kind)];
      await writeStore(to, [
        ['watch:a', 1],
        ['watch:b', 2],
        ['other', 3],
      ]);
      const copy = async (source: string, target: string) => {
        const { exitCode, errors, output } = await copyStore(source, target);
        expect(output).toBe('');
        return `${exitCode} ${errors.trim().split('\n').at(-1)}`;
      };
      expect(await copy(from, to)).toMatch(
        /^1 The store \S+ is not empty: it holds other: 1, watch: 2\. Name an empty one\.$/,
      );
      expect(await copy(empty, to)).toMatch(/^1 There is no store at \S+ to copy\. Check FROM\.$/);
      const elsewhere =
        kind === 'SQLite'
          ? from.replace('/store', '/./store')
          : from.replace('127.0.0.1', 'localhost');
      expect(await copy(from, elsewhere)).toMatch(
        /^1 FROM and TO are the same store, or one is a backup of the other\.$/,
      );
      for (const url of [from, empty]) {
        const store = await openStore(url);
        expect(await copy(from, empty)).toMatch(
          /^1 The store \S+ is in use by another walletbell\./,
        );
        await store.close();
      }
    },
  );

  it('takes a store that a bot has opened and left empty', async () => {
    const [from, to] = await kinds.pair(fullWorld);
    await writeStore(to, [['probe', { atMs: 1 }]]);
    expect(await copyStore(from, to)).toMatchObject({ exitCode: 0 });
    expect(await documentOf(to, 'store')).not.toEqual(await documentOf(from, 'store'));
    expect(await contents(to)).toEqual(fullWorld);
  });

  it('refuses a backup of the same store', async () => {
    const [from] = await kinds.pair([]);
    const target = join(temporaryFolder(), 'backup.sqlite');
    await backUpSqlite(sqlitePath(from), target);
    expect(await copyStore(from, `sqlite://${target}`)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('backup'),
    });
  });

  it('finds whatever is not as it was written', async () => {
    const url = await kinds.newStore();
    const store = await openStore(url, { shards: null });
    const written = await writeDocuments(
      store,
      (async function* () {
        yield* fullWorld;
      })(),
      () => {},
    );
    await checkDocuments(store, written, 'there');
    const [first = '', second = ''] = fullWorld.keys();
    for (const [key, document] of [
      [first, undefined],
      [second, { ...(fullWorld.get(second) as object), other: 1 }],
      ['more', 1],
    ] as const) {
      if (document === undefined) await store.delete(key);
      else await store.set(key, document);
      await expect(checkDocuments(store, written, 'there')).rejects.toThrow(
        `there does not hold what was written into it: 1 documents are missing or different, such as ${key}.`,
      );
      if (fullWorld.has(key)) await store.set(key, fullWorld.get(key));
      else await store.delete(key);
    }
    await checkDocuments(store, written, 'there');
    await store.close();
  });

  it('is a program that takes addresses from variables and .env', async () => {
    const directory = temporaryFolder();
    const [store] = await kinds.pair(fullWorld);
    writeFileSync(join(directory, '.env'), `STORE_URL=${store}\n`);
    const copied = await spawnStore(
      ['copy', 'env:STORE_URL', 'env:TO'],
      { TO: 'sqlite://copy.sqlite' },
      directory,
    );
    const said = { exitCode: 0, errors: '' };
    expect(copied).toMatchObject({ ...said, output: expect.stringMatching(/^Copied /) });
    expect(statSync(join(directory, 'copy.sqlite')).mode & 0o777).toBe(0o600);
    const usage = expect.stringMatching(/^Use: npm run store -- copy FROM TO/);
    expect(await spawnStore(['--help'])).toMatchObject({ ...said, output: usage });
    expect(await spawnStore(['copy'])).toMatchObject({ exitCode: 64, output: '' });
  });

  it('says what is wrong with its words, without a part of an address', async () => {
    const run = async (...texts: string[]) => {
      const { exitCode, output, errors } = await runStore(texts, { NOTHING: '' });
      expect(output + errors).not.toContain('planted');
      return `${exitCode} ${(output + errors).split('\n')[0]}`;
    };
    expect(await run()).toBe('64 A word is missing.');
    expect(await run('move', 'a', 'b')).toBe('64 "move" is not taken here.');
    expect(await run('copy', 'sqlite://a')).toBe('64 A word is missing.');
    const to = ['copy', 'sqlite://a', 'sqlite://b'];
    expect(await run(...to, 'postgres://bell:planted@h/b')).toBe('64 There is a word too many.');
    const ambiguous = await run('copy', 'sqlite://a', 'postgres://bell:pl@nted@h/b');
    expect(ambiguous).toMatch(/^64 TO cannot be read: it has a character/);
    expect(await run('copy', 'a', 'sqlite://b')).toMatch(/^64 FROM is not a store\./);
    for (const name of ['NOWHERE', 'NOTHING']) {
      expect(await run('copy', `env:${name}`, 'sqlite://b')).toBe(
        '64 FROM names a variable that is not set.',
      );
    }
    expect(await run(...to, '--force')).toMatch(/^64 Unknown option '--force'/);
    expect(await run(...to, '--shards', '0,1')).toMatch(/^64 --of is missing: --shards is a list/);
    expect(await run(...to, '--of', '4')).toMatch(/^64 --shards is not a list of shards/);
    expect(await run(...to, '--shards', '4', '--of', '4')).toMatch(
      /^64 --shards names shard 4, and there are 4\. /,
    );
  });
});
