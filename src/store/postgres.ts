import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { errorCode } from '../lib/error.ts';
import { shownStore } from './address.ts';
import {
  type Backend,
  type BackendInspection,
  type InspectOptions,
  type Lose,
  NAMESPACE,
  orClosed,
} from './backend.ts';
import { lostStore, StoreInUse } from './error.ts';
import { KEYS_A_PAGE, LEAST_ROWS, rowsAfter } from './page-rows.ts';

const TABLE = 'public.walletbell';
const PREFIX = `${NAMESPACE}:`;
/**
 * Row with the token of the process that last opened the store. It is outside the namespace, so
 * that it is not a document.
 */
const OWNER_KEY = 'walletbell-owner';
/** One advisory lock per database; the session that holds it owns the store. */
const LOCK = "hashtextextended('walletbell', 0)";
const CONNECT_LIMIT_MS = 10_000;
const QUERY_LIMIT_MS = 15_000;
/**
 * Longest wait for the owner's lock, and for any other lock that another program holds on the
 * table, in ms.
 */
const OWNER_WAIT_MS = 1_500;
const TABLE_WAIT_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';
const UPSERT =
  `INSERT INTO ${TABLE} (key, value) VALUES ($1, $2) ` +
  'ON CONFLICT (key) DO UPDATE SET value = excluded.value';

type Row = { readonly key: string; readonly value: string };

/**
 * Opens a database of a PostgreSQL server.
 *
 * @throws the server's error, or {StoreError}
 */
export async function open(url: string, lose: Lose): Promise<Backend> {
  const shown = shownStore(url);
  const token = randomUUID();
  let isOwner = false;

  /**
   * Rejects unless the store still has this process's token. The session that responds holds the
   * lock.
   */
  const prove = async (session: Pick<Pool, 'query'>) => {
    const { rows } = await session.query(`SELECT value FROM ${TABLE} WHERE key = $1`, [OWNER_KEY]);
    if (rows[0]?.value !== token) throw lose(lostStore(shown));
  };

  /**
   * Acquires the lock on a new connection. All statements use one connection, whose session holds
   * the lock, so only the owner writes. After an outage a new connection acquires the lock again,
   * and finds the token changed if another process had the store in the meantime.
   */
  const onConnect: Hook = async (connection) => {
    await connection.query(
      `SET lock_timeout = ${OWNER_WAIT_MS}; ` +
        "SELECT set_config('synchronous_commit', 'on', false) " +
        "WHERE current_setting('synchronous_commit') = 'off'; " +
        'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; ' +
        'SET tcp_keepalives_count = 3',
    );
    try {
      await connection.query(`SELECT pg_advisory_lock(${LOCK})`);
    } catch (error) {
      if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      throw isOwner ? lose(lostStore(shown)) : new StoreInUse(shown, error);
    }
    await connection.query(`SET lock_timeout = ${TABLE_WAIT_MS}`);
    if (isOwner) await prove(connection);
  };

  const pool = connect(url, onConnect);
  return orClosed(pool.end.bind(pool), async () => {
    await pool.query(`CREATE TABLE IF NOT EXISTS ${TABLE} (key TEXT PRIMARY KEY, value TEXT)`);
    await pool.query(UPSERT, [OWNER_KEY, token]);
    isOwner = true;
    return {
      warnings: await settingsWarnings(pool),
      get: (key) => readText(pool, key),
      set: async (key, text) => void (await pool.query(UPSERT, [PREFIX + key, text])),
      delete: async (key) =>
        void (await pool.query(`DELETE FROM ${TABLE} WHERE key = $1`, [PREFIX + key])),
      entries: (except) => documents(pool, except),
      keys: (prefix) => keys(pool, prefix),
      async endings(keys, length) {
        const sql = `SELECT key, right(value, $2) AS value FROM ${TABLE} WHERE key = ANY($1::text[])`;
        const wanted = keys.map((key) => PREFIX + key);
        const { rows } = await pool.query<Row>(sql, [wanted, length]);
        return new Map(rows.map(({ key, value }) => [key.slice(PREFIX.length), value]));
      },
      prove: () => prove(pool),
      close: () => pool.end(),
    };
  });
}

/**
 * Opens a database for reading only.
 *
 * @throws PostgreSQL's error
 */
