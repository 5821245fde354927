import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { BotProcess } from '../../../src/demo/bot-process.ts';
import { STREAM } from '../../../src/feed/nats/stream.ts';
import { inMarket, trade } from '../../support/records.ts';
import { type DatabaseServer, PASSWORD, startNats } from '../../support/servers.ts';
import { walletOf } from '../../support/wallets.ts';
import {
  addPages,
  launch,
  openWorld,
  storeWatches,
  type World,
  type WorldOptions,
} from '../../support/world.ts';
import { DEFAULTS } from '../defaults.ts';
import { print } from '../figures.ts';
import { readOptions } from '../usage.ts';
import { usageOf } from './process-usage.ts';

const WALLETS = 200;
const LIMIT_A_MINUTE = 3_000;
/** Request limit for runs in which polls should cost almost nothing. */
const FEW_A_MINUTE = 60;
const MANY_WALLETS = 20_000;
const TRADES_PER_SECOND = 20;
const SETTLE_MS = 20_000;
const MS_PER_SECOND = 1_000;
/** A bot that uses less CPU than this within CALM_MS has finished its work. */
const CALM_CPU_MS = 200;
const CALM_MS = 5_000;
const KB_PER_MB = 1_024;
/**
 * Channels and roles of a larger server, which Discord reports to a bot in addition to its members.
 */
const CHANNELS_PER_SERVER = 40;
const ROLES_PER_SERVER = 20;

export const USAGE = `npm run bench -- cost [--seconds SECONDS]
  what a poll and a page cost in a feed and in a bot (CPU ms, bytes over NATS), and what a server, a wallet and a watch cost (kB). Needs nats-server, and
  Linux for what processes use. The figures are the machine's: compare them with each other.`;

export async function run(args: string[]): Promise<void> {
  const { seconds } = readOptions(args, DEFAULTS.cost);
  const nats = await startNats();
  try {
    print(await pages(nats, seconds));
    print(await memory());
    print(await feedMemory(nats));
  } finally {
    await nats.stop();
  }
}

const round = (value: number) => Number(value.toPrecision(3));

/**
 * Measures the cost of polls and pages in each process: first while nothing happens, then while the
 * wallets trade in turn.
 */
async function pages(nats: DatabaseServer, seconds: number) {
  const world = await openWorld('cost', { servers: 10, wallets: WALLETS, limit: LIMIT_A_MINUTE });
  const natsUrl = await nats.newStore();
  await addPages(world);
  await storeWatches(world);
  let metricsUrl = '';
  const feed = launch(
    world,
    {
      ROLE: 'feed',
      NATS_URL: natsUrl,
      STORE_URL: 'sqlite://feed.sqlite',
      HTTP_PORT: '0',
      LOG_LEVEL: 'info',
    },
    ({ event, url }) => {
      if (event === 'http.listening') metricsUrl = `${url}/metrics`;
    },
  );
  const bot = (SHARDS: string, role: Readonly<Record<string, string>> = {}) =>
    launch(world, { ROLE: 'bot', NATS_URL: natsUrl, SHARDS: `${SHARDS}/2`, ...role });
  // The idle bot has none of the servers with watches. It doesn't matter here that bots serve only
  // their own shards.
  const processes = { feed, bot: bot('0'), idle: bot('1', { STORE_URL: 'sqlite://idle.sqlite' }) };
  const cpuMs = (name: keyof typeof processes) =>
    MS_PER_SECOND * usageOf(processes[name].process.pid).cpuSeconds;
  const connection = await connect({
    servers: new URL(natsUrl).host,
    user: 'bell',
    pass: PASSWORD,
  });
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
  // The bot processes the first pages, which are the longest.
  for (let before = 0, now = cpuMs('bot'); now - before > CALM_CPU_MS; now = cpuMs('bot')) {
    before = now;
    await delay(CALM_MS);
  }
  const moment = async () => {
    const { last_seq: published, bytes } = (await manager.streams.info(STREAM)).state;
    const cpu = { feed: cpuMs('feed'), bot: cpuMs('bot'), idle: cpuMs('idle') };
    return {
      seconds: performance.now() / MS_PER_SECOND,
      polls: await pollsOf(metricsUrl),
      published,
      bytes,
      ...cpu,
    };
  };
  /** Returns the amount of everything counted during the work. */
  const over = async (work: () => Promise<void>) => {
    bytesBySubject.clear();
    const [before, , after] = [await moment(), await work(), await moment()];
    const spent = Object.entries(after).map(([name, value]) => [
      name,
      value - before[name as keyof typeof before],
    ]);
    const { seconds: lasts, ...counts } = Object.fromEntries(spent) as typeof after;
    const perSecond = [...bytesBySubject].map(([kind, bytes]) => [kind, Math.round(bytes / lasts)]);
    return {
      ...counts,
      seconds: lasts,
      bytesASecond: Object.fromEntries(perSecond) as Record<string, number>,
    };
  };
  const quiet = await over(() => delay(seconds * MS_PER_SECOND));
  const busy = await over(() => trading(world, seconds));
  for (const each of Object.values(processes)) await each.stop();
  await connection.close();
  await world.close();

  const feedMsPerPoll = quiet.feed / quiet.polls;
  const beside = (name: 'bot' | 'idle') =>
    busy[name] - (quiet[name] / quiet.seconds) * busy.seconds;
  return {
    what: 'pages',
    pollsASecond: round(quiet.polls / quiet.seconds),
    feedMsPerUnchangedPoll: round(feedMsPerPoll),
    feedMsPerPublishedPage: round((busy.feed - feedMsPerPoll * busy.polls) / busy.published),
    botMsPerPageWithItsAlert: round(beside('bot') / busy.published),
    botMsPerForeignPage: round(beside('idle') / busy.published),
    idleBotCpuShare: round(quiet.idle / MS_PER_SECOND / quiet.seconds),
    bytesPerPage: Math.round(busy.bytes / busy.published),
    bytesASecondQuiet: quiet.bytesASecond,
    bytesASecondBusy: busy.bytesASecond,
  };
}

