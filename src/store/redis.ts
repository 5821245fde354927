import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { shownStore } from './address.ts';
import { type Backend, type BackendInspection, type Lose, NAMESPACE, orClosed } from './backend.ts';
import { lostStore, StoreError, StoreInUse } from './error.ts';
import { KEYS_A_PAGE, LEAST_ROWS, rowsAfter } from './page-rows.ts';

/**
 * The lease: it expires unless its holder renews it, so it need not be taken away from a dead
 * process.
 */
const LOCK_KEY = `${NAMESPACE}:lock`;
/**
 * Token of the process that last opened the store. It outlives the lease, and is gone if Redis lost
 * its data.
 */
const OWNER_KEY = `${NAMESPACE}:owner`;
const DOCUMENT_PREFIX = `${NAMESPACE}::`;
const LEASE_MS = 6_000;
const RENEW_MS = 1_500;
const LOCK_RETRY_MS = 250;
const CONNECT_LIMIT_MS = 5_000;
/**
 * Time without an answer after which an open connection counts as dead, in ms; TCP notices only
 * after a quarter of an hour.
 */
const SILENCE_LIMIT_MS = 15_000;
const RECONNECT_LIMIT_MS = 2_000;
const NOT_OWNER = 'WALLETBELLNOTOWNER';

// KEYS: lock, owner. ARGV: token, milliseconds.
const TAKE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[1])
  return 1
