import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import KeyvSqlite from '@keyv/sqlite';
import { Keyv } from 'keyv';
import { errorCode, reasonOf } from '../lib/error.ts';
import { connect } from '../lib/sqlite.ts';
import { sqlitePath } from './address.ts';
import { type Backend, deserialize, type Inspection, type Lose, NAMESPACE, orClosed } from './backend.ts';
import { diskFull, isDiskFull, lostStore, StoreError, StoreUnfit, storeInUse } from './error.ts';

const BUSY_TIMEOUT_MS = 5_000;
/** Keyv's iterator pages with OFFSET, so that its cost grows with the number of pages: large ones keep it linear. */
const ROWS_PER_PAGE = 50_000;
/** Interval of the check that the files are still the ones that were opened; each write checks as well. */
const FILE_CHECK_MS = 1_000;
const SOUND = 'PRAGMA quick_check(1)';
type Soundness = { readonly quick_check: string };

/** Opens, or makes, a file. @throws what SQLite says, or {StoreError} */
export async function open(url: string, lose: Lose): Promise<Backend> {
  const path = sqlitePath(url);
  refuseFolder(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    if (isDiskFull(error)) throw diskFull(`The store ${path}`, error);
    throw new StoreError(`The folder of the store ${path} cannot be created. Check STORE_URL and its rights.`, error);
  }
  refuseForeign(path);
  const release = await acquireLock(path);
  return orClosed(release, async () => {
    // SQLite gives what it keeps beside the file the same rights.
    closeSync(openSync(path, 'a', 0o600));
    const adapter = new KeyvSqlite({
      uri: `sqlite://${path}`,
      busyTimeout: BUSY_TIMEOUT_MS,
      iterationLimit: ROWS_PER_PAGE,
    });
    // Every failure also reaches the caller as a rejection; without a listener Node would end the process instead.
    adapter.on('error', () => {});
    const keyv = new Keyv({
      store: adapter,
      namespace: NAMESPACE,
      throwOnErrors: true,
      serialize: JSON.stringify,
      deserialize: <T>(raw: string) => ({ value: deserialize(raw) as T }),
    });
    keyv.on('error', () => {});
    const areSame = await orClosed(
      () => adapter.close().catch(() => {}),
      async () => {
        await adapter.query('PRAGMA journal_mode=WAL');
        await adapter.query('PRAGMA synchronous=FULL');
        refuseUnsound(await adapter.query(SOUND));
        return rememberFiles([path, `${path}-wal`, lockPath(path)]);
      },
    );
    // A write into removed files is lost, and another process may open the files that were put in their place.
    const loss = () => (areSame() ? null : lose(lostStore(path)));
    const prove = async () => {
      const lost = loss();
      if (lost !== null) throw lost;
    };
    /** Writes only while the files are the ones that were opened; a write during which they were replaced is rejected. */
    const write = async (work: () => Promise<unknown>) => {
      await prove();
      await work();
      await prove();
    };
    const timer = setInterval(loss, FILE_CHECK_MS).unref();
    return {
      warnings: rightsWarnings(path),
      get: (key) => keyv.get(key),
      set: (key, document) => write(() => keyv.set(key, document)),
      delete: (key) => write(() => keyv.delete(key)),
      async *entries() {
        for await (const entry of keyv.iterator?.(NAMESPACE) ?? []) yield entry;
      },
      // The operating system keeps the lock for as long as the process is there, also while it is stopped.
      prove,
      async close() {
        clearInterval(timer);
        await keyv.disconnect();
        await release();
      },
    };
  });
}

