import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import {
  type FakeDiscord,
  type MemberRef,
  startDiscord,
} from '@walletbell/local-discord/discord/fake-discord';
import type { GatewayOptions } from '@walletbell/local-discord/discord/gateway/state';
import type { OptionValues } from '@walletbell/local-discord/discord/people/commandline';
import type { OpenModal } from '@walletbell/local-discord/discord/people/handle';
import { DEMO_KEY, type VenueKey } from '@walletbell/venue-server/keys';
import { openLedger } from '@walletbell/venue-server/ledger';
import { startVenue } from '@walletbell/venue-server/venue';
import { pino } from 'pino';
import sqlite3 from 'sqlite3';
import { expect, inject, onTestFailed, onTestFinished } from 'vitest';
import { call, idOf } from '../../packages/local-discord/test/fixture.ts';
import { ACCOUNT_LINKS } from '../../src/demo/alert-parser.ts';
import { type BotProcess, type BotProcessOptions, startBot } from '../../src/demo/bot-process.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { alertsIn, isAlert, type ShownAlert } from '../support/alert-lines.ts';
import { startBotHere } from '../support/bot-here.ts';
import { createFeedApart, IS_FEED_APART } from '../support/feed-apart.ts';
import { temporaryFolder } from '../support/temp.ts';

export const TOKEN = 'fixture.token.of-the-local-discord';
export type LogLine = Readonly<Record<string, unknown>>;

export interface StartOptions {
  /**
   * Whether the bot gets its own process, which takes a second of processor time to start. For
   * tests that kill it or examine the process.
   */
  readonly asProcess?: boolean;
  readonly launcher?: BotProcessOptions['launcher'];
  /** The event to wait for. */
  readonly until?: string;
  /** Another release's program, run as a process. */
  readonly main?: string;
}

/**
 * Options of a fixture. Those of the gateway default to Discord's own values, except that it
 * accepts many shards at once.
 */
export interface FixtureOptions extends Partial<GatewayOptions> {
  readonly keys?: readonly VenueKey[];
  readonly environment?: Record<string, string>;
  readonly withoutBot?: boolean;
  /** Whether the first bot gets its own process. */
  readonly asProcess?: boolean;
  /** Returns a new unique string for interaction tokens. */
  readonly newSecret?: () => string;
}

/** A server with everything around it real: a venue, a Discord on loopback, and the bot. */
export type Fixture = Awaited<ReturnType<typeof openFixture>>;

