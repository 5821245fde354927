import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COPY_KEPT_MS, deleteOldCopies, keptCopies } from '../../src/store/copy-before.ts';
import { StoreUnfit } from '../../src/store/error.ts';
import { readMeta } from '../../src/store/marks.ts';
import { backUpSqlite } from '../../src/store/sqlite.ts';
import { inspectStore, lookForStandby, openStore } from '../../src/store/store.ts';
import { MAY_MOUNT, smallDisk } from '../support/full-disk.ts';
import { temporaryFolder } from '../support/temp.ts';
import { all, NEWER, OLDER, opened, start } from './contract.ts';

const UPDATE = {
  format: NEWER,
  start: start([], { release: { version: '0.10.0', commit: 'def' } }),
};

/** A store that an older program has left. */
async function olderStore(folder = temporaryFolder(), text = 'a') {
  const path = join(folder, 'store.sqlite');
  const url = `sqlite://${path}`;
  const store = await opened(url, { format: OLDER, start: start([]) });
  await store.set('watch:a', [text]);
  await store.close();
  return { path, url };
}

/** What lies beside a store of which nothing is open. */
const beside = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => !['', '.lock', '-wal', '-shm'].includes(name.replace(basename(path), '')))
    .toSorted();

describe('a SQLite store', () => {
  it('is copied before it is converted: the older program opens the copy and has everything', async () => {
    const { path, url } = await olderStore();
    // A start that was killed while it copied.
    writeFileSync(`${path}.before.part`, 'half a copy');
    const newer = await opened(url, UPDATE);
    await newer.set('watch:a', ['changed']);
    await newer.close();
    expect(beside(path)).toEqual(['store.sqlite.before-0.10.0']);
    const copy = await opened(`sqlite://${path}.before-0.10.0`, {
      format: OLDER,
      start: start([]),
    });
    expect(await all(copy)).toEqual(new Map([['watch:a', ['a']]]));
    await copy.close();
    // The older program says where it is.
    await expect(openStore(url, { format: OLDER })).rejects.toThrow(
      /by a later walletbell 0\.10\.0, def .*To go back: .*store\.sqlite\.before-0\.10\.0 holds .*No trade is lost/,
    );
  });

  it('is not copied again once it is converted, and a copy gives way to that of the next update', async () => {
    const { path, url } = await olderStore();
    await (await opened(url, UPDATE)).close();
    const [first] = keptCopies(url);
    await (await opened(url, UPDATE)).close();
    expect(keptCopies(url)).toEqual([first]);
    writeFileSync(`${path}.before-0.9.5`, 'of an earlier update');
    utimesSync(`${path}.before-0.9.5`, 1, 1);
    const store = await opened(url, { format: NEWER });
    await store.set('meta', { schemaVersion: OLDER.version });
    await store.set('watch:b', ['b']);
    await store.close();
    await (await opened(url, UPDATE)).close();
    expect(beside(path)).toEqual(['store.sqlite.before-0.10.0']);
    const copy = await inspectStore(`sqlite://${path}.before-0.10.0`, { format: NEWER });
    expect([...(await all(copy)).keys()]).toContain('watch:b');
    await copy.close();
  });

  it('keeps its copy for fourteen days', async () => {
    const { path, url } = await olderStore();
    await (await opened(url, UPDATE)).close();
    const { madeAtMs = 0 } = keptCopies(url)[0] ?? {};
    expect(deleteOldCopies(url, madeAtMs + COPY_KEPT_MS)).toEqual([]);
    expect(deleteOldCopies(url, madeAtMs + COPY_KEPT_MS + 1)).toEqual([`${path}.before-0.10.0`]);
    expect(beside(path)).toEqual([]);
  });

  it.skipIf(!MAY_MOUNT)(
    'is not converted where the copy has no room, which a standby says before; it is without one',
    async () => {
      const disk = smallDisk(512);
      const { path, url } = await olderStore(disk.folder, 'x'.repeat(100_000));
      writeFileSync(join(disk.folder, 'filler'), 'x'.repeat(280_000));
      const refused = openStore(url, UPDATE);
      await expect(refused).rejects.toThrow(
        /no room for that: \d+ of \d+ bytes lack.*npm run backup -- FILE.*--no-copy/,
      );
      await expect(refused).rejects.toBeInstanceOf(StoreUnfit);
      expect(beside(path)).toEqual(['filler']);
      expect(await lookForStandby(url, UPDATE, true)).toMatchObject({
        reason: expect.stringMatching(/bytes lack/),
        isFinal: false,
        conversion: expect.stringMatching(
          /will convert, after a copy of \d+ bytes, which takes at least 1 s\./,
        ),
      });
      const without = { ...UPDATE, start: { ...UPDATE.start, copies: false } };
      const store = await opened(url, without);
      expect(await readMeta(store)).toMatchObject({ schemaVersion: NEWER.version });
      expect(keptCopies(url)).toEqual([]);
    },
  );

  it('is backed up without leaving what a backup left that was killed', async () => {
    const { path, url } = await olderStore();
    const folder = temporaryFolder();
    const named = (age: string) =>
      join(folder, `${age}.12-0f0e0d0c-0b0a-4908-8706-050403020100.part`);
    for (const age of ['old', 'new']) writeFileSync(named(age), 'half a backup');
    utimesSync(named('old'), 1, 1);
    await backUpSqlite(path, join(folder, 'whole.sqlite'));
    expect([existsSync(named('old')), existsSync(named('new'))]).toEqual([false, true]);
    expect(keptCopies(url)).toEqual([]);
  });
});