/** Opens a file for reading only, whether or not a bot has it open. @throws what SQLite says */
export async function inspect(url: string): Promise<Inspection> {
  const path = sqlitePath(url);
  refuseFolder(path);
  refuseForeign(path);
  // Opening it would make it.
  const database = await (existsSync(path) ? connect(path, 'read') : connect(':memory:', 'create'));
  return orClosed(database.close, async () => {
    refuseUnsound(await database.all<Soundness>(SOUND));
    const tables = await database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
    const isNew = tables.every(({ name }) => name !== 'keyv');
    const rows = async (condition: string, key: string) => {
      if (isNew) return [];
      return database.all<{ key: string; value: string }>(`SELECT key, value FROM keyv WHERE key ${condition} ?`, [
        `${NAMESPACE}:${key}`,
      ]);
    };
    const isForeign = isNew && tables.length > 0;
    return {
      isInUse: await isLockHeld(path),
      isNew,
      warnings: [
        ...(isForeign ? [`${path} holds tables of another program. Check STORE_URL.`] : []),
        ...rightsWarnings(path),
      ],
      async get(key) {
        const [row] = await rows('=', key);
        return row === undefined ? undefined : deserialize(row.value);
      },
      async *entries() {
        for (const { key, value } of await rows('LIKE', '%'))
          yield [key.slice(NAMESPACE.length + 1), deserialize(value)] as const;
      },
      close: database.close,
    };
  });
}

/** @throws {Error} if the answer to `SOUND` is not that the file is sound */
function refuseUnsound([check]: readonly Soundness[]): void {
  if (check?.quick_check !== 'ok') throw new Error(`quick_check: ${check?.quick_check}`);
}

/** @throws {StoreError} if there is a file of another user that this one may not read */
function refuseForeign(path: string): void {
  try {
    if (existsSync(path)) accessSync(path, constants.R_OK);
  } catch (error) {
    if (errorCode(error) !== 'EACCES' || statSync(path).uid === process.getuid?.()) return;
    const text = `The store ${path} belongs to another user, and this one may not read it. Run as its owner, or give it to this user (chown).`;
    throw new StoreError(text, error);
  }
}

/** That other users of the machine may read, or even write, what the bot stores. */
function rightsWarnings(path: string): readonly string[] {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & 0o077) === 0 || process.platform === 'win32') return [];
  return [`${path} can be read by other users of this machine (${mode.toString(8)}). chmod 600 ${path}*`];
}

/** @throws {StoreUnfit} if a folder stands where the store's file should be */
export function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new StoreUnfit(`The store ${path} is a folder. Name a file in it in STORE_URL.`);
}

/** A second SQLite file carries the lock, because one on the store itself would also keep out the readers that make backups. */
function lockPath(path: string): string {
  return `${path}.lock`;
}

/**
 * Takes a lock that dies with its process.
 *
 * @returns releases it; the operating system does when the process ends in any way
 * @throws {StoreError} if another process holds it, or the file cannot be made
 */
async function acquireLock(path: string): Promise<() => Promise<void>> {
  try {
    const database = await connect(lockPath(path), 'create');
    await orClosed(database.close, () => database.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE'));
    return database.close;
  } catch (error) {
    if (isBusy(error)) throw storeInUse(path, error);
    if (isDiskFull(error)) throw diskFull(`The store ${path}`, error);
    const text = `The store ${path} cannot be locked (${reasonOf(error)}): the file ${lockPath(path)} must be writable. Check STORE_URL and the rights of its folder.`;
    throw new StoreError(text, error);
  }
}

/** Whether a process holds the lock at this moment. Takes nothing that it does not give back at once. */
async function isLockHeld(path: string): Promise<boolean> {
  if (!existsSync(lockPath(path))) return false;
  const database = await connect(lockPath(path), 'read').catch(() => null);
  try {
    await database?.all('SELECT count(*) FROM sqlite_master');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    await database?.close();
  }
}

function isBusy(error: unknown): boolean {
  return /BUSY|LOCKED/.test(String(error));
}

/**
 * Remembers which files some paths lead to at this moment; where there is none, none is expected later.
 *
 * @returns whether each path still leads to the same file, by device and inode, as SQLite itself compares them
 *   (SQLITE_READONLY_DBMOVED); what cannot be asked counts as unchanged
 */
function rememberFiles(paths: readonly string[]): () => boolean {
  const remembered = paths
    .map((path) => ({ path, before: identityOf(path) }))
    .filter(({ before }) => before !== 'missing' && before !== 'unknown');
  return () => remembered.every(({ path, before }) => [before, 'unknown'].includes(identityOf(path)));
}

/** Takes some microseconds. */
function identityOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'missing' : `${found.dev}:${found.ino}`;
  } catch {
    // No right to look, or a disk that fails: that says nothing of the file, and writing to it will fail by itself.
    return 'unknown';
  }
}