export async function openFixture(options: FixtureOptions = {}) {
  const {
    keys = [DEMO_KEY],
    environment: ofTest = {},
    withoutBot,
    asProcess: isFirstApart,
    newSecret,
    ...gateway
  } = options;
  const directory = temporaryFolder();
  const storeUrl = `sqlite://${join(directory, 'data', 'bot.sqlite')}`;
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const venue = await startVenue({ ledger, keys, log });
  const discord = await startDiscord({
    token: TOKEN,
    log,
    gateway: { maxConcurrency: 100, identifyWindowMs: 100, ...gateway },
    // Discord's three seconds would amount to an assertion of a duration: on a busy machine many
    // simultaneous answers take longer.
    ackMs: 30_000,
    ...(newSecret && { newSecret }),
  });
  const { id: guildId } = discord.createGuild({ name: 'Desk' });
  const { id: channelId } = discord.createChannel(guildId, { name: 'alerts' });
  const admin = discord.createMember(guildId, { name: 'ada', admin: true });
  const member = discord.createMember(guildId, { name: 'bob' });
  const logLines: LogLine[] = [];
  const written = new EventEmitter().setMaxListeners(0);
  const ends: (() => Promise<unknown>)[] = [];
  const feedApart = createFeedApart(directory);
  let block = 0;
  onTestFinished(async () => {
    await Promise.all(ends.map((end) => end()));
    await feedApart.stop();
    await discord.close();
    await venue.close();
    await ledger.close();
  });

  // In CI the message of a failure is all that remains of it.
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

  /** Waits for a line in the bot's log, past or future. */
  const logged = async (event: string): Promise<LogLine> => {
    for (;;) {
      const line = logLines.find((candidate) => candidate['event'] === event);
      if (line !== undefined) return line;
      await once(written, 'line', { signal: AbortSignal.timeout(40_000) }).catch(
        (cause: unknown) => {
          throw new Error(`The bot has not logged ${event}: ${JSON.stringify(logLines)}`, {
            cause,
          });
        },
      );
    }
  };

  const failure = (ended: Promise<unknown>) => {
    const failed = ended.then(() => {
      throw new Error(`The bot has ended: ${JSON.stringify(logLines)}`);
    });
    failed.catch(() => {});
    return failed;
  };

  /** Returns the messages that the bot has posted by itself, oldest first. */
  const posted = (where = channelId) => discord.messages(where).filter(isAlert);
  const alerts = (where = channelId): ShownAlert[] => posted(where).flatMap(alertsIn);
  /** Types a command as this person and returns the answer. */
  const sayAs = async (
    who: MemberRef,
    line: string,
    values: OptionValues = {},
    where = channelId,
  ) => (await discord.command(who, where, line, values)).reply();
  /** Waits for a message in the channel that fulfills the condition, and returns it. */
  const until = (isSo: (message: SeenMessage) => boolean, where = channelId) =>
    discord.waitForMessage(where, isSo, 25_000);

  const fixture = {
    discord,
    venue,
    ledger,
    guildId,
    channelId,
    admin,
    member,
    /** Another administrator, whose Discord is in German. */
    german: discord.createMember(guildId, { name: 'eva', admin: true, locale: 'de' }),
    directory,
    storeUrl,
    logLines,
    logged,
    posted,
    alerts,
    sayAs,
    until,
    bot: undefined as unknown as BotProcess,
    /**
     * Starts the bot again. Resolves once it has logged in and registered its commands, or once it
     * has logged another event. It gets its own process if it is to be killed at a step.
     */
    async startBot(
      environment: Record<string, string> = {},
      how: StartOptions = {},
    ): Promise<void> {
      const { asProcess, launcher, until: event = 'discord.ready', main: other } = how;
      logLines.length = 0;
      const ofBot: Record<string, string> = {
        DISCORD_TOKEN: TOKEN,
        DISCORD_API_URL: discord.apiUrl,
        VENUE_BASE_URL: venue.url,
        VENUE_API_KEY: DEMO_KEY.key,
        STORE_URL: storeUrl,
        POLL_CRON: '* * * * * *',
        POLL_MIN_SECONDS: '0.1',
        // One person does in seconds here what many do in minutes.
        COMMANDS_PER_MINUTE_USER: '1000000',
        COMMANDS_PER_MINUTE_GUILD: '1000000',
        ...ACCOUNT_LINKS,
        ...ofTest,
        ...environment,
      };
      const onLine = (line: LogLine) => {
        logLines.push(line);
        written.emit('line');
      };
      const isApart = IS_FEED_APART && ofBot['ROLE'] === undefined;
      const variables = isApart ? await feedApart.ready(ofBot, onLine) : ofBot;
      if (asProcess || launcher || other || ofBot['WALLETBELL_TEST_KILL_AT']) {
        const main = other ?? inject('botMain');
        const bot = startBot({
          directory,
          main,
          ...(launcher && { launcher }),
          environment: variables,
          onLine,
        });
        fixture.bot = bot;
        ends.push(() => bot.kill());
        await Promise.race([logged(event), failure(once(bot.process, 'close'))]);
      } else {
        const { bot, started, ended } = startBotHere(variables, onLine);
        fixture.bot = bot;
        const isLogged = logged(event);
        ends.push(() =>
          started.then(
            () => bot.stop(),
            () => {},
          ),
        );
        // Rejects with the error that prevents the start.
        await Promise.race([isLogged, failure(ended), started.then(() => isLogged)]);
      }
      // At a first start, commands are still being registered when the bot is ready; only shard 0
      // registers them.
      const isRegistering = event === 'discord.ready' && ofBot['SHARDS'] === undefined;
      if (isRegistering && discord.commands().length === 0) await once(discord.events, 'commands');
    },
    /**
     * Starts the bot, which is killed at a step, and does the work that leads to the step; resolves
     * once the bot has ended.
     */
    async startAndKillAt(step: string, work: () => Promise<unknown>): Promise<void> {
      const starting = fixture.startBot({ WALLETBELL_TEST_KILL_AT: step }).catch(() => {});
      const killed = once(fixture.bot.process, 'close');
      await work();
      await starting;
      await killed;
    },
    /** Types a command as the admin and returns the answer. */
    say: (line: string, values?: OptionValues, where?: string) => sayAs(admin, line, values, where),
    /**
     * Presses the button of the message whose custom id begins with this, or one with exactly this
     * id that the message once had, and returns the answer.
     */
    async press(
      who: MemberRef,
      message: Pick<SeenMessage, 'id' | 'components'> | undefined,
      customId: string,
    ) {
      if (message === undefined) throw new Error(`There is no message with ${customId}.`);
      return (await discord.press(who, message.id, idIn(message, customId))).reply();
    },
    /** Presses a button like `press`, and returns the modal that it opens. */
    async open(
      who: MemberRef,
      message: Pick<SeenMessage, 'id' | 'components'>,
      customId: string,
    ): Promise<OpenModal> {
      return (await discord.press(who, message.id, idIn(message, customId))).modal();
    },
    /** Types a command that is rejected, and returns the text that only the admin sees. */
    async refused(line: string, values: OptionValues): Promise<string> {
      const answer = await sayAs(admin, line, values);
      expect(answer.ephemeralFor, 'only the person who typed it sees an error').toBe(admin.userId);
      return answer.content;
    },
    /** Returns the short texts of the alerts. */
    lines: (where?: string) => alerts(where).map(({ line }) => line),
    /** Waits until the channel shows at least this many alerts. */
    async alerted(count: number, where?: string): Promise<void> {
      await until(() => alerts(where).length >= count, where);
    },
    /** Adds trades of wallets in one block, so that one page shows all of them. */
    async trades(...items: readonly ActivityItem[]): Promise<void> {
      block += 1;
      await ledger.addAll(
        items.map((item) => ({ kind: 'activity', wallet: item.trader, block, item })),
      );
    },
  };
  if (!withoutBot) await fixture.startBot({}, { asProcess: isFirstApart === true });
  return fixture;
}

