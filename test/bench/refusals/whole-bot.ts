import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { PermissionFlagsBits } from 'discord.js';
import type { BotProcess } from '../../../src/demo/bot-process.ts';
import { createAccount, followMessages } from '../../../src/demo/reconcile.ts';
import { isAlert } from '../../support/alert-lines.ts';
import { buy, inMarket, nowSeconds } from '../../support/records.ts';
import { walletOf } from '../../support/wallets.ts';
import { launch, openWorld, storeWatches } from '../../support/world.ts';

const WALLET = walletOf(0);
const CHANGES = 100;
const ROUNDS = 10;
const HOUR_MS = 3_600_000;
/** Interval and time limit of waiting for a condition. */
const LOOK_MS = 100;
const PATIENCE_MS = 120_000;
/** Interval of the wallet's trades during an outage. */
const TRADE_EVERY_MS = 15_000;
const { ViewChannel, SendMessages, EmbedLinks, ReadMessageHistory, AttachFiles, AddReactions } =
  PermissionFlagsBits;
const USUAL = ViewChannel | SendMessages | EmbedLinks | ReadMessageHistory | AttachFiles;

/** Statuses of which too many get an address banned, and 404, which does not count. */
const REFUSALS = [401, 403, 404, 429];

type Server = Awaited<ReturnType<typeof openServer>>;

/** Size of a run, and what starts the bot; a process by default. */
interface ServerOptions {
  readonly channels: number;
  readonly start?: (...of: Parameters<typeof launch>) => Pick<BotProcess, 'stop'>;
  /** An empty folder for files. */
  readonly directory?: string;
}

/** Starts a whole bot in a server that watches one wallet in this many channels. */
async function openServer({ channels: channelCount, start = launch, directory }: ServerOptions) {
  const world = await openWorld('refusals', directory === undefined ? {} : { directory });
  const { discord, ledger } = world;
  const { id: guildId } = discord.createGuild({ name: 'Desk' });
  const admin = discord.createMember(guildId, { name: 'ada', admin: true });
  const channels = Array.from(
    { length: channelCount },
    (_, n) => discord.createChannel(guildId, { name: `c${n}` }).id,
  );
  const watches = channels.map((channelId) => ({ wallet: WALLET, guildId, channelId }));
  await storeWatches({ ...world, watches });
  const lines: unknown[] = [];
  const refusals: { readonly atMs: number; readonly status: number }[] = [];
  const arrivedAtMs: number[] = [];
  discord.events.on('request', ({ status }) => {
    if (REFUSALS.includes(status)) refusals.push({ atMs: performance.now(), status });
  });
  const account = createAccount();
  for (const channelId of channels) account.watchBegun(WALLET, channelId, nowSeconds() - 1);
  discord.events.on('message', (message) => {
    if (isAlert(message)) arrivedAtMs.push(performance.now());
  });
  followMessages(account, discord.events);
  const bot = start(world, { LOG_LEVEL: 'info' }, ({ event }) => void lines.push(event));
  if (discord.commands().length === 0) await once(discord.events, 'commands');
  let trades = 0;
  return {
    discord,
    guildId,
    channels,
    refusals,
    arrivedAtMs,
    trades: () => trades,
    /** Makes the wallet buy in another market. */
    async trade() {
      trades += 1;
      const item = { ...buy(100 + trades, 50, inMarket(trades)), trader: WALLET };
      account.expect({ kind: 'activity', wallet: WALLET, block: trades, item });
      await ledger.addActivity(WALLET, trades, item);
    },
    blocked: () => lines.filter((event) => event === 'channel.blocked').length,
    /** Types a command, which is answered once all gateway events so far are processed. */
    say: async (line: string) => (await discord.command(admin, channels[0] ?? '', line)).reply(),
    /** Returns the number of expected, missing and duplicated alerts in all channels. */
    balance() {
      const { alerts, lost, duplicates } = account.balance();
      return { alerts, lost, duplicates };
    },
    /** Waits until each channel has all alerts, at most two minutes. */
    allAlerted: () => until(() => account.balance().lost === 0),
    async close() {
      await bot.stop();
      await world.close();
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  const giveUp = AbortSignal.timeout(PATIENCE_MS);
  while (!isSo() && !giveUp.aborted) await delay(LOOK_MS);
}

function countByStatus({ refusals }: Server, sinceMs = 0) {
  const counts: Record<number, number> = {};
  for (const { atMs, status } of refusals)
    if (atMs >= sinceMs) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/**
 * Times the bot out, makes the wallet trade, changes something many times, and ends the timeout.
 *
 * @returns `listed`: what `/watch list` says meanwhile
 */
export async function timeOut({
  changes = CHANGES,
  ...options
}: ServerOptions & { readonly changes?: number }) {
  const server = await openServer(options);
  const { channels } = options;
  const { discord, guildId } = server;
  discord.timeoutBot(guildId, Date.now() + HOUR_MS);
  await server.say('watch status');
  await server.trade();
  await until(() => server.blocked() >= channels);
  for (let change = 0; change < changes; change += 1) {
    const id = server.channels[change % channels] ?? '';
    const deny = change % 2 === 0 ? AddReactions : 0n;
    discord.setOverwrite(id, { id: guildId, type: 0, allow: 0n, deny });
    await server.say('watch status');
  }
  const { embeds } = await server.say('watch list');
  // Its end comes without an event.
  discord.timeoutBot(guildId, Date.now() + 1_500);
  await server.allAlerted();
  const figures = { channels, changes, refused: countByStatus(server), ...server.balance() };
  await server.close();
  return { figures, listed: embeds[0]?.description };
}

/**
 * Removes the permission to write in the whole server, makes the wallet trade, and restores the
 * permission.
 */
export async function takePermission({
  rounds = ROUNDS,
  ...options
}: ServerOptions & { readonly rounds?: number }) {
  const server = await openServer(options);
  const { channels } = options;
  const { discord, guildId } = server;
  for (let round = 1; round <= rounds; round += 1) {
    discord.setBotPermissions(guildId, USUAL & ~SendMessages);
    await server.say('watch status');
    await server.trade();
    await until(() => server.blocked() >= round * channels);
    discord.setBotPermissions(guildId, USUAL);
    await server.allAlerted();
  }
  const figures = { channels, rounds, refused: countByStatus(server), ...server.balance() };
  await server.close();
  return figures;
}

/**
 * Answers everything with 403, then with 10003, while the wallet continues to trade, in real time.
 * `sentSeconds` is the time from the end of that to the last alert.
 */
export async function refuseEverything(channels: number, minutes: number) {
  const server = await openServer({ channels });
  const { faults } = server.discord;
  await server.trade();
  await server.allAlerted();
  const beginMs = performance.now();
  const answers = [
    { status: 403, code: 50001 },
    { status: 404, code: 10003 },
  ];
  for (const answer of answers) {
    const endMs = performance.now() + (minutes * 60_000) / answers.length;
    const end = faults.refuseRest({ ...answer, times: Number.POSITIVE_INFINITY });
    while (performance.now() < endMs) {
      await server.trade();
      await delay(Math.min(TRADE_EVERY_MS, Math.max(0, endMs - performance.now())));
    }
    end();
  }
  const overMs = performance.now();
  await server.allAlerted();
  const figures = {
    channels,
    minutes,
    refused: countByStatus(server, beginMs),
    channelsBlocked: server.blocked(),
    sentSeconds: (Math.max(...server.arrivedAtMs) - overMs) / 1_000,
    trades: server.trades(),
    ...server.balance(),
  };
  await server.close();
  return figures;
}
