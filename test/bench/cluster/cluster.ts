import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, followMessages } from '../../../src/demo/reconcile.ts';
import { inMarket, nowSeconds, trade } from '../../support/records.ts';
import { startNats, startPostgres } from '../../support/servers.ts';
import { launch, openWorld, storeWatches, type World } from '../../support/world.ts';
import { DEFAULTS } from '../defaults.ts';
import { print, quantiles } from '../figures.ts';
import { seededRandom } from '../schedule-random.ts';
import { readOptions } from '../usage.ts';
import { type Fault, faultsOf, startProcesses } from './processes.ts';

const TICK_MS = 200;
/** Wait after the load: at least this, and five rounds of polls. */
const DRAIN_MIN_MS = 240_000;
const DRAIN_ROUNDS = 5;
const ENDPOINTS_PER_WALLET = 2;
/** Time between two faults, in seconds. */
const CALM_SECONDS = 10;
const MS_PER_MINUTE = 60_000;
const PROGRESS_MS = 20_000;

export const USAGE = `npm run bench -- cluster [--minutes M] [--servers N] [--wallets N] [--limit N] [--kinds LIST]
  a feed, its standby and three bots on six shards with PostgreSQL and NATS, as processes on loopback: kills, stops and cuts each of them in turn while
  wallets trade, and counts what is lost and doubled (faults); then, for a third of the time, the same load without faults (calm), and in one process (one).
  Needs nats-server and PostgreSQL`;

export async function run(args: string[]): Promise<void> {
  const { minutes, kinds, ...size } = readOptions(args, DEFAULTS.cluster);
  const nats = await startNats();
  const postgres = await startPostgres();
  try {
    for (const kind of kinds.split(',')) {
      const world = await openWorld(kind, size);
      if (kind === 'one') {
        const bot = await startOne(world, await postgres.newStore());
        print({ kind, ...size, ...(await play(world, size.limit, minutes / 3, [])) });
        await bot.stop();
      } else {
        const processes = await startProcesses(world, nats, postgres);
        const [ofTime, faults] = kind === 'faults' ? [1, faultsOf(processes)] : [1 / 3, []];
        print({ kind, ...size, ...(await play(world, size.limit, minutes * ofTime, faults)) });
        await processes.stop();
      }
      await world.close();
    }
  } finally {
    await nats.stop();
    await postgres.stop();
  }
}

/** Starts feed and bot in one process. */
async function startOne(world: World, storeUrl: string) {
  await storeWatches({ storeUrl, watches: world.watches });
  const bot = launch(world, { STORE_URL: storeUrl });
  await once(world.discord.events, 'gateway');
  return bot;
}

/**
 * Makes wallets trade in bursts while one fault happens after another, and waits until everything
 * is delivered.
 *
 * @param limit the key's requests per minute
 */
async function play(
  { discord, ledger, watches }: World,
  limit: number,
  minutes: number,
  faults: readonly Fault[],
) {
  const random = seededRandom(1);
  const account = createAccount();
  const arrivedMs = new Map<number, number>();
  const delays: number[] = [];
  let gaps = 0;
  followMessages(account, discord.events);
  discord.events.on('message', (message) => {
    if (message.interactionId !== null) return;
    const text = JSON.stringify([message.content, message.embeds]);
    if (/may be missing/.test(text)) gaps += 1;
    for (const [, number = ''] of text.matchAll(/Market no (\d+)\b/g)) {
      const at = arrivedMs.get(Number(number));
      if (at !== undefined) delays.push((Date.now() - at) / 1000);
      arrivedMs.delete(Number(number));
    }
  });
  for (const { wallet, channelId } of watches) account.watch(wallet, channelId, nowSeconds());
  const busy = watches.map(() => random.logNormal(1, 1.5));
  const total = busy.reduce((sum, each) => sum + each, 0);
  const startMs = Date.now();
  let records = 0;
  const progress = setInterval(() => {
    const { lost, alerts: arrived } = account.balance();
    process.stderr.write(
      `  after ${Math.round((Date.now() - startMs) / 1000)} s: ${arrived} alerts, ${lost} to come\n`,
    );
  }, PROGRESS_MS);
  const faulty = runFaults(faults, startMs + minutes * MS_PER_MINUTE);
  while (Date.now() - startMs < minutes * MS_PER_MINUTE) {
    for (let trades = 0; trades < 0.6; trades += random() * 2) {
      // From time to time a wallet buys several times at once.
      const { wallet } = watches[choose(busy, total * random())] ?? { wallet: '' };
      for (let count = random() < 0.2 ? 4 : 1; count > 0; count -= 1) {
        records += 1;
        arrivedMs.set(records, Date.now());
        // Each trade is in its own market, with distinct ids and title.
        const market = { ...inMarket(records), marketTitle: `Market no ${records}` };
        const item = trade({ trader: wallet, ...market });
        const record = { kind: 'activity', wallet, block: records, item } as const;
        await ledger.addAll([record]);
        account.expect(record);
      }
    }
    await delay(TICK_MS);
  }
  const done = await faulty;
  const roundMs = (ENDPOINTS_PER_WALLET * watches.length * MS_PER_MINUTE) / limit;
  const drain = AbortSignal.timeout(Math.max(DRAIN_MIN_MS, DRAIN_ROUNDS * roundMs));
  while (account.balance().lost > 0 && !drain.aborted) await delay(500);
  // Duplicates arrive late.
  await delay(10_000);
  clearInterval(progress);
  const { alerts, lost, duplicates } = account.balance();
  const at = quantiles(delays);
  return {
    minutes,
    faults: done,
    records,
    alerts,
    lost,
    duplicates,
    gaps,
    p50: at(0.5),
    p99: at(0.99),
  };
}

async function runFaults(faults: readonly Fault[], untilMs: number): Promise<readonly string[]> {
  const done: string[] = [];
  for (const fault of faults) {
    await delay(CALM_SECONDS * 1000);
    if (Date.now() > untilMs) break;
    process.stderr.write(`${fault.name}\n`);
    await fault.run();
    done.push(fault.name);
  }
  return done;
}

function choose(weights: readonly number[], at: number): number {
  let left = at;
  return Math.max(
    0,
    weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    }),
  );
}
