import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import KeyvSqlite from '@keyv/sqlite';
import { Keyv } from 'keyv';
import { errorCode, reasonOf } from '../lib/error.ts';
import { connect, type SqlValue } from '../lib/sqlite.ts';
import { sqlitePath } from './address.ts';
import {
  type Backend,
  type BackendInspection,
  type InspectOptions,
  type Lose,
  NAMESPACE,
  orClosed,
} from './backend.ts';
import {
  diskFull,
  explainStoreError,
  isDiskFull,
  lostStore,
  StoreError,
  StoreInUse,
  StorePlaceUnfit,
  StoreUnfit,
} from './error.ts';
import { KEYS_A_PAGE, LEAST_ROWS, rowsAfter } from './page-rows.ts';

const BUSY_TIMEOUT_MS = 5_000;
/**
 * Interval of the check that the files are still the opened ones, in ms; each write checks as well.
 */
const FILE_CHECK_MS = 1_000;
/**
 * Ending of the name of a backup by `backUpSqlite` until it is complete, and the age from which
 * such a file is a leftover.
 */
const UNFINISHED = /\.\d+-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.part$/;
const LEFTOVER_MS = 3_600_000;
/** Size to which the write-ahead log shrinks once nothing reads the store, in bytes. */
const LOG_LIMIT_BYTES = 67_108_864;
/** Size of the write-ahead log from which the operator is warned, in bytes. */
export const LOG_WARN_BYTES = 268_435_456;
const LOG_CHECK_MS = 3_600_000;
const SOUND = 'PRAGMA quick_check(1)';
type Soundness = { readonly quick_check: string };
type Row = { readonly key: string; readonly value: string };
const PREFIX = `${NAMESPACE}:`;

/**
 * Opens or creates a file.
 *
 * @throws SQLite's error, or {StoreError}
 */
export async function open(
  url: string,
  lose: Lose,
  onWarning: (text: string) => void,
): Promise<Backend> {
  const path = sqlitePath(url);
  refuseFolder(path);
  makeFolder(path);
  refuseForeign(path);
  const release = await acquireLock(path);
  return orClosed(release, async () => {
    // SQLite gives its additional files the same permissions.
    fs.closeSync(fs.openSync(path, 'a', 0o600));
    const adapter = new KeyvSqlite({
      uri: `sqlite://${path}`,
      busyTimeout: BUSY_TIMEOUT_MS,
    });
    // Every failure also reaches the caller as a rejection; without a listener Node would end the
    // process.
    adapter.on('error', () => {});
    const keyv = new Keyv({
      store: adapter,
      namespace: NAMESPACE,
      throwOnErrors: true,
      serialize: ({ value }) => String(value),
      deserialize: <T>(text: string) => ({ value: text as T }),
    });
    keyv.on('error', () => {});
    const areSame = await orClosed(
      () => adapter.close().catch(() => {}),
      async () => {
        await adapter.query('PRAGMA journal_mode=WAL');
        await adapter.query('PRAGMA synchronous=FULL');
        await adapter
          .query(`PRAGMA journal_size_limit=${LOG_LIMIT_BYTES}`)
          .catch((error: unknown) =>
            onWarning(`SQLite sets no limit to its write-ahead log: ${reasonOf(error)}`),
          );
        refuseUnsound(await adapter.query(SOUND));
        return rememberFiles([path, `${path}-wal`, lockPath(path)]);
      },
    );
    // A write into removed files is lost, and another process may open the files that replaced
    // them.
    const prove = async () => {
      if (!areSame()) throw lose(lostStore(path));
    };
    /**
     * Writes only while the files are still the ones that were opened. Rejects a write during which
     * they were replaced.
     */
    const write = async (work: () => Promise<unknown>) => {
      await prove();
      await work();
      await prove();
    };
    const query: Query = (sql, params) => adapter.query(sql, params);
    const timer = setInterval(() => void prove().catch(() => {}), FILE_CHECK_MS).unref();
    const warnOfLog = () => {
      const warning = logWarning(path);
      if (warning !== null) onWarning(warning);
    };
    warnOfLog();
    const logTimer = setInterval(warnOfLog, LOG_CHECK_MS).unref();
    return {
      warnings: rightsWarnings(path),
      get: (key) => keyv.get(key),
      set: (key, text) => write(() => keyv.set(key, text)),
      delete: (key) => write(() => keyv.delete(key)),
      entries: (except) => pages(query, except),
      keys: (prefix) => keys(query, prefix),
      endings: (keys, length) => endings(query, keys, length),
      // The operating system keeps the lock as long as the process exists, even while it is
      // stopped.
      prove,
      async close() {
        clearInterval(timer);
        clearInterval(logTimer);
        await keyv.disconnect();
        await release();
      },
    };
  });
}

