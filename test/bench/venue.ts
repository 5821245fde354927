import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { importFile } from '@walletbell/venue-server/import';
import { openLedger } from '@walletbell/venue-server/ledger';
import { createRandom, type Random } from '@walletbell/venue-server/simulator/random';
import { Pool } from 'undici';
import * as z from 'zod';
import { programFile } from '../../src/build/state.js';
import { pageSchema } from '../../src/domain/records.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { trade } from '../support/records.ts';
import { DEFAULTS } from './defaults.ts';
import { mean, print, quantiles } from './figures.ts';
import { readOptions } from './usage.ts';

/** A path that does not exist. */
const NOTHING = '/nothing';
const KEY = 'bench-key';
const CONNECTIONS = 8;
const RECORDS_PER_WALLET = 100;
/** One record in ten belongs to one wallet, so that its list is long. */
const WHALE_SHARE = 0.1;
const MARKETS = 400;
const START_SECONDS = 1_700_000_000;
const SPAN_SECONDS = 90 * 86_400;

const pageBody = z.object({ data: pageSchema });

type Server = Awaited<ReturnType<typeof importAndServe>>;

/**
 * Imports a small and a large ledger whose lists (except one) have equal lengths, serves each from
 * a separate process, and requests pages over a few connections as fast as they are answered.
 * Prints one JSON line per result. The two servers and their 404 are measured in turns, so that
 * other load on the machine affects all of them equally.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args, DEFAULTS.venue);
  const directory = benchFolder('venue');
  const servers: Server[] = [];
  try {
    for (const records of [options.small, options.records])
      servers.push(await importAndServe(directory, records));
    for (const name of ['first page', 'deep cursor page'] as const)
      await compare(name, servers, options);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/**
 * Measures a case on each server in turns, and prints both and the ratio of the second to the
 * first.
 */
async function compare(
  name: keyof Server['cases'],
  servers: readonly Server[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  const rates = servers.map(({ records }) => ({
    records,
    pages: [] as number[],
    misses: [] as number[],
  }));
  // The first round is only a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { pool, cases }] of servers.entries()) {
      const miss = await requestsPerSecond(pool, seconds / rounds / 2, () => NOTHING);
      const page = await requestsPerSecond(pool, seconds / rounds, cases[name]);
      if (round === 0) continue;
      rates[index]?.misses.push(miss);
      rates[index]?.pages.push(page);
    }
  }
  for (const { records, pages, misses } of rates) {
    print({
      case: name,
      records,
      requestsPerSecond: mean(pages),
      requestsTo404: mean(pages) / mean(misses),
    });
  }
  const [small, large] = rates;
  const growth = large?.pages.map((rate, round) => rate / (small?.pages[round] ?? 0)) ?? [];
  print({
    case: name,
    records: rates.map(({ records }) => records),
    requestsGrow: quantiles(growth)(0.5),
  });
}

/** Writes an import file, imports it, and starts a server for it. */
async function importAndServe(directory: string, records: number) {
  const random = createRandom(`bench ${records}`);
  const walletCount = Math.max(1, Math.round(records / RECORDS_PER_WALLET));
  const wallets = Array.from({ length: walletCount }, () => `0x${random.hex(40)}`);
  const whale = `0x${random.hex(40)}`;
  const file = join(directory, `${records}.jsonl`);
  const linesAtOnce = 1_000;
  await pipeline(function* () {
    for (let from = 0; from < records; from += linesAtOnce) {
      yield Array.from({ length: Math.min(linesAtOnce, records - from) }, (_, index) => {
        const wallet = random.chance(WHALE_SHARE) ? whale : random.pick(wallets);
        return line(
          random,
          wallet,
          START_SECONDS + Math.floor(((from + index) / records) * SPAN_SECONDS),
        );
      }).join('');
    }
  }, createWriteStream(file));

  const path = join(directory, `${records}.sqlite`);
  const ledger = await openLedger({ path });
  const startMs = performance.now();
  const report = await importFile(ledger, file, ({ line: number, reason }) => {
    throw new Error(`Line ${number} ${reason}`);
  });
  print({ case: 'import', records, ...report, seconds: (performance.now() - startMs) / 1000 });
  await ledger.close();
  await rm(file);

  const keysFile = join(directory, 'keys.json');
  const endpoints = ['activity', 'deposits-withdrawals'];
  const plan = { key: KEY, label: 'bench', limit: 1_000_000_000, windowSeconds: 3600, endpoints };
  await writeFile(keysFile, JSON.stringify([plan]));
  const child = spawn(
    process.execPath,
    [programFile('venue'), '--port', '0', '--db', path, '--keys', keysFile],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'warn' },
    },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const [first] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { listening } = z.object({ listening: z.string() }).parse(JSON.parse(first));
  const pool = new Pool(listening, { connections: CONNECTIONS, pipelining: 1 });
  const deep = await cursorAt(pool, whale, Math.floor((records * WHALE_SHARE) / 2));
  return {
    records,
    pool,
    /** Functions that return a path for each case. */
    cases: {
      'first page': () => `/v1/trader/${random.pick(wallets)}/activity`,
      'deep cursor page': () => `/v1/trader/${whale}/activity?cursor=${encodeURIComponent(deep)}`,
    },
    async stop() {
      await pool.destroy();
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Returns the cursor at a depth of a wallet's list. */
async function cursorAt(pool: Pool, wallet: string, depth: number): Promise<string> {
  let cursor = '';
  for (let seen = 0; seen < depth; seen += 100) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/trader/${wallet}/activity?limit=100${query}`;
    const { body } = await pool.request({
      path,
      method: 'GET',
      headers: { authorization: `Bearer ${KEY}` },
    });
    const { data } = pageBody.parse(await body.json());
    if (data.nextCursor === null) break;
    cursor = data.nextCursor;
  }
  return cursor;
}

async function requestsPerSecond(pool: Pool, seconds: number, path: () => string): Promise<number> {
  let answered = 0;
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const headers = { authorization: `Bearer ${KEY}` };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < endMs) {
        const asked = path();
        const { statusCode, body } = await pool.request({ path: asked, method: 'GET', headers });
        await body.dump({ limit: 10_000_000 });
        if (statusCode !== (asked === NOTHING ? 404 : 200))
          throw new Error(`Unexpected status ${statusCode}`);
        answered += 1;
      }
    }),
  );
  return (1000 * answered) / (performance.now() - startMs);
}

function line(random: Random, trader: string, time: number): string {
  const market = random.whole(1, MARKETS);
  const item = trade({
    ...{
      trader,
      time,
      txHash: `0x${random.hex(64)}`,
      price: random.whole(1, 99),
      quantity: random.whole(1, 900),
    },
    tokenId: String(market).padStart(77, '7'),
    marketId: String(market),
    conditionId: `0x${String(market).padStart(64, '0')}`,
  });
  return `${JSON.stringify({ kind: 'activity', block: Math.floor((time - 1_590_000_000) / 2), item })}\n`;
}
