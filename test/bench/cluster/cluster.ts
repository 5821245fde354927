import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount, followMessages } from '../../../src/sandbox/reconcile.ts';
import { nowSeconds, trade, txHash } from '../../e2e/fixture.ts';
import { startNats, startPostgres } from '../../support/servers.ts';
import { usageOf } from './process-usage.ts';
import { type Fault, faultsOf, type Processes, startProcesses } from './processes.ts';
import { fill, launch, openWorld, type World } from './world.ts';

const TICK_MS = 200;
/** After the load: at least this, and five rounds of polls. */
const DRAIN_MIN_MS = 240_000;
const DRAIN_ROUNDS = 5;
const ENDPOINTS_PER_WALLET = 2;
/** Between two faults, seconds. */
const CALM_SECONDS = 10;
const MS_PER_MINUTE = 60_000;
const PROGRESS_MS = 20_000;

/** How this bench is called. */
export const USAGE = `npm run bench -- cluster [--minutes M] [--servers N] [--wallets N] [--limit N] [--seed S] [--kinds LIST]
  a feed, its standby and three bots on six shards with PostgreSQL and NATS, as processes on loopback: kills, stops and cuts each of them in turn while
  wallets trade, and counts what is lost and doubled (faults); then, for a third of the time, the same load without faults (calm), and in one process (one).
  Needs nats-server and PostgreSQL. Defaults: 10 minutes, 600 servers, 3000 wallets, a key of 3000 requests a minute, seed 1, faults,calm,one`;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      servers: { type: 'string', default: '600' },
      wallets: { type: 'string', default: '3000' },
      limit: { type: 'string', default: '3000' },
      seed: { type: 'string', default: '1' },
      kinds: { type: 'string', default: 'faults,calm,one' },
    },
  });
  const size = { servers: Number(values.servers), wallets: Number(values.wallets), limit: Number(values.limit) };
  const minutes = Number(values.minutes);
  const nats = await startNats();
  const postgres = await startPostgres();
  try {
    for (const kind of values.kinds.split(',')) {
      const world = await openWorld(kind, { ...size, seed: Number(values.seed) });
      const processes =
        kind === 'one' ? await startOne(world, await postgres.newStore()) : await startProcesses(world, nats, postgres);
      const hasFaults = kind === 'faults';
      const beganMs = performance.now();
      const result = await play(
        world,
        size.limit,
        hasFaults ? minutes : minutes / 3,
        hasFaults ? faultsOf(processes) : [],
      );
      const seconds = (performance.now() - beganMs) / 1000;
      const usage = Object.fromEntries(
        Object.entries(processes.pids()).map(([name, pid]) => {
          const { cpuSeconds, rssMb } = usageOf(pid);
          return [name, { cpuSeconds, rssMb }];
        }),
      );
      const logged = Object.fromEntries([...world.logged].toSorted(([, one], [, other]) => other - one));
      const line = { kind, ...size, seconds: Math.round(seconds), ...result, usage, logged };
      process.stdout.write(`${JSON.stringify(line)}\n`);
      await processes.stop();
      await world.close();
    }
  } finally {
    await nats.stop();
    await postgres.stop();
  }
}

async function startOne(world: World, storeUrl: string): Promise<Processes> {
  await fill(storeUrl, world.watches);
  const bot = launch(world, { STORE_URL: storeUrl });
  await once(world.discord.events, 'gateway');
  return { parts: null, pids: () => ({ all: bot.process.pid }), stop: async () => void (await bot.stop()) };
}

/**
 * Lets wallets trade, in bursts, while the faults happen one after the other, and waits until all is delivered.
 *
 * @param limit requests a minute that the key has
 */
async function play(
  { discord, ledger, watches, random }: World,
  limit: number,
  minutes: number,
  faults: readonly Fault[],
) {
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
  const busy = watches.map(() => Math.exp(1.5 * normal(random)));
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
      // Now and then a wallet buys several times at once.
      const { wallet } = watches[choose(busy, total * random())] ?? { wallet: '' };
      for (let count = random() < 0.2 ? 4 : 1; count > 0; count -= 1) {
        records += 1;
        arrivedMs.set(records, Date.now());
        const title = `Market no ${records}`;
        // Each in a market of its own, by all of its names.
        const market = {
          marketId: `${records}`,
          conditionId: `0x${records}`,
          tokenId: `${records}`,
          marketTitle: title,
        };
        const item = trade({ txHash: txHash(), trader: wallet, ...market });
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
  // Whatever is doubled comes late.
  await delay(10_000);
  clearInterval(progress);
  const { alerts, lost, duplicates } = account.balance();
  delays.sort((a, b) => a - b);
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? null;
  return {
    minutes,
    faults: done,
    records,
    alerts,
    lost,
    duplicates,
    gaps,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
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

/** A standard normal number (Box–Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