/** Returns a warning about a write-ahead log that is far above its limit; null if it is not. */
function logWarning(path: string): string | null {
  const log = `${path}-wal`;
  const bytes = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes < LOG_WARN_BYTES) return null;
  return (
    `The write-ahead log ${log} has grown to ${Math.round(bytes / 1_000_000)} MB: another program ` +
    'reads the store in one long transaction. End that program, such as a sqlite3 shell.'
  );
}

/**
 * Opens a file for reading only, whether or not a bot has it open.
 *
 * @throws SQLite's error
 */
export async function inspect(
  url: string,
  { isQuick, isOneMoment }: InspectOptions,
): Promise<BackendInspection> {
  const path = sqlitePath(url);
  refuseFolder(path);
  refuseForeign(path);
  // Opening it would create it.
  const database = await (fs.existsSync(path)
    ? connect(path, 'read')
    : connect(':memory:', 'create'));
  return orClosed(database.close, async () => {
    if (!isQuick) refuseUnsound(await database.all<Soundness>(SOUND));
    if (isOneMoment) await database.exec('BEGIN');
    const tables = await database.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    const isNew = tables.every(({ name }) => name !== 'keyv');
    const foreign =
      isNew && tables.length > 0
        ? [`${path} holds tables of another program. Check STORE_URL.`]
        : [];
    return {
      isInUse: await isLockHeld(path),
      isNew,
      warnings: [...foreign, ...rightsWarnings(path)],
      async get(key) {
        if (isNew) return undefined;
        const sql = 'SELECT key, value FROM keyv WHERE key = ?';
        const [row] = await database.all<Row>(sql, [PREFIX + key]);
        return row?.value;
      },
      async *entries(except) {
        if (!isNew) yield* pages((sql, params) => database.all<Row>(sql, params), except);
      },
      close: database.close,
    };
  });
}

type Query = (sql: string, params: SqlValue[]) => Promise<readonly Row[]>;

/**
 * Iterates over all documents of the namespace except those whose keys begin with one of the
 * prefixes. It reads page by page, so that it blocks a running bot no longer than one page takes.
 */
async function* pages(query: Query, except: readonly string[] = []) {
  let from = PREFIX;
  for (const prefix of [...except].sort()) {
    yield* range(query, from, PREFIX + prefix);
    from = rangeEnd(PREFIX + prefix);
  }
  yield* range(query, from, rangeEnd(PREFIX));
}

/** Iterates over the documents in a range of keys, both ends exclusive. */
async function* range(query: Query, from: string, end: string) {
  const sql = 'SELECT key, value FROM keyv WHERE key > ? AND key < ? ORDER BY key LIMIT ?';
  let limit = LEAST_ROWS;
  for (let last = from; last < end; ) {
    const rows = await query(sql, [last, end, limit]);
    for (const { key, value } of rows) yield [key.slice(PREFIX.length), value] as const;
    last = rows.at(-1)?.key ?? end;
    if (rows.length < limit) return;
    limit = rowsAfter(rows.map(({ value }) => value));
  }
}

