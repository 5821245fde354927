import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { programFile } from '../../src/build/state.js';
import { ACCOUNT_LINKS } from '../../src/sandbox/alert-parser.ts';
import { startBot } from '../../src/sandbox/bot-process.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { createAccount } from '../../src/sandbox/reconcile.ts';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { type LedgerRecord, openLedger } from '../../src/venue-server/ledger.ts';
import { createSimulator } from '../../src/venue-server/simulator/simulator.ts';
import { startVenue } from '../../src/venue-server/venue.ts';
import { nowSeconds } from '../e2e/fixture.ts';
import { benchFolder } from '../support/bench-folder.ts';

const TOKEN = 'bench.token.of-the-local-discord';
const LIMIT_A_MINUTE = 600;
const WALLETS = 25;
const PAST_HOURS = 72;
const TICK_MS = 1_000;
const DRAIN_LIMIT_MS = 200_000;
/** What waits for others of its purchase comes within this. */
const REST_MS = 100_000;

/** Channels with the same wallets, and what is typed in each once they are watched. */
const CHANNELS = {
  all: null,
  quiet: { command: 'watch edit', options: { cooldown: '10m', size: 'unusual' } },
  positions: { command: 'watch edit', options: { kinds: 'opens, closes' } },
  consensus: { command: 'watch channel', options: { consensus: 2, 'consensus-within': '24h', 'consensus-only': 'on' } },
} as const;

/**
 * `npm run bench -- room [--minutes 30]`: a real bot in a room of 25 simulated traders. Prints for channels of different settings
 * how many messages are new, make a sound, and are edited; and whether all that the venue has is in the channel that wants all.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string', default: '30' } } });
  const minutes = Number(values.minutes);
  const log = pino({ level: 'silent' });
  const directory = benchFolder('room');
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const venue = await startVenue({ ledger, keys: [{ ...DEMO_KEY, limit: LIMIT_A_MINUTE, windowSeconds: 60 }], log });
  const discord = await startDiscord({ token: TOKEN, log });
  const account = createAccount();
  const wallets = new Set<string>();
  let records = 0;
  // The traders of each seed have the same addresses: of the second and third another digit makes them others.
  const casts = [0, 1, 2].map((cast) => {
    const renamed = (address: string) => `${address.slice(0, -2)}${cast}${address.slice(-1)}`.toLowerCase();
    const moved = (record: LedgerRecord): LedgerRecord =>
      record.kind === 'activity'
        ? { ...record, wallet: renamed(record.wallet), item: { ...record.item, trader: renamed(record.item.trader) } }
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
    for (const { address } of simulator.traders) if (wallets.size < WALLETS) wallets.add(renamed(address));
  }

  const guild = discord.createGuild({ name: 'room' });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  await mkdir(join(directory, 'bot'));
  const bot = startBot({
    main: programFile('main'),
    directory: join(directory, 'bot'),
    onLine: () => {},
    environment: {
      DISCORD_TOKEN: TOKEN,
      DISCORD_API_URL: discord.apiUrl,
      VENUE_BASE_URL: venue.url,
      VENUE_API_KEY: DEMO_KEY.key,
      COMMANDS_PER_MINUTE_USER: '6000',
      COMMANDS_PER_MINUTE_GUILD: '6000',
      STORE_URL: 'sqlite://bot.sqlite',
      ...ACCOUNT_LINKS,
    },
  });
  await once(discord.events, 'commands');
  const channels = new Map<string, { name: string; newMessages: number; sounds: number; edits: number }>();
  for (const [name, setting] of Object.entries(CHANNELS)) {
    const { id } = discord.createChannel(guild.id, { name });
    const say = async (command: string, options: Readonly<Record<string, string | number>>) =>
      (await discord.command(admin, id, command, options)).reply();
    for (const wallet of wallets) {
      await say('watch add', { wallet });
      if (name === 'all') account.watchBegun(wallet, id, nowSeconds());
      if (setting?.command === 'watch edit') await say(setting.command, { wallet, ...setting.options });
    }
    if (setting?.command === 'watch channel') await say(setting.command, setting.options);
    channels.set(id, { name, newMessages: 0, sounds: 0, edits: 0 });
  }
  const [all] = channels.keys();
  /** Counts a message of the bot's own accord, new or changed. */
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
  for (const channel of channels.values())
    process.stdout.write(`${JSON.stringify({ minutes, records, ...channel })}\n`);
  const { alerts, duplicates, lost, differences } = account.balance();
  process.stdout.write(`${JSON.stringify({ alerts, duplicates, lost, differences })}\n`);
  if (duplicates + lost > 0) process.exitCode = 1;
  await bot.stop();
  await discord.close();
  await venue.close();
  await ledger.close();
}
