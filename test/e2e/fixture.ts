import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
import { PermissionFlagsBits } from 'discord.js';
import { pino } from 'pino';
import sqlite3 from 'sqlite3';
import { expect, inject, onTestFailed, onTestFinished } from 'vitest';
import * as z from 'zod';
import { call, idOf } from '../../packages/local-discord/test/fixture.ts';
import { ACCOUNT_LINKS } from '../../src/demo/alert-parser.ts';
import { type BotProcess, type BotProcessOptions, startBot } from '../../src/demo/bot-process.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { alertsIn, isAlert, type ShownAlert } from '../support/alert-lines.ts';
import { startBotHere } from '../support/bot-here.ts';
import { createFeedApart, IS_FEED_APART } from '../support/feed-apart.ts';
import { limitsOfAll } from '../support/limits-file.ts';
import { temporaryFolder } from '../support/temp.ts';
import { BOT_FLAGS } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';

export const TOKEN = 'fixture.token.of-the-local-discord';
export type LogLine = Readonly<Record<string, unknown>>;

export interface StartOptions {
  /**
   * Whether the bot gets a process, which takes a second of a core to start: for tests that kill
   * it, or look at what a process does.
   */
  readonly asProcess?: boolean;
  readonly launcher?: BotProcessOptions['launcher'];
  /** The event that is waited for. */
  readonly until?: string;
  /** Another release's program, in a process. */
  readonly main?: string;
}

/** Of the gateway, Discord's own figures if left out; but it takes many shards at once. */
export interface FixtureOptions extends Partial<GatewayOptions> {
  readonly keys?: readonly VenueKey[];
  readonly environment?: Record<string, string>;
  readonly withoutBot?: boolean;
  /** Whether the first bot gets a process. */
  readonly asProcess?: boolean;
  /** Makes the tokens of interactions, each once. */
  readonly newSecret?: () => string;
}

const checkSchema = z.object({
  ok: z.boolean(),
  since: z.iso.datetime(),
  reason: z.string().nullable(),
});
const readySchema = z.looseObject({
  ready: z.boolean(),
  checks: z.record(z.string(), checkSchema),
  shards: z.array(z.object({ id: z.number(), isUp: z.boolean(), guilds: z.number() })).optional(),
});
/** What `/readyz` answers. */
export type Readiness = z.output<typeof readySchema> & { readonly status: number };

/** A server with everything real around it: venue, Discord on loopback, and the bot. */
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
    // Discord's three seconds would be an assertion of a duration: on a busy machine a crowd's
    // answers take longer.
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

  /** Waits for a line of the bot's log, past or to come. */
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

  /** What the bot has posted of itself, oldest first. */
  const posted = (where = channelId) => discord.messages(where).filter(isAlert);
  const alerts = (where = channelId): ShownAlert[] => posted(where).flatMap(alertsIn);
  /** Types a command as somebody and gives the answer. */
  const sayAs = async (
    who: MemberRef,
    line: string,
    values: OptionValues = {},
    where = channelId,
  ) => (await discord.command(who, where, line, values)).reply();
  /** Waits until messages of the channel have made it so, and gives the one that did. */
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
    /** An administrator, too, who has Discord in German. */
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
     * Starts the bot again; resolves when it has logged in and its commands are there, or when it
     * has logged another event. It gets a process if it is to be killed at a step.
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
        WALLETBELL_TEST_POLL_MIN_SECONDS: '0.1',
        // One person does here in seconds what many do in minutes.
        ...limitsOfAll(directory),
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
          ...BOT_FLAGS,
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
        // Fails with what keeps it from starting.
        await Promise.race([isLogged, failure(ended), started.then(() => isLogged)]);
      }
      // Those of a first start are on their way when the bot is ready; shard 0 alone brings them.
      const isRegistering = event === 'discord.ready' && ofBot['SHARDS'] === undefined;
      if (isRegistering && discord.commands().length === 0) await once(discord.events, 'commands');
    },
    /**
     * Starts the bot, which is killed at a step, and does what brings it there; resolves when it has
     * ended.
     */
    async startAndKillAt(step: string, work: () => Promise<unknown>): Promise<void> {
      const starting = fixture.startBot({ WALLETBELL_TEST_KILL_AT: step }).catch(() => {});
      const killed = once(fixture.bot.process, 'close');
      await work();
      await starting;
      await killed;
    },
    /** Types a command as the admin and gives the answer. */
    say: (line: string, values?: OptionValues, where?: string) => sayAs(admin, line, values, where),
    /**
     * Presses the button of the message whose custom id begins so, or one of this id that it had,
     * and gives the answer.
     */
    async press(
      who: MemberRef,
      message: Pick<SeenMessage, 'id' | 'components'> | undefined,
      customId: string,
    ) {
      if (message === undefined) throw new Error(`There is no message with ${customId}.`);
      return (await discord.press(who, message.id, idIn(message, customId))).reply();
    },
    /** Presses a button as `press` does, and gives the modal that it opens. */
    async open(
      who: MemberRef,
      message: Pick<SeenMessage, 'id' | 'components'>,
      customId: string,
    ): Promise<OpenModal> {
      return (await discord.press(who, message.id, idIn(message, customId))).modal();
    },
    /** Types a command that is refused, and gives what the admin alone is told. */
    async refused(line: string, values: OptionValues): Promise<string> {
      const answer = await sayAs(admin, line, values);
      expect(answer.ephemeralFor, 'only the person who typed it sees an error').toBe(admin.userId);
      return answer.content;
    },
    /** Takes permissions in a channel from somebody, or gives them back. */
    deny: (where: string, { userId }: Pick<MemberRef, 'userId'>, deny: bigint) =>
      discord.setOverwrite(where, { id: userId, type: 1, allow: 0n, deny }),
    /** Hides a channel from ordinary members. */
    hide(where: string): void {
      const { ViewChannel } = PermissionFlagsBits;
      discord.setOverwrite(where, { id: guildId, type: 0, allow: 0n, deny: ViewChannel });
      discord.setOverwrite(where, { id: discord.bot.id, type: 1, allow: ViewChannel, deny: 0n });
    },
    /** Lends `/watch` to the ordinary member, under Integrations. */
    lendWatch(): void {
      const command = discord.commands().find(({ name }) => name === 'watch');
      const lent = { id: member.userId, type: 2, permission: true } as const;
      discord.setCommandExceptions(guildId, command?.id ?? '', [lent]);
    },
    /** What the bot answers over HTTP. */
    async served(path: string) {
      const { url } = await logged('http.listening');
      const response = await fetch(new URL(path, String(url)));
      const { status, headers } = response;
      return { status, headers, text: await response.text() };
    },
    /** What the bot says of its readiness; asked until it is so, since it tells nobody. */
    async readiness(isSo: (state: Readiness) => boolean = () => true): Promise<Readiness> {
      for (;;) {
        const { status, text } = await fixture.served('/readyz');
        const state = { status, ...readySchema.parse(JSON.parse(text)) };
        if (isSo(state)) return state;
        await delay(50);
      }
    },
    /** Has the venue answer again under its address, once it is closed. */
    async reopenVenue(): Promise<void> {
      const again = await startVenue({ ledger, keys, log, port: Number(new URL(venue.url).port) });
      ends.push(() => again.close());
    },
    /** What the alerts say in a few words. */
    lines: (where?: string) => alerts(where).map(({ line }) => line),
    /** Waits until the channel shows at least this many alerts. */
    async alerted(count: number, where?: string): Promise<void> {
      await until(() => alerts(where).length >= count, where);
    },
    /** Wallets trade: in one block, so that one page shows all of it. */
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

