import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import sqlite3 from 'sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { StoreUnfit } from '../../src/store/error.ts';
import { backUpSqlite, LOG_WARN_BYTES } from '../../src/store/sqlite.ts';
import { awaitStore, inspectStore, openStore } from '../../src/store/store.ts';
import { fullDisk, MAY_MOUNT, smallDisk } from '../support/full-disk.ts';
import { collectingLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temp.ts';
import { execute, opened, storeContract } from './contract.ts';

const newPath = () => join(temporaryFolder(), 'store.sqlite');
/** The file of a store that was made and closed. */
async function madePath(): Promise<string> {
  const path = newPath();
  await (await openStore(`sqlite://${path}`)).close();
  return path;
}

describe('the store on SQLite', () => {
  storeContract(() => ({
    newStore: async () => `sqlite://${join(temporaryFolder(), 'deep', 'folder', 'store.sqlite')}`,
  }));

  it('is waited for also while its place cannot be written', async () => {
    const folder = join(temporaryFolder(), 'data');
    const url = `sqlite://${join(folder, 'store.sqlite')}`;
    const first = await openStore(url);
    const { log, lines } = collectingLog();
    const steps = [
      () => {
        renameSync(folder, `${folder}.away`);
        writeFileSync(folder, 'no folder');
      },
      async () => {
        rmSync(folder);
        renameSync(`${folder}.away`, folder);
        await first.close();
      },
    ];
    const second = await awaitStore(url, {}, log, async () => steps.shift()?.());
    await second.close();
    expect(lines.map(({ event }) => event)).toEqual([
      'standby.waiting',
      'standby.store_failed',
      'standby.taking_over',
    ]);
  });

  it('takes its log back to 64 MB once it has been copied into the file', async () => {
    const path = newPath();
    const store = await openStore(`sqlite://${path}`);
    const logBytes = () => statSync(`${path}-wal`).size;
    await store.set('large', 'x'.repeat(70_000_000));
    expect(logBytes()).toBeGreaterThan(70_000_000);
    // The first write copies the log into the file, the next one begins it anew.
    for (const document of [1, 2, 3]) await store.set('a', document);
    expect(logBytes()).toBe(67_108_864);
    await store.close();
  });

  it('warns of a log that has grown far beyond that', async () => {
    const path = await madePath();
    const log = openSync(`${path}-wal`, 'w');
    ftruncateSync(log, LOG_WARN_BYTES + 1);
    closeSync(log);
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    await (await openStore(`sqlite://${path}`, { onWarning })).close();
    expect(warnings).toEqual([
      `The write-ahead log ${path}-wal has grown to 268 MB: another program reads the store in one ` +
        'long transaction. End that program, such as a sqlite3 shell.',
    ]);
  });

  it('writes ahead and waits until the disk has it', async () => {
    const path = newPath();
    const store = await opened(`sqlite://${path}`);
    await store.set('a', 1);
    expect(existsSync(`${path}-wal`)).toBe(true);
  });

  it('is of its own user alone, and warns of one that others may read', async () => {
    const path = newPath();
    const warnings: string[] = [];
    const url = `sqlite://${path}`;
    for (const mode of [0o600, 0o644]) {
      const store = await openStore(url, { onWarning: (text) => warnings.push(text) });
      await store.set('a', 1);
      expect(statSync(path).mode & 0o777).toBe(mode);
      await store.close();
      chmodSync(path, 0o644);
    }
    expect(warnings).toEqual([
      expect.stringMatching(/store\.sqlite can be read by other users .*\(644\).*chmod 600/),
    ]);
    const inspection = await inspectStore(url);
    expect(inspection.warnings).toEqual(warnings);
    await inspection.close();
  });

  it.skipIf(process.getuid?.() !== 0)('says that the file is another user’s', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'store.sqlite');
    await (await openStore(`sqlite://${path}`)).close();
    chmodSync(folder, 0o777);
    expect((await openAsOrdinaryUser(path))[0]).toMatch(
      /store\.sqlite belongs to another user, and this one may not read it/,
    );
  });

  it('says that a file is no database, and leaves it as it is', async () => {
    const path = newPath();
    writeFileSync(path, 'not a database at all, but long enough to look like one'.repeat(100));
    await expect(openStore(`sqlite://${path}`)).rejects.toThrow(
      /store\.sqlite is not a sound SQLite database.*backup/s,
    );
    expect(readFileSync(path, 'utf8')).toContain('not a database at all');
  });

  it('says that a database is damaged', async () => {
    const path = newPath();
    const store = await openStore(`sqlite://${path}`);
    for (let index = 0; index < 200; index += 1) await store.set(`key:${index}`, 'x'.repeat(500));
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096 * 2, bytes.length - 100);
    writeFileSync(path, bytes);
    await expect(openStore(`sqlite://${path}`)).rejects.toThrow(/not a sound SQLite database/);
  });

  it('says that another program holds the database', async () => {
    const path = await madePath();
    const holder = new sqlite3.Database(path);
    await new Promise<void>((resolve) =>
      holder.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE', () => resolve()),
    );
    await expect(openStore(`sqlite://${path}`)).rejects.toThrow(/is locked by another program/);
    await new Promise<void>((resolve) => holder.close(() => resolve()));
  });

  describe('when somebody takes its files away while it is open', () => {
    const LOST = /does not belong to this process any more.*removed or replaced/s;

    async function openInFolder() {
      const folder = join(temporaryFolder(), 'data');
      const path = join(folder, 'store.sqlite');
      const onLost = vi.fn();
      const store = await opened(`sqlite://${path}`, { onLost });
      await store.set('a', 1);
      await backUpSqlite(path, join(folder, '..', 'copy.sqlite'));
      const remove = (...endings: string[]) => {
        for (const ending of endings) rmSync(path + ending);
      };
      const restore = () => copyFileSync(join(folder, '..', 'copy.sqlite'), path);
      return { folder, path, store, onLost, remove, restore };
    }
    type World = Awaited<ReturnType<typeof openInFolder>>;

    const deeds: Record<string, (world: World) => void> = {
      'removes the store': ({ remove }) => remove('', '-wal', '-shm'),
      'removes the lock alone': ({ remove }) => remove('.lock'),
      'removes what was written ahead alone': ({ remove }) => remove('-wal'),
      'puts a copy in its place': ({ remove, restore }) => {
        remove('', '-wal', '-shm');
        restore();
      },
      'moves another file over it': ({ folder, path }) =>
        renameSync(join(folder, '..', 'copy.sqlite'), path),
      'removes the folder': ({ folder }) => rmSync(folder, { recursive: true }),
      'moves the folder away': ({ folder }) => renameSync(folder, `${folder}.old`),
    };
    for (const [what, deed] of Object.entries(deeds)) {
      it(`${what}: it says once that the store is lost, and writes nothing any more`, async () => {
        const world = await openInFolder();
        deed(world);
        await expect(world.store.set('a', 2)).rejects.toThrow(LOST);
        await expect(world.store.delete('a')).rejects.toThrow(LOST);
        expect(world.onLost.mock.calls).toEqual([
          [expect.objectContaining({ message: expect.stringMatching(LOST) })],
        ]);
      });
    }

    it('notices it also while it has nothing to write', async () => {
      const world = await openInFolder();
      world.remove('.lock');
      await vi.waitFor(() => expect(world.onLost).toHaveBeenCalledOnce(), { timeout: 10_000 });
    });

    it('leaves alone what the next one has put in their place', async () => {
      const world = await openInFolder();
      world.remove('', '-wal', '-shm', '.lock');
      world.restore();
      const next = await opened(`sqlite://${world.path}`);
      await next.set('b', 2);
      await expect(world.store.set('a', 3)).rejects.toThrow(LOST);
      await world.store.close();
      await next.set('c', 3);
      await next.close();
      const last = await opened(`sqlite://${world.path}`);
      expect(await Promise.all(['a', 'b', 'c'].map((key) => last.get(key)))).toEqual([1, 2, 3]);
    });

    it('does not mind a backup, a look from outside or another file beside it', async () => {
      const world = await openInFolder();
      await execute(world.path, 'PRAGMA wal_checkpoint(TRUNCATE)');
      writeFileSync(join(world.folder, 'note.txt'), 'hello');
      await world.store.set('a', 2);
      expect(await world.store.get('a')).toBe(2);
      expect(world.onLost).not.toHaveBeenCalled();
    });
  });

  it('says that a folder stands where the file should be', async () => {
    const folder = temporaryFolder();
    const said = new RegExp(`${folder} is a folder\\. Name a file in it`);
    await expect(openStore(`sqlite://${folder}`)).rejects.toThrow(said);
    await expect(openStore(`sqlite://${folder}`)).rejects.toBeInstanceOf(StoreUnfit);
    await expect(inspectStore(`sqlite://${folder}`)).rejects.toThrow(said);
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(`${folder}.lock`)).toBe(false);
  });

  it.skipIf(!MAY_MOUNT)('says that the disk is full', async () => {
    const folder = fullDisk();
    const said = /store\.sqlite cannot be written: its disk is full\. Make room/;
    await expect(openStore(`sqlite://${join(folder, 'store.sqlite')}`)).rejects.toThrow(said);
    writeFileSync(join(folder, 'store.sqlite.lock'), '');
    await expect(openStore(`sqlite://${join(folder, 'store.sqlite')}`)).rejects.toThrow(said);
  });

  it('treats a file without a byte as a new store, to look at and to open, and warns of tables of others', async () => {
    const path = newPath();
    const scanned = async () => {
      const { isNew, warnings, close } = await inspectStore(`sqlite://${path}`);
      await close();
      return { isNew, warnings };
    };
    writeFileSync(path, '', { mode: 0o600 });
    expect(await scanned()).toEqual({ isNew: true, warnings: [] });
    await execute(path, 'CREATE TABLE other (a)');
    expect(await scanned()).toEqual({
      isNew: true,
      warnings: [`${path} holds tables of another program. Check STORE_URL.`],
    });
    await (await openStore(`sqlite://${path}`)).close();
    expect(await scanned()).toEqual({ isNew: false, warnings: [] });
  });

  it('says that the file, or its folder, is read-only, and that starting again does not help', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'sub', 'store.sqlite');
    mkdirSync(join(folder, 'sub'));
    await (await openStore(`sqlite://${path}`)).close();
    chmodSync(path, 0o444);
    chmodSync(join(folder, 'sub'), 0o555);
    const [ofFile, ofFolder] = await openAsOrdinaryUser(
      path,
      join(folder, 'sub', 'new', 'store.sqlite'),
    );
    expect(ofFile).toMatch(/^78 .*its folder \S+sub is read-only \(EACCES\)/);
    expect(ofFolder).toMatch(
      /^78 .*its folder \S+new is read-only \(EACCES\)\. Give this user the right/,
    );
  });

  it.skipIf(!MAY_MOUNT)(
    'names a folder of a read-only file system from the root on, and ends with 78',
    async () => {
      const { folder, makeReadOnly } = smallDisk(64);
      makeReadOnly();
      const path = relative(process.cwd(), join(folder, 'data', 'store.sqlite'));
      const refused = openStore(`sqlite://${path}`);
      await expect(refused).rejects.toBeInstanceOf(StoreUnfit);
      await expect(refused).rejects.toThrow(`The store ${folder}/data/store.sqlite cannot be made`);
    },
  );
});

/**
 * Opens stores in a process of its own, and returns a line for each: the superuser may write
 * everything, so that the test's work is done by somebody else then.
 */
async function openAsOrdinaryUser(...paths: readonly string[]): Promise<string[]> {
  const isRoot = process.getuid?.() === 0;
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('../../src/store/store.ts', import.meta.url).href)});
    for (const path of ${JSON.stringify(paths)})
      await openStore('sqlite://' + path).then(() => console.log('opened'), (error) => console.log(error.exitCode, error.message));
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    env: { PATH: process.env['PATH'], TSX_DISABLE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).trimEnd().split('\n');
}
