import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorCode } from '../lib/error.ts';
import { connect } from '../lib/sqlite.ts';
import { diskFull, explainStoreError, isDiskFull, StoreError } from './error.ts';
import { refuseFolder } from './sqlite.ts';

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies a SQLite store as it is at this moment, also while a bot writes to it: what is only in the write-ahead log yet
 * comes along. The copy is one file, and is there only when it is complete and on the disk.
 *
 * @throws {StoreError} if there is no store, if the target exists already or cannot be written, or if the store is damaged
 */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  refuseFolder(path);
  if (!existsSync(path)) throw new StoreError(`There is no store at ${path} to back up. Check STORE_URL.`);
  if (existsSync(target)) throw existsAlready(target, undefined);
  // A name of this process's own: two backups at once must not write into one file.
  const unfinished = `${resolve(target)}.${process.pid}-${randomUUID()}.part`;
  try {
    const database = await connect(path, 'write');
    const into = unfinished.replaceAll("'", "''");
    await database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; VACUUM INTO '${into}'`).finally(database.close);
    const file = await open(unfinished, 'r+');
    await file.sync();
    await file.close();
    moveWithoutReplacing(unfinished, target);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // Nothing is written into the store: it is the target's disk that is full.
    if (isDiskFull(error)) throw diskFull(`The backup ${target}`, error);
    if (/unable to open database|CANTOPEN/.test(String(error))) {
      throw new StoreError(`The backup ${target} cannot be written. Its folder must exist and be writable.`, error);
    }
    throw explainStoreError('sqlite', path, error);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** A rename would replace what another backup has put there meanwhile. */
function moveWithoutReplacing(from: string, target: string): void {
  try {
    linkSync(from, target);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || existsSync(target)) throw existsAlready(target, error);
    // A file system without links, such as FAT.
    renameSync(from, target);
  }
}

function existsAlready(target: string, cause: unknown): StoreError {
  return new StoreError(`${target} exists already. Name a file that does not.`, cause);
}
