import { existsSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import { diskFull, isDiskFull, StoreError, storeInUse } from './error.ts';

/** Held until released, or until the process ends in any way: the operating system gives it back. */
export interface FileLock {
  release(): Promise<void>;
}

/**
 * Takes a lock that dies with its process. A second SQLite file carries it, because a lock on the store itself would
 * also keep out the readers that make backups.
 *
 * @throws {StoreError} if another process holds it, or the file cannot be made
 */
export async function acquireFileLock(path: string): Promise<FileLock> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(path, (error) => (error ? reject(unusable(path, error)) : resolve(opened)));
  });
  const close = () => new Promise<void>((resolve) => database.close(() => resolve()));
  const execute = (sql: string) =>
    new Promise<void>((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve())));
  try {
    await execute('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    await close();
    throw unusable(path, error);
  }
  return { release: close };
}

/** Whether a process holds the lock at this moment. Takes nothing that it does not give back at once. */
export async function isLockHeld(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const database = await new Promise<sqlite3.Database | null>((resolve) => {
    const opened = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => resolve(error ? null : opened));
  });
  if (database === null) return false;
  const error = await new Promise<Error | null>((resolve) =>
    database.get('SELECT count(*) FROM sqlite_master', (refused) => resolve(refused)),
  );
  await new Promise<void>((resolve) => database.close(() => resolve()));
  return error !== null && /BUSY|LOCKED/.test(error.message);
}

function unusable(path: string, error: unknown): StoreError {
  const store = path.replace(/\.lock$/, '');
  const text = error instanceof Error ? error.message : String(error);
  if (/BUSY|LOCKED/.test(text)) {
    return storeInUse(store, error);
  }
  if (isDiskFull(error)) return diskFull(`The store ${store}`, error);
  return new StoreError(
    `The store ${store} cannot be locked (${text}): the file ${path} must be writable. Check STORE_URL and the rights of its folder.`,
    error,
  );
}
