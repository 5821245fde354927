import * as z from 'zod';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import { fieldOf, parseJson } from '../lib/text/json.ts';
import type { Kept } from './kept.ts';
import { createMarketBook, isForeignToken } from './market-book.ts';
import type { Pace } from './pace.ts';
import {
  createPlaces,
  decodeCursor,
  encodeCursor,
  FIRST_PLACE,
  hashOf,
  indexAfter,
  isRow,
  type ListName,
  lastBefore,
  type PageFilters,
  PageRefused,
  type Place,
  queryAt,
  type SourceRow,
  type Unreadable,
} from './place.ts';
import {
  ACTIVITY_TYPES,
  activityRecord,
  isActivity,
  isTransfer,
  type Mapped,
  rowKey,
  type ShownActivity,
  TRANSFER_TYPES,
  transferRecord,
} from './record.ts';
import { type ActivityQuery, CursorRefused, type Source, type SourcePage } from './source.ts';
import { type ActivityRow, activityRowSchema } from './source-rows.ts';

/** Maximum pages of the source that are read for one page; skipped rows make a page short. */
const PAGES_MOST = 3;
/** Maximum pages of the source that are searched for a transaction, and their length. */
const SEARCHED_PAGES = 10;
const SEARCHED_ROWS = 1_000;
/** Maximum kinds of faults that are remembered; each is logged once an hour. */
const FAULTS_MOST = 100;
const FAULT_AGAIN_MS = 3_600_000;

/** A page of records, newest first, in the interface's form. */
export interface ShownPage {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
  /**
   * Hash of the source's page, if the records depend on that page only; null if a market's lookup
   * may change them.
   */
  readonly sourceHash: string | null;
}

export interface PageRequest {
  readonly wallet: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Last answer to this request, which is repeated if the source's page is unchanged. */
  readonly last?: LastAnswer | undefined;
}

/** An answer that changes only when the source's page changes. */
export interface LastAnswer {
  readonly sourceHash: string;
  readonly body: Buffer;
}

