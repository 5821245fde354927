import type { WalletAddress } from './address.ts';
import {
  type ActivityFilters,
  activityPageQuery,
  type PageRequest,
  type Position,
  type Query,
  transfersPageQuery,
} from './http/page-query.ts';
import { BLOCKS_PER_SPAN, openDatabase } from './ledger/database.ts';
import { appendRows, closeImport, importRows, openImport } from './ledger/insertion.ts';
import { type LedgerRecord, toRow, walletKey } from './record.ts';
import {
  type ActivityItem,
  activityItemSchema,
  type TransferItem,
  transferItemSchema,
} from './records.ts';

export type { LedgerRecord } from './record.ts';

/**
 * One page, newest first. Items are JSON texts, ready to send. `next` is null exactly on the last
 * page.
 */
export interface LedgerPage {
  readonly items: readonly string[];
  readonly next: Position | null;
}

/**
 * Opens the history of all wallets, in SQLite. Within a wallet's list the order is (time, order of
 * insertion), newest first. Records may be inserted late, that is, older than the newest. A missing
 * file and its folder are created; `:memory:` keeps everything in memory.
 *
 * @throws Error that names the file and what is wrong
 */
export async function openLedger({ path }: { readonly path: string }) {
  const { writer, reader, cursorSecret } = await openDatabase(path);
  let lastWrite: Promise<unknown> = Promise.resolve();
  let isImporting = false;
  let closing: Promise<void> | undefined;

  /** Runs one write after another because transactions share the connection. */
  function exclusively<T>(write: () => Promise<T>): Promise<T> {
    if (closing !== undefined) return Promise.reject(new Error(`The ledger ${path} is closed.`));
    const result = lastWrite.then(write);
    lastWrite = result.catch(() => {});
    return result;
  }

  function inTransaction<T>(write: () => Promise<T>): Promise<T> {
    return exclusively(async () => {
      await writer.exec('BEGIN IMMEDIATE');
      try {
        const result = await write();
        await writer.exec('COMMIT');
        return result;
      } catch (error) {
        // After some errors, such as a full disk, SQLite has already rolled back and reports that
        // there is nothing to roll back.
        await writer.exec('ROLLBACK').catch(() => {});
        throw error;
      }
    });
  }

  /**
   * In memory there is a single connection, which must not be read in the middle of a transaction.
   */
  function read<T>(query: () => Promise<T>): Promise<T> {
    return reader === writer || closing !== undefined ? exclusively(query) : query();
  }

  /**
   * Appends records in one transaction, so that a reader sees all of them or none, and returns
   * their ids.
   */
  async function addAll(records: readonly LedgerRecord[]): Promise<number[]> {
    const rows = records.map(toRow);
    return inTransaction(() => appendRows(writer, rows));
  }

  async function addOne(record: LedgerRecord): Promise<number> {
    const [id = Number.NaN] = await addAll([record]);
    return id;
  }

  async function page(query: Query, limit: number): Promise<LedgerPage> {
    const rows = await reader.all<{ id: number; time: number; item: string }>(
      query.sql,
      query.params,
    );
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const next =
      rows.length > limit && last !== undefined ? { timeSeconds: last.time, id: last.id } : null;
    return { items: items.map((row) => row.item), next };
  }

  /**
   * Tightens the time bounds using the known times of the blocks. The block bounds themselves still
   * apply, so this only saves work: where blocks and times agree, as on a real chain, at most one
   * span is read needlessly at each bound.
   */
  async function narrowed(wallet: Buffer, filters: ActivityFilters): Promise<ActivityFilters> {
    const { fromBlock, toBlock } = filters;
    if (fromBlock === undefined && toBlock === undefined) return filters;
    const spans = [fromBlock ?? 0, toBlock ?? Number.MAX_SAFE_INTEGER].map((block) =>
      Math.floor(block / BLOCKS_PER_SPAN),
    );
    const [bounds] = await reader.all<{ low: number | null; high: number | null }>(
      'SELECT min(low_time) AS low, max(high_time) AS high FROM block_span WHERE wallet = ? AND span BETWEEN ? AND ?',
      [wallet, ...spans],
    );
    return {
      ...filters,
      fromTimestamp: Math.max(filters.fromTimestamp ?? 0, bounds?.low ?? 0),
      toTimestamp: Math.min(filters.toTimestamp ?? Number.MAX_SAFE_INTEGER, bounds?.high ?? 0),
    };
  }

  async function all(kind: LedgerRecord['kind'], wallet: string): Promise<unknown[]> {
    const { key } = walletKey(wallet);
    const rows = await read(() =>
      reader.all<{ item: string }>(
        `SELECT item FROM ${kind} WHERE wallet = ? ORDER BY time DESC, id DESC`,
        [key],
      ),
    );
    return rows.map((row) => JSON.parse(row.item));
  }

  return {
    addAll,
    /**
     * Appends one record and returns its id. A record equal to an earlier one is stored as another
     * record.
     */
    addActivity: (wallet: string, block: number, item: ActivityItem) =>
      addOne({ kind: 'activity', wallet, block, item }),
    addTransfer: (wallet: string, item: TransferItem) => addOne({ kind: 'transfer', wallet, item }),
    /**
     * Deletes a record, for example after a chain reorganization. Returns false if there is none
     * with this id.
     */
    async remove(kind: LedgerRecord['kind'], id: number): Promise<boolean> {
      const { changes } = await exclusively(() =>
        writer.run(`DELETE FROM ${kind} WHERE id = ?`, [id]),
      );
      return changes > 0;
    },
    /**
     * Begins an idempotent import. The n-th of equal records in an import matches the n-th of them
     * in the ledger. So an import that repeats another changes nothing, one that overlaps adds only
     * what is new, and equal records are kept.
     */
    async beginImport() {
      if (isImporting) {
        throw new Error('An import into this ledger is running; end it before the next.');
      }
      isImporting = true;
      await exclusively(() => openImport(writer));
      return {
        /**
         * Adds the records that the ledger doesn't have yet, in one transaction, and returns their
         * number.
         */
        async add(records: readonly LedgerRecord[]): Promise<number> {
          const rows = records.map(toRow);
          return inTransaction(() => importRows(writer, rows));
        },
        async end(): Promise<void> {
          await exclusively(() => closeImport(writer));
          isImporting = false;
        },
      };
    },
    allActivity: async (wallet: string) =>
      activityItemSchema.array().parse(await all('activity', wallet)),
    allTransfers: async (wallet: string) =>
      transferItemSchema.array().parse(await all('transfer', wallet)),
    activityPage: (wallet: WalletAddress, filters: ActivityFilters, request: PageRequest) =>
      read(async () => {
        const { key } = walletKey(wallet);
        return page(activityPageQuery(key, await narrowed(key, filters), request), request.limit);
      }),
    transfersPage: (wallet: WalletAddress, request: PageRequest) =>
      read(() => page(transfersPageQuery(walletKey(wallet).key, request), request.limit)),
    /** Returns the number of records of each kind. */
    async counts() {
      const [row = { activity: 0, transfers: 0 }] = await read(() =>
        reader.all<{ activity: number; transfers: number }>(
          'SELECT (SELECT count(*) FROM activity) AS activity, (SELECT count(*) FROM transfer) AS transfers',
        ),
      );
      return row;
    },
    /** Signs the cursors of this ledger; stored in it, so that cursors survive a restart. */
    cursorSecret,
    close(): Promise<void> {
      closing ??= lastWrite.then(async () => {
        if (reader !== writer) await reader.close();
        await writer.close();
      });
      return closing;
    },
  };
}
export type Ledger = Awaited<ReturnType<typeof openLedger>>;
