import { once } from 'node:events';
import { join } from 'node:path';
import { type DiscordOptions, startDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { openLedger } from '@walletbell/venue-server/ledger';
import { startVenue } from '@walletbell/venue-server/venue';
import { pino } from 'pino';
import { programFile } from '../../src/build/state.js';
import { ACCOUNT_LINKS } from '../../src/demo/alert-parser.ts';
import { type BotProcess, type BotProcessOptions, startBot } from '../../src/demo/bot-process.ts';
import { openStore } from '../../src/store/store.ts';
import { type Watch, watchKey, watchSchema } from '../../src/watches/watch.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { benchFolder, endsWithUs } from './bench-folder.ts';
import { limitsOfAll } from './limits-file.ts';
import { nowSeconds, trade } from './records.ts';
import { walletOf } from './wallets.ts';

const TOKEN = 'world.token.of-the-local-discord';

export interface WorldOptions {
  readonly servers?: number;
  readonly wallets?: number;
  /** Number of channels that watch each wallet, each in a different server. */
  readonly channelsPerWallet?: number;
  /** The key's requests per minute. */
  readonly limit?: number;
  readonly rateLimits?: DiscordOptions['rateLimits'];
  /** Time at which the servers invited the bot, in epoch ms; now by default. */
  readonly botJoinedAtMs?: number;
  /** An empty folder for files. */
  readonly directory?: string;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Starts a venue and a Discord on loopback, with servers that will watch wallets (`fill`). */
export async function openWorld(name: string, options: WorldOptions = {}) {
  const {
    servers = 0,
    wallets = 0,
    channelsPerWallet = 1,
    limit = DEMO_KEY.limit,
    rateLimits = {},
    botJoinedAtMs = Date.now(),
  } = options;
  const { directory = benchFolder(name) } = options;
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  /** Number of the venue's responses by status. */
  const answers = new Map<number, number>();
  const onAnswer = ({ status }: { readonly status: number }) =>
    answers.set(status, (answers.get(status) ?? 0) + 1);
  const venue = await startVenue({ ledger, keys: [{ ...DEMO_KEY, limit }], log, onAnswer });
  const gateway = {
    maxConcurrency: 1000,
    identifyWindowMs: 10,
    sessionStartTotal: 1_000_000,
    recommendedShards: 1,
  };
  const discord = await startDiscord({ token: TOKEN, log, gateway, rateLimits });
  const channels = Array.from({ length: servers }, (_, index) => {
    const { id: guildId } = discord.createGuild({
      name: `Server ${index}`,
      botJoinedAtMs,
    });
    return { guildId, channelId: discord.createChannel(guildId, { name: 'alerts' }).id };
  });
  const watches = Array.from({ length: wallets }, (_, index) => index).flatMap((index) =>
    Array.from({ length: channelsPerWallet }, (_each, channel) => ({
      wallet: walletOf(index),
      ...(channels[(index + channel) % channels.length] ?? { guildId: '', channelId: '' }),
    })),
  );
  const storeUrl = `sqlite://${join(directory, 'bot.sqlite')}`;
  return {
    discord,
    ledger,
    answers,
    directory,
    storeUrl,
    watches,
    environment: {
      DISCORD_TOKEN: TOKEN,
      DISCORD_API_URL: discord.apiUrl,
      VENUE_BASE_URL: venue.url,
      VENUE_API_KEY: DEMO_KEY.key,
      STORE_URL: storeUrl,
      ...limitsOfAll(directory, { users: 6_000, guilds: 6_000 }),
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

/**
 * Adds a full first page of trades (the poller's largest) to each wallet's list, a minute apart.
 */
export async function addPages({
  ledger,
  watches,
}: Pick<World, 'ledger' | 'watches'>): Promise<void> {
  for (const { wallet } of watches) {
    const items = Array.from({ length: 100 }, (_, age) =>
      trade({ trader: wallet, time: nowSeconds() - 60 * (age + 1) }),
    );
    await ledger.addAll(items.map((item) => ({ kind: 'activity', wallet, block: 1, item })));
  }
}

/** Returns a watch without settings, as it is stored. */
export function plainWatch(
  { wallet, guildId, channelId }: World['watches'][number],
  sinceSeconds = 1,
): Watch {
  const ids = { ownerId: guildId, channelId, wallet, addedBy: guildId };
  return watchSchema.parse({ ...ids, label: null, sinceSeconds, knownIdentities: [] });
}

/** Writes watches to a store that no bot has opened yet. */
export async function storeWatches(
  { storeUrl, watches }: Pick<World, 'storeUrl' | 'watches'>,
  settings: Partial<WatchSettings> = {},
): Promise<void> {
  const store = await openStore(storeUrl);
  for (const place of watches) {
    const watch = plainWatch(place, nowSeconds());
    await store.set(watchKey(watch), { ...watch, settings: { ...DEFAULT_SETTINGS, ...settings } });
  }
  await store.close();
}

/**
 * Starts a bot that plans its polls every second.
 *
 * @param variables in addition to those of the world
 */
export function launch(
  { environment, directory }: Pick<World, 'environment' | 'directory'>,
  variables: Readonly<Record<string, string>> = {},
  onLine: BotProcessOptions['onLine'] = () => {},
  args: readonly string[] = [],
  flags: Pick<BotProcessOptions, 'nodeFlags'> = {},
): BotProcess {
  const bot = startBot({
    main: programFile('main'),
    directory,
    args,
    ...flags,
    environment: { POLL_CRON: '* * * * * *', ...environment, ...variables },
    onLine,
  });
  return endsWithUs(bot);
}

/** Rejects when the bot ends by itself. */
export function endOf({ process }: BotProcess): Promise<never> {
  const ended = once(process, 'close').then(([code]) => {
    throw new Error(`The bot has ended by itself (exit code ${code}).`);
  });
  ended.catch(() => {});
  return ended;
}
