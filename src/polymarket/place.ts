import { createHash } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../lib/text/json.ts';
import { hasTransaction, placeHash, rowKey } from './record.ts';
import type { ActivityQuery } from './source.ts';
import type { ActivityRow } from './source-rows.ts';

export type ListName = 'activity' | 'deposits-withdrawals';

/**
 * A row that cannot be read, with its time if that is readable. The bot treats it as unreadable.
 */
export interface Unreadable {
  readonly unreadable: string;
  readonly time?: number;
  readonly txHash?: string;
}

/** A row of the source; "foreign" is a row of another wallet. */
export type SourceRow = ActivityRow | 'foreign' | Unreadable;

export const isRow = (row: SourceRow): row is ActivityRow =>
  row !== 'foreign' && !('unreadable' in row);

/** Filters of the activity endpoint; times in Unix seconds, inclusive. */
export interface PageFilters {
  readonly marketIds?: readonly string[] | undefined;
  readonly txHash?: string | undefined;
  readonly fromTimestamp?: number | undefined;
  readonly toTimestamp?: number | undefined;
}

/** Place in a list of the source: a page, and the number of its rows that are already done. */
export interface Place {
  /** Cursor of the source's page; null: the first page. */
  readonly from: string | null;
  readonly skip: number;
  /** Last row without a transaction, and how many equal ones were shown. */
  readonly equal?: readonly [key: string, count: number] | undefined;
  /** Last row that is done, by which the place is found again; undefined if it cannot be. */
  readonly after?: LastRow | undefined;
  /** Set if the list was read again: inclusive end of its pages, in Unix seconds. */
  readonly endSeconds?: number | undefined;
}

interface LastRow {
  /** Time of the row, in Unix seconds. */
  readonly seconds: number;
  /** Number of rows of this second that are done, including this one. */
  readonly count: number;
  readonly key: string;
}

/**
 * Minimum rows of a page when the list is read again: a second may have more rows than a short
 * page.
 */
const AGAIN_ROWS = 100;
export const FIRST_PLACE: Place = { from: null, skip: 0 };

/** Refusal of a request that cannot be answered. `status` is the status of the response. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
  readonly status: 400 | 404;

  constructor(status: PageRefused['status'], message: string) {
    super(message);
    this.status = status;
  }
}

/** Returns the request that reads the source's page at a place. */
export function queryAt(
  query: Omit<ActivityQuery, 'cursor'>,
  { from, endSeconds }: Place,
): ActivityQuery {
  return {
    ...query,
    ...(endSeconds !== undefined && { endSeconds, limit: Math.max(query.limit, AGAIN_ROWS) }),
    ...(from !== null && { cursor: from }),
  };
}

/** Returns the last row before an index of a page that begins at a place. */
export function lastBefore(rows: readonly SourceRow[], index: number, place: Place) {
  if (index <= place.skip) return place.after;
  const last = rows[index - 1];
  const seconds = secondsOf(last);
  if (last === undefined || seconds === undefined) return undefined;
  let first = index - 1;
  while (first > place.skip && secondsOf(rows[first - 1]) === seconds) first -= 1;
  const before = first === place.skip && place.after?.seconds === seconds ? place.after.count : 0;
  return { seconds, count: before + index - first, key: keyOf(last) };
}

/**
 * Returns the index after a row that was read before; null if the row is not on this page. Rows of
 * the same second that were listed since then can only move it down, never up.
 */
export function indexAfter(
  rows: readonly SourceRow[],
  { seconds, count, key }: LastRow,
  place: Place,
): number | null {
  const passed = place.after?.seconds === seconds ? place.after.count : 0;
  const index = rows.findIndex(
    (row, at) => passed + at + 1 >= count && secondsOf(row) === seconds && keyOf(row) === key,
  );
  return index === -1 ? null : index + 1;
}

function secondsOf(row: SourceRow | undefined): number | undefined {
  if (row === undefined || row === 'foreign') return undefined;
  return isRow(row) ? row.timestamp : row.time;
}

function keyOf(row: SourceRow): string {
  return shortHash(row !== 'foreign' && isRow(row) ? rowKey(row) : JSON.stringify(row));
}

/** Counts equal rows without a transaction, so that each gets a different hash. */
export function createPlaces(before: Place['equal']) {
  let last = before;
  return {
    hashOf(row: ActivityRow): string {
      if (hasTransaction(row)) return row.transaction_hash;
      const key = rowKey(row);
      const place = last?.[0] === key ? last[1] : 0;
      last = [key, place + 1];
      return placeHash(row, place);
    },
    last: () => last,
  };
}

/** Returns the hash of a list with its wallet and filters, to which a cursor belongs. */
export function hashOf(name: ListName, wallet: string, filters: PageFilters): string {
  const { fromTimestamp = null, toTimestamp = null, marketIds = [] } = filters;
  const text = JSON.stringify([name, wallet, fromTimestamp, toTimestamp, marketIds]);
  return shortHash(text);
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const placeSchema = z.tuple([
  z.string().nullable(),
  z.int().min(0),
  z.tuple([z.string(), z.int()]).nullable(),
  z.tuple([z.int(), z.int(), z.string()]).nullable(),
  z.int().nullable(),
]);

/** Encodes a place as a cursor of the interface. */
export function encodeCursor(
  name: ListName,
  { from, skip, equal, after, endSeconds }: Place,
  filterHash: string,
): string {
  const last = after === undefined ? null : [after.seconds, after.count, after.key];
  const parts = [filterHash, from, skip, equal ?? null, last, endSeconds ?? null];
  const content = Buffer.from(JSON.stringify(parts));
  if (name === 'activity') return content.toString('base64');
  return `${filterHash}_${content.toString('hex')}`;
}

/**
 * Decodes a cursor.
 *
 * @throws {PageRefused} if it is not one of this list
 */
export function decodeCursor(name: ListName, text: string, filterHash: string): Place {
  const bytes =
    name === 'activity'
      ? Buffer.from(text, 'base64')
      : Buffer.from(text.split('_')[1] ?? '', 'hex');
  const parts = z.array(z.unknown()).safeParse(parseJson(bytes.toString('utf8'))).data ?? [];
  const read = placeSchema.safeParse(parts.slice(1));
  if (parts[0] !== filterHash || !read.success) {
    throw new PageRefused(
      400,
      'cursor must be the nextCursor that this endpoint gave for this wallet and these filters.',
    );
  }
  const [from, skip, equal, last, endSeconds] = read.data;
  const [seconds, count, key] = last ?? [];
  const after =
    seconds === undefined || count === undefined || key === undefined
      ? undefined
      : { seconds, count, key };
  return { from, skip, equal: equal ?? undefined, after, endSeconds: endSeconds ?? undefined };
}
