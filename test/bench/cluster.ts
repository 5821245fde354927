import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { pino } from 'pino';
import { programFile } from '../../src/build/state.js';
import { STREAM } from '../../src/feed/nats/stream.ts';
import { ACCOUNT_LINKS } from '../../src/sandbox/alert-parser.ts';
import { type BotProcess, startBot } from '../../src/sandbox/bot-process.ts';
import { type FakeDiscord, startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { createAccount, followMessages } from '../../src/sandbox/reconcile.ts';
import { openStore } from '../../src/store/store.ts';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { type Ledger, openLedger } from '../../src/venue-server/ledger.ts';
import { startVenue } from '../../src/venue-server/venue.ts';
import { settingsSchema } from '../../src/watches/watch-settings.ts';
import { nowSeconds, trade, txHash } from '../e2e/fixture.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { startCuttableProxy } from '../support/cuttable-proxy.ts';
import { seededRandom } from '../support/random.ts';
import { type DatabaseServer, PASSWORD, startNats, startPostgres } from '../support/servers.ts';

const TOKEN = 'bench.token.of-the-local-discord';
const SHARDS = 6;
const BOTS = [
  [0, 1],
  [2, 3],
  [4, 5],
] as const;
const TICK_MS = 200;
const DRAIN_LIMIT_MS = 240_000;
/** Between two faults, seconds. */
const CALM_SECONDS = 15;
const NANOS_PER_SECOND = 1_000_000_000;

/** How this bench is called. */
export const USAGE = `npm run bench -- cluster [--minutes M] [--servers N] [--wallets N] [--limit N] [--seed S]
  a feed, its standby and three bots on six shards with PostgreSQL and NATS, as processes on loopback: kills, stops and cuts each of them in turn while
  wallets trade, and counts what is lost and doubled; then, for a third of the time, the same load without faults, and in one process. Needs nats-server and PostgreSQL.
  Defaults: 10 minutes, 600 servers, 3000 wallets, a key of 3000 requests a minute, seed 1`;

interface World {
  readonly discord: FakeDiscord;
  readonly ledger: Ledger;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly watches: readonly { readonly wallet: string; readonly guildId: string; readonly channelId: string }[];
  readonly random: () => number;
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      servers: { type: 'string', default: '600' },
      wallets: { type: 'string', default: '3000' },
      limit: { type: 'string', default: '3000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const size = { servers: Number(values.servers), wallets: Number(values.wallets), limit: Number(values.limit) };
  const minutes = Number(values.minutes);
  const nats = await startNats();
  const postgres = await startPostgres();
  try {
    for (const kind of ['cluster with faults', 'cluster', 'one process'] as const) {
      const world = await openWorld(kind, size, Number(values.seed));
      const isOne = kind === 'one process';
      const hasFaults = kind === 'cluster with faults';
      const processes = isOne
        ? await startOne(world, await postgres.newStore())
        : await startCluster(world, nats, postgres);
      const result = await play(world, hasFaults ? minutes : minutes / 3, hasFaults ? processes.faults : []);
      process.stdout.write(`${JSON.stringify({ kind, ...size, ...result })}\n`);
      await processes.stop();
      await world.close();
    }
  } finally {
    await nats.stop();
    await postgres.stop();
  }
}

async function openWorld(
  name: string,
  size: { readonly servers: number; readonly wallets: number; readonly limit: number },
  seed: number,
): Promise<World & { close(): Promise<void> }> {
  const directory = benchFolder(name.replaceAll(' ', '-'));
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const key = { ...DEMO_KEY, limit: size.limit, windowSeconds: 60 };
  const venue = await startVenue({ ledger, keys: [key], log });
  const gateway = {
    maxConcurrency: 16,
    identifyWindowMs: 100,
    heartbeatIntervalMs: 41_250,
    recommendedShards: 1,
    maxGuildsPerShard: 2_500,
  };
  const discord = await startDiscord({ token: TOKEN, log, gateway });
  const channels = Array.from({ length: size.servers }, (_, index) => {
    const { id: guildId } = discord.createGuild({ name: `Server ${index}` });
    return { guildId, channelId: discord.createChannel(guildId, { name: 'alerts' }).id };
  });
  const watches = Array.from({ length: size.wallets }, (_, index) => ({
    wallet: `0x${(index + 1).toString(16).padStart(40, '0')}`,
    ...(channels[index % channels.length] ?? { guildId: '', channelId: '' }),
  }));
  return {
    discord,
    ledger,
    directory,
    watches,
    random: seededRandom(seed),
    environment: {
      DISCORD_TOKEN: TOKEN,
      DISCORD_API_URL: discord.apiUrl,
      VENUE_BASE_URL: venue.url,
      VENUE_API_KEY: DEMO_KEY.key,
      POLL_CRON: '* * * * * *',
      LOG_LEVEL: 'warn',
      ...ACCOUNT_LINKS,
    },
    async close() {
      await discord.close();
      await venue.close();
      await ledger.close();
    },
  };
}

/** Puts the watches of some servers into a store that no bot has opened yet. */
async function fill(storeUrl: string, watches: World['watches']): Promise<void> {
  const store = await openStore(storeUrl);
  for (const { wallet, guildId, channelId } of watches) {
    await store.set(`watch:${channelId}:${wallet}`, {
      version: 1,
      guildId,
      channelId,
      wallet,
      label: null,
      sinceSeconds: nowSeconds(),
      knownIdentities: [],
      addedBy: guildId,
      settings: settingsSchema.parse({}),
      pause: null,
    });
  }
  await store.close();
}

interface Fault {
  readonly name: string;
  /** Does it, and undoes it. */
  run(): Promise<void>;
}

interface Processes {
  readonly faults: readonly Fault[];
  stop(): Promise<void>;
}

async function startOne(world: World, storeUrl: string): Promise<Processes> {
  await fill(storeUrl, world.watches);
  const bot = launch(world, { STORE_URL: storeUrl });
  await once(world.discord.events, 'gateway');
  return { faults: [], stop: async () => void (await bot.stop()) };
}

function launch({ environment, directory }: World, role: Readonly<Record<string, string>>): BotProcess {
  return startBot({
    main: programFile('main'),
    directory,
    environment: { ...environment, ...role },
    onLine(line) {
      if (process.env['BENCH_LOG'] !== undefined)
        process.stderr.write(`${role['ROLE']} ${JSON.stringify(line).slice(0, 400)}\n`);
    },
  });
}

async function startCluster(world: World, nats: DatabaseServer, postgres: DatabaseServer): Promise<Processes> {
  const natsUrl = await nats.newStore();
  const proxies = await Promise.all(BOTS.map(() => startCuttableProxy(Number(new URL(natsUrl).port))));
  const feedStore = await postgres.newStore();
  const stores = await Promise.all(BOTS.map(() => postgres.newStore()));
  const shardOf = (guildId: string) => Number((BigInt(guildId) >> 22n) % BigInt(SHARDS));
  for (const [index, shards] of BOTS.entries()) {
    const own = world.watches.filter(({ guildId }) => (shards as readonly number[]).includes(shardOf(guildId)));
    await fill(stores[index] ?? '', own);
  }
  const startFeed = () => launch(world, { ROLE: 'feed', STANDBY: 'true', NATS_URL: natsUrl, STORE_URL: feedStore });
  const startOneBot = (index: number) =>
    launch(world, {
      ROLE: 'bot',
      STANDBY: 'true',
      NATS_URL: natsUrl.replace(/:\d+$/, `:${proxies[index]?.port}`),
      STORE_URL: stores[index] ?? '',
      SHARDS: BOTS[index]?.join(',') ?? '',
      SHARD_COUNT: String(SHARDS),
    });
  let feed = startFeed();
  await delay(3_000);
  let standby = startFeed();
  const bots = BOTS.map((_, index) => startOneBot(index));
  await delay(8_000);

  const restartBot = (index: number): Fault => ({
    name: `bot ${index} killed`,
    async run() {
      await bots[index]?.kill();
      bots[index] = startOneBot(index);
    },
  });
  const stopped = (name: string, which: () => BotProcess | undefined): Fault => ({
    name: `${name} stopped for a minute`,
    async run() {
      which()?.process.kill('SIGSTOP');
      await delay(60_000);
      which()?.process.kill('SIGCONT');
    },
  });
  const withStream = async (work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<unknown>) => {
    const connection = await connect({ servers: new URL(natsUrl).host, user: 'bell', pass: PASSWORD });
    await work(await jetstreamManager(connection));
    await connection.close();
  };
  const faults: readonly Fault[] = [
    restartBot(0),
    {
      name: 'feed killed, its standby takes over',
      async run() {
        await feed.kill();
        feed = standby;
        standby = startFeed();
      },
    },
    stopped('bot 1', () => bots[1]),
    {
      name: 'nats-server killed',
      async run() {
        await nats.kill();
        await delay(5_000);
        await nats.start();
      },
    },
    stopped('feed', () => feed),
    {
      name: 'connection of bot 2 to NATS cut for 20 s',
      async run() {
        proxies[2]?.cut();
        await delay(20_000);
        proxies[2]?.mend();
      },
    },
    {
      name: 'PostgreSQL killed',
      async run() {
        await postgres.kill();
        await delay(5_000);
        await postgres.start();
      },
    },
    { name: 'stream deleted', run: () => withStream((manager) => manager.streams.delete(STREAM)) },
    {
      name: 'bot 1 away for longer than the stream keeps',
      async run() {
        await withStream((manager) =>
          manager.streams.update(STREAM, { max_age: 20 * NANOS_PER_SECOND, duplicate_window: 20 * NANOS_PER_SECOND }),
        );
        await bots[1]?.kill();
        await delay(60_000);
        bots[1] = startOneBot(1);
      },
    },
    {
      name: 'standby killed',
      async run() {
        await standby.kill();
        standby = startFeed();
      },
    },
  ];
  return {
    faults,
    async stop() {
      await Promise.all([feed, standby, ...bots].map((each) => each.stop()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

/** Lets wallets trade, in bursts, while the faults happen one after the other, and waits until all is delivered. */
async function play({ discord, ledger, watches, random }: World, minutes: number, faults: readonly Fault[]) {
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
  const faulty = runFaults(faults, startMs + minutes * 60_000);
  while (Date.now() - startMs < minutes * 60_000) {
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
  const drain = AbortSignal.timeout(DRAIN_LIMIT_MS);
  while (account.balance().lost > 0 && !drain.aborted) await delay(500);
  // Whatever is doubled comes late.
  await delay(10_000);
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
