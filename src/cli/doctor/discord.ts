import {
  Client,
  DefaultUserAgent,
  DiscordAPIError,
  type Guild,
  type GuildMember,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import * as z from 'zod';
import type { Config } from '../../app/config.ts';
import type { WatchPlace } from '../../app/documents/kinds.ts';
import { isTokenRefusal, restOptions } from '../../discord/client.ts';
import { type Sharding, shardOptions } from '../../discord/gateway/shards.ts';
import { missingFrom, timedOutUntilMs } from '../../discord/permissions.ts';
import { ENGLISH } from '../../language/language.ts';
import { errorCode, reasonOf } from '../../lib/error.ts';
import { groupBy } from '../../lib/group-by.ts';
import { personOf } from '../../watches/owner.ts';
import { clockFinding, type Finding, fail, ok, warn } from './finding.ts';

const ANSWER_LIMIT_MS = 10_000;
const FEW_SESSIONS = 50;

const meSchema = z.object({ id: z.string(), username: z.string() });
const applicationSchema = z.object({
  integration_types_config: z.record(z.string(), z.unknown()).nullish(),
});
const gatewaySchema = z.object({
  shards: z.int(),
  session_start_limit: z.object({ total: z.int(), remaining: z.int(), reset_after: z.number() }),
});

type LogIns = z.infer<typeof gatewaySchema>['session_start_limit'];

/**
 * Checks with Discord who the bot is, whether it may log in and can write in its channels, and
 * which commands exist.
 *
 * @param isBotRunning whether a walletbell has the store open
 */
export async function checkDiscord(
  {
    DISCORD_API_URL: apiUrl,
    DISCORD_TOKEN: token,
    sharding,
  }: Pick<Config, 'DISCORD_API_URL' | 'DISCORD_TOKEN' | 'sharding'>,
  watches: readonly WatchPlace[],
  isBotRunning: boolean,
): Promise<readonly Finding[]> {
  const ask = (path: string) =>
    fetch(`${apiUrl}/v10${path}`, {
      // Discord rejects requests without a user agent in its format.
      headers: { authorization: `Bot ${token}`, 'user-agent': DefaultUserAgent },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
  const findings: Finding[] = [];
  const client = new Client({ ...shardOptions('auto'), intents: [], rest: restOptions(apiUrl) });
  client.rest.setToken(token);
  try {
    const answer = await ask('/users/@me');
    const date = Date.parse(answer.headers.get('date') ?? '');
    // The header is truncated to whole seconds.
    const skewMs = Number.isNaN(date) ? null : date + 500 - Date.now();
    if (isTokenRefusal(answer.status, answer.status === 401 ? await answer.text() : '')) {
      const advice =
        'Check DISCORD_TOKEN; a new one is made on the Bot page of the developer portal.';
      return [fail('token', `Discord refuses it (401). ${advice}`)];
    }
    if (!answer.ok) return [answered(answer.status)];
    const me = meSchema.parse(await answer.json());
    findings.push(ok('token', `Discord knows the bot as ${me.username} (${me.id}).`));
    findings.push(clockFinding('Discord', skewMs));
    let logIns: LogIns | null = null;
    const gateway = await ask('/gateway/bot');
    if (gateway.ok) {
      const { shards, session_start_limit: sessions } = gatewaySchema.parse(await gateway.json());
      logIns = sessions;
      const needed = sharding === 'auto' ? shards : sharding.ids.length;
      findings.push(sessionFinding(sessions, needed), ...shardFindings(shards, sharding));
    } else findings.push(answered(gateway.status));
    findings.push(
      ...installFindings(
        await ask('/applications/@me').then((one) => (one.ok ? one.json() : null)),
      ),
    );
    const byOwner = groupBy(watches, ({ ownerId }) => ownerId);
    const servers = [...byOwner.keys()].filter((ownerId) => personOf(ownerId) === null);
    findings.push(...(await checkChannels(client, me.id, byOwner)));
    // The commands load much of the bot, which the previous checks do not need.
    const { checkCommands } = await import('./commands.ts');
    findings.push(...(await checkCommands(client.rest, servers, isBotRunning)));
    if (logIns !== null && !isBotRunning && sharding === 'auto') {
      const { session_start_limit: after } = gatewaySchema.parse(
        await client.rest.get(Routes.gatewayBot()),
      );
      findings.push(...logInFindings(logIns, after));
    }
    return findings;
  } catch (error) {
    // The actual failure of `fetch` is its cause.
    const cause = error instanceof Error ? error.cause : undefined;
    const text =
      error instanceof z.ZodError
        ? 'the answer is not Discord’s. Check DISCORD_API_URL.'
        : `cannot be reached (${errorCode(cause) || reasonOf(cause ?? error)}). ` +
          'Check the network and DISCORD_API_URL.';
    return [...findings, fail('discord', text)];
  } finally {
    await client.destroy();
  }
}

const ANSWERED: Readonly<Record<number, string>> = {
  403:
    'turns this address away (403), as it does for a while after many faulty requests. ' +
    'Wait an hour.',
  404:
    'answers 404: DISCORD_API_URL is not the root of Discord’s REST ' +
    'interface. Accepted: https://discord.com/api, or a proxy’s address for it.',
  429: 'asks for fewer requests (429). Wait a minute; another program may use the same token.',
};

function answered(status: number): Finding {
  const text = `answers ${status}. Look at https://discordstatus.com, or check DISCORD_API_URL.`;
  return fail('discord', ANSWERED[status] ?? text);
}

/**
 * Returns whether people can install the bot for themselves.
 *
 * @param json null if Discord does not say
 */
function installFindings(json: unknown): readonly Finding[] {
  const config = applicationSchema.safeParse(json).data?.integration_types_config;
  if (config === undefined || config === null) return [];
  if (Object.hasOwn(config, '1')) {
    return [ok('install', 'for servers, and for people themselves (User Install).')];
  }
  const advice =
    'switch User Install on (developer portal, Installation page), and restart the bot.';
  return [ok('install', `for servers alone. For people themselves, too: ${advice}`)];
}

/** @param recommended number of shards recommended by Discord */
function shardFindings(recommended: number, sharding: Sharding): readonly Finding[] {
  if (sharding === 'auto') {
    if (recommended === 1) return [];
    return [
      ok('shards', `Discord recommends ${recommended}; this process takes them all (SHARDS=auto).`),
    ];
  }
  const { ids, count } = sharding;
  const shards = ids.length === 1 ? 'shard' : 'shards';
  const taken = `this process takes ${shards} ${ids.join(', ')} of ${count} (SHARDS)`;
  if (count >= recommended) return [ok('shards', `Discord recommends ${recommended}; ${taken}.`)];
  const advice =
    'Raise the number behind the slash of SHARDS in every process: a shard ends at 2,500 servers.';
  return [warn('shards', `Discord recommends ${recommended}, and ${taken}. ${advice}`)];
}

/** @param needed log-ins of one start */
function sessionFinding(sessions: LogIns, needed: number): Finding {
  const left = `${sessions.remaining} of ${sessions.total} log-ins left for today`;
  const again = `They are given anew in ${Math.ceil(sessions.reset_after / 60_000)} minutes.`;
  if (sessions.remaining < needed) {
    const why = `a start needs ${needed}, one a shard. Something restarts the bot again and again.`;
    return fail('gateway', `${left}, and ${why} ${again}`);
  }
  if (sessions.remaining < FEW_SESSIONS) {
    return warn(
      'gateway',
      `${left}. ${again} At none, Discord resets the token: find what restarts the bot.`,
    );
  }
  return ok('gateway', `${left}.`);
}

/** Reports a process that logged in with the token between two checks, while no bot of ours ran. */
function logInFindings(before: LogIns, after: LogIns): readonly Finding[] {
  if (after.remaining >= before.remaining) return [];
  const seen = `${before.remaining} log-ins were left, then ${after.remaining}`;
  const text =
    `a process has logged in with it during this check (${seen}), and no bot had the store open. ` +
    'Unless you have just started this one: another program uses the token, or something starts ' +
    'this bot again and again. Look into its log; another program needs a token of its own ' +
    '(developer portal, New Application).';
  return [warn('token', text)];
}

async function checkChannels(
  client: Client,
  selfId: string,
  byOwner: ReadonlyMap<string, readonly WatchPlace[]>,
): Promise<readonly Finding[]> {
  if (byOwner.size === 0) return [ok('channels', 'none is watched for yet: /watch add begins.')];
  const findings: Finding[] = [];
  const guilds = [...byOwner].filter(([ownerId]) => personOf(ownerId) === null);
  const persons = byOwner.size - guilds.length;
  let fine = 0;
  for (const [guildId, ofGuild] of guilds) {
    try {
      const guild = await client.guilds.fetch(guildId);
      const me = await guild.members.fetch(selfId);
      for (const channelId of new Set(ofGuild.map((watch) => watch.channelId))) {
        const finding = await checkChannel(guild, me, channelId);
        if (finding === null) fine += 1;
        else findings.push(finding);
      }
    } catch (error) {
      if (!isAnswer(error, [RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.MissingAccess])) {
        throw error;
      }
      const advice =
        'Invite it again, or leave it: its watches are suspended for 30 days, then deleted.';
      findings.push(
        fail(
          'channels',
          `the bot is not in the server ${guildId} any more (${error.code}). ${advice}`,
        ),
      );
    }
  }
  const all = fine + findings.length;
  if (fine > 0) {
    findings.unshift(ok('channels', `${fine} of ${all} watched channels can be written.`));
  }
  if (persons > 0) {
    const when = 'Whether one takes messages shows when one is sent.';
    findings.push(ok('channels', `people with private watches: ${persons}. ${when}`));
  }
  return findings;
}

/**
 * Whether Discord itself gives one of these reasons; any other failure says nothing about the
 * subject.
 */
function isAnswer(error: unknown, codes: readonly number[]): error is DiscordAPIError {
  return error instanceof DiscordAPIError && codes.some((code) => code === error.code);
}

/** @returns null if there is no problem */
async function checkChannel(
  guild: Guild,
  me: GuildMember,
  channelId: string,
): Promise<Finding | null> {
  const channel = await guild.channels.fetch(channelId).catch((error: unknown) => {
    if (isAnswer(error, [RESTJSONErrorCodes.UnknownChannel, RESTJSONErrorCodes.MissingAccess])) {
      return error;
    }
    throw error;
  });
  const where = `${channelId} in ${guild.name}`;
  if (channel === null || channel instanceof DiscordAPIError) {
    const text =
      channel?.code === RESTJSONErrorCodes.MissingAccess
        ? 'cannot be seen (50001). Give the bot View Channel there.'
        : `does not exist any more (${channel?.code ?? 'no answer'}). ` +
          'Its watches go by themselves.';
    return fail('channels', `${where} ${text}`);
  }
  const named = `#${channel.name} in ${guild.name}`;
  const permissions = channel.permissionsFor(me);
  const untilMs = timedOutUntilMs(me, Date.now());
  if (untilMs !== null) {
    const until = new Date(untilMs).toISOString();
    return fail(
      'channels',
      `${named} cannot be written: the server has timed the bot out until ${until}.`,
    );
  }
  const missing = missingFrom(channel, permissions).map(
    (name) => ENGLISH.texts.errors.permissions[name],
  );
  if (missing.length > 0) {
    return fail(
      'channels',
      `${named} cannot be written. Give the bot ${missing.join(', ')} there.`,
    );
  }
  if (permissions.has(PermissionFlagsBits.ReadMessageHistory)) return null;
  const consequence = 'the bot cannot check after an outage what had arrived, and may repeat it.';
  return warn('channels', `${named}: without Read Message History ${consequence}`);
}
