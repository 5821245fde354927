import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { STREAM } from '../../../src/feed/nats/stream.ts';
import type { BotProcess } from '../../../src/sandbox/bot-process.ts';
import { nowSeconds, trade, txHash } from '../../e2e/fixture.ts';
import { type DatabaseServer, PASSWORD, startNats } from '../../support/servers.ts';
import { usageOf } from './process-usage.ts';
import { fill, launch, openWorld, type World, type WorldSize, walletOf } from './world.ts';

const WALLETS = 200;
const RECORDS_PER_WALLET = 100;
const LIMIT_A_MINUTE = 3_000;
const TRADES_PER_SECOND = 20;
const SETTLE_MS = 20_000;
const MS_PER_SECOND = 1_000;
/** A bot that uses less than this in this time has nothing left to do. */
const CALM_CPU_SECONDS = 0.2;
const CALM_MS = 5_000;
const KB_PER_MB = 1_024;
/** What a larger server has that Discord tells a bot of, besides its people. */
const CHANNELS_PER_SERVER = 40;
const ROLES_PER_SERVER = 20;

/** How this bench is called. */
export const USAGE = `npm run bench -- cost [--seconds SECONDS]
  what a poll and a page cost in a feed and in a bot (CPU ms, bytes over NATS), and what a server, a wallet and a watch cost (kB). Needs nats-server, and
  Linux for what processes use. The figures are the machine's: compare them with each other. Default 60 seconds of each kind of load`;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '60' } } });
  const nats = await startNats();
  try {
    print(await pages(nats, Number(values.seconds)));
    print(await memory());
    print(await feedMemory(nats));
  } finally {
    await nats.stop();
  }
}

const print = (result: object) => process.stdout.write(`${JSON.stringify(result)}\n`);
const round = (value: number) => Number(value.toPrecision(3));

/** What polls and pages cost in each process: first nothing happens, then a wallet in turn trades. */
async function pages(nats: DatabaseServer, seconds: number) {
  const size = { servers: 10, wallets: WALLETS, limit: LIMIT_A_MINUTE, seed: 1 };
  const world = await openWorld('cost', size);
  const natsUrl = await nats.newStore();
  for (let index = 0; index < WALLETS; index += 1) {
    const item = (age: number) => trade({ trader: walletOf(index), time: nowSeconds() - 60 * (age + 1) });
    await world.ledger.addAll(
      Array.from({ length: RECORDS_PER_WALLET }, (_, age) => ({
        kind: 'activity' as const,
        wallet: walletOf(index),
        block: 1,
        item: item(age),
      })),
    );
  }
  const watching = `sqlite://${join(world.directory, 'watching.sqlite')}`;
  await fill(watching, world.watches);
  let metricsUrl = '';
  const feed = launch(
    world,
    { ROLE: 'feed', NATS_URL: natsUrl, STORE_URL: 'sqlite://feed.sqlite', HTTP_PORT: '0', LOG_LEVEL: 'info' },
    ({ event, url }) => {
      if (event === 'http.listening') metricsUrl = `${url}/metrics`;
    },
  );
  const bot = (storeUrl: string, SHARDS: string) =>
    launch(world, { ROLE: 'bot', NATS_URL: natsUrl, STORE_URL: storeUrl, SHARDS, SHARD_COUNT: '2' });
  // It has no server of the watches: that bots serve their own shards alone does not matter here.
  const processes = { feed, bot: bot(watching, '0'), idle: bot('sqlite://idle.sqlite', '1') };
  const connection = await connect({ servers: new URL(natsUrl).host, user: 'bell', pass: PASSWORD });
  const bytesBySubject = new Map<string, number>();
  connection.subscribe('walletbell.>', {
    callback(_error, { subject, data }) {
      const kind = subject.split('.').slice(0, 2).join('.');
      bytesBySubject.set(kind, (bytesBySubject.get(kind) ?? 0) + data.length);
    },
  });
  const manager = await jetstreamManager(connection);
  const isFilled = async () => {
    const state = await manager.streams.info(STREAM).catch(() => null);
    return (state?.state.last_seq ?? 0) >= 2 * WALLETS;
  };
  while (!(await isFilled())) await delay(MS_PER_SECOND);
  // The bot takes the first pages, which are the longest.
  for (let before = 0, now = cpuOf(processes).bot; now - before > CALM_CPU_SECONDS; now = cpuOf(processes).bot) {
    before = now;
    await delay(CALM_MS);
  }
  const moment = async () => ({
    ms: performance.now(),
    polls: await pollsOf(metricsUrl),
    published: (await manager.streams.info(STREAM)).state.last_seq,
    pageBytes: (await manager.streams.info(STREAM)).state.bytes,
    messages: bytesBySubject,
    cpu: cpuOf(processes),
  });
  const over = async (work: () => Promise<void>) => {
    bytesBySubject.clear();
    const before = await moment();
    await work();
    const after = await moment();
    const lastsSeconds = (after.ms - before.ms) / MS_PER_SECOND;
    return {
      seconds: lastsSeconds,
      polls: after.polls - before.polls,
      published: after.published - before.published,
      pageBytes: after.pageBytes - before.pageBytes,
      bytesASecond: Object.fromEntries(
        [...bytesBySubject].map(([kind, bytes]) => [kind, Math.round(bytes / lastsSeconds)]),
      ),
      cpuMs: {
        feed: 1_000 * (after.cpu.feed - before.cpu.feed),
        bot: 1_000 * (after.cpu.bot - before.cpu.bot),
        idle: 1_000 * (after.cpu.idle - before.cpu.idle),
      },
    };
  };
  const quiet = await over(() => delay(seconds * MS_PER_SECOND));
  const busy = await over(() => trading(world, seconds));
  for (const each of Object.values(processes)) await each.stop();
  await connection.close();
  await world.close();

  const feedMsPerPoll = quiet.cpuMs.feed / quiet.polls;
  const beside = (name: 'bot' | 'idle') => busy.cpuMs[name] - (quiet.cpuMs[name] / quiet.seconds) * busy.seconds;
  return {
    what: 'pages',
    pollsASecond: round(quiet.polls / quiet.seconds),
    publishedWhileQuiet: quiet.published,
    cpuMsQuiet: quiet.cpuMs,
    cpuMsBusy: busy.cpuMs,
    feedMsPerUnchangedPoll: round(feedMsPerPoll),
    feedMsPerPublishedPage: round((busy.cpuMs.feed - feedMsPerPoll * busy.polls) / busy.published),
    botMsPerPageWithItsAlert: round(beside('bot') / busy.published),
    botMsPerForeignPage: round(beside('idle') / busy.published),
    idleBotCpuShare: round(quiet.cpuMs.idle / 1_000 / quiet.seconds),
    bytesPerPage: Math.round(busy.pageBytes / busy.published),
    published: busy.published,
    bytesASecondQuiet: quiet.bytesASecond,
    bytesASecondBusy: busy.bytesASecond,
  };
}

