import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { reasonOf } from '../faults.ts';
import { type Connection, connect } from './sqlite.ts';

/** Marks our files, so that another program's database is not mistaken for a ledger. */
const APPLICATION_ID = 0x57424c47;
const SCHEMA_VERSION = 1;

/**
 * Number of blocks per row of `block_span`. At two seconds per block this is nine hours, or a
 * thousand rows per year.
 */
export const BLOCKS_PER_SPAN = 16_384;

/*
 * `id` grows with each insertion and is never reused (AUTOINCREMENT), so (time, id) is the total
 * order of a list. Like all indexes of SQLite, each index ends with the row's id, so it serves that
 * order without sorting. (digest, occurrence) identifies a record: the digest of its fields, and
 * the number of equal records before it. `block_span` has the times of each range of blocks, so
 * that a filter by block becomes a filter by time.
 */
const SCHEMA = `
  CREATE TABLE activity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet BLOB NOT NULL, time INTEGER NOT NULL, block INTEGER NOT NULL, tx BLOB NOT NULL, market TEXT NOT NULL,
    digest BLOB NOT NULL, occurrence INTEGER NOT NULL, item TEXT NOT NULL
  );
  CREATE INDEX activity_by_time ON activity (wallet, time);
  CREATE INDEX activity_by_market ON activity (wallet, market, time);
  CREATE INDEX activity_by_tx ON activity (wallet, tx, time);
  CREATE UNIQUE INDEX activity_identity ON activity (digest, occurrence);

  CREATE TABLE transfer (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet BLOB NOT NULL, time INTEGER NOT NULL,
    digest BLOB NOT NULL, occurrence INTEGER NOT NULL, item TEXT NOT NULL
  );
  CREATE INDEX transfer_by_time ON transfer (wallet, time);
  CREATE UNIQUE INDEX transfer_identity ON transfer (digest, occurrence);

  CREATE TABLE block_span (
    wallet BLOB NOT NULL, span INTEGER NOT NULL, low_time INTEGER NOT NULL, high_time INTEGER NOT NULL,
    PRIMARY KEY (wallet, span)
  ) WITHOUT ROWID;
  CREATE TRIGGER activity_span AFTER INSERT ON activity BEGIN
    INSERT INTO block_span VALUES (new.wallet, new.block / ${BLOCKS_PER_SPAN}, new.time, new.time)
    ON CONFLICT (wallet, span) DO UPDATE
      SET low_time = min(low_time, excluded.low_time), high_time = max(high_time, excluded.high_time)
      WHERE excluded.low_time < low_time OR excluded.high_time > high_time;
  END;

  CREATE TABLE ledger (cursor_secret BLOB NOT NULL);
`;

/**
 * Opens or creates a ledger's file and its folder.
 *
 * @returns `writer` makes all writes, one after another. `reader` makes reads that need not wait
 *   for writes; in memory both are the same connection
 * @throws Error that names the file and what is wrong with it: not a database, another program's
 *   database, a newer version, locked, or not writable
 */
export async function openDatabase(path: string) {
  const isInMemory = path === ':memory:';
  try {
    if (!isInMemory) await mkdir(dirname(path), { recursive: true });
    const writer = await connect(path, 'create');
    try {
      const cursorSecret = await prepare(writer);
      const reader = isInMemory ? writer : await connect(path, 'read');
      // Memory-mapped because the fifty records of a page are scattered, and a system call for each
      // would take a third of a page's time.
      if (reader !== writer) {
        await reader.exec('PRAGMA busy_timeout = 5000; PRAGMA mmap_size = 2147418112;');
      }
      return { writer, reader, cursorSecret };
    } catch (error) {
      await writer.close();
      throw error;
    }
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(`Cannot open the ledger ${path}: ${reason}`, { cause });
  }
}

async function prepare(writer: Connection): Promise<Buffer> {
  await writer.exec('PRAGMA busy_timeout = 5000');
  const [application] = await writer.all<{ application_id: number }>('PRAGMA application_id');
  const [version] = await writer.all<{ user_version: number }>('PRAGMA user_version');
  const [tables] = await writer.all<{ count: number }>(
    'SELECT count(*) AS count FROM sqlite_schema',
  );
  if (tables?.count === 0) {
    await writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    await writer.exec(
      `BEGIN IMMEDIATE; ${SCHEMA}
       INSERT INTO ledger VALUES (X'${randomBytes(32).toString('hex')}');
       PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`,
    );
  } else if (application?.application_id !== APPLICATION_ID) {
    throw new Error(
      'it is a database of another program. Name a new file, or one that the venue made.',
    );
  } else if (version?.user_version !== SCHEMA_VERSION) {
    throw new Error(
      `its version is ${version?.user_version}; this venue reads version ${SCHEMA_VERSION}.`,
    );
  }
  // At most 64 MB of log and 256 MB of cache, because with these an import of random keys rewrites
  // each index page less often.
  await writer.exec(
    'PRAGMA wal_autocheckpoint = 16000; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -262144;',
  );
  const [row] = await writer.all<{ cursor_secret: Buffer }>('SELECT cursor_secret FROM ledger');
  if (row === undefined) throw new Error('its cursor secret is missing; the file is damaged.');
  return row.cursor_secret;
}
