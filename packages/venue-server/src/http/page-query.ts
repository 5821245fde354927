import type { SqlValue } from '../ledger/sqlite.ts';

/** A position in the total order of a list: (time, id), newest first. */
export interface Position {
  readonly timeSeconds: number;
  readonly id: number;
}

/** Filters of a wallet's activity. All bounds are inclusive; times are Unix seconds. */
export interface ActivityFilters {
  readonly marketIds?: readonly string[] | undefined;
  readonly txHash?: string | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  readonly fromTimestamp?: number | undefined;
  readonly toTimestamp?: number | undefined;
}

export interface PageRequest {
  /** Returns records strictly after this position; null starts with the newest. */
  readonly after: Position | null;
  readonly limit: number;
}

export type Query = { readonly sql: string; readonly params: readonly SqlValue[] };

const END: Position = { timeSeconds: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
const NEWEST_FIRST = 'ORDER BY time DESC, id DESC LIMIT ?';

/**
 * Returns the statement that reads one page of activity plus one more record, which shows whether
 * another page exists. It uses keyset paging: it compares positions instead of skipping rows by
 * count. Each shape names its index, so that the plan cannot change with the data:
 * - a transaction hash: the wallet's records of that transaction;
 * - market ids: at most a page of keys from each market, merged, so that the cost does not grow
 *   with the ledger;
 * - otherwise the wallet's records by time.
 */
export function activityPageQuery(
  wallet: Buffer,
  filters: ActivityFilters,
  page: PageRequest,
): Query {
  const markets = [...new Set(filters.marketIds ?? [])];
  const count = page.limit + 1;
  const keys = rangeConditions(filters, page.after);

  if (filters.txHash !== undefined) {
    const inMarkets =
      markets.length === 0 ? '' : ` AND market IN (${markets.map(() => '?').join(', ')})`;
    return pageOf(
      `SELECT id, time FROM activity INDEXED BY activity_by_tx WHERE wallet = ? AND tx = ? AND ${keys.sql}${inMarkets} ${NEWEST_FIRST}`,
      [wallet, txKey(filters.txHash), ...keys.params, ...markets, count],
    );
  }
  if (markets.length > 0) {
    const oneMarket = `SELECT id, time FROM (SELECT id, time FROM activity INDEXED BY activity_by_market WHERE wallet = ? AND market = ? AND ${keys.sql} ${NEWEST_FIRST})`;
    const params = markets.flatMap((market): SqlValue[] => [wallet, market, ...keys.params, count]);
    if (markets.length === 1) return pageOf(oneMarket, params);
    // Materialized because SQLite would otherwise merge a hundred sorted streams in pairs, which
    // takes longer.
    return pageOf(
      `WITH keys AS MATERIALIZED (${markets.map(() => oneMarket).join(' UNION ALL ')}) SELECT id, time FROM keys ${NEWEST_FIRST}`,
      [...params, count],
    );
  }
  return pageOf(
    `SELECT id, time FROM activity INDEXED BY activity_by_time WHERE wallet = ? AND ${keys.sql} ${NEWEST_FIRST}`,
    [wallet, ...keys.params, count],
  );
}

/** Returns the statement that reads one page of transfers plus one more record. */
export function transfersPageQuery(wallet: Buffer, page: PageRequest): Query {
  const after = page.after ?? END;
  return {
    sql: `SELECT id, time, item FROM transfer INDEXED BY transfer_by_time WHERE wallet = ? AND (time, id) < (?, ?) ${NEWEST_FIRST}`,
    params: [wallet, after.timeSeconds, after.id, page.limit + 1],
  };
}

/**
 * Returns the ledger's key of a transaction hash: its 32 bytes, whatever the case of its digits.
 */
export function txKey(txHash: string): Buffer {
  const digits = /^0x([0-9a-f]{64})$/i.exec(txHash)?.[1];
  return digits === undefined
    ? Buffer.from(txHash.toLowerCase(), 'utf8')
    : Buffer.from(digits, 'hex');
}

function pageOf(keysSql: string, params: readonly SqlValue[]): Query {
  return {
    sql: `SELECT page.id AS id, page.time AS time, record.item AS item FROM (${keysSql}) AS page CROSS JOIN activity AS record ON record.id = page.id ORDER BY page.time DESC, page.id DESC`,
    params,
  };
}

function rangeConditions(filters: ActivityFilters, after: Position | null): Query {
  const end =
    filters.toTimestamp === undefined ? END : { timeSeconds: filters.toTimestamp, id: END.id };
  const upper = after !== null && after.timeSeconds <= end.timeSeconds ? after : end;
  const bounds = [
    { sql: 'time >= ?', value: filters.fromTimestamp },
    { sql: 'block >= ?', value: filters.fromBlock },
    { sql: 'block <= ?', value: filters.toBlock },
  ].flatMap(({ sql, value }) => (value === undefined ? [] : [{ sql, value }]));
  return {
    sql: ['(time, id) < (?, ?)', ...bounds.map(({ sql }) => sql)].join(' AND '),
    params: [upper.timeSeconds, upper.id, ...bounds.map(({ value }) => value)],
  };
}
