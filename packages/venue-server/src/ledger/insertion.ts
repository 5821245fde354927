import { COLUMNS, type Row } from '../record.ts';
import type { Connection, SqlValue } from './sqlite.ts';

/**
 * Possible numbers of rows per statement: few shapes to prepare, and few round trips for many rows.
 */
const CHUNK_SIZES = [256, 16, 1];

const KINDS = ['activity', 'transfer'] as const;

/**
 * Appends rows within the caller's transaction. Each row is stored as new, even if it equals
 * another.
 *
 * @returns their ids, in the order of the rows
 */
export async function appendRows(writer: Connection, rows: readonly Row[]): Promise<number[]> {
  const ids: number[] = [];
  for (const kind of KINDS) {
    const places = [...rows.keys()].filter((place) => rows[place]?.kind === kind);
    const ofKind = rows.filter((row) => row.kind === kind);
    let done = 0;
    for (const chunk of chunksOf(ofKind)) {
      const earlier = `(SELECT max(occurrence) + 1 FROM ${kind} WHERE digest = batch.digest)`;
      const { changes, lastId } = await insertChunk(writer, chunk, earlier);
      if (changes !== chunk.length) {
        throw new Error(`Expected ${chunk.length} new records, got ${changes}.`);
      }
      // The rows come from one statement of the only writer, so their ids are consecutive.
      for (const index of chunk.keys()) {
        ids[places[done + index] ?? 0] = lastId - chunk.length + 1 + index;
      }
      done += chunk.length;
    }
  }
  return ids;
}

/** Starts counting the records of an import. */
export async function openImport(writer: Connection): Promise<void> {
  await writer.exec(
    'CREATE TABLE temp.seen (digest BLOB PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID',
  );
}

/**
 * Ends the count, frees the memory of a large import, and checkpoints its records from the log into
 * the file that readers map.
 */
export async function closeImport(writer: Connection): Promise<void> {
  await writer.exec('DROP TABLE temp.seen; PRAGMA wal_checkpoint(PASSIVE); PRAGMA shrink_memory;');
}

/**
 * Inserts rows of the open import within the caller's transaction. The n-th of equal rows matches
 * the n-th in the ledger, and is skipped if the ledger has that many.
 *
 * @returns the number of new rows
 */
export async function importRows(writer: Connection, rows: readonly Row[]): Promise<number> {
  let added = 0;
  for (const kind of KINDS) {
    for (const chunk of chunksOf(rows.filter((row) => row.kind === kind))) {
      const earlier = '(SELECT count FROM temp.seen WHERE digest = batch.digest)';
      added += (await insertChunk(writer, chunk, earlier)).changes;
      await writer.run(
        `INSERT INTO temp.seen VALUES ${tuples(chunk.length, 2)} ON CONFLICT (digest) DO UPDATE SET count = count + 1`,
        chunk.flatMap((row) => [row.digest, 1]),
      );
    }
  }
  return added;
}

/** @param earlier SQL that counts the equal records before this chunk; NULL means none */
function insertChunk(writer: Connection, rows: readonly Row[], earlier: string) {
  const table = rows[0]?.kind ?? 'activity';
  const columns = COLUMNS[table];
  const names = [...columns, 'digest', 'nth', 'item'];
  const nth = new Map<string, number>();
  const params = rows.flatMap((row): SqlValue[] => {
    const key = row.digest.toString('latin1');
    const before = nth.get(key) ?? 0;
    nth.set(key, before + 1);
    return [...row.columns, row.digest, before, row.itemJson];
  });
  return writer.run(
    `WITH batch (${names.join(', ')}) AS (VALUES ${tuples(rows.length, names.length)})
     INSERT INTO ${table} (${columns.join(', ')}, digest, occurrence, item)
     SELECT ${columns.join(', ')}, digest, nth + coalesce(${earlier}, 0), item FROM batch WHERE true
     ON CONFLICT (digest, occurrence) DO NOTHING`,
    params,
  );
}

function tuples(count: number, width: number): string {
  return Array(count)
    .fill(`(${Array(width).fill('?').join(', ')})`)
    .join(', ');
}

function* chunksOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0, size = 0; start < rows.length; start += size) {
    size = CHUNK_SIZES.find((candidate) => candidate <= rows.length - start) ?? 1;
    yield rows.slice(start, start + size);
  }
}
