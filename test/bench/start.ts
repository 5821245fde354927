import { setTimeout as delay } from 'node:timers/promises';
import { initialDetectionState } from '../../src/alerts/detect.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { storeKind } from '../../src/store/address.ts';
import type { BackendInspection, InspectOptions } from '../../src/store/backend.ts';
import { FORMAT } from '../../src/store/format.ts';
import { openStore } from '../../src/store/store.ts';
import { watchKey } from '../../src/watches/watch.ts';
import { STORE_SERVERS } from '../support/servers.ts';
import { endOf, launch, openWorld, plainWatch, type World } from '../support/world.ts';
import { usageOf } from './cluster/process-usage.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { knowledgeOf } from './kept.ts';
import { writeRows } from './update.ts';
import { readOptions } from './usage.ts';

/** Number of distinct documents; with more wallets, several share one. */
const DOCUMENTS = 50;
const WALLETS_OF_SERVER = 40;
const REQUESTS_A_MINUTE = 6_000;
const LOOK_EVERY_MS = 20;
const LIMIT_MS = 900_000;

export const USAGE = `npm run bench -- start [--wallets N] [--markets N] [--waiting N] [--stores sqlite,postgres,redis]
  a start, and a takeover by a standby, on a store of wallets that have traded in so many markets each: the time of merely reading the rows and parsing
  them, and the times from the start until the first poll, until a command is answered, until all is read, and until all alerts that waited
  are posted, in so many channels (--waiting) of forty wallets each`;

export async function run(args: string[]): Promise<void> {
  const { wallets, markets, waiting, stores } = readOptions(args, DEFAULTS.start);
  const channels = Math.ceil(wallets / WALLETS_OF_SERVER);
  const expected = Math.min(waiting, channels);
  for (const store of stores.split(',')) {
    const server = (await STORE_SERVERS[store]?.()) ?? null;
    const opened = await openWorld('start', {
      servers: channels,
      wallets,
      limit: REQUESTS_A_MINUTE,
      // Joined long ago, so that no welcome message is due.
      botJoinedAtMs: Date.now() - 30 * DAY_MS,
    });
    const storeUrl = (await server?.newStore()) ?? opened.storeUrl;
    const environment = { ...opened.environment, STORE_URL: storeUrl };
    const world = { ...opened, storeUrl, environment };
    const texts = Array.from({ length: Math.min(DOCUMENTS, wallets) }, (_, wallet) =>
      // Stored form: positions by channel.
      JSON.stringify({ ...knowledgeOf(wallet, markets), alertedPositions: {} }),
    );
    const filled = { texts, waiting: expected };
    await fill(world, filled, 'start');
    const reading = await readRows(storeUrl);
    print({ store, wallets, markets, ...reading });
    const { rowsSeconds } = reading;
    for (const way of ['start', 'takeover'] as const) {
      if (way === 'takeover') await fill(world, filled, way);
      const found = await timed(world, way, expected);
      print({ store, way, wallets, ...found, pollOfRows: found.pollSeconds / rowsSeconds });
    }
    await world.close();
    await server?.stop();
  }
}

interface Filled {
  /** The stored knowledge of wallets. */
  readonly texts: readonly string[];
  /** Number of channels in which an alert is waiting. */
  readonly waiting: number;
}

/**
 * Yields the documents of the watches and wallets as texts by key; some wallets have a waiting
 * alert.
 */
function* rowsOf(world: World, { texts, waiting }: Filled, way: string) {
  const atSeconds = Math.floor(Date.now() / 1000);
  for (const [index, place] of world.watches.entries()) {
    const { wallet, channelId } = place;
    const watch = plainWatch(place);
    const times = { fromSeconds: atSeconds - 60, toSeconds: atSeconds };
    const gap = { cause: 'overflow', endpoint: 'activity', ...times };
    const alert = { id: `${way}-${index}`, event: { kind: 'gap', gap }, channels: [channelId] };
    // Only the first wallet of each server.
    const isWaiting = index < waiting;
    const outbox = isWaiting ? [{ ...alert, seenAtMs: atSeconds * 1000 }] : [];
    const endpoint = JSON.stringify({
      detectionState: initialDetectionState(atSeconds),
      pollId: 1,
    });
    const read = `"activity":${endpoint},"deposits-withdrawals":${endpoint}`;
    const state = `{${read},"knowledge":${texts[index % texts.length]}}`;
    yield [watchKey(watch), JSON.stringify(watch)] as const;
    yield [
      `wallet:${wallet}`,
      `{"state":${state},"outbox":${JSON.stringify(outbox)},"revision":1}`,
    ] as const;
  }
}