/** Iterates over all keys that begin with a prefix; SQLite reads them from the index only. */
async function* keys(query: Query, prefix: string) {
  const sql = 'SELECT key FROM keyv WHERE key > ? AND key < ? ORDER BY key LIMIT ?';
  const end = rangeEnd(PREFIX + prefix);
  for (let last = PREFIX + prefix; ; ) {
    const rows = await query(sql, [last, end, KEYS_A_PAGE]);
    for (const { key } of rows) yield key.slice(PREFIX.length);
    if (rows.length < KEYS_A_PAGE) return;
    last = rows.at(-1)?.key ?? end;
  }
}

/**
 * Returns the endings of texts by key. They are cut as bytes, because counting characters from the
 * beginning takes SQLite five times as long.
 */
async function endings(query: Query, keys: readonly string[], length: number) {
  const ending = 'CAST(substr(CAST(value AS BLOB), ?) AS TEXT)';
  const places = keys.map(() => '?').join(', ');
  const sql = `SELECT key, ${ending} AS value FROM keyv WHERE key IN (${places})`;
  const rows = await query(sql, [-length, ...keys.map((key) => PREFIX + key)]);
  return new Map(rows.map(({ key, value }) => [key.slice(PREFIX.length), value]));
}

/** Returns the first text after all that begin with a prefix. */
function rangeEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/**
 * Copies a SQLite store as of this moment, also while a bot writes to it; data that is only in the
 * write-ahead log is included. The copy is one file, and exists only once it is complete and on the
 * disk.
 *
 * @throws {StoreError} if there is no store, if the target already exists or cannot be written, or
 *   if the store is damaged
 */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  refuseFolder(path);
  if (!fs.existsSync(path)) {
    throw new StoreError(`There is no store at ${path} to back up. Check STORE_URL.`);
  }
  if (fs.existsSync(target)) throw existsAlready(target, undefined);
  // The name is unique to this process, because two simultaneous backups must not write to one
  // file.
  const unfinished = `${resolve(target)}.${process.pid}-${randomUUID()}.part`;
  try {
    deleteLeftovers(dirname(resolve(target)));
    await vacuumInto(path, unfinished);
    moveWithoutReplacing(unfinished, target);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // Nothing is written to the store, so the full disk is the target's.
    if (isDiskFull(error)) throw diskFull(`The backup ${target}`, error);
    if (/unable to open database|CANTOPEN/.test(String(error))) {
      throw new StoreError(
        `The backup ${target} cannot be written. Its folder must exist and be writable.`,
        error,
      );
    }
    throw explainStoreError('sqlite', path, error);
  } finally {
    fs.rmSync(unfinished, { force: true });
  }
}

/**
 * Writes the contents of a SQLite file to a new file, which is on the disk afterwards.
 *
 * @throws the error of SQLite or the file system
 */
