import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import KeyvRedis, { createClient } from '@keyv/redis';
import { shownStore } from './address.ts';
import { type Backend, type BackendOptions, documentsIn, type Inspection, NAMESPACE } from './backend.ts';
import { unwrap } from './document.ts';
import { lostStore, StoreError, silentStore, storeInUse } from './error.ts';

/** Held for a while and renewed, so that it ends with its holder: nobody need take it away from a dead process. */
const LOCK_KEY = `${NAMESPACE}:lock`;
/** Who opened the store last. It outlives the lease, and is gone if Redis lost its data. */
const OWNER_KEY = `${NAMESPACE}:owner`;
const LEASE_MS = 6_000;
const RENEW_MS = 1_500;
const LOCK_RETRY_MS = 250;
const CONNECT_LIMIT_MS = 5_000;
/** A connection that stands but answers nothing for this long is dead, which TCP itself notices after a quarter of an hour. */
const SILENCE_LIMIT_MS = 15_000;
const RECONNECT_LIMIT_MS = 2_000;
const KEYS_PER_PAGE = 1_000;
const NOT_OWNER = 'WALLETBELLNOTOWNER';

const TAKE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[1])
  return 1
end
return 0`;
/** A lease that ran out during an outage is taken up again if nobody else has had the store meanwhile. */
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
/** The check and the write are one step: a process that was stopped and wakes up too late can write nothing. */
const FENCED = (command: string) => `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return redis.error_reply('${NOT_OWNER}') end
${command}
return 1`;
const WRITE = FENCED("redis.call('SET', KEYS[1], ARGV[2])");
const REMOVE = FENCED("redis.call('DEL', KEYS[1])");

type Client = ReturnType<typeof makeClient>;

/** Opens a database of a Redis server. @throws what Redis says, see `explainRedis`, or {StoreError} */
export async function openRedis(url: string, options: BackendOptions): Promise<Backend> {
  const shown = shownStore(url);
  const client = await connect(url);
  const token = randomUUID();
  const lease = { keys: [LOCK_KEY, OWNER_KEY], arguments: [token, String(LEASE_MS)] };
  let isLost = false;
  const lose = (error: StoreError): StoreError => {
    clearInterval(renewal);
    if (!isLost) options.onLost(error);
    isLost = true;
    return error;
  };
  let askedAtMs: number | null = null;
  // While the server is away the renewal fails; what counts is what it says once it is back.
  const renew = async () => {
    if (askedAtMs !== null) {
      if (performance.now() - askedAtMs > SILENCE_LIMIT_MS) lose(silentStore(shown));
      return;
    }
    askedAtMs = performance.now();
    try {
      if ((await client.eval(RENEW, lease)) !== 1) lose(lostStore(shown));
    } catch {
      // The connection has broken: it is being made anew.
    } finally {
      askedAtMs = null;
    }
  };
  let renewal: NodeJS.Timeout | undefined;

  try {
    await take(client, lease, shown);
    renewal = setInterval(() => void renew(), RENEW_MS);
    renewal.unref();
    for (const warning of await settingsWarnings(client)) options.onWarning(warning);
  } catch (error) {
    clearInterval(renewal);
    client.destroy();
    throw error;
  }

  const adapter = new FencedRedis(client, token, () => lose(lostStore(shown)));
  // Every failure also reaches the caller as a rejection; without a listener the library would throw it a second time.
  adapter.on('error', () => {});
  const keyv = documentsIn(adapter, { useKeyPrefix: false });
  return {
    keyv,
    entries: () => scan(client),
    async close() {
      clearInterval(renewal);
      // If the server is away, the lease ends by itself.
      await client.eval(GIVE_BACK, lease).catch(() => {});
      client.destroy();
    },
  };
}

/** What a killed bot held ends by itself within the lease; a lease that is renewed meanwhile has a living holder. */
async function take(client: Client, lease: { keys: string[]; arguments: string[] }, shown: string): Promise<void> {
  for (let leftMs = LEASE_MS; (await client.eval(TAKE, lease)) !== 1; ) {
    const foundMs = await client.pTTL(LOCK_KEY);
    if (foundMs > leftMs) throw storeInUse(shown, undefined);
    leftMs = foundMs;
    await delay(LOCK_RETRY_MS);
  }
}

/** Writes only while this process owns the store. */
class FencedRedis extends KeyvRedis<string> {
  readonly #client: Client;
  readonly #token: string;
  readonly #lose: () => StoreError;

  constructor(client: Client, token: string, lose: () => StoreError) {
    super(client, { namespace: NAMESPACE, throwOnErrors: true });
    this.#client = client;
    this.#token = token;
    this.#lose = lose;
  }

  override async set(key: string, value: string): Promise<void> {
    await this.#write(WRITE, key, [this.#token, value]);
  }

  override async delete(key: string): Promise<boolean> {
    await this.#write(REMOVE, key, [this.#token]);
    return true;
  }

  async #write(script: string, key: string, texts: string[]): Promise<void> {
    try {
      await this.#client.eval(script, {
        keys: [this.createKeyPrefix(key, NAMESPACE), OWNER_KEY],
        arguments: texts,
      });
    } catch (error) {
      throw error instanceof Error && error.message.includes(NOT_OWNER) ? this.#lose() : error;
    }
  }
}

/** Looks into a database without changing it. @throws what Redis says */
export async function inspectRedis(url: string): Promise<Inspection> {
  const client = await connect(url);
  try {
    const first = await scan(client).next();
    return {
      isInUse: (await client.exists(LOCK_KEY)) === 1,
      isNew: first.done === true,
      warnings: await settingsWarnings(client),
      entries: () => scan(client),
      close: async () => client.destroy(),
    };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

async function connect(url: string): Promise<Client> {
  const state = { isConnected: false };
  const client = makeClient(url, state);
  client.on('error', () => {});
  await client.connect();
  state.isConnected = true;
  return client;
}

function makeClient(url: string, state: { readonly isConnected: boolean }) {
  return createClient({
    url,
    RESP: 2,
    // A command that waits for the server to come back would keep its caller waiting, too.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_LIMIT_MS,
      reconnectStrategy: (attempt) => (state.isConnected ? Math.min(RECONNECT_LIMIT_MS, 50 * 2 ** attempt) : false),
    },
  });
}

/** SCAN gives each key that stays at least once, and may give one twice. */
async function* scan(client: Client): AsyncGenerator<readonly [key: string, document: unknown]> {
  const prefix = `${NAMESPACE}::`;
  const seen = new Set<string>();
  for await (const found of client.scanIterator({ MATCH: `${prefix}*`, COUNT: KEYS_PER_PAGE })) {
    const keys = found.filter((key) => !seen.has(key));
    if (keys.length === 0) continue;
    for (const key of keys) seen.add(key);
    const values = await client.mGet(keys);
    for (const [index, key] of keys.entries()) {
      const value = values[index];
      if (typeof value === 'string') yield [key.slice(prefix.length), unwrap(value)];
    }
  }
}

/** What in Redis' settings may cost a write that it has acknowledged. */
async function settingsWarnings(client: Client): Promise<readonly string[]> {
  const settings = await client
    .configGet(['appendonly', 'appendfsync', 'maxmemory', 'maxmemory-policy'])
    // Hosted servers often forbid CONFIG.
    .catch(() => null);
  if (settings === null) {
    return [
      'Redis does not show its settings (CONFIG GET is refused). Make sure that it has appendonly yes and appendfsync always: an acknowledged write that is lost rings an alert twice.',
    ];
  }
  const warnings: string[] = [];
  if (settings['appendonly'] !== 'yes' || settings['appendfsync'] !== 'always') {
    warnings.push(
      `Redis may lose acknowledged writes when its machine fails (appendonly ${settings['appendonly']}, appendfsync ${settings['appendfsync']}): alerts may then ring twice. Set appendonly yes and appendfsync always.`,
    );
  }
  if (settings['maxmemory'] !== '0' && settings['maxmemory-policy']?.startsWith('allkeys') === true) {
    warnings.push(
      `Redis drops documents when its memory is full (maxmemory-policy ${settings['maxmemory-policy']}): watches may vanish. Set maxmemory-policy noeviction.`,
    );
  }
  return warnings;
}

/** Says what an error of Redis means for whoever runs the bot. */
export function explainRedis(shown: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const text =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error);
  if (/NOAUTH|WRONGPASS|AUTH/.test(text)) {
    return new StoreError(
      `The store ${shown} refuses user name or password (${text}). Check them in STORE_URL; special characters are written as %XX there.`,
      error,
    );
  }
  if (/DB index/i.test(text)) {
    return new StoreError(
      `The store ${shown} has no such database (${text}). The path of STORE_URL is its number, such as redis://HOST:6379/0.`,
      error,
    );
  }
  if (/READONLY|MISCONF|NOPERM|OOM/.test(text)) {
    return new StoreError(
      `The store ${shown} cannot be written (${text}). Use the primary server, and check its disk, its memory and the user's rights (GET, SET, DEL, EXISTS, MGET, SCAN, EVAL on ${NAMESPACE}*).`,
      error,
    );
  }
  return new StoreError(
    `The store ${shown} cannot be reached (${text}). Check STORE_URL, and that the Redis server runs and lets this machine in.`,
    error,
  );
}
