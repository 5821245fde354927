import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { STEPS } from '../../src/lib/failpoints.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { ACCOUNT_LINKS } from '../../src/sandbox/alert-parser.ts';
import { type BotProcess, startBot } from '../../src/sandbox/bot-process.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { createAccount, followMessages } from '../../src/sandbox/reconcile.ts';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { type LedgerRecord, openLedger } from '../../src/venue-server/ledger.ts';
import { startVenue } from '../../src/venue-server/venue.ts';
import { messageChange, trade, transfer } from '../e2e/fixture.ts';
import { seededRandom } from './random.ts';

export interface CrashRunOptions {
  /** The bot's program, dist/main.js. */
  readonly main: string;
  /** Kills at random instants. */
  readonly kills: number;
  /** Kills at each named step of an alert's way, besides. */
  readonly killsPerStep: number;
  readonly seed: number;
  /** An empty folder for the files. */
  readonly directory: string;
  readonly onProgress?: (kills: number) => void;
}

export interface CrashReport {
  readonly kills: number;
  readonly killsByStep: Readonly<Record<string, number>>;
  readonly items: number;
  readonly delivered: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Notices that more had arrived at once than a page shows. */
  readonly gaps: number;
  /** Messages that were changed, each time. */
  readonly edits: number;
  /** Purchases and transfers of a wallet that did not stand in their order in a channel. */
  readonly outOfOrder: number;
}

const TOKEN = 'crash.token.of-the-local-discord';
const WALLETS = Array.from({ length: 6 }, (_, index) => `0x${String(index + 1).repeat(40)}`);
const PAST_TRADES = 101;
const PAST_SECONDS = 1_600_000_000;
const LONGEST_LIFE_MS = 4_000;
/** A step that is not reached within this time will not be: nothing was under way. */
const STEP_LIMIT_MS = 20_000;
const DRAIN_LIMIT_MS = 60_000;
/** Less than a page: on a slow machine trades wait, or more would arrive than the bot can ever see. */
const UNTOLD_LIMIT = 90;

/**
 * Runs the real bot against venue and Discord double while trades go on, kills it with SIGKILL again and again, and
 * counts in the end what the channels show against the venue's ledger.
 */
