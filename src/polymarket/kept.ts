import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { OperatorError, reasonOf } from '../lib/error.ts';
import type { Machine } from '../lib/machine.ts';
import { connect, type SqlValue } from '../lib/sqlite.ts';
import { parseJson } from '../lib/text/json.ts';
import { type Market, marketSchema } from './source-rows.ts';

/** Time that a shown row is kept after it was last shown, in ms. */
const SHOWN_KEPT_MS = 7 * 86_400_000;
/** Time after which a row that is still being shown is written again, in ms. */
const RENEWED_AFTER_MS = 86_400_000;
const CLEANED_EVERY_MS = 3_600_000;
/** Version of the file's layout (SQLite's `user_version`). */
const LAYOUT = 1;
/** Interval between attempts to write data that a full disk rejected, in ms. */
const TRIED_EVERY_MS = 1_000;
/** Maximum markets in memory, and maximum shown rows: about 15 MB each. */
const MARKETS_MOST = 10_000;
const SHOWN_MOST = 20_000;
const UNWRITTEN_MOST = MARKETS_MOST + SHOWN_MOST;

const TABLES = `
CREATE TABLE IF NOT EXISTS market (
  condition TEXT PRIMARY KEY, id TEXT NOT NULL, market TEXT NOT NULL, payouts TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS market_by_id ON market (id);
CREATE TABLE IF NOT EXISTS shown (
  key TEXT PRIMARY KEY, records TEXT NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS shown_by_time ON shown (at);
`;

export interface KeptMarket {
  readonly market: Market;
  /**
   * Payout of a share of each outcome, from 0 to 1; null if unknown, or if the market has not
   * ended.
   */
  readonly payouts: readonly number[] | null;
}

const jsonText = z.string().transform(parseJson);
/** A row of the table of markets. */
const keptSchema: z.ZodType<KeptMarket> = z.object({
  market: jsonText.pipe(marketSchema),
  payouts: jsonText.pipe(z.array(z.number()).readonly()).nullable(),
});

type Write = readonly [sql: string, values: readonly (string | number | null)[]];

export type Kept = Awaited<ReturnType<typeof openKept>>;

/**
 * Opens the gateway's file, which keeps markets, and rows that were shown before they were
 * complete. If the disk is full, data stays in memory until there is space.
 *
 * @param path of an SQLite file; its folder is created
 * @throws {OperatorError} if it cannot be opened
 */