export async function vacuumInto(path: string, target: string): Promise<void> {
  const database = await connect(path, 'write');
  const into = target.replaceAll("'", "''");
  await database
    .exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; VACUUM INTO '${into}'`)
    .finally(database.close);
  const file = await fs.promises.open(target, 'r+');
  await file.sync();
  await file.close();
}

/** Deletes the remains of killed backups; a running one keeps writing, so its file is recent. */
function deleteLeftovers(folder: string): void {
  if (!fs.existsSync(folder)) return;
  for (const name of fs.readdirSync(folder).filter((name) => UNFINISHED.test(name))) {
    const path = join(folder, name);
    const found = fs.statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > LEFTOVER_MS) fs.rmSync(path);
  }
}

/**
 * Moves a file without replacing an existing one; a rename would replace a backup created in the
 * meantime.
 */
function moveWithoutReplacing(from: string, target: string): void {
  try {
    fs.linkSync(from, target);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || fs.existsSync(target)) throw existsAlready(target, error);
    // The file system has no links, such as FAT.
    fs.renameSync(from, target);
  }
}

function existsAlready(target: string, cause: unknown): StoreError {
  return new StoreError(`${target} exists already. Name a file that does not.`, cause);
}

/** @throws {Error} if the response to `SOUND` does not say that the file is sound */
function refuseUnsound([check]: readonly Soundness[]): void {
  if (check?.quick_check !== 'ok') throw new Error(`quick_check: ${check?.quick_check}`);
}

/** @throws {StoreError} if the file belongs to another user and cannot be read */
function refuseForeign(path: string): void {
  try {
    if (fs.existsSync(path)) fs.accessSync(path, fs.constants.R_OK);
  } catch (error) {
    if (errorCode(error) !== 'EACCES' || fs.statSync(path).uid === process.getuid?.()) return;
    const text =
      `The store ${path} belongs to another user, and this one may not read it. ` +
      'Run as its owner, or give it to this user (chown).';
    throw new StoreError(text, error);
  }
}

/** Returns a warning if other users of the machine may read, or even write, the bot's data. */
function rightsWarnings(path: string): readonly string[] {
  const mode = (fs.statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & 0o077) === 0 || process.platform === 'win32') return [];
  return [
    `${path} can be read by other users of this machine (${mode.toString(8)}). chmod 600 ${path}*`,
  ];
}

/** @throws {StoreUnfit} if the path is a folder */
function refuseFolder(path: string): void {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new StoreUnfit(`The store ${path} is a folder. Name a file in it in STORE_URL.`);
}

/**
 * Codes of faults that an operator has to fix. Node's recursive mkdir also returns ENOENT for a
 * read-only file system.
 */
const NOT_OURS = ['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EEXIST'];

/**
 * Creates the folder of a store, in which SQLite creates additional files.
 *
 * @throws {StorePlaceUnfit} if that is refused
 */
function makeFolder(path: string): void {
  const folder = dirname(path);
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    if (!NOT_OURS.includes(errorCode(error))) throw error;
    const code = errorCode(error);
    const fault =
      `The store ${path} cannot be made or written: its folder ${folder} ` +
      `is read-only (${code}).`;
    throw new StorePlaceUnfit(
      `${fault} Give this user the right to write it, or name another file in STORE_URL.`,
      error,
    );
  }
}

/**
 * Returns the path of a second SQLite file that carries the lock. A lock on the store itself would
 * also exclude readers that make backups.
 */
function lockPath(path: string): string {
  return `${path}.lock`;
}

/**
 * Acquires a lock that ends with its process.
 *
 * @returns a function that releases it
 * @throws {StoreError} if it is held, or cannot be created
 */
async function acquireLock(path: string): Promise<() => Promise<void>> {
  try {
    const database = await connect(lockPath(path), 'create');
    await orClosed(database.close, () =>
      database.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE'),
    );
    return database.close;
  } catch (error) {
    if (isBusy(error)) throw new StoreInUse(path, error);
    // The caller explains this error; the folder's permissions are not the cause.
    if (isDiskFull(error)) throw error;
    const text =
      `The store ${path} cannot be locked (${reasonOf(error)}): ` +
      `the file ${lockPath(path)} must be writable. ` +
      'Check STORE_URL and the rights of its folder.';
    throw new StoreError(text, error);
  }
}

/** Whether a process holds the lock at this moment. The check keeps no lock itself. */
async function isLockHeld(path: string): Promise<boolean> {
  if (!fs.existsSync(lockPath(path))) return false;
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
 * Remembers which files the paths lead to at this moment.
 *
 * @returns a function that checks whether each path still leads to the same file, by device and
 *   inode, as SQLite itself compares them (SQLITE_READONLY_DBMOVED); unreadable files count as
 *   unchanged
 */
function rememberFiles(paths: readonly string[]): () => boolean {
  const found = paths.map((path) => ({ path, before: identityOf(path) }));
  const remembered = found.filter(({ before }) => before !== 'unknown');
  return () =>
    remembered.every(({ path, before }) => [before, 'unknown'].includes(identityOf(path)));
}

/** Takes a few microseconds. */
function identityOf(path: string): string {
  try {
    const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'missing' : `${found.dev}:${found.ino}`;
  } catch {
    // A missing permission or a failing disk says nothing about the file, and writing to it will
    // fail by itself.
    return 'unknown';
  }
}
