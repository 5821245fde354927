import { existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import sqlite3 from 'sqlite3';
import { StoreError } from './error.ts';
import { explainSqlite } from './sqlite.ts';

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies a SQLite store as it is at this moment, also while a bot writes to it: what is only in the write-ahead log yet
 * comes along. The copy is one file, and is there only when it is complete and on the disk.
 *
 * @throws {StoreError} if there is no store, if the target exists already or cannot be written, or if the store is damaged
 */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  if (!existsSync(path)) throw new StoreError(`There is no store at ${path} to back up. Check STORE_URL.`, undefined);
  if (existsSync(target)) throw new StoreError(`${target} exists already. Name a file that does not.`, undefined);
  const unfinished = `${resolve(target)}.part`;
  rmSync(unfinished, { force: true });
  try {
    await execute(path, `VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (/unable to open database|CANTOPEN/.test(String(error))) {
      throw new StoreError(`The backup ${target} cannot be written. Its folder must exist and be writable.`, error);
    }
    throw explainSqlite(path, error);
  }
  const file = await open(unfinished, 'r+');
  await file.sync();
  await file.close();
  renameSync(unfinished, target);
}

async function execute(path: string, sql: string): Promise<void> {
  const database = await new Promise<sqlite3.Database>((done, failed) => {
    const opened = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) =>
      error ? failed(error) : done(opened),
    );
  });
  database.configure('busyTimeout', BUSY_TIMEOUT_MS);
  try {
    await new Promise<void>((done, failed) => database.exec(sql, (error) => (error ? failed(error) : done())));
  } finally {
    await new Promise<void>((done) => database.close(() => done()));
  }
}
