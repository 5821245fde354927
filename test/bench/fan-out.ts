import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { connect } from '../../src/lib/sqlite.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { buy, inMarket, nowSeconds } from '../support/records.ts';
import { A, START, TestBot } from '../support/test-bot.ts';
import { walletOf } from '../support/wallets.ts';
import { launch, openWorld, storeWatches } from '../support/world.ts';
import { usageOf } from './cluster/process-usage.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

const WALLET = walletOf(0);
/** Messages per second that Discord accepts from one bot. */
const MESSAGES_PER_SECOND = 50;
const LOOK_EVERY_MS = 500;
/** Number of consecutive looks without a write before the bot counts as idle. */
const QUIET_LOOKS = 4;
/** SQL that counts the writes of documents in the store itself, by the first word of the key. */
const COUNTING = `
  CREATE TABLE written (kind TEXT PRIMARY KEY, writes INTEGER, bytes INTEGER);
  ${['INSERT', 'UPDATE']
    .map(
      (event) => `CREATE TRIGGER count_${event} AFTER ${event} ON keyv BEGIN
        INSERT INTO written VALUES (
          substr(NEW.key, 12, instr(substr(NEW.key, 12), ':') - 1), 1, length(NEW.value)
        ) ON CONFLICT (kind) DO UPDATE SET writes = writes + 1, bytes = bytes + excluded.bytes;
      END;`,
    )
    .join('\n')}`;

interface Written {
  readonly kind: string;
  readonly writes: number;
  readonly bytes: number;
}

/**
 * Measures the cost of one trade of one wallet in a whole bot, by the number of channels that watch
 * the wallet. Each channel is in a different server and follows the wallet's positions in other
 * markets. Prints documents written, CPU, and when the last channel has its message, compared with
 * when Discord's limits allow it. With `--bare` only the CPU for detecting, building and
 * acknowledging alerts, without Discord and a store.
 */
export async function run(args: string[]): Promise<void> {
  const { channels, markets, bare } = readOptions(args, DEFAULTS['fan-out']);
  for (const count of channels.split(',').map(Number))
    print(await (bare ? measureBare : measure)(count, markets));
}

async function measureBare(channels: number, markets: number) {
  const bot = new TestBot();
  const channelIds = Array.from(
    { length: channels },
    (_, n) => `${300_000_000_000_000_000n + BigInt(n)}`,
  );
  for (const channelId of channelIds) await bot.watch(A, channelId, {}, START, channelId);
  await bot.poll(A);
  for (let market = 0; market < markets; market += 1) bot.trade(A, inMarket(1_000 + market));
  await bot.poll(A);
  const deliver = async () => {
    for (const channelId of channelIds) await bot.deliver(channelId);
    await bot.idle();
  };
  await deliver();
  const before = process.cpuUsage();
  await bot.see(A, inMarket(5_000));
  await deliver();
  const { user, system } = process.cpuUsage(before);
  return { channels, markets, cpuSeconds: (user + system) / 1e6 };
}

async function measure(channels: number, markets: number) {
  const aSecond = { limit: MESSAGES_PER_SECOND, windowMs: 1_000 };
  const world = await openWorld('fan-out', {
    directory: benchFolder(`fan-out-${channels}`),
    ...{ servers: channels, wallets: 1, channelsPerWallet: channels, limit: 60_000 },
    rateLimits: { 'message.create': aSecond },
  });
  const { discord, ledger } = world;
  await storeWatches(world);
  const database = await connect(world.storeUrl.replace('sqlite://', ''), 'write');
  await database.exec(COUNTING);
  const written = () => database.all<Written>('SELECT * FROM written ORDER BY kind');
  const bytesOf = async () => (await written()).reduce((sum, { bytes }) => sum + bytes, 0);
  /** Resolves when nothing has been written for some time. */
  const quiet = async () => {
    let before = -1;
    for (let same = 0; same < QUIET_LOOKS; ) {
      await delay(LOOK_EVERY_MS);
      const now = await bytesOf();
      same = now === before ? same + 1 : 0;
      before = now;
    }
  };
  const told = new Map<string, number>();
  discord.events.on('message', ({ channelId, author }) => {
    if (author.bot) told.set(channelId, performance.now());
  });
  const play = (items: readonly ReturnType<typeof buy>[]) =>
    ledger.addAll(
      items.map((item): LedgerRecord => ({ kind: 'activity', wallet: WALLET, block: 1, item })),
    );
  const purchase = (market: number) =>
    buy(100, 40, { ...inMarket(market), trader: WALLET, time: nowSeconds() });
  const bot = launch(world, { WALLETBELL_TEST_POLL_MIN_SECONDS: '0.1' });
  await once(discord.events, 'commands');
  await quiet();
  await play(Array.from({ length: markets }, (_, market) => purchase(1_000 + market)));
  while (told.size < channels) await delay(LOOK_EVERY_MS);
  await quiet();
  told.clear();
  await database.exec('DELETE FROM written');
  const before = usageOf(bot.process.pid);
  const playedMs = performance.now();
  await play([purchase(5_000)]);
  while (told.size < channels) await delay(LOOK_EVERY_MS);
  await quiet();
  const after = usageOf(bot.process.pid);
  const kinds = await written();
  await database.close();
  await bot.stop();
  await world.close();
  return {
    channels,
    markets,
    mb: kinds.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
    written: Object.fromEntries(
      kinds.map(({ kind, writes, bytes }) => [kind, { writes, mb: bytes / 1e6 }]),
    ),
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    lastSeconds: (Math.max(...told.values()) - playedMs) / 1_000,
    leastSeconds: channels / MESSAGES_PER_SECOND,
    peakMb: after.peakMb,
  };
}