end
return 0`;
/**
 * Renews a lease. If it expired during an outage, it is acquired again unless another process has
 * had the store in the meantime.
 */
const RENEW = `
local holder = redis.call('GET', KEYS[1])
if redis.call('GET', KEYS[2]) == ARGV[1] and (holder == false or holder == ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1
end
return 0`;
const GIVE_BACK = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;
/**
 * Checks and writes in one step, so that a process that was paused beyond its lease cannot write.
 */
const FENCED = (command: string) => `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return redis.error_reply('${NOT_OWNER}') end
${command}
return 1`;
const WRITE = FENCED("redis.call('SET', KEYS[1], ARGV[2])");
const REMOVE = FENCED("redis.call('DEL', KEYS[1])");

type Client = Awaited<ReturnType<typeof connect>>;

/**
 * Opens a database of a Redis server.
 *
 * @throws Redis's error, or {StoreError}
 */
export async function open(url: string, lose: Lose): Promise<Backend> {
  const shown = shownStore(url);
  const client = await connect(url);
  const token = randomUUID();
  const silent =
    `The store ${shown} has stopped answering although the connection stands. ` +
    'This bot ends, so that it is started again with a new connection.';
  const lease = { keys: [LOCK_KEY, OWNER_KEY], arguments: [token, String(LEASE_MS)] };
  const prove = async () => {
    if ((await client.eval(RENEW, lease)) !== 1) throw lose(lostStore(shown));
  };
  let requestedAtMs: number | null = null;
  const renew = async () => {
    if (requestedAtMs !== null) {
      if (performance.now() - requestedAtMs > SILENCE_LIMIT_MS) lose(new StoreError(silent));
      return;
    }
    requestedAtMs = performance.now();
    // If the server is away, the client reconnects, and the next renewal decides.
    await prove().catch(() => {});
    requestedAtMs = null;
  };
  await orClosed(client.destroy.bind(client), () => take(client, lease, shown));
  const renewal = setInterval(() => void renew(), RENEW_MS).unref();

  const write = async (script: string, key: string, ...texts: string[]) => {
    try {
      await client.eval(script, {
        keys: [DOCUMENT_PREFIX + key, OWNER_KEY],
        arguments: [token, ...texts],
      });
    } catch (error) {
      throw error instanceof Error && error.message.includes(NOT_OWNER)
        ? lose(lostStore(shown))
        : error;
    }
  };
  return {
    warnings: await settingsWarnings(client),
    get: (key) => readText(client, key),
    set: (key, text) => write(WRITE, key, text),
    delete: (key) => write(REMOVE, key),
    entries: (except) => documents(client, except),
    async *keys(prefix) {
      for await (const found of keyPages(client, prefix)) yield* found;
    },
    async endings(keys, length) {
      const read = keys.map((key) => client.getRange(DOCUMENT_PREFIX + key, -length, -1));
      const texts = await Promise.all(read);
      const found = keys.map((key, index) => [key, texts[index] ?? ''] as const);
      // Redis returns an empty text for a missing document.
      return new Map(found.filter(([, text]) => text !== ''));
    },
    prove,
    async close() {
      clearInterval(renewal);
      // If the server is away, the lease expires by itself.
      await client.eval(GIVE_BACK, lease).catch(() => {});
      client.destroy();
    },
  };
}

/**
 * Takes the lease, and waits for the lease of a killed process to expire. If the remaining time of
 * a lease grows, it is being renewed, so its holder is alive.
 */
async function take(
  client: Client,
  lease: { keys: string[]; arguments: string[] },
  shown: string,
): Promise<void> {
  for (let leftMs = LEASE_MS; (await client.eval(TAKE, lease)) !== 1; ) {
    const foundMs = await client.pTTL(LOCK_KEY);
    if (foundMs > leftMs) throw new StoreInUse(shown);
    leftMs = foundMs;
    await delay(LOCK_RETRY_MS);
  }
}

/**
 * Opens a database for reading only.
 *
 * @throws Redis's error
 */
export async function inspect(url: string): Promise<BackendInspection> {
  const client = await connect(url);
  return orClosed(client.destroy.bind(client), async () => ({
    isInUse: (await client.exists(LOCK_KEY)) === 1,
    isNew: (await documents(client).next()).done === true,
    warnings: await settingsWarnings(client),
    get: (key) => readText(client, key),
    entries: (except) => documents(client, except),
    close: async () => client.destroy(),
  }));
}

async function connect(url: string) {
  // A server that is unreachable at the start is an error; for one that goes away later, the client
  // waits.
  let isConnected = false;
  const client = createClient({
    url,
    RESP: 2,
    // Commands are rejected while the server is away, instead of waiting for it.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_LIMIT_MS,
      reconnectStrategy: (attempt) =>
        isConnected ? Math.min(RECONNECT_LIMIT_MS, 50 * 2 ** attempt) : false,
    },
  });
  // Every failure also reaches the caller as a rejection; without a listener it would end the
  // process.
  client.on('error', () => {});
  await client.connect();
  isConnected = true;
  return client;
}

async function readText(client: Client, key: string): Promise<string | undefined> {
  return (await client.get(DOCUMENT_PREFIX + key)) ?? undefined;
}

/**
 * Iterates over the keys that begin with a prefix. SCAN returns each present key at least once, and
 * may repeat it.
 */
async function* keyPages(client: Client, prefix = ''): AsyncGenerator<readonly string[]> {
  const seen = new Set<string>();
  for await (const found of client.scanIterator({
    MATCH: `${DOCUMENT_PREFIX}${prefix}*`,
    COUNT: KEYS_A_PAGE,
  })) {
    const keys = found.filter((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    yield keys.map((key) => key.slice(DOCUMENT_PREFIX.length));
  }
}

/** Iterates over all documents except those whose keys begin with one of the prefixes. */
async function* documents(
  client: Client,
  except: readonly string[] = [],
): AsyncGenerator<readonly [key: string, text: string]> {
  let rows = LEAST_ROWS;
  for await (const found of keyPages(client)) {
    const keys = found.filter((key) => !except.some((prefix) => key.startsWith(prefix)));
    for (let from = 0; from < keys.length; ) {
      const part = keys.slice(from, from + rows);
      const values = await client.mGet(part.map((key) => DOCUMENT_PREFIX + key));
      for (const [index, key] of part.entries()) {
        const value = values[index];
        if (typeof value === 'string') yield [key, value];
      }
      from += part.length;
      rows = rowsAfter(values.filter((value) => typeof value === 'string'));
    }
  }
}

/** Returns warnings about Redis settings that may lose acknowledged writes. */
async function settingsWarnings(client: Client): Promise<readonly string[]> {
  const settings = await client
    .configGet(['appendonly', 'appendfsync', 'maxmemory', 'maxmemory-policy'])
    // Hosted servers often forbid CONFIG.
    .catch(() => null);
  if (settings === null) {
    return [
      'Redis does not show its settings (CONFIG GET is refused). ' +
        'Make sure that it has appendonly yes and appendfsync always: ' +
        'an acknowledged write that is lost sends an alert twice.',
    ];
  }
  const warnings: string[] = [];
  if (settings['appendonly'] !== 'yes' || settings['appendfsync'] !== 'always') {
    warnings.push(
      'Redis may lose acknowledged writes when its machine fails ' +
        `(appendonly ${settings['appendonly']}, appendfsync ${settings['appendfsync']}): ` +
        'alerts may then be sent twice. Set appendonly yes and appendfsync always.',
    );
  }
  if (
    settings['maxmemory'] !== '0' &&
    settings['maxmemory-policy']?.startsWith('allkeys') === true
  ) {
    warnings.push(
      'Redis drops documents when its memory is full ' +
        `(maxmemory-policy ${settings['maxmemory-policy']}): watches may vanish. ` +
        'Set maxmemory-policy noeviction.',
    );
  }
  return warnings;
}
