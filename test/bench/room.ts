import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { createSimulator } from '@walletbell/venue-server/simulator/simulator';
import { createAccount } from '../../src/demo/reconcile.ts';
import { nowSeconds } from '../support/records.ts';
import { launch, openWorld } from '../support/world.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

const WALLETS = 25;
const PAST_HOURS = 72;
const TICK_MS = 1_000;
const DRAIN_LIMIT_MS = 200_000;
/** Longest wait of an alert for the other fills of its purchase. */
const REST_MS = 100_000;

/** Channels with the same wallets, and the command typed in each once they are watched. */
const CHANNELS = {
  all: null,
  quiet: { command: 'watch edit', options: { cooldown: '10m', size: 'unusual' } },
  positions: { command: 'watch edit', options: { kinds: 'opens, closes' } },
  consensus: {
    command: 'watch channel',
    options: { consensus: 2, 'consensus-within': '24h', 'consensus-only': 'on' },
  },
} as const;

/**
 * Runs a real bot in a channel with 25 simulated traders. Prints for channels with different
 * settings how many messages are new, make a sound and are edited, and whether the channel that
 * wants everything has all of the venue's records.
 */
export async function run(args: string[]): Promise<void> {
  const { minutes } = readOptions(args, DEFAULTS.room);
  const world = await openWorld('room');
  const { discord, ledger } = world;
  const account = createAccount();
  const wallets = new Set<string>();
  let records = 0;
  // The traders have the same addresses for each seed, so a digit is replaced to make those of the
  // casts distinct.
  const casts = [0, 1, 2].map((cast) => {
    const renamed = (address: string) =>
      `${address.slice(0, -2)}${cast}${address.slice(-1)}`.toLowerCase();
    const moved = (record: LedgerRecord): LedgerRecord =>
      record.kind === 'activity'
        ? {
            ...record,
            wallet: renamed(record.wallet),
            item: { ...record.item, trader: renamed(record.item.trader) },
          }
        : { ...record, wallet: renamed(record.wallet) };
    const simulator = createSimulator({
      ledger: { ...ledger, addAll: (added) => ledger.addAll(added.map(moved)) },
      seed: `room ${cast}`,
      nowSeconds,
      onRecord(record) {
        if (!wallets.has(renamed(record.wallet))) return;
        records += 1;
        account.expect(moved(record));
      },
    });
    return { simulator, renamed };
  });
  for (const { simulator, renamed } of casts) {
    await simulator.backfill(PAST_HOURS);
    for (const { address } of simulator.traders)
      if (wallets.size < WALLETS) wallets.add(renamed(address));
  }

  const guild = discord.createGuild({ name: 'room' });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  const bot = launch(world, { POLL_CRON: '*/5 * * * * *' });
  await once(discord.events, 'commands');
  const channels = new Map<
    string,
    { name: string; newMessages: number; sounds: number; edits: number }
  >();
  for (const [name, setting] of Object.entries(CHANNELS)) {
    const { id } = discord.createChannel(guild.id, { name });
    const say = async (command: string, options: Readonly<Record<string, string | number>>) =>
      (await discord.command(admin, id, command, options)).reply();
    for (const wallet of wallets) {
      await say('watch add', { wallet });
      if (name === 'all') account.watchBegun(wallet, id, nowSeconds());
      if (setting?.command === 'watch edit')
        await say(setting.command, { wallet, ...setting.options });
    }
    if (setting?.command === 'watch channel') await say(setting.command, setting.options);
    channels.set(id, { name, newMessages: 0, sounds: 0, edits: 0 });
  }
  const [all] = channels.keys();
  /** Counts a new or edited message that is not an answer to a command. */
  const see = (message: SeenMessage, isNew: boolean) => {
    const channel = channels.get(message.channelId);
    if (channel === undefined || message.interactionId !== null) return;
    if (!isNew) channel.edits += 1;
    else channel.newMessages += 1;
    if (isNew && !message.silent) channel.sounds += 1;
    if (message.channelId === all) account.see(message);
  };
  discord.events.on('message', (message) => see(message, true));
  discord.events.on('edit', (message) => see(message, false));
  records = 0;
  const endMs = Date.now() + minutes * 60_000;
  while (Date.now() < endMs) {
    for (const { simulator } of casts) await simulator.tick();
    await delay(TICK_MS);
  }
  const drain = AbortSignal.timeout(DRAIN_LIMIT_MS);
  while (account.balance().lost > 0 && !drain.aborted) await delay(TICK_MS);
  await delay(REST_MS);
  for (const channel of channels.values()) print({ minutes, records, ...channel });
  const { alerts, duplicates, lost, differences } = account.balance();
  print({ alerts, duplicates, lost, differences });
  if (duplicates + lost > 0) process.exitCode = 1;
  await bot.stop();
  await world.close();
}
