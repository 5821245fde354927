import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';

export const PASSWORD = 'planted pass/word';

/** A database server for tests, on a free port and in a temporary folder. */
export interface DatabaseServer {
  /** Returns the address of a new database. */
  newStore(): Promise<string>;
  /** Returns the output of the server's own command line tool for a command. */
  ask(url: string, ...texts: string[]): Promise<string>;
  /** Kills it without a clean shutdown. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same port and data. */
  start(): Promise<void>;
  /** Stops it for good. */
  stop(): Promise<void>;
}

const POSTGRES_PLACES = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
  : [];
const redisServer = find('redis-server');
const redisCli = find('redis-cli');
const initdb = find('initdb', POSTGRES_PLACES);
const postgres = find('postgres', POSTGRES_PLACES);
const psql = find('psql', POSTGRES_PLACES);
const natsServer = find('nats-server', ['/usr/sbin']);

/**
 * False if the servers are neither installed nor required. With CI=true their tests fail instead of
 * being skipped.
 */
export const hasRedis = process.env['CI'] === 'true' || (redisServer !== null && redisCli !== null);
export const hasPostgres =
  process.env['CI'] === 'true' || (initdb !== null && postgres !== null && psql !== null);
const promtool = find('promtool');
export const hasPromtool = process.env['CI'] === 'true' || promtool !== null;
export const hasNats = process.env['CI'] === 'true' || natsServer !== null;
for (const [isThere, name] of [
  [hasNats, 'nats-server'],
  [hasRedis, 'redis-server'],
  [hasPostgres, 'postgresql'],
] as const) {
  if (!isThere)
    process.stderr.write(
      `Tests with ${name} are skipped: it is not installed (apt-get install ${name}).\n`,
    );
}

export async function startRedis(settings: readonly string[] = []): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'walletbell-redis-'));
  const port = await freePort();
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const own = words(`--port ${port} --bind 127.0.0.1 --dir ${folder} --databases 100`);
  const program = needed(redisServer, 'redis-server');
  const launch = () =>
    run(
      program,
      [...own, ...durable, '--requirepass', PASSWORD, ...settings],
      /Ready to accept connections/,
    );
  let databases = 0;
  return keep(folder, launch, {
    async newStore() {
      databases += 1;
      return `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${databases}`;
    },
    async ask(url, ...texts) {
      const database = new URL(url).pathname.slice(1);
      const place = ['-p', String(port), '-n', database, '-a', PASSWORD, '--no-auth-warning', '-e'];
      const { stdout } = await promisify(execFile)(needed(redisCli, 'redis-cli'), [
        ...place,
        ...texts,
      ]);
      return stdout.trim();
    },
  });
}

export async function startPostgres(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'walletbell-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  chmodSync(folder, 0o755);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  // PostgreSQL refuses to run as the superuser.
  const owner = process.getuid?.() === 0 ? ordinaryUser() : null;
  if (owner !== null)
    for (const path of [folder, data, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const texts = words(
    `-D ${data} -U bell -A scram-sha-256 --pwfile=${passwordFile} --no-sync -E UTF8`,
  );
  execFileSync(needed(initdb, 'initdb'), texts, { cwd: folder, stdio: 'ignore', ...owner });
  const port = await freePort();
  // A killed server loses nothing that the operating system has accepted, and tests don't cover a
  // machine failure, so fsync would only cost time.
  const own = words(
    `-D ${data} -p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`,
  );
  const launch = () =>
    run(needed(postgres, 'postgres'), own, /ready to accept connections/, {
      cwd: folder,
      ...owner,
    });
  const address = (database: string) =>
    `postgres://bell:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
  let databases = 0;
  const ask = async (url: string, ...sql: string[]) => {
    const commands = sql.flatMap((statement) => ['-c', statement]);
    const { stdout } = await promisify(execFile)(needed(psql, 'psql'), [url, '-XAtq', ...commands]);
    return stdout.trim();
  };
  return keep(folder, launch, {
    async newStore() {
      databases += 1;
      const name = `bell${databases}`;
      await createDatabase(address('postgres'), name);
      return address(name);
    },
    ask,
  });
}

/** Starts the server of a kind of store; null for SQLite, which has none. */
export const STORE_SERVERS: Readonly<Record<string, () => Promise<DatabaseServer | null>>> = {
  sqlite: async () => null,
  postgres: startPostgres,
  redis: startRedis,
};

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
}

/**
 * Starts a NATS server with JetStream that accepts one user, or those defined by the settings.
 * `newStore` returns its address because it has no databases.
 *
 * @param login arguments that define who may log in
 */
export async function startNats(
  settings: readonly string[] = [],
  login: readonly string[] = ['--user', 'bell', '--pass', PASSWORD],
): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'walletbell-nats-'));
  const port = await freePort();
  const own = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder, ...login, ...settings];
  const launch = () => run(needed(natsServer, 'nats-server'), own, /Server is ready/);
  return keep(folder, launch, {
    newStore: async () => `nats://bell:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    ask: () => Promise.reject(new Error('Nobody asks a NATS server by command.')),
  });
}

/** Returns the words of a command line; none has a space in it. */
const words = (line: string): string[] => line.split(' ');

async function keep(
  folder: string,
  launch: () => Promise<ChildProcess>,
  tools: Pick<DatabaseServer, 'newStore' | 'ask'>,
): Promise<DatabaseServer> {
  let child = await launch();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill(signal);
    await ended;
  };
  return {
    ...tools,
    // SIGQUIT ends PostgreSQL with its children and without a checkpoint. Redis has no children and
    // also dies from it.
    kill: () => end('SIGQUIT'),
    async start() {
      child = await launch();
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(
  program: string,
  texts: readonly string[],
  ready: RegExp,
  options: { readonly cwd?: string; readonly uid?: number; readonly gid?: number } = {},
): Promise<ChildProcess> {
  const child = spawn(program, texts, {
    ...options,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        if (ready.test(line)) resolve();
      });
    }
    child.once('close', () => reject(new Error(`${program} has ended: ${said.join('\n')}`)));
  });
  return child;
}

function ordinaryUser(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

function find(program: string, places: readonly string[] = []): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...places];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

/**
 * Runs Prometheus' unit tests of alert rules.
 *
 * @returns the output; rejects if a test fails
 */
export async function testRules(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(needed(promtool, 'prometheus'), [
    'test',
    'rules',
    path,
  ]);
  return stdout;
}

function needed(path: string | null, name: string): string {
  if (path === null)
    throw new Error(`${name} is not installed, but CI is true: no test may be skipped.`);
  return path;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      );
    });
  });
}
