import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { recordsIn } from '../../src/demo/alert-parser.ts';
import { hash32, sourceMarket, sourceTrade, startSource } from '../support/polymarket-source.ts';
import { nowSeconds } from '../support/records.ts';
import { launch, openWorld, storeWatches } from '../support/world.ts';
import { usageOf } from './cluster/process-usage.ts';
import { DEFAULTS } from './defaults.ts';
import { mean, print, quantiles } from './figures.ts';
import { seededRandom } from './schedule-random.ts';
import { readOptions } from './usage.ts';

const STEP_MS = 200;
const WARM_MS = 20_000;
const DRAIN_LIMIT_MS = 120_000;
/** Rows of each wallet before the run, a full page of the poller. */
const PAST_ROWS = 100;

/**
 * Runs a bot that follows Polymarket wallets through its gateway, against the simulated source of
 * the tests. Prints the delay from a trade's listing to its message, the number of requests, and
 * the gateway's cost: milliseconds of a core per page, and memory beyond that of an idle Node
 * process. Each trade is in a different market, which the gateway has to look up.
 */
export async function run(args: string[]): Promise<void> {
  const { minutes, wallets, limit } = readOptions(args, DEFAULTS['fan-in']);
  const random = seededRandom(1);
  const world = await openWorld('fan-in', { servers: 10, wallets });
  const source = await startSource();
  const lines: Record<string, unknown>[] = [];
  const seen = new Map<string, number>();
  const note = (message: SeenMessage) => {
    for (const shown of recordsIn(message)) {
      if (shown.kind === 'fills' && !seen.has(shown.marketId)) seen.set(shown.marketId, Date.now());
    }
  };
  world.discord.events.on('message', note);
  world.discord.events.on('edit', note);
  let count = 0;
  const list = (wallet: string, timestamp: number) => {
    count += 1;
    const market = sourceMarket(count);
    source.addMarkets(market);
    const over = { proxy_wallet: wallet, timestamp, transaction_hash: hash32(count) };
    source.list(sourceTrade(market, over));
    return market.id;
  };
  const past = sourceMarket(0);
  source.addMarkets(past);
  for (const { wallet } of world.watches) {
    for (let age = PAST_ROWS; age > 0; age -= 1) {
      const over = { proxy_wallet: wallet, timestamp: nowSeconds() - age * 600 };
      source.list(sourceTrade(past, { ...over, transaction_hash: hash32(1e9 + age) }));
    }
  }
  await storeWatches(world);
  const variables = {
    VENUE_BASE_URL: 'polymarket',
    VENUE_API_KEY: '',
    POLYMARKET_DATA_URL: source.url,
    POLYMARKET_GAMMA_URL: source.url,
    POLYMARKET_REQUESTS_PER_MINUTE: String(limit),
    LOG_LEVEL: 'info',
  };
  const bot = launch(world, variables, (line) => void lines.push(line));
  try {
    await once(world.discord.events, 'gateway');
    await delay(WARM_MS);
    const started = lines.find(({ event }) => event === 'polymarket.listening');
    const [pid, url] = [Number(started?.['pid']), String(started?.['url'])];
    const before = { ...usageOf(pid), pages: await pagesOf(url) };
    const listedMs = new Map<string, number>();
    const rates = world.watches.map(() => random.logNormal(1, 1.5) / 60);
    for (const endMs = Date.now() + minutes * 60_000; Date.now() < endMs; ) {
      for (const [index, { wallet }] of world.watches.entries()) {
        if (random() >= ((rates[index] ?? 0) * STEP_MS) / 1_000) continue;
        listedMs.set(list(wallet, nowSeconds()), Date.now());
      }
      await delay(STEP_MS);
    }
    const pages = (await pagesOf(url)) - before.pages;
    const { cpuSeconds, rssMb: memoryMb } = usageOf(pid);
    const drain = AbortSignal.timeout(DRAIN_LIMIT_MS);
    while (![...listedMs.keys()].every((id) => seen.has(id)) && !drain.aborted) await delay(500);
    const delays = [...listedMs].flatMap(([id, atMs]) => {
      const shownMs = seen.get(id);
      return shownMs === undefined ? [] : [(shownMs - atMs) / 1_000];
    });
    const at = quantiles(delays);
    const pauses = lines.filter(({ event }) => event === 'venue.rate_limited');
    print({
      wallets,
      limit,
      minutes,
      trades: listedMs.size,
      alerts: delays.length,
      mean: mean(delays),
      p50: at(0.5),
      p95: at(0.95),
      max: at(1),
      pagesPerMinute: pages / minutes,
      tooManyRequests: pauses.length,
      gatewayMsPerPage: (1_000 * (cpuSeconds - before.cpuSeconds)) / pages,
      gatewayMb: memoryMb,
      gatewayMbOverIdleNode: memoryMb - (await idleMb()),
    });
  } finally {
    await bot.stop();
    await source.stop();
    await world.close();
  }
}

/** Returns the number of page requests that the gateway has received. */
async function pagesOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^polymarket_requests_total (\d+)$/m.exec(text)?.[1]);
}

/** Returns the memory of an idle Node process, in MB. */
async function idleMb(): Promise<number> {
  const idle = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)']);
  await once(idle.stdout, 'data');
  await delay(1_000);
  const { rssMb } = usageOf(idle.pid);
  idle.kill();
  return rssMb;
}
