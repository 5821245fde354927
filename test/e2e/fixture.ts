import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import { inject, onTestFailed, onTestFinished } from 'vitest';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { ACCOUNT_LINKS } from '../../src/sandbox/alert-parser.ts';
import { type BotProcess, type BotProcessOptions, startBot } from '../../src/sandbox/bot-process.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { type FakeDiscord, startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { DEMO_KEY, type VenueKey } from '../../src/venue-server/keys.ts';
import { type Ledger, openLedger } from '../../src/venue-server/ledger.ts';
import { startVenue, type Venue } from '../../src/venue-server/venue.ts';
import { alertsIn, type ShownAlert } from '../support/alert-lines.ts';
import { startBotHere } from '../support/bot-here.ts';
import { createFeedApart, IS_FEED_APART } from '../support/feed-apart.ts';
import { temporaryFolder } from '../support/temp.ts';

export const TOKEN = 'fixture.token.of-the-local-discord';
/** EIP-55's own example. */
export const WALLET_SHOWN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const WALLET = WALLET_SHOWN.toLowerCase();

export type LogLine = Readonly<Record<string, unknown>>;

/** A server with everything real around it: venue, Discord on loopback, and the bot. */
export interface Fixture {
  readonly discord: FakeDiscord;
  readonly venue: Venue;
  readonly ledger: Ledger;
  readonly guildId: string;
  readonly channelId: string;
  readonly admin: ReturnType<FakeDiscord['createMember']>;
  readonly member: ReturnType<FakeDiscord['createMember']>;
  readonly directory: string;
  readonly logLines: LogLine[];
  bot: BotProcess;
  /** Starts the bot again; resolves when it has logged in, or logged another event. It gets a process if it is to be killed at a step. */
  startBot(environment?: Record<string, string>, how?: StartOptions): Promise<void>;
  /** Types a command as the admin and gives the answer. */
  say(line: string, values?: Record<string, string>, channelId?: string): Promise<SeenMessage>;
  /** Waits for a line of the bot's log, past or to come. */
  logged(event: string): Promise<LogLine>;
  /** Alerts in the channel: embeds of messages that answer nobody, oldest first. */
  alerts(channelId?: string): ShownAlert[];
  /** Waits until the channel shows at least this many alerts. */
  alerted(count: number, channelId?: string): Promise<void>;
}

export interface StartOptions {
  /** Whether the bot gets a process, which takes a second of a core to start: for tests that kill it, or look at what a process does. */
  readonly asProcess?: boolean;
  readonly launcher?: BotProcessOptions['launcher'];
  /** The event that is waited for. */
  readonly until?: string;
}

export interface FixtureOptions {
  readonly keys?: readonly VenueKey[];
  readonly environment?: Record<string, string>;
  readonly withoutBot?: boolean;
  /** Whether the first bot gets a process. */
  readonly asProcess?: boolean;
  /** How often the gateway wants a heartbeat. */
  readonly heartbeatIntervalMs?: number;
  /** What Discord recommends. */
  readonly recommendedShards?: number;
  /** Servers that one shard may hold. */
  readonly maxGuildsPerShard?: number;
  /** Discord takes so many shards at once, then none for a while; many if left out. */
  readonly identify?: { readonly maxConcurrency: number; readonly identifyWindowMs: number };
  /** Makes the tokens of interactions, each once. */
  readonly newSecret?: () => string;
}

