import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import KeyvPostgres from '@keyv/postgres';
import { shownStore } from './address.ts';
import { type Backend, type BackendOptions, documentsIn, type Inspection, NAMESPACE } from './backend.ts';
import { unwrap } from './document.ts';
import { lostStore, StoreError, storeInUse } from './error.ts';

const TABLE = 'walletbell';
/** Who opened the store last. Outside the namespace, so that it is no document. */
const OWNER_KEY = 'walletbell-owner';
/** One number per database: whoever holds it owns the store. */
const LOCK = "hashtextextended('walletbell', 0)";
const CONNECT_LIMIT_MS = 10_000;
const QUERY_LIMIT_MS = 15_000;
/** For the owner's lock; then for any other that a program beside us may hold on the table. */
const OWNER_WAIT_MS = 1_500;
const TABLE_WAIT_MS = 5_000;
const ROWS_PER_PAGE = 1_000;

/** The one statement of pg's client that is needed before the pool has it. */
interface Connection {
  query(
    sql: string,
    values?: readonly string[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** Opens a database of a PostgreSQL server. @throws what it says, see `explainPostgres`, or {StoreError} */
export async function openPostgres(url: string, options: BackendOptions): Promise<Backend> {
  const shown = shownStore(url);
  const token = randomUUID();
  let isOwner = false;
  let refusal: StoreError | undefined;

  /**
   * All statements go over one connection, and this one holds the lock: what is written is written by the owner. A new
   * connection after an outage must get the lock before it is used.
   */
  const onConnect = async (connection: Connection) => {
    if (refusal !== undefined) throw refusal;
    await connection.query(
      `SET lock_timeout = ${OWNER_WAIT_MS}; SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'; SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`,
    );
    try {
      await connection.query(`SELECT pg_advisory_lock(${LOCK})`);
    } catch (error) {
      if (codeOf(error) !== '55P03') throw error;
      throw isOwner ? lose() : refuse(storeInUse(shown, error));
    }
    await connection.query(`SET lock_timeout = ${TABLE_WAIT_MS}`);
    if (!isOwner) return;
    const { rows } = await connection.query(`SELECT value FROM ${TABLE} WHERE key = $1`, [OWNER_KEY]);
    if (rows[0]?.['value'] !== token) throw lose();
  };
  const refuse = (error: StoreError): StoreError => {
    refusal = error;
    return error;
  };
  const lose = (): StoreError => {
    const error = refuse(lostStore(shown));
    options.onLost(error);
    return error;
  };

  const { adapter, firstError, end } = createAdapter(url, token, { onConnect });
  const keyv = documentsIn(adapter);
  try {
    const warnings = await settingsWarnings(adapter);
    await keyv.get('meta');
    const refused = firstError();
    if (refused !== undefined) throw refused;
    await adapter.set(OWNER_KEY, token);
    isOwner = true;
    for (const warning of warnings) options.onWarning(warning);
  } catch (error) {
    await end();
    // What failed first is the cause: that the table is missing only follows from it.
    throw firstError() ?? error;
  }
  return { keyv, entries: () => documents(adapter), close: end };
}

/** Looks into a database without changing it. @throws what PostgreSQL says */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const onConnect = async (connection: Connection) => {
    await connection.query('SET default_transaction_read_only = on');
  };
  const { adapter, end } = createAdapter(url, randomUUID(), { onConnect });
  try {
    const [found] = await adapter.query(`SELECT to_regclass('public.${TABLE}') AS name`);
    const isNew = found?.name === null;
    const [may] = await adapter.query("SELECT has_schema_privilege('public', 'CREATE') AS create");
    if (isNew && may?.create !== true)
      throw Object.assign(new Error('permission denied for schema public'), { code: '42501' });
    const [lock] = await adapter.query(
      `SELECT count(*)::int AS holders FROM pg_locks, (SELECT ${LOCK} AS id) AS wanted WHERE locktype = 'advisory' AND objsubid = 1
       AND classid::bigint = (id >> 32) & 4294967295 AND objid::bigint = id & 4294967295
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return {
      isInUse: lock?.holders > 0,
      isNew,
      warnings: await settingsWarnings(adapter),
      async *entries() {
        if (!isNew) yield* documents(adapter);
      },
      close: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

interface Adapter {
  readonly adapter: KeyvPostgres;
  /** The first failure that the adapter did not pass on to any caller. */
  firstError(): unknown;
  end(): Promise<void>;
}

function createAdapter(
  url: string,
  token: string,
  hooks: { readonly onConnect: (connection: Connection) => Promise<void> },
): Adapter {
  let pool: EventEmitter | undefined;
  let failure: unknown;
  const adapter = new KeyvPostgres({
    // The adapter shares a pool between all that have the same address; the name keeps them apart, also for whoever looks
    // at the server's list of connections.
    uri: `${url}${url.includes('?') ? '&' : '?'}application_name=walletbell-${token.slice(0, 8)}`,
    table: TABLE,
    iterationLimit: ROWS_PER_PAGE,
    max: 1,
    idleTimeoutMillis: 0,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
    ...hooks,
    /**
     * The adapter hides its pool, which ends the process when an idle connection breaks unless somebody listens. The
     * pool tells its log what it does, as itself.
     */
    log(this: unknown) {
      if (pool !== undefined || !(this instanceof EventEmitter)) return;
      pool = this;
      pool.on('error', () => {});
    },
  });
  adapter.on('error', (error: unknown) => {
    failure ??= error;
  });
  return {
    adapter,
    firstError: () => failure,
    async end() {
      if (pool !== undefined && 'end' in pool && typeof pool.end === 'function') await pool.end();
    },
  };
}

/** The adapter's own iterator ends without a word when it fails in the middle. */
async function* documents(adapter: KeyvPostgres): AsyncGenerator<readonly [key: string, document: unknown]> {
  let failure: unknown;
  const onError = (error: unknown) => {
    failure = error;
  };
  adapter.on('error', onError);
  try {
    for await (const [key = '', value = ''] of adapter.iterator(NAMESPACE)) {
      yield [key.slice(NAMESPACE.length + 1), unwrap(value)];
    }
  } finally {
    adapter.off('error', onError);
  }
  if (failure !== undefined) throw failure;
}

/** What in PostgreSQL's settings may cost a write that it has acknowledged. */
async function settingsWarnings(adapter: KeyvPostgres): Promise<readonly string[]> {
  const [settings] = await adapter.query("SELECT current_setting('fsync') AS fsync");
  if (settings?.fsync === 'on') return [];
  return [
    `PostgreSQL may lose acknowledged writes when its machine fails (fsync ${settings?.fsync}): alerts may then ring twice. Set fsync on.`,
  ];
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Says what an error of PostgreSQL means for whoever runs the bot. Codes: its manual, appendix A. */
export function explainPostgres(shown: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const text = error instanceof Error ? error.message || code : String(error);
  if (code.startsWith('28') || /password/i.test(text)) {
    return new StoreError(
      `The store ${shown} refuses user name or password (${text}). Check them in STORE_URL; special characters are written as %XX there.`,
      error,
    );
  }
  if (code === '3D000') {
    return new StoreError(
      `The store ${shown} has no such database (${text}). Create it (createdb), or name another one in STORE_URL.`,
      error,
    );
  }
  if (code === '42501' || code === '25006' || code === '53100') {
    return new StoreError(
      `The store ${shown} cannot be written (${text}). Use the primary server with space on its disk, and give the user the right to create and write the table ${TABLE} in the schema public.`,
      error,
    );
  }
  return new StoreError(
    `The store ${shown} cannot be reached (${text}). Check STORE_URL, and that the PostgreSQL server runs and lets this machine in.`,
    error,
  );
}