export async function crashRun(options: CrashRunOptions): Promise<CrashReport> {
  const random = seededRandom(options.seed);
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(options.directory, 'venue.sqlite') });
  const venue = await startVenue({ ledger, keys: [{ ...DEMO_KEY, limit: 60_000 }], log });
  const discord = await startDiscord({
    token: TOKEN,
    log,
    gateway: { maxConcurrency: 1000, identifyWindowMs: 10, sessionStartTotal: 1_000_000 },
    rateLimits: {
      'message.create': { limit: 50, windowMs: 1_000 },
      'message.edit': { limit: 50, windowMs: 1_000 },
    },
  });
  const account = createAccount();
  let gaps = 0;
  const placesByWallet = new Map<string, string[][]>();
  let edits = 0;
  followMessages(account, discord.events);
  discord.events.on('message', (message) => {
    gaps += message.content.startsWith('⚠️') && message.embeds.length > 0 ? 1 : 0;
    if (message.interactionId === null) notePlaces(message, placesByWallet);
  });
  discord.events.on('edit', ({ interactionId }) => {
    if (interactionId === null) edits += 1;
  });
  const guild = discord.createGuild({ name: 'Desk' });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  const channels = ['one', 'two'].map((name) => discord.createChannel(guild.id, { name }).id);
  // Somebody watches for themselves what the server watches, too.
  const person = discord.createMember(guild.id, { name: 'bob' });
  const { id: directId } = discord.openDm(person.userId);

  let bot: BotProcess | undefined;
  const launch = (environment: Record<string, string> = {}) => {
    bot = startBot({
      directory: options.directory,
      main: options.main,
      environment: {
        DISCORD_TOKEN: TOKEN,
        DISCORD_API_URL: discord.apiUrl,
        VENUE_BASE_URL: venue.url,
        VENUE_API_KEY: DEMO_KEY.key,
        STORE_URL: 'sqlite://bot.sqlite',
        POLL_CRON: '* * * * * *',
        POLL_MIN_SECONDS: '0.1',
        COMMANDS_PER_MINUTE_USER: '600',
        LOG_LEVEL: 'error',
        ...ACCOUNT_LINKS,
        ...environment,
      },
      onLine: () => {},
    });
    return bot;
  };

  let items = 0;
  const markets = WALLETS.map(() => 1);
  const play = async () => {
    const place = Math.floor(random() * WALLETS.length);
    const wallet = WALLETS[place] ?? '';
    const fills = 1 + Math.floor(random() * 3);
    // Now a further piece of a purchase that is announced already, and now another one.
    if (random() < 0.25) markets[place] = (markets[place] ?? 0) + 1;
    const records = Array.from({ length: fills }, (_, fill): LedgerRecord => {
      items += 1;
      const isTransfer = fill === 0 && random() < 0.2;
      const txHash = `0x${place + 1}${String(items).padStart(63, '0')}`;
      if (isTransfer) return { kind: 'transfer', wallet, item: transfer({ txHash, amount: items }) };
      return {
        kind: 'activity',
        wallet,
        block: items,
        item: trade({ ...marketNames(place, markets[place] ?? 0), txHash, trader: wallet, quantity: items }),
      };
    });
    await ledger.addAll(records);
    for (const record of records) account.expect(record);
  };

  let isPlaying = true;
  const killsByStep: Record<string, number> = {};
  let kills = 0;
  const killed = () => {
    kills += 1;
    options.onProgress?.(kills);
  };
  try {
    const first = launch();
    if (discord.commands().length === 0) await once(discord.events, 'commands');
    for (const [index, wallet] of WALLETS.entries()) {
      // More than a page shows, so that the venue is asked about each market.
      await ledger.addAll(
        Array.from({ length: PAST_TRADES }, (_, past): LedgerRecord => {
          const item = trade({
            txHash: `0x${index + 1}f${String(past).padStart(62, '0')}`,
            trader: wallet,
            time: PAST_SECONDS + past,
          });
          return { kind: 'activity', wallet, block: 0, item };
        }),
      );
      for (const channelId of index % 2 === 0 ? channels : channels.slice(0, 1)) {
        account.watch(wallet, channelId, Math.floor(Date.now() / 1000));
        await (await discord.command(admin, channelId, 'watch add', { wallet })).reply();
      }
      if (index % 3 > 0) continue;
      account.watch(wallet, directId, Math.floor(Date.now() / 1000));
      await (await discord.command(person, directId, 'watch add', { wallet })).reply();
    }
    await first.kill();
    killed();
    const playing = (async () => {
      while (isPlaying) {
        if (account.balance().lost < UNTOLD_LIMIT) await play();
        await delay(200 + random() * 600);
      }
    })();

    for (let round = 0; round < options.killsPerStep; round += 1) {
      for (const step of STEPS) {
        const run = launch({ WALLETBELL_TEST_KILL_AT: `${step}:${1 + Math.floor(random() * 3)}` });
        const limit = new AbortController();
        const ended = once(run.process, 'close').then(() => true);
        const isOver = await Promise.race([ended, delay(STEP_LIMIT_MS, false, { signal: limit.signal })]);
        limit.abort();
        if (isOver && run.process.signalCode === 'SIGKILL') killsByStep[step] = (killsByStep[step] ?? 0) + 1;
        await run.kill();
        killed();
      }
    }
    for (let kill = 0; kill < options.kills; kill += 1) {
      const run = launch();
      const isAtMessage = random() < 0.3;
      // Right after Discord has accepted, before its answer can have been read: the instant that doubles are made of.
      if (isAtMessage) await Promise.race([messageChange(discord), delay(2 * LONGEST_LIFE_MS)]);
      else await delay(random() * LONGEST_LIFE_MS);
      await run.kill();
      killed();
    }
    isPlaying = false;
    await playing;

    launch();
    const limit = AbortSignal.timeout(DRAIN_LIMIT_MS);
    while (account.balance().lost > 0 && !limit.aborted) {
      await messageChange(discord, limit);
    }
  } finally {
    isPlaying = false;
    await bot?.stop();
    await discord.close();
    await venue.close();
    await ledger.close();
  }
  const { alerts, lost, duplicates } = account.balance();
  return {
    kills,
    killsByStep,
    items,
    delivered: alerts,
    lost,
    duplicated: duplicates,
    gaps,
    edits,
    outOfOrder: [...placesByWallet.values()].filter((alerts) => !isAscending(alerts)).length,
  };
}

/** Notes which purchases and transfers of each wallet a new message shows: a transfer links its transaction, a trade its market. */
function notePlaces({ channelId, embeds }: SeenMessage, placesByWallet: Map<string, string[][]>): void {
  const text = embeds.map(({ description, url }) => `${url} ${description}`).join('\n');
  const links = [...text.matchAll(/\/(tx\/0x|market\/)(\d)(\d+)/g)];
  for (const [name, shown] of groupBy(links, ([, endpoint = '', wallet = '']) => endpoint + wallet)) {
    const key = `${channelId}:${name}`;
    const places = shown.map(([, , , place = '']) => place);
    placesByWallet.set(key, [...(placesByWallet.get(key) ?? []), places]);
  }
}

/** @param place of the wallet, from 0 @param market numbered as they are played */
function marketNames(place: number, market: number) {
  const marketId = `${place + 1}${String(market).padStart(6, '0')}`;
  return { marketId, conditionId: `0x${marketId.padStart(64, 'c')}` };
}

/** Of one endpoint, nothing that an alert shows is earlier than what the alert before it showed. */
function isAscending(alerts: readonly (readonly string[])[]): boolean {
  return alerts.every((places, index) => {
    const latestBefore = alerts[index - 1]?.toSorted().at(-1) ?? '';
    return places.every((place) => place >= latestBefore);
  });
}