/** Writes the documents to the store. */
async function fill(world: World, filled: Filled, way: string): Promise<void> {
  const rows = rowsOf(world, filled, way);
  const store = await openStore(world.storeUrl);
  if (storeKind(world.storeUrl) !== 'sqlite') {
    for (const [key, text] of rows) await store.set(key, JSON.parse(text));
  }
  await store.close();
  if (storeKind(world.storeUrl) !== 'sqlite') return;
  function* enveloped() {
    for (const [key, text] of rows) yield [key, `{"v":${FORMAT.version},"value":${text}}`] as const;
  }
  await writeRows(world.storeUrl.replace('sqlite://', ''), enveloped());
}

type Driver = { inspect(url: string, options: InspectOptions): Promise<BackendInspection> };
const DRIVERS: Readonly<Record<ReturnType<typeof storeKind>, () => Promise<Driver>>> = {
  sqlite: () => import('../../src/store/sqlite.ts'),
  redis: () => import('../../src/store/redis.ts'),
  postgres: () => import('../../src/store/postgres.ts'),
};

/** Measures reading all rows in pages like the bot, and parsing them. */
async function readRows(url: string) {
  const { inspect } = await DRIVERS[storeKind(url)]();
  const store = await inspect(url, { isQuick: true, isOneMoment: false });
  const seconds = async (work: (text: string) => unknown) => {
    const beganMs = performance.now();
    let characters = 0;
    for await (const [, text] of store.entries()) {
      work(text);
      characters += text.length;
    }
    return { seconds: (performance.now() - beganMs) / 1000, storeMb: characters / 1e6 };
  };
  await seconds(() => {});
  const { seconds: rowsSeconds, storeMb } = await seconds(() => {});
  const parsed = await seconds(JSON.parse);
  await store.close();
  return { storeMb, rowsSeconds, parseSeconds: parsed.seconds - rowsSeconds };
}

/**
 * Starts the bot, or lets a standby take over the store, and waits until everything has happened.
 */
async function timed(world: World, way: 'start' | 'takeover', expected: number) {
  const { discord, answers, watches } = world;
  const older = way === 'takeover' ? await openStore(world.storeUrl) : null;
  const atMs = new Map<string, number>();
  let posted = 0;
  const launchedMs = performance.now();
  const bot = launch(
    world,
    { LOG_LEVEL: 'info', STANDBY: String(older !== null), CHANNEL_MESSAGES_PER_MINUTE: '6000' },
    ({ event, alerts }) => {
      const name = String(event);
      if (!atMs.has(name)) atMs.set(name, performance.now());
      if (name === 'alert.sent' && Array.isArray(alerts)) posted += alerts.length;
    },
  );
  const ended = endOf(bot);
  const limit = AbortSignal.timeout(LIMIT_MS);
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await Promise.race([delay(LOOK_EVERY_MS), ended]);
      limit.throwIfAborted();
    }
    return performance.now();
  };
  if (older !== null) await until(() => atMs.has('standby.ready'));
  // A standby has already polled the venue.
  const pollsOf = () => [...answers.values()].reduce((sum, count) => sum + count, 0);
  const before = pollsOf();
  const beganMs = older === null ? launchedMs : performance.now();
  await older?.close();
  const first = watches[0] ?? { guildId: '', channelId: '' };
  const admin = discord.createMember(first.guildId, { name: 'ada', admin: true });
  const answered = (async () => {
    await until(() => atMs.has('discord.ready') && discord.commands().length > 0);
    await (await discord.command(admin, first.channelId, 'watch status')).reply();
    return performance.now();
  })();
  const [polledMs, answeredMs, postedMs, readMs] = await Promise.all([
    until(() => pollsOf() > before),
    answered,
    until(() => posted >= expected),
    until(() => atMs.has('wallets.read')),
  ]);
  const since = (ms: number) => (ms - beganMs) / 1000;
  const { peakMb, cpuSeconds } = usageOf(bot.process.pid);
  await bot.stop();
  return {
    loadedSeconds: since(atMs.get('store.loaded') ?? Number.NaN),
    pollSeconds: since(polledMs),
    commandSeconds: since(answeredMs),
    readSeconds: since(readMs),
    postedSeconds: since(postedMs),
    posted,
    peakMb,
    cpuSeconds,
  };
}