export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const directory = temporaryFolder();
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const venue = await startVenue({ ledger, keys: options.keys ?? [DEMO_KEY], log });
  const { heartbeatIntervalMs = 41_250 } = options;
  const { recommendedShards = null, maxGuildsPerShard = 2500 } = options;
  const gateway = {
    ...(options.identify ?? { maxConcurrency: 100, identifyWindowMs: 100 }),
    heartbeatIntervalMs,
    recommendedShards,
    maxGuildsPerShard,
  };
  const { newSecret } = options;
  // Discord's three seconds would be an assertion of a duration: on a busy machine a crowd's answers take longer.
  const ackMs = 30_000;
  const discord = await startDiscord({
    token: TOKEN,
    log,
    gateway,
    ackMs,
    ...(newSecret === undefined ? {} : { newSecret }),
  });
  const { id: guildId } = discord.createGuild({ name: 'Desk' });
  const { id: channelId } = discord.createChannel(guildId, { name: 'alerts' });
  const admin = discord.createMember(guildId, { name: 'ada', admin: true });
  const member = discord.createMember(guildId, { name: 'bob' });
  const logLines: LogLine[] = [];
  const lineListeners = new Set<() => void>();
  const ends: (() => Promise<unknown>)[] = [];
  const feedApart = createFeedApart(directory);
  onTestFinished(async () => {
    await Promise.all(ends.map((end) => end()));
    await feedApart.stop();
    await discord.close();
    await venue.close();
    await ledger.close();
  });

  // What a machine that nobody looks at leaves behind of a failure is its message.
  onTestFailed(({ task: { result } }) => {
    const shown = discord
      .messages(channelId)
      .map(({ content, embeds, components }) => ({ content, embeds, components }));
    const lines = ['The channel:', ...shown.slice(-4), 'The bot’s log:', ...logLines.slice(-25)];
    const said = lines.map((line) => `\n${JSON.stringify(line).slice(0, 600)}`).join('');
    for (const error of result?.errors ?? []) {
      error.stack = `${error.message}${said}\n${error.stack}`;
      error.message += said;
    }
  });

  const logged = async (event: string): Promise<LogLine> => {
    for (;;) {
      const line = logLines.find((candidate) => candidate['event'] === event);
      if (line !== undefined) return line;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`The bot has not logged ${event}: ${JSON.stringify(logLines)}`)),
          40_000,
        );
        lineListeners.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  };

  const failure = (ended: Promise<unknown>) => {
    const failed = ended.then(() => {
      throw new Error(`The bot has ended: ${JSON.stringify(logLines)}`);
    });
    failed.catch(() => {});
    return failed;
  };

  const fixture: Fixture = {
    discord,
    venue,
    ledger,
    guildId,
    channelId,
    admin,
    member,
    directory,
    logLines,
    bot: undefined as unknown as BotProcess,
    async startBot(environment = {}, { asProcess = false, launcher, until = 'discord.ready' } = {}) {
      logLines.length = 0;
      const ofBot: Record<string, string> = {
        DISCORD_TOKEN: TOKEN,
        DISCORD_API_URL: discord.apiUrl,
        VENUE_BASE_URL: venue.url,
        VENUE_API_KEY: DEMO_KEY.key,
        STORE_URL: `sqlite://${join(directory, 'data/bot.sqlite')}`,
        POLL_CRON: '* * * * * *',
        POLL_MIN_SECONDS: '0.1',
        // One person does here in seconds what many do in minutes.
        COMMANDS_PER_MINUTE_USER: '1000000',
        COMMANDS_PER_MINUTE_GUILD: '1000000',
        ...ACCOUNT_LINKS,
        ...options.environment,
        ...environment,
      };
      const onLine = (line: LogLine) => {
        logLines.push(line);
        for (const listener of lineListeners) listener();
        lineListeners.clear();
      };
      const isApart = IS_FEED_APART && ofBot['ROLE'] === undefined;
      const variables = isApart ? await feedApart.ready(ofBot, onLine) : ofBot;
      const isKilled = Boolean(ofBot['WALLETBELL_TEST_KILL_AT']);
      if (!asProcess && launcher === undefined && !isKilled) {
        const { bot, started, ended } = startBotHere(variables, onLine);
        fixture.bot = bot;
        const isLogged = logged(until);
        ends.push(() =>
          started.then(
            () => bot.stop(),
            () => {},
          ),
        );
        // Fails with what keeps it from starting.
        await Promise.race([isLogged, failure(ended), started.then(() => isLogged)]);
        return;
      }
      const bot = startBot({
        directory,
        main: inject('botMain'),
        ...(launcher === undefined ? {} : { launcher }),
        environment: variables,
        onLine,
      });
      fixture.bot = bot;
      ends.push(() => bot.kill());
      await Promise.race([logged(until), failure(once(bot.process, 'close'))]);
    },
    async say(line, values = {}, where = channelId) {
      return (await discord.command(admin, where, line, values)).reply();
    },
    logged,
    alerts: (where = channelId) =>
      discord
        .messages(where)
        .filter(({ interactionId }) => interactionId === null)
        .flatMap(alertsIn),
    async alerted(count, where = channelId) {
      await discord.waitForMessage(where, () => fixture.alerts(where).length >= count, 20_000);
    },
  };
  if (options.withoutBot !== true) {
    await fixture.startBot({}, { asProcess: options.asProcess === true });
    // The commands of a first start are on their way when the bot is ready.
    if (discord.commands().length === 0) await once(discord.events, 'commands');
  }
  return fixture;
}