/** Creates the interface's pages from the source's. */
export function createPages(
  machine: Machine,
  {
    source,
    kept,
    pace,
  }: {
    readonly source: Source;
    readonly kept: Kept;
    readonly pace: Pace;
  },
) {
  const book = createMarketBook(machine, { source, kept });
  const faults = createFaultLog(machine);

  /**
   * Reads the rows of a page of the source; unreadable rows become stubs, and rows of another
   * wallet 'foreign'.
   */
  const readRows = (raw: readonly unknown[], wallet: string) =>
    raw.map((entry): SourceRow => {
      const read = activityRowSchema.safeParse(entry);
      if (!read.success) {
        const field = String(read.error.issues[0]?.path[0] ?? 'the row');
        faults.note(`${typeOf(entry)}: ${field}`, { field, type: typeOf(entry) });
        return { unreadable: `${field} of Polymarket's row`, ...readableParts(entry) };
      }
      if (read.data.proxy_wallet.toLowerCase() !== wallet) {
        faults.note('proxy_wallet', { field: 'proxy_wallet', type: read.data.type });
        return 'foreign';
      }
      return read.data;
    });

  /** Restores records that were shown before while incomplete, so that they stay unchanged. */
  const asShown = async (
    wallet: string,
    rows: readonly { readonly row: ActivityRow; readonly mapped: Mapped<ShownActivity> }[],
  ) => {
    const records = new Map(rows.map(({ row, mapped }) => [row, mapped.record]));
    let isFinal = true;
    for (const [key, group] of groupBy(rows, ({ row }) => `${wallet} ${rowKey(row)}`)) {
      const before = kept.shown(key);
      if (before === undefined && group.every(({ mapped }) => mapped.isComplete)) continue;
      isFinal = false;
      const left = [...(fixedPartsSchema.safeParse(parseJson(before ?? '')).data ?? [])];
      const all = [...left];
      const unmatched = group.filter(({ mapped }) => {
        const text = JSON.stringify(fixedPart(mapped.record));
        const index = left.findIndex((part) => JSON.stringify(part) === text);
        if (index !== -1) left.splice(index, 1);
        return index === -1;
      });
      for (const { row, mapped } of unmatched) {
        const said = left.shift();
        if (said === undefined) all.push(fixedPart(mapped.record));
        else records.set(row, { ...mapped.record, ...said });
      }
      await kept.keepShown(key, JSON.stringify(all));
    }
    return { records, isFinal };
  };

  /** Returns the records of rows, and whether only other rows can change them. */
  const activityOf = async (rows: readonly ActivityRow[], wallet: string) => {
    const factsOf = await book.factsOf(rows);
    let isForeign = false;
    const mapped = rows.map((row) => {
      const options = { txHash: row.transaction_hash, trader: wallet };
      const facts = factsOf(row);
      isForeign ||= isForeignToken(facts.market, row);
      return { row, mapped: activityRecord(row, facts, options) };
    });
    const { records, isFinal } = await asShown(wallet, mapped);
    return { records, isFinal: isFinal && !isForeign };
  };

  /**
   * Adds the records of one page of the source. Returns the place of the next page (null: none),
   * and whether the records depend on this page only.
   */
  const addRecords = async (
    name: ListName,
    page: SourcePage,
    place: Place,
    { wallet, limit }: PageRequest,
    items: unknown[],
  ): Promise<{ readonly next: Place | null; readonly isFinal: boolean }> => {
    const rows = readRows(page.rows, wallet);
    const equal = createPlaces(place.equal);
    const isListed = name === 'activity' ? isActivity : isTransfer;
    const listed = rows.slice(place.skip).filter(isRow).filter(isListed);
    const shown = name === 'activity' ? await activityOf(listed, wallet) : null;
    const records = shown?.records ?? null;
    const isFinal = rows.every(isRow) && shown?.isFinal !== false;
    const itemOf = (row: ActivityRow | Unreadable) => {
      if (!isRow(row)) return row;
      if (!isListed(row)) return undefined;
      if (records === null) return transferRecord(row, equal.hashOf(row));
      const record = records.get(row);
      return record && { ...record, txHash: equal.hashOf(row) };
    };
    let at = place.skip;
    for (; at < rows.length && items.length < limit; at += 1) {
      const row = rows[at];
      const item = row === undefined || row === 'foreign' ? undefined : itemOf(row);
      if (item !== undefined) items.push(item);
    }
    const after = lastBefore(rows, at, place);
    const behind = { ...place, equal: equal.last(), after };
    if (at < rows.length) return { next: { ...behind, skip: at }, isFinal };
    const { nextCursor } = page;
    return { next: nextCursor === null ? null : { ...behind, from: nextCursor, skip: 0 }, isFinal };
  };

  /**
   * Reads the list again from the second of the last record before a place, because the source
   * rejects that place's cursor. Returns the page on which the list continues, and the place on it.
   *
   * @throws {PageRefused} if that record is no longer listed
   */
  const restarted = async (
    query: Omit<ActivityQuery, 'cursor'>,
    { after, equal }: Place,
    { wallet }: PageRequest,
    refusal = '',
  ) => {
    let at: Place = { ...FIRST_PLACE, equal, endSeconds: after?.seconds };
    for (let count = 0; after !== undefined && count < PAGES_MOST; count += 1) {
      if (count > 0) pace.add();
      const page = (await source.activity(queryAt(query, at))).read();
      const rows = readRows(page.rows, wallet);
      const index = indexAfter(rows, after, at);
      if (index !== null) return { page, place: { ...at, skip: index, after } };
      if (page.nextCursor === null) break;
      at = { ...at, from: page.nextCursor, after: lastBefore(rows, rows.length, at) };
    }
    throw new PageRefused(
      400,
      `cursor is no longer accepted by Polymarket; ask again without it. ${refusal}`.trim(),
    );
  };

  /** Returns the source's page at a place. If its cursor is rejected, the list is read again. */
  const pageAt = async (
    query: Omit<ActivityQuery, 'cursor'>,
    place: Place,
    request: PageRequest,
  ): Promise<{ readonly page: SourcePage; readonly place: Place }> => {
    // Newly listed rows move the rows of a page without a cursor down.
    if (place.endSeconds !== undefined && place.from === null) {
      return restarted(query, place, request);
    }
    try {
      return { page: (await source.activity(queryAt(query, place))).read(), place };
    } catch (error) {
      if (!(error instanceof CursorRefused)) throw error;
      pace.add();
      return restarted(query, place, request, error.message);
    }
  };

  /** Reads pages of the source until there are enough records, or no more rows. */
  const collect = async (
    name: ListName,
    query: Omit<ActivityQuery, 'cursor'>,
    request: PageRequest,
    filterHash: string,
  ): Promise<ShownPage | LastAnswer> => {
    const { cursor, last, limit } = request;
    const items: unknown[] = [];
    let next: Place | null;
    let sourceHash: string | null = null;
    if (cursor === undefined) {
      const sent = await source.activity(query);
      if (sent.hash === last?.sourceHash) return last;
      const added = await addRecords(name, sent.read(), FIRST_PLACE, request, items);
      next = added.next;
      if (added.isFinal) sourceHash = sent.hash;
    } else {
      const { page, place } = await pageAt(query, decodeCursor(name, cursor, filterHash), request);
      ({ next } = await addRecords(name, page, place, request, items));
    }
    for (
      let count = 1;
      next !== null && count < PAGES_MOST && items.length * 2 < limit;
      count += 1
    ) {
      pace.add();
      const { page, place } = await pageAt(query, next, request);
      ({ next } = await addRecords(name, page, place, request, items));
      sourceHash = null;
    }
    const nextCursor = next === null ? null : encodeCursor(name, next, filterHash);
    return { items, nextCursor, sourceHash };
  };

  /**
   * Returns the records of one transaction by searching pages, because the source has no such
   * filter.
   */
  const search = async (
    txHash: string,
    query: Omit<ActivityQuery, 'cursor' | 'limit'>,
    wallet: string,
  ): Promise<ShownPage> => {
    let cursor: string | null = null;
    const found: ActivityRow[] = [];
    for (let count = 0; count < SEARCHED_PAGES; count += 1) {
      if (count > 0) pace.add();
      const sent = await source.activity({
        ...query,
        limit: SEARCHED_ROWS,
        ...(cursor !== null && { cursor }),
      });
      const page: SourcePage = sent.read();
      const rows = readRows(page.rows, wallet).filter(isRow);
      const matching = rows.filter((row) => row.transaction_hash.toLowerCase() === txHash);
      found.push(...matching.filter(isActivity));
      const isOver = found.length > 0 && rows.at(-1)?.transaction_hash.toLowerCase() !== txHash;
      cursor = page.nextCursor;
      if (isOver || cursor === null) break;
    }
    const { records } = await activityOf(found.slice(0, 100), wallet);
    return { items: [...records.values()], nextCursor: null, sourceHash: null };
  };

  return {
    /**
     * @throws {PageRefused} if the filters or the cursor cannot be answered
     * @throws {SourceError}
     */
    async activity(request: PageRequest, filters: PageFilters): Promise<ShownPage | LastAnswer> {
      const { fromTimestamp, toTimestamp, marketIds, txHash } = filters;
      const conditions = marketIds === undefined ? undefined : await conditionsOf(kept, marketIds);
      const query = {
        user: request.wallet,
        types: ACTIVITY_TYPES,
        limit: request.limit,
        ...(fromTimestamp !== undefined && { startSeconds: fromTimestamp }),
        ...(toTimestamp !== undefined && { endSeconds: toTimestamp }),
        ...(conditions !== undefined && { conditions }),
      };
      if (txHash !== undefined) return search(txHash.toLowerCase(), query, request.wallet);
      return collect('activity', query, request, hashOf('activity', request.wallet, filters));
    },
    /**
     * @throws {PageRefused} if the cursor is not one of this list
     * @throws {SourceError}
     */
    transfers(request: PageRequest): Promise<ShownPage | LastAnswer> {
      const query = { user: request.wallet, types: TRANSFER_TYPES, limit: request.limit };
      const filterHash = hashOf('deposits-withdrawals', request.wallet, {});
      return collect('deposits-withdrawals', query, request, filterHash);
    },
  };
}

