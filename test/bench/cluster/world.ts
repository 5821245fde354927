import { join } from 'node:path';
import { pino } from 'pino';
import { programFile } from '../../../src/build/state.js';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { ACCOUNT_LINKS } from '../../../src/sandbox/alert-parser.ts';
import { type BotProcess, startBot } from '../../../src/sandbox/bot-process.ts';
import { type FakeDiscord, startDiscord } from '../../../src/sandbox/discord/fake-discord.ts';
import { openStore } from '../../../src/store/store.ts';
import { DEMO_KEY } from '../../../src/venue-server/keys.ts';
import { type Ledger, openLedger } from '../../../src/venue-server/ledger.ts';
import { startVenue } from '../../../src/venue-server/venue.ts';
import { type Watch, watchKey } from '../../../src/watches/watch.ts';
import { settingsSchema } from '../../../src/watches/watch-settings.ts';
import { nowSeconds } from '../../e2e/fixture.ts';
import { benchFolder } from '../../support/bench-folder.ts';
import { seededRandom } from '../../support/random.ts';

const TOKEN = 'bench.token.of-the-local-discord';
const WINDOW_SECONDS = 60;

export interface WorldSize {
  readonly servers: number;
  readonly wallets: number;
  /** Channels that watch each wallet, each in another server. */
  readonly channelsPerWallet?: number;
  /** Requests a minute that the key has. */
  readonly limit: number;
  readonly seed: number;
}

/** Venue and Discord on loopback, with servers that watch wallets. */
export interface World {
  readonly discord: FakeDiscord;
  readonly ledger: Ledger;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly watches: readonly Watched[];
  readonly random: () => number;
  /** How many lines of each event the processes have logged, as `ROLE event`. */
  readonly logged: Map<string, number>;
  close(): Promise<void>;
}

export interface Watched {
  readonly wallet: string;
  readonly guildId: string;
  readonly channelId: string;
}

export async function openWorld(
  name: string,
  { servers, wallets, channelsPerWallet = 1, limit, seed }: WorldSize,
): Promise<World> {
  const directory = benchFolder(name.replaceAll(' ', '-'));
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const key = { ...DEMO_KEY, limit, windowSeconds: WINDOW_SECONDS };
  const venue = await startVenue({ ledger, keys: [key], log });
  const gateway = {
    maxConcurrency: 16,
    identifyWindowMs: 100,
    heartbeatIntervalMs: 41_250,
    recommendedShards: 1,
    maxGuildsPerShard: 2_500,
  };
  const discord = await startDiscord({ token: TOKEN, log, gateway });
  const rooms = Array.from({ length: servers }, (_, index) => {
    const { id: guildId } = discord.createGuild({ name: `Server ${index}` });
    return { guildId, channelId: discord.createChannel(guildId, { name: 'alerts' }).id };
  });
  const watches = Array.from({ length: wallets }, (_, index) => index).flatMap((index) =>
    Array.from({ length: channelsPerWallet }, (_each, channel) => ({
      wallet: walletOf(index),
      ...(rooms[(index + channel) % rooms.length] ?? { guildId: '', channelId: '' }),
    })),
  );
  return {
    discord,
    ledger,
    directory,
    watches,
    random: seededRandom(seed),
    logged: new Map(),
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

/** The address of a wallet by its number. */
export function walletOf(index: number): string {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`;
}

/** Puts watches into a store that no bot has opened yet. */
export async function fill(storeUrl: string, watches: readonly Watched[]): Promise<void> {
  const store = await openStore(storeUrl);
  for (const { wallet, guildId, channelId } of watches) {
    const watch: Watch = {
      version: 1,
      ownerId: guildId,
      channelId,
      wallet: wallet as WalletAddress,
      label: null,
      sinceSeconds: nowSeconds(),
      knownIdentities: [],
      addedBy: guildId,
      settings: settingsSchema.parse({}),
      pause: null,
    };
    await store.set(watchKey(watch), watch);
  }
  await store.close();
}

/**
 * Starts a process.
 *
 * @param role its variables besides those of the world
 * @param onLine each line of its log
 */
export function launch(
  { environment, directory, logged }: World,
  role: Readonly<Record<string, string>>,
  onLine: (line: Readonly<Record<string, unknown>>) => void = () => {},
): BotProcess {
  const { ROLE = 'all' } = role;
  return startBot({
    main: programFile('main'),
    directory,
    environment: { ...environment, ...role },
    onLine(line) {
      const event = `${ROLE} ${line['event'] ?? 'text'}`;
      logged.set(event, (logged.get(event) ?? 0) + 1);
      if (process.env['BENCH_LOG'] !== undefined) {
        process.stderr.write(`${ROLE} ${JSON.stringify(line).slice(0, 400)}\n`);
      }
      onLine(line);
    },
  });
}