export async function inspect(
  url: string,
  { isOneMoment }: InspectOptions,
): Promise<BackendInspection> {
  let connections = 0;
  const pool = connect(url, async (connection) => {
    connections += 1;
    // The transaction ended with the previous connection.
    if (isOneMoment && connections > 1) throw new Error('The connection broke.');
    await connection.query('SET default_transaction_read_only = on');
  });
  return orClosed(pool.end.bind(pool), async () => {
    const { rows } = await pool.query(
      `SELECT to_regclass('${TABLE}') IS NULL AS "isNew",
         has_schema_privilege('public', 'CREATE') AS "mayCreate",
         EXISTS (
           SELECT FROM pg_locks, (SELECT ${LOCK} AS id) AS wanted
           WHERE locktype = 'advisory' AND objsubid = 1
             AND classid::bigint = (id >> 32) & 4294967295 AND objid::bigint = id & 4294967295
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         ) AS "isInUse"`,
    );
    // There is only one connection. Closing it ends the transaction.
    if (isOneMoment) await pool.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { isNew, mayCreate, isInUse } = rows[0];
    if (isNew && !mayCreate) {
      throw Object.assign(new Error('permission denied for schema public'), { code: '42501' });
    }
    return {
      isInUse,
      isNew,
      warnings: await settingsWarnings(pool),
      get: async (key) => (isNew ? undefined : readText(pool, key)),
      async *entries(except) {
        if (!isNew) yield* documents(pool, except);
      },
      close: () => pool.end(),
    };
  });
}

type Hook = (connection: Pick<Pool, 'query'>) => Promise<void>;

/**
 * Creates a pool with one connection, which is replaced when it breaks.
 *
 * @param onConnect awaited before a new connection is used
 */
function connect(url: string, onConnect: Hook): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'walletbell',
    max: 1,
    idleTimeoutMillis: 0,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
    onConnect,
  });
  // Without a listener, a broken idle connection would end the process; the next statement opens a
  // new one.
  pool.on('error', () => {});
  return pool;
}

async function readText(pool: Pool, key: string): Promise<string | undefined> {
  const { rows } = await pool.query(`SELECT value FROM ${TABLE} WHERE key = $1`, [PREFIX + key]);
  return rows[0]?.value;
}

/**
 * Iterates over all documents except those whose keys begin with one of the prefixes, which are not
 * read.
 */
async function* documents(
  pool: Pool,
  except: readonly string[] = [],
): AsyncGenerator<readonly [key: string, text: string]> {
  const sql =
    `SELECT key, value FROM ${TABLE} WHERE key LIKE $1 AND key > $2 ` +
    'AND key NOT LIKE ALL ($4::text[]) ORDER BY key LIMIT $3';
  const left = except.map((prefix) => `${PREFIX}${prefix}%`);
  let limit = LEAST_ROWS;
  for (let last = ''; ; ) {
    const { rows } = await pool.query<Row>(sql, [`${PREFIX}%`, last, limit, left]);
    for (const { key, value } of rows) yield [key.slice(PREFIX.length), value];
    if (rows.length < limit) return;
    last = rows.at(-1)?.key ?? '';
    limit = rowsAfter(rows.map(({ value }) => value));
  }
}

/** Iterates over all keys that begin with a prefix. */
async function* keys(pool: Pool, prefix: string): AsyncGenerator<string> {
  const sql = `SELECT key FROM ${TABLE} WHERE key LIKE $1 AND key > $2 ORDER BY key LIMIT $3`;
  for (let last = ''; ; ) {
    const like = `${PREFIX}${prefix}%`;
    const { rows } = await pool.query<{ readonly key: string }>(sql, [like, last, KEYS_A_PAGE]);
    for (const { key } of rows) yield key.slice(PREFIX.length);
    if (rows.length < KEYS_A_PAGE) return;
    last = rows.at(-1)?.key ?? '';
  }
}

/** Returns warnings about PostgreSQL settings that may lose acknowledged writes. */
async function settingsWarnings(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query("SELECT current_setting('fsync') AS fsync");
  const { fsync } = rows[0];
  if (fsync === 'on') return [];
  return [
    `PostgreSQL may lose acknowledged writes when its machine fails (fsync ${fsync}): ` +
      'alerts may then be sent twice. Set fsync on.',
  ];
}