/** Returns the part of a record that must stay as first shown; texts and pictures may change. */
function fixedPart(record: ShownActivity) {
  const {
    marketTitle: _title,
    marketSlug: _slug,
    eventSlug: _event,
    logo: _logo,
    ...fixed
  } = record;
  return fixed;
}
/** Stored fixed parts. Damaged ones count as not shown. */
const fixedPartsSchema = z.array(
  z.custom<ReturnType<typeof fixedPart>>(
    (part) => typeof part === 'object' && part !== null && Object.hasOwn(part, 'tokenId'),
  ),
);

function readableParts(entry: unknown) {
  const { timestamp, transaction_hash: hash } = activityRowSchema.shape;
  const time = timestamp.safeParse(fieldOf(entry, 'timestamp')).data;
  const txHash = hash.safeParse(fieldOf(entry, 'transaction_hash')).data;
  return { ...(time !== undefined && { time }), ...(txHash && { txHash }) };
}

const typeOf = (entry: unknown) => String(fieldOf(entry, 'type') ?? 'row').slice(0, 40);

async function conditionsOf(kept: Kept, marketIds: readonly string[]): Promise<readonly string[]> {
  const conditions: string[] = [];
  for (const id of new Set(marketIds)) {
    const condition = await kept.conditionOf(id);
    if (condition === null) {
      throw new PageRefused(
        404,
        `marketIds: market ${id} is not known here yet. A market is known once a trade of it was listed.`,
      );
    }
    conditions.push(condition);
  }
  return conditions;
}

/** Logs each kind of unreadable row once an hour, with its total count. */
function createFaultLog({ log, nowMs }: Machine) {
  const kinds = new Map<string, { loggedMs: number; count: number }>();
  return {
    note(kind: string, fields: Readonly<Record<string, string>>): void {
      const known = kinds.get(kind) ?? { loggedMs: 0, count: 0 };
      known.count += 1;
      if (Math.abs(nowMs() - known.loggedMs) >= FAULT_AGAIN_MS) {
        known.loggedMs = nowMs();
        log.warn({ event: 'polymarket.row_unreadable', ...fields, rows: known.count });
      }
      if (kinds.size < FAULTS_MOST) kinds.set(kind, known);
    },
  };
}