async function trading({ ledger }: World, seconds: number): Promise<void> {
  const count = seconds * TRADES_PER_SECOND;
  for (let number = 1; number <= count; number += 1) {
    const wallet = walletOf((number * 7) % WALLETS);
    const names = { marketId: `${number}`, conditionId: `0x${number}`, tokenId: `${number}` };
    await ledger.addActivity(wallet, number + 1, trade({ trader: wallet, txHash: txHash(), ...names }));
    await delay(MS_PER_SECOND / TRADES_PER_SECOND);
  }
}

async function pollsOf(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const counts = text.matchAll(/^walletbell_polls_total\{.*outcome="ok".*\} (\S+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const cpuOf = (processes: Record<'feed' | 'bot' | 'idle', BotProcess>) => ({
  feed: usageOf(processes.feed.process.pid).cpuSeconds,
  bot: usageOf(processes.bot.process.pid).cpuSeconds,
  idle: usageOf(processes.idle.process.pid).cpuSeconds,
});

/** What servers, wallets and watches cost in a bot that is both halves: the difference that many of each make. */
async function memory() {
  const few = { servers: 1, wallets: 1, limit: 60, seed: 1 };
  const base = await residentMb(few);
  const servers = 1_000;
  const withServers = await residentMb({ ...few, servers }, CHANNELS_PER_SERVER, ROLES_PER_SERVER);
  const wallets = 20_000;
  const withWallets = await residentMb({ ...few, wallets });
  const channelsPerWallet = 5;
  const withWatches = await residentMb({ ...few, servers: channelsPerWallet, wallets, channelsPerWallet });
  const kbEach = (one: number, other: number, count: number) => round(((other - one) * KB_PER_MB) / count);
  return {
    what: 'memory of a bot',
    baseMb: base,
    kbPerServer: kbEach(base, withServers, servers),
    kbPerWallet: kbEach(base, withWallets, wallets),
    kbPerFurtherWatch: kbEach(withWallets, withWatches, wallets * (channelsPerWallet - 1)),
  };
}

async function residentMb(size: WorldSize, channels = 1, roles = 0): Promise<number> {
  const world = await openWorld('cost-memory', size);
  const { discord } = world;
  for (const { id } of discord.guilds()) {
    for (let index = 1; index < channels; index += 1) discord.createChannel(id, { name: `channel-${index}` });
    for (let index = 0; index < roles; index += 1) discord.createRole(id, { name: `Role ${index}` });
  }
  const storeUrl = `sqlite://${join(world.directory, 'bot.sqlite')}`;
  await fill(storeUrl, world.watches);
  const bot = launch(world, { STORE_URL: storeUrl });
  await once(discord.events, 'gateway');
  await delay(SETTLE_MS);
  const { rssMb } = usageOf(bot.process.pid);
  await bot.stop();
  await world.close();
  return rssMb;
}

/** What a wallet costs in a feed: the difference that many of them make. */
async function feedMemory(nats: DatabaseServer) {
  const wallets = 20_000;
  const [one = 0, many = 0] = [await feedMb(nats, 1), await feedMb(nats, wallets)];
  return { what: 'memory of a feed', baseMb: one, kbPerWallet: round(((many - one) * KB_PER_MB) / wallets) };
}

async function feedMb(nats: DatabaseServer, wallets: number): Promise<number> {
  const world = await openWorld('cost-feed', { servers: 1, wallets, limit: 60, seed: 1 });
  const NATS_URL = await nats.newStore();
  const storeUrl = `sqlite://${join(world.directory, 'bot.sqlite')}`;
  await fill(storeUrl, world.watches);
  const feed = launch(world, { ROLE: 'feed', NATS_URL, STORE_URL: 'sqlite://feed.sqlite' });
  const bot = launch(world, { ROLE: 'bot', NATS_URL, STORE_URL: storeUrl });
  await once(world.discord.events, 'gateway');
  await delay(SETTLE_MS);
  const { rssMb } = usageOf(feed.process.pid);
  await bot.stop();
  await feed.stop();
  await world.close();
  return rssMb;
}