/** Posts a message with the bot's token, past the bot: with a button that it has not put there, or as another app does. */
export async function post({ discord }: Fixture, channelId: string, body: unknown): Promise<SeenMessage> {
  const response = await fetch(`${discord.apiUrl}/v10/channels/${channelId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${TOKEN}`, 'content-type': 'application/json', 'user-agent': 'DiscordBot (x, 1)' },
    body: JSON.stringify(body),
  });
  const { id: messageId } = (await response.json()) as { readonly id: string };
  return discord.waitForMessage(channelId, ({ id }) => id === messageId);
}

/** A row with one button, as Discord takes it. */
export function rowWith(customId: string) {
  return { type: 1, components: [{ type: 2, style: 2, label: 'List', custom_id: customId }] };
}

/** Resolves when a message is sent or changed, or the signal aborts. */
export async function messageChange({ events }: Pick<FakeDiscord, 'events'>, signal?: AbortSignal): Promise<void> {
  const either = new AbortController();
  const options = { signal: AbortSignal.any([either.signal, ...(signal === undefined ? [] : [signal])]) };
  await Promise.race([once(events, 'message', options), once(events, 'edit', options)]).catch(() => {});
  either.abort();
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

let mutex = 0;

export function txHash(): string {
  mutex += 1;
  return `0x${mutex.toString(16).padStart(64, '0')}`;
}

export function trade(changes: Partial<ActivityItem> = {}): ActivityItem {
  return {
    time: nowSeconds(),
    action: 'Buy',
    recordType: 'SUMMARY',
    actionType: 0,
    price: 63.5,
    quantity: 1234.5,
    fee: 1.2,
    grossValue: 783.9075,
    transferNetAmount: 785.1075,
    txHash: txHash(),
    tokenId: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
    marketId: '501',
    marketSlug: 'rain-in-paris',
    eventSlug: 'weather',
    conditionId: `0x${'c'.repeat(64)}`,
    marketTitle: 'Will it rain in Paris?',
    positionSide: 'Yes',
    outcomeIndex: 0,
    logo: 'https://images.venue.example/501.png',
    trader: WALLET,
    liquidityRole: 'TAKER',
    ...changes,
  };
}

/** A market of its own: what is bought in it is another purchase. */
export function inMarket(id: number): Partial<ActivityItem> {
  return { marketId: `${id}`, conditionId: `0x${String(id).padStart(64, '0')}`, tokenId: `${id}` };
}

export function sale(changes: Partial<ActivityItem> = {}): ActivityItem {
  return trade({ action: 'Sell', actionType: 2, transferNetAmount: -782.7075, liquidityRole: 'MAKER', ...changes });
}

export function redemption(changes: Partial<ActivityItem> = {}): ActivityItem {
  return trade({
    action: 'Redeem',
    recordType: 'REDEEMS',
    actionType: 1,
    price: 100,
    fee: 0,
    grossValue: 1234.5,
    transferNetAmount: -1234.5,
    liquidityRole: null,
    ...changes,
  });
}

export function transfer(changes: Partial<TransferItem> = {}): TransferItem {
  return {
    txHash: txHash(),
    type: 'deposit',
    amount: 5000,
    time: nowSeconds(),
    address: `0x${'0'.repeat(40)}`,
    ...changes,
  };
}

/** All figures of `/watch status`, behind its button. */
export async function wholeStatus({ discord }: Fixture, { admin, say }: Pick<Fixture, 'admin' | 'say'>) {
  const answer = await say('watch status');
  return (await discord.press(admin, answer.id, 'watch:status:all')).reply();
}
