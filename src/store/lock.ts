import { existsSync } from 'node:fs';
import { reasonOf } from '../lib/error.ts';
import { connect } from '../lib/sqlite.ts';
import { diskFull, isDiskFull, StoreError, storeInUse } from './error.ts';

/**
 * Takes a lock that dies with its process. A second SQLite file carries it, because a lock on the store itself would
 * also keep out the readers that make backups.
 *
 * @returns releases it; the operating system does when the process ends in any way
 * @throws {StoreError} if another process holds it, or the file cannot be made
 */
export async function acquireFileLock(path: string): Promise<() => Promise<void>> {
  try {
    const database = await connect(path, 'create');
    try {
      await database.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE');
    } catch (error) {
      await database.close();
      throw error;
    }
    return database.close;
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Whether a process holds the lock at this moment. Takes nothing that it does not give back at once. */
export async function isLockHeld(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const database = await connect(path, 'read').catch(() => null);
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

function unusable(path: string, error: unknown): StoreError {
  const store = path.replace(/\.lock$/, '');
  if (isBusy(error)) return storeInUse(store, error);
  if (isDiskFull(error)) return diskFull(`The store ${store}`, error);
  const text = reasonOf(error);
  return new StoreError(
    `The store ${store} cannot be locked (${text}): the file ${path} must be writable. Check STORE_URL and the rights of its folder.`,
    error,
  );
}
