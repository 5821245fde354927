import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import KeyvSqlite from '@keyv/sqlite';
import sqlite3 from 'sqlite3';
import { type Backend, type BackendOptions, documentsIn, type Inspection, NAMESPACE } from './backend.ts';
import { unwrap } from './document.ts';
import { diskFull, isDiskFull, lostStore, StoreError, storeIsFolder } from './error.ts';
import { rememberFiles } from './file-identity.ts';
import { acquireFileLock, isLockHeld } from './lock.ts';

const BUSY_TIMEOUT_MS = 5_000;
/** Keyv's iterator pages with OFFSET, so that its cost grows with the number of pages: large ones keep it linear. */
const ROWS_PER_PAGE = 50_000;
/** How often it is looked whether the files are still the ones that were opened, beside each write. */
const LOOK_MS = 1_000;

/** Opens, or makes, a file. @throws what SQLite says, see `explainSqlite`, or {StoreError} */
export async function openSqlite(path: string, options: Pick<BackendOptions, 'onLost'>): Promise<Backend> {
  if (isFolder(path)) throw storeIsFolder(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    if (isDiskFull(error)) throw diskFull(`The store ${path}`, error);
    throw new StoreError(`The folder of the store ${path} cannot be created. Check STORE_URL and its rights.`, error);
  }
  const lock = await acquireFileLock(lockPath(path));
  try {
    return await openLocked(path, lock.release, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(
  path: string,
  release: () => Promise<void>,
  options: Pick<BackendOptions, 'onLost'>,
): Promise<Backend> {
  let areSame = () => true;
  let loss: StoreError | undefined;
  // What is written to files that were removed is gone, and whoever finds others in their place may open them.
  const checkFiles = () => {
    if (loss === undefined && !areSame()) {
      loss = lostStore(path);
      clearInterval(timer);
      options.onLost(loss);
    }
    return loss;
  };
  let timer: NodeJS.Timeout | undefined;
  const adapter = new OwnedSqlite(path, () => {
    const lost = checkFiles();
    if (lost !== undefined) throw lost;
  });
  // Every failure also reaches the caller as a rejection; without a listener Node would end the process instead.
  adapter.on('error', () => {});
  const keyv = documentsIn(adapter);
  try {
    await adapter.query('PRAGMA journal_mode=WAL');
    await adapter.query('PRAGMA synchronous=FULL');
    const [check] = await adapter.query('PRAGMA quick_check(1)');
    if (check?.quick_check !== 'ok') throw new Error(`quick_check: ${check?.quick_check}`);
    areSame = rememberFiles([path, `${path}-wal`, lockPath(path)]);
  } catch (error) {
    await adapter.close().catch(() => {});
    throw error;
  }
  timer = setInterval(checkFiles, LOOK_MS);
  timer.unref();
  return {
    keyv,
    async *entries() {
      for await (const entry of keyv.iterator?.(NAMESPACE) ?? []) yield entry;
    },
    async close() {
      clearInterval(timer);
      await keyv.disconnect();
      await release();
    },
  };
}

/** Writes only while the files are the ones that were opened. A write that they were taken from under is no write. */
class OwnedSqlite extends KeyvSqlite {
  readonly #check: () => void;

  /** @param check throws if they are not */
  constructor(path: string, check: () => void) {
    super({ uri: `sqlite://${path}`, busyTimeout: BUSY_TIMEOUT_MS, iterationLimit: ROWS_PER_PAGE });
    this.#check = check;
  }

  override async set(key: string, value: string): Promise<void> {
    this.#check();
    await super.set(key, value);
    this.#check();
  }

  override async delete(key: string): Promise<boolean> {
    this.#check();
    const isDeleted = await super.delete(key);
    this.#check();
    return isDeleted;
  }
}

/** Looks into a file without changing it, whether or not a bot has it open. @throws what SQLite says */
export async function inspectSqlite(path: string): Promise<Inspection> {
  if (isFolder(path)) throw storeIsFolder(path);
  if (!existsSync(path)) {
    return { isInUse: false, isNew: true, warnings: [], async *entries() {}, close: async () => {} };
  }
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) =>
      error ? reject(error) : resolve(opened),
    );
  });
  const all = (sql: string) =>
    new Promise<readonly Readonly<Record<string, unknown>>[]>((resolve, reject) =>
      database.all<Readonly<Record<string, unknown>>>(sql, (error, rows) => (error ? reject(error) : resolve(rows))),
    );
  const close = () => new Promise<void>((resolve) => database.close(() => resolve()));
  try {
    const [check] = await all('PRAGMA quick_check(1)');
    if (check?.['quick_check'] !== 'ok') throw new Error(`quick_check: ${check?.['quick_check']}`);
    const tables = (await all("SELECT name FROM sqlite_master WHERE type = 'table'")).map(({ name }) => name);
    const isNew = !tables.includes('keyv');
    const rows = isNew ? [] : await all(`SELECT key, value FROM keyv WHERE key LIKE '${NAMESPACE}:%'`);
    const isForeign = isNew && tables.length > 0;
    return {
      isInUse: await isLockHeld(lockPath(path)),
      isNew,
      warnings: isForeign ? [`${path} holds tables of another program. Check STORE_URL.`] : [],
      async *entries() {
        for (const { key, value } of rows)
          yield [String(key).slice(NAMESPACE.length + 1), unwrap(String(value))] as const;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether a folder stands at the path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function lockPath(path: string): string {
  return `${path}.lock`;
}

/** Says what an error of SQLite means for whoever runs the bot. */
export function explainSqlite(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (isDiskFull(error)) return diskFull(`The store ${path}`, error);
  const text = error instanceof Error ? error.message : String(error);
  if (/NOTADB|CORRUPT|malformed|quick_check/.test(text)) {
    return new StoreError(
      `The store ${path} is not a sound SQLite database (${text}). Put a backup in its place, or move it away to begin with an empty one.`,
      error,
    );
  }
  if (/BUSY|LOCKED/.test(text)) {
    return new StoreError(
      `The store ${path} is locked by another program (${text}). End that program, then start again.`,
      error,
    );
  }
  if (/READONLY|EACCES|EPERM/.test(text)) {
    return new StoreError(
      `The store ${path} is read-only (${text}). Give this user the right to write it and its folder.`,
      error,
    );
  }
  return new StoreError(
    `The store ${path} cannot be opened (${text}). Check STORE_URL, the rights and the free space.`,
    error,
  );
}