async function trading({ ledger }: World, seconds: number): Promise<void> {
  const count = seconds * TRADES_PER_SECOND;
  for (let number = 1; number <= count; number += 1) {
    const wallet = walletOf((number * 7) % WALLETS);
    await ledger.addActivity(wallet, number + 1, trade({ trader: wallet, ...inMarket(number) }));
    await delay(MS_PER_SECOND / TRADES_PER_SECOND);
  }
}

async function pollsOf(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const counts = text.matchAll(/^walletbell_polls_total\{.*outcome="ok".*\} (\S+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * Measures the cost of servers, wallets and watches in a bot with both halves, from the difference
 * that many of each make.
 */
async function memory() {
  const few = { servers: 1, wallets: 1 };
  const base = await residentMb(few);
  const servers = 1_000;
  const withServers = await residentMb({ ...few, servers }, CHANNELS_PER_SERVER, ROLES_PER_SERVER);
  const withWallets = await residentMb({ ...few, wallets: MANY_WALLETS });
  const channelsPerWallet = 5;
  const withWatches = await residentMb({
    servers: channelsPerWallet,
    wallets: MANY_WALLETS,
    channelsPerWallet,
  });
  return {
    what: 'memory of a bot',
    baseMb: base,
    kbPerServer: kbEach(base, withServers, servers),
    kbPerWallet: kbEach(base, withWallets, MANY_WALLETS),
    kbPerFurtherWatch: kbEach(withWallets, withWatches, MANY_WALLETS * (channelsPerWallet - 1)),
  };
}

const kbEach = (oneMb: number, otherMb: number, count: number) =>
  round(((otherMb - oneMb) * KB_PER_MB) / count);

async function residentMb(size: WorldOptions, channels = 1, roles = 0): Promise<number> {
  const world = await openWorld('cost-memory', { limit: FEW_A_MINUTE, ...size });
  const { discord } = world;
  for (const { id } of discord.guilds()) {
    for (let index = 1; index < channels; index += 1)
      discord.createChannel(id, { name: `channel-${index}` });
    for (let index = 0; index < roles; index += 1)
      discord.createRole(id, { name: `Role ${index}` });
  }
  await storeWatches(world);
  return settledMb(world, launch(world));
}

/** Measures the cost of a wallet in a feed, from the difference that many make. */
async function feedMemory(nats: DatabaseServer) {
  const [baseMb, manyMb] = [await feedMb(nats, 1), await feedMb(nats, MANY_WALLETS)];
  return { what: 'memory of a feed', baseMb, kbPerWallet: kbEach(baseMb, manyMb, MANY_WALLETS) };
}

async function feedMb(nats: DatabaseServer, wallets: number): Promise<number> {
  const world = await openWorld('cost-feed', { servers: 1, wallets, limit: FEW_A_MINUTE });
  const NATS_URL = await nats.newStore();
  await storeWatches(world);
  const feed = launch(world, { ROLE: 'feed', NATS_URL, STORE_URL: 'sqlite://feed.sqlite' });
  return settledMb(world, feed, launch(world, { ROLE: 'bot', NATS_URL }));
}

/**
 * Returns the memory of the first process in MB once the bot among them is idle, and ends all of
 * them.
 */
async function settledMb(world: World, ...processes: readonly BotProcess[]): Promise<number> {
  await once(world.discord.events, 'gateway');
  await delay(SETTLE_MS);
  const { rssMb } = usageOf(processes[0]?.process.pid);
  for (const each of processes.toReversed()) await each.stop();
  await world.close();
  return rssMb;
}