export async function openKept({ log, nowMs }: Machine, path: string) {
  const { database, rows } = await open(path);
  /** Markets by condition; null: not in the file when it was last read. */
  const markets = new Map<string, KeptMarket | null>();
  // All of them are loaded, because every row of every page is looked up here.
  const shown = new Map<string, { readonly records: string; readonly atMs: number }>();
  for (const { key, records, at } of rows.toReversed()) shown.set(key, { records, atMs: at });
  let isFailing = false;
  let cleanedMs = nowMs();

  const noteFailure = (error: unknown) => {
    if (!isFailing) {
      const consequence = 'After a restart, rows shown meanwhile may be alerted to once more.';
      log.error({ event: 'polymarket.disk', file: path, reason: reasonOf(error), consequence });
    }
    isFailing = true;
  };
  const remember = <Value>(map: Map<string, Value>, most: number, key: string, value: Value) => {
    map.delete(key);
    map.set(key, value);
    const [oldest] = map.keys();
    if (map.size > most && oldest !== undefined) map.delete(oldest);
  };
  /** Writes that the disk rejected, by statement and key. */
  const unwritten = new Map<string, Write>();
  let triedMs = nowMs();
  /** Writes to the disk. A failure is logged once; the write is retried later. */
  const write = async (...[sql, values]: Write): Promise<boolean> => {
    const name = `${sql} ${values[0]}`;
    try {
      await database.run(sql, values);
      unwritten.delete(name);
      if (isFailing) log.info({ event: 'polymarket.disk_again', file: path });
      isFailing = false;
      return true;
    } catch (error) {
      noteFailure(error);
      remember(unwritten, UNWRITTEN_MOST, name, [sql, values]);
      return false;
    }
  };
  /** Retries the rejected writes until one fails. */
  const writeAgain = async () => {
    if (unwritten.size === 0 || Math.abs(nowMs() - triedMs) < TRIED_EVERY_MS) return;
    triedMs = nowMs();
    for (const [name, [sql, values]] of [...unwritten]) {
      const isNewest = unwritten.get(name)?.[1] === values;
      if (isNewest && !(await write(sql, values))) return;
    }
  };
  /** Reads a row from the disk; null if it cannot be read. Unknown data is then looked up again. */
  const read = async (sql: string, value: SqlValue): Promise<{ readonly row: unknown } | null> => {
    try {
      const [row] = await database.all<unknown>(sql, [value]);
      return { row };
    } catch (error) {
      noteFailure(error);
      return null;
    }
  };

  return {
    /** Returns the known markets, by condition. */
    async markets(conditions: readonly string[]): Promise<ReadonlyMap<string, KeptMarket>> {
      await writeAgain();
      const missing = conditions.filter((condition) => !markets.has(condition));
      for (const condition of missing) {
        const sql = 'SELECT market, payouts FROM market WHERE condition = ?';
        const found = await read(sql, condition);
        const { data: kept } = keptSchema.safeParse(found?.row);
        const isKept = kept?.market.conditionId === condition;
        // It may have been stored in the meantime.
        if (found !== null && !markets.has(condition))
          remember(markets, MARKETS_MOST, condition, isKept ? kept : null);
      }
      return new Map(
        conditions.flatMap((condition) => {
          const kept = markets.get(condition);
          return kept ? [[condition, kept] as const] : [];
        }),
      );
    },
    async keepMarket(kept: KeptMarket): Promise<void> {
      const { market, payouts } = kept;
      remember(markets, MARKETS_MOST, market.conditionId, kept);
      await write('INSERT OR REPLACE INTO market VALUES (?, ?, ?, ?)', [
        market.conditionId,
        market.id,
        JSON.stringify(market),
        payouts === null ? null : JSON.stringify(payouts),
      ]);
    },
    /** Returns the condition of a market that was looked up; null if it was not. */
    async conditionOf(marketId: string): Promise<string | null> {
      for (const [condition, kept] of markets) if (kept?.market.id === marketId) return condition;
      const sql = 'SELECT condition FROM market WHERE id = ?';
      const found = await read(sql, marketId);
      return z.object({ condition: z.string() }).safeParse(found?.row).data?.condition ?? null;
    },
    /**
     * Returns the records shown for rows with this key, as JSON; undefined if none was incomplete.
     */
    shown: (key: string): string | undefined => shown.get(key)?.records,
    async keepShown(key: string, records: string): Promise<void> {
      const before = shown.get(key);
      const atMs = nowMs();
      const isFresh = before !== undefined && Math.abs(atMs - before.atMs) < RENEWED_AFTER_MS;
      if (isFresh && before.records === records) return;
      remember(shown, SHOWN_MOST, key, { records, atMs });
      await write('INSERT OR REPLACE INTO shown VALUES (?, ?, ?)', [key, records, atMs]);
      if (Math.abs(atMs - cleanedMs) < CLEANED_EVERY_MS) return;
      cleanedMs = atMs;
      await write('DELETE FROM shown WHERE at < ?', [atMs - SHOWN_KEPT_MS]);
    },
    async close(): Promise<void> {
      triedMs = Number.NEGATIVE_INFINITY;
      await writeAgain();
      await database.close();
    },
  };
}

async function open(path: string) {
  try {
    if (path !== ':memory:') await mkdir(dirname(path), { recursive: true });
    const database = await connect(path, 'create');
    const [row] = await database.all<{ user_version: number }>('PRAGMA user_version');
    const layout = row?.user_version ?? 0;
    if (layout > LAYOUT) {
      await database.close();
      throw new Error(`it was written by a later release (layout ${layout}, this one: ${LAYOUT})`);
    }
    await database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${TABLES}`);
    await database.exec(`PRAGMA user_version = ${LAYOUT}`);
    const rows = await database.all<{ key: string; records: string; at: number }>(
      'SELECT key, records, at FROM shown ORDER BY at DESC LIMIT ?',
      [SHOWN_MOST],
    );
    return { database, rows };
  } catch (error) {
    throw new OperatorError(
      `The gateway's file ${path} cannot be opened: ${reasonOf(error)}. It holds markets and what ` +
        'was shown in the last week. It may be deleted; then a few trades may be alerted to again.',
      error,
    );
  }
}