/** Runs the bot as a process until it ends; stops it when it logs this event. */
export async function runToEnd(
  environment: Record<string, string>,
  { args = [], until = '' }: { args?: readonly string[]; until?: string } = {},
) {
  const lines: LogLine[] = [];
  const onLine = (line: LogLine) => {
    lines.push(line);
    if (line['event'] === until) bot.process.kill('SIGTERM');
  };
  const bot = startBot({
    directory: temporaryFolder(),
    main: inject('botMain'),
    environment,
    args,
    onLine,
  });
  onTestFinished(() => bot.kill());
  await once(bot.process, 'close');
  return {
    exitCode: bot.process.exitCode,
    lines,
    output: lines.map((line) => JSON.stringify(line)).join('\n'),
  };
}

/** Returns the custom id in the message that begins with this pattern, or the pattern itself. */
export function idIn({ components }: Pick<SeenMessage, 'components'>, start: string): string {
  return new RegExp(`"custom_id":"(${start}[^"]*)"`).exec(JSON.stringify(components))?.[1] ?? start;
}

/** Returns the descriptions of all embeds of a message. */
export function textOf({ embeds }: SeenMessage): string {
  return embeds.map(({ description }) => description).join('\n');
}

/** Creates a channel in another server, with its administrator. */
export function elsewhere(
  fixture: Fixture,
  guildId = fixture.discord.createGuild({ name: 'Elsewhere' }).id,
) {
  const { id: channelId } = fixture.discord.createChannel(guildId, { name: 'alerts' });
  const admin = fixture.discord.createMember(guildId, { name: 'eve', admin: true });
  const say = (line: string, values?: OptionValues, where = channelId) =>
    fixture.sayAs(admin, line, values, where);
  return { guildId, channelId, admin, say };
}

/** Queries the bot's SQLite store. */
export async function query(
  { directory }: Fixture,
  sql: string,
): Promise<{ key: string; value: string }[]> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(join(directory, 'data', 'bot.sqlite'));
    database.configure('busyTimeout', 5_000);
    database.all<{ key: string; value: string }>(sql, (error, rows) =>
      database.close(() => (error ? reject(error) : resolve(rows))),
    );
  });
}

/**
 * Posts a message with the bot's token but not through the bot: with a button that the bot did not
 * add, or as another app would.
 */
export async function post(
  { discord }: Fixture,
  channelId: string,
  body: unknown,
): Promise<SeenMessage> {
  const posted = await call(discord, 'POST', `/channels/${channelId}/messages`, {
    json: body,
    token: TOKEN,
  });
  return discord.waitForMessage(channelId, ({ id }) => id === idOf(posted));
}

/**
 * Posts a message with a button with this custom id in a new channel, because Discord accepts only
 * few messages a second in one channel.
 */
export async function postButton(fixture: Fixture, customId: string): Promise<SeenMessage> {
  const { id } = fixture.discord.createChannel(fixture.guildId, { name: 'buttons' });
  return post(fixture, id, { content: customId, components: [rowWith(customId)] });
}

/**
 * Starts a proxy in front of the venue, on a separate address.
 *
 * @param turn answers instead of the venue, or forwards the possibly changed URL to it; null cuts
 *   the connection
 */
export async function standBefore(
  { venue }: Fixture,
  turn: (url: URL, serve: () => Promise<Response>) => Promise<Response | null>,
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '', venue.url);
    const { authorization = '' } = incoming.headers;
    const answer = await turn(url, () => fetch(url, { headers: { authorization } }));
    if (answer === null) return void incoming.socket.destroy();
    const ofConnection = /^(?:connection|transfer-encoding|content-(?:encoding|length))$/;
    const headers = [...answer.headers].filter(([name]) => !ofConnection.test(name));
    outgoing.writeHead(answer.status, Object.fromEntries(headers)).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns a row with one button, in Discord's format. */
export function rowWith(customId: string) {
  return { type: 1, components: [{ type: 2, style: 2, label: 'List', custom_id: customId }] };
}

/** Resolves when a message is posted or edited, or the signal aborts. */
export async function messageChange(
  { events }: Pick<FakeDiscord, 'events'>,
  signal?: AbortSignal,
): Promise<void> {
  const either = new AbortController();
  const options = {
    signal: AbortSignal.any([either.signal, ...(signal === undefined ? [] : [signal])]),
  };
  await Promise.race([once(events, 'message', options), once(events, 'edit', options)]).catch(
    () => {},
  );
  either.abort();
}

/** Returns all figures of `/watch status`, which are behind its button. */
export async function wholeStatus(
  fixture: Fixture,
  { admin, say }: Pick<Fixture, 'admin' | 'say'> = fixture,
) {
  return fixture.press(admin, await say('watch status'), 'watch:status:all');
}
