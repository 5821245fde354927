import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import * as z from 'zod';
import { programFile } from '../../src/build/state.js';
import { pageSchema } from '../../src/domain/records.ts';
import { importFile } from '../../src/venue-server/import.ts';
import { openLedger } from '../../src/venue-server/ledger.ts';
import { createRandom, type Random } from '../../src/venue-server/simulator/random.ts';
import { benchFolder } from '../support/bench-folder.ts';

const KEY = 'bench-key';
const RECORDS_PER_WALLET = 100;
/** One record in ten belongs to one wallet, so that its list is long. */
const WHALE_SHARE = 0.1;
const MARKETS = 400;
/** Half of all records are in the first few markets, so that a filter by these has full pages in any ledger. */
const POPULAR_MARKETS = 5;
const START_SECONDS = 1_700_000_000;
const SPAN_SECONDS = 90 * 86_400;

const pageBody = z.object({ data: pageSchema.extend({ items: z.array(z.object({ txHash: z.string() })) }) });

interface World {
  readonly records: number;
  readonly wallets: readonly string[];
  readonly whale: string;
}

interface Server {
  readonly world: World;
  readonly pool: Pool;
  /** A path of each case. */
  readonly cases: Readonly<Record<string, () => string>>;
  stop(): Promise<void>;
}

interface Sample {
  readonly latenciesMs: readonly number[];
  readonly elapsedSeconds: number;
}

/**
 * Imports a small and a large ledger with equally long lists (but one), serves each from a process of its own, and asks
 * for pages over a few connections as fast as they are answered. One JSON line a result. The two servers and their 404
 * are measured in turns, so that what else the machine does falls on all of them alike.
 *
 * Options: --records (1000000), --small (10000), --seconds a case (3), --rounds of each case (6), --connections (8).
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      records: { type: 'string', default: '1000000' },
      small: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '6' },
      connections: { type: 'string', default: '8' },
    },
  });
  const [connections, rounds] = [Number(values.connections), Number(values.rounds)];
  const directory = benchFolder('venue');
  const servers: Server[] = [];
  try {
    const small = await makeLedger(directory, Number(values.small), ['first', 'again']);
    const large = await makeLedger(directory, Number(values.records), ['first']);
    for (const world of [small, large]) servers.push(await serve(directory, world, connections));
    for (const name of Object.keys(servers[0]?.cases ?? {})) {
      await compare(name, servers, { rounds, connections, seconds: Number(values.seconds) / rounds });
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Measures a case of each server in turns, and prints both and how the second stands to the first. */
async function compare(
  name: string,
  servers: readonly Server[],
  { rounds, seconds, connections }: { readonly rounds: number; readonly seconds: number; readonly connections: number },
): Promise<void> {
  const pages: Sample[][] = servers.map(() => []);
  const misses: Sample[][] = servers.map(() => []);
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { pool, cases }] of servers.entries()) {
      const miss = await hammer(pool, connections, seconds / 2, () => '/nothing');
      const page = await hammer(pool, connections, seconds, cases[name] ?? (() => '/nothing'));
      if (round === 0) continue;
      misses[index]?.push(miss);
      pages[index]?.push(page);
    }
  }
  for (const [index, { world }] of servers.entries()) {
    const page = summary(pages[index] ?? []);
    const miss = summary(misses[index] ?? []);
    print({
      case: name,
      records: world.records,
      ...page,
      requestsTo404: ratio(page.requestsPerSecond, miss.requestsPerSecond),
      p50To404: ratio(page.p50Ms, miss.p50Ms),
      p99To404: ratio(page.p99Ms, miss.p99Ms),
    });
  }
  const [small = [], large = []] = pages.map((samples) => samples.map((sample) => summary([sample])));
  const growth = (value: 'requestsPerSecond' | 'p50Ms') =>
    median(large.map((measured, round) => ratio(measured[value], small[round]?.[value] ?? 0)));
  print({
    case: name,
    records: servers.map(({ world }) => world.records),
    requestsGrow: growth('requestsPerSecond'),
    p50Grows: growth('p50Ms'),
  });
}

/** Writes an import file and imports it, a small one twice: the second time nothing may change. */
async function makeLedger(directory: string, records: number, passes: readonly string[]): Promise<World> {
  const random = createRandom(`bench ${records}`);
  const walletCount = Math.max(1, Math.round(records / RECORDS_PER_WALLET));
  const wallets = Array.from({ length: walletCount }, () => `0x${hash(random).slice(0, 40)}`);
  const whale = `0x${hash(random).slice(0, 40)}`;
  const file = join(directory, `${records}.jsonl`);
  await pipeline(function* () {
    let chunk = '';
    for (let index = 0; index < records; index += 1) {
      const wallet = random.chance(WHALE_SHARE) ? whale : random.pick(wallets);
      chunk += `${line(random, wallet, START_SECONDS + Math.floor((index / records) * SPAN_SECONDS))}\n`;
      if (chunk.length > 1_000_000) {
        yield chunk;
        chunk = '';
      }
    }
    yield chunk;
  }, createWriteStream(file));

  const ledger = await openLedger({ path: join(directory, `${records}.sqlite`) });
  for (const pass of passes) {
    const startMs = performance.now();
    const report = await importFile(ledger, file, ({ line: number, reason }) => {
      throw new Error(`Line ${number} ${reason}`);
    });
    const seconds = (performance.now() - startMs) / 1000;
    print({
      case: `import ${pass}`,
      records,
      ...report,
      seconds: rounded(seconds),
      recordsPerSecond: Math.round(records / seconds),
      rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
    });
  }
  await ledger.close();
  const { size } = await stat(join(directory, `${records}.sqlite`));
  print({ case: 'file', records, bytesPerRecord: Math.round(size / records), wallets: wallets.length + 1 });
  await rm(file);
  return { records, wallets, whale };
}