/** Opens a fixture whose channel watches the wallet, as Whale. */
export async function openWatched(options?: FixtureOptions): Promise<Fixture> {
  const fixture = await openFixture(options);
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  return fixture;
}

/** Runs the bot as a process until it ends, which it is asked to when it logs this event. */
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
    ...BOT_FLAGS,
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

/** The custom id in the message that matches this from its beginning on; else this. */
export function idIn({ components }: Pick<SeenMessage, 'components'>, start: string): string {
  return new RegExp(`"custom_id":"(${start}[^"]*)"`).exec(JSON.stringify(components))?.[1] ?? start;
}

/** A button, a link or a menu of a message. */
interface Part {
  readonly custom_id?: string;
  readonly label?: string;
  readonly url?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly options?: readonly {
    readonly label: string;
    readonly value: string;
    readonly description?: string;
  }[];
}

/** The buttons and menus of a message, row by row. */
export function partsOf({ components }: Pick<SeenMessage, 'components'>) {
  return components.map((row) => row.components as readonly Part[]);
}

/** What stands on the buttons and menus of a message, row by row. */
export function labelsOf(message: Pick<SeenMessage, 'components'>) {
  return partsOf(message).map((row) => row.map(({ label, placeholder }) => label ?? placeholder));
}

/** The text and the embeds of a message as one text. */
export function wordsOf({ content, embeds }: Pick<SeenMessage, 'content' | 'embeds'>): string {
  const texts = embeds.flatMap(({ title, description }) => [title, description]);
  return [content, ...texts].join('\n');
}

/** All that is stored, or that is under keys with this, as one text. */
export async function stored(fixture: Fixture, part = ''): Promise<string> {
  const rows = await query(fixture, 'select key, value from keyv');
  return JSON.stringify(rows.filter(({ key }) => key.includes(part)));
}

/** All that embeds of a message say in their own words. */
export function textOf({ embeds }: SeenMessage): string {
  return embeds.map(({ description }) => description).join('\n');
}

/** A channel of another server, with its administrator. */
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

/** Asks the bot's SQLite store. */
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
 * Posts a message with the bot's token, past the bot: with a button that it has not put there, or
 * as another app does.
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
 * Puts a message with a button of this custom id into a channel of its own: Discord takes few of
 * them a second in one.
 */
export async function postButton(fixture: Fixture, customId: string): Promise<SeenMessage> {
  const { id } = fixture.discord.createChannel(fixture.guildId, { name: 'buttons' });
  return post(fixture, id, { content: customId, components: [rowWith(customId)] });
}

/**
 * Stands before the venue, under an address of its own.
 *
 * @param turn answers in the venue's place, or has the venue answer what the URL then asks; null
 *   cuts the connection
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

/** A file of watches for `/watch import`. */
export const watchesFile = (text: string, filename = 'watches.csv') => ({
  file: { filename, data: Buffer.from(text) },
});

/** A row with one button, as Discord takes it. */
export function rowWith(customId: string) {
  return { type: 1, components: [{ type: 2, style: 2, label: 'List', custom_id: customId }] };
}

/** Resolves when a message is sent or changed, or the signal aborts. */
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

/** All figures of `/watch status`, behind its button. */
export async function wholeStatus(
  fixture: Fixture,
  { admin, say }: Pick<Fixture, 'admin' | 'say'> = fixture,
) {
  return fixture.press(admin, await say('watch status'), 'watch:status:all');
}