async function serve(directory: string, world: World, connections: number): Promise<Server> {
  const keysFile = join(directory, 'keys.json');
  const endpoints = ['activity', 'deposits-withdrawals'];
  const plan = { key: KEY, label: 'bench', limit: 1_000_000_000, windowSeconds: 3600, endpoints };
  await writeFile(keysFile, JSON.stringify([plan]));
  const database = join(directory, `${world.records}.sqlite`);
  const child = spawn(process.execPath, [programFile('venue'), '--port', '0', '--db', database, '--keys', keysFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'warn' },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const pool = new Pool(await listening(child.stdout), { connections, pipelining: 1 });
  const random = createRandom('asked');
  const at = (wallet: string, query: string) => `/v1/trader/${wallet}/activity?${query}`;
  const deep = await walk(pool, world.whale, Math.floor((world.records * WHALE_SHARE) / 2));
  const anyWallet = () => random.pick(world.wallets);
  const markets = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `marketIds=${from + index}`).join('&');
  const middle = START_SECONDS + SPAN_SECONDS / 2;
  const blockAt = (share: number) => blockOf(START_SECONDS + Math.floor(SPAN_SECONDS * share));
  return {
    world,
    pool,
    cases: {
      'first page': () => at(anyWallet(), ''),
      'first page, long list': () => at(world.whale, ''),
      'deep cursor page': () => at(world.whale, `cursor=${encodeURIComponent(deep.cursor)}`),
      'market and time filter': () => at(anyWallet(), `${markets(random.whole(1, 4), 2)}&fromTimestamp=${middle}`),
      'market filter, long list': () => at(world.whale, markets(random.whole(1, 4), 2)),
      '100 markets, long list': () => at(world.whale, markets(random.whole(1, 300), 100)),
      'block filter, long list': () =>
        at(world.whale, `fromBlock=${blockAt(0.1)}&toBlock=${blockAt(random.between(0.2, 0.9))}`),
      'transaction filter': () => at(world.whale, `txHash=${deep.txHash}`),
    },
    async stop() {
      await pool.destroy();
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Follows the cursor to a depth of a wallet's list. */
async function walk(pool: Pool, wallet: string, depth: number): Promise<{ cursor: string; txHash: string }> {
  let cursor = '';
  let txHash = '';
  for (let seen = 0; seen < depth; seen += 100) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { data } = pageBody.parse(JSON.parse(await ask(pool, `/v1/trader/${wallet}/activity?limit=100${query}`)));
    txHash = data.items.at(-1)?.txHash ?? txHash;
    if (data.nextCursor === null) break;
    cursor = data.nextCursor;
  }
  return { cursor, txHash };
}

async function ask(pool: Pool, path: string): Promise<string> {
  const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { authorization: `Bearer ${KEY}` } });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${text}`);
  return text;
}

async function hammer(pool: Pool, connections: number, seconds: number, path: () => string): Promise<Sample> {
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const headers = { authorization: `Bearer ${KEY}` };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endMs) {
        const sentMs = performance.now();
        const { statusCode, body } = await pool.request({ path: path(), method: 'GET', headers });
        await body.dump({ limit: 10_000_000 });
        if (statusCode !== 200 && statusCode !== 404) throw new Error(`Unexpected status ${statusCode}`);
        latenciesMs.push(performance.now() - sentMs);
      }
    }),
  );
  return { latenciesMs, elapsedSeconds: (performance.now() - startMs) / 1000 };
}

function summary(samples: readonly Sample[]) {
  const latenciesMs = samples.flatMap((sample) => sample.latenciesMs).sort((left, right) => left - right);
  const elapsedSeconds = samples.reduce((sum, sample) => sum + sample.elapsedSeconds, 0);
  const quantile = (share: number) => rounded(latenciesMs[Math.floor(share * (latenciesMs.length - 1))] ?? 0);
  return {
    requestsPerSecond: Math.round(latenciesMs.length / elapsedSeconds),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

async function listening(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const first of createInterface({ input: stdout })) {
    return z.object({ listening: z.string() }).parse(JSON.parse(first)).listening;
  }
  throw new Error('The venue ended before it listened.');
}

function hash(random: Random): string {
  return Array.from({ length: 8 }, () =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
}

function line(random: Random, trader: string, time: number): string {
  const market = random.chance(0.5) ? random.whole(1, POPULAR_MARKETS) : random.whole(POPULAR_MARKETS + 1, MARKETS);
  const quantity = random.whole(1, 900);
  const price = random.whole(1, 99);
  const item = {
    time,
    action: 'Buy',
    recordType: 'SUMMARY',
    actionType: 0,
    price,
    quantity,
    fee: 0,
    grossValue: (price * quantity) / 100,
    transferNetAmount: (price * quantity) / 100,
    txHash: `0x${hash(random)}`,
    tokenId: String(market).padStart(77, '7'),
    marketId: String(market),
    marketSlug: `will-the-measured-thing-number-${market}-happen-before-june`,
    eventSlug: `measured-thing-${market}`,
    conditionId: `0x${String(market).padStart(64, '0')}`,
    marketTitle: `Will the measured thing number ${market} happen before June?`,
    positionSide: 'Yes',
    outcomeIndex: 0,
    logo: `https://images.venue.example/markets/${market}.png`,
    trader,
    liquidityRole: 'TAKER',
  };
  return JSON.stringify({ kind: 'activity', block: blockOf(time), item });
}

function blockOf(timeSeconds: number): number {
  return Math.floor((timeSeconds - 1_590_000_000) / 2);
}

function ratio(value: number, base: number): number {
  return base === 0 ? 0 : rounded(value / base);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function print(result: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ bench: 'venue', ...result })}\n`);
}
