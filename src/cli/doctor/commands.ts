import { ApplicationCommandType, DiscordAPIError, type REST, Routes } from 'discord.js';
import * as z from 'zod';
import { MESSAGE_COMMANDS, SLASH_COMMANDS } from '../../../commands/slash-commands.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Maximum servers whose own commands are checked; each costs a request. */
const SERVERS_ASKED = 100;
const NAMED_COMMANDS = 10;
/** Heading in docs/operating.md. */
const PAGE = 'docs/operating.md, "Commands of other programs"';
const OWN_APPLICATION =
  'Another program needs an application and a token of its own (developer portal, New Application).';

const applicationSchema = z.object({
  id: z.string(),
  interactions_endpoint_url: z.string().nullish(),
});
const commandsSchema = z.array(z.object({ type: z.int(), name: z.string() }));
type Command = z.infer<typeof commandsSchema>[number];
const serversSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/**
 * Searches for commands of the application that are not ours, and for another program that receives
 * the commands instead of this bot.
 *
 * @param watchedServers checked first
 * @param isBotRunning whether a walletbell has the store open; at its start it registers its
 *   commands in place of all others
 */
export async function checkCommands(
  rest: REST,
  watchedServers: readonly string[],
  isBotRunning: boolean,
): Promise<readonly Finding[]> {
  const application = applicationSchema.parse(await rest.get(Routes.currentApplication()));
  const findings: Finding[] = [];
  const { interactions_endpoint_url: url } = application;
  if (url !== null && url !== undefined && url !== '') {
    const text =
      'the application has an Interactions Endpoint URL: Discord sends commands there, and none to ' +
      'the bot. Delete it (developer portal, General Information).';
    findings.push(fail('commands', text));
  }
  const everywhere = commandsSchema.parse(
    await rest.get(Routes.applicationCommands(application.id)),
  );
  const foreign = everywhere.filter((command) => !isOurs(command));
  if (foreign.length > 0) findings.push(warn('commands', globalText(foreign, isBotRunning)));
  for (const [serverId, name] of await serversToAsk(rest, watchedServers)) {
    const ofServer = await commandsOf(rest, application.id, serverId);
    if (ofServer.length === 0) continue;
    const where = name === null ? serverId : `${name} (${serverId})`;
    const text =
      `registered in the server ${where} by an older bot or another program: ${namesOf(ofServer)}. ` +
      `walletbell registers none in single servers, and deletes none. To delete them: ${PAGE}.`;
    findings.push(warn('commands', text));
  }
  if (findings.length > 0) return findings;
  if (everywhere.length === 0)
    return [ok('commands', 'none yet: the bot registers them when it starts.')];
  return [ok('commands', 'walletbell’s own, and no others.')];
}

/** Whether the bot has a command of this kind and name. */
function isOurs({ type, name }: Command): boolean {
  const ofType = type === ApplicationCommandType.ChatInput ? SLASH_COMMANDS : MESSAGE_COMMANDS;
  return ofType.some(({ definition }) => definition.name === name);
}

function globalText(foreign: readonly Command[], isBotRunning: boolean): string {
  const found = `not walletbell’s, in all servers: ${namesOf(foreign)}.`;
  if (!isBotRunning) return `${found} The next start deletes them. ${OWN_APPLICATION}`;
  const why =
    'The bot has replaced all at its start, unless its log says commands.not_registered, or it is of ' +
    'another release: another program with this token has registered them since.';
  return `${found} ${why} ${OWN_APPLICATION} A restart of the bot deletes them.`;
}

/** Returns the names of commands as people see them. */
function namesOf(commands: readonly Command[]): string {
  const names = commands.map(({ type, name }) =>
    type === ApplicationCommandType.ChatInput ? `/${name}` : name,
  );
  const more = names.length > NAMED_COMMANDS ? `, and ${names.length - NAMED_COMMANDS} more` : '';
  return names.slice(0, NAMED_COMMANDS).join(', ') + more;
}

/** Returns the servers to check, with their names if known. */
async function serversToAsk(rest: REST, watchedServers: readonly string[]) {
  const query = new URLSearchParams({ limit: String(SERVERS_ASKED) });
  const listed = serversSchema.parse(await rest.get(Routes.userGuilds(), { query }));
  const names = new Map(listed.map(({ id, name }) => [id, name]));
  const ids = new Set([...watchedServers, ...names.keys()]);
  return [...ids].slice(0, SERVERS_ASKED).map((id) => [id, names.get(id) ?? null] as const);
}

/** Returns the commands registered in one server; empty if the bot is no longer in it. */
async function commandsOf(
  rest: REST,
  applicationId: string,
  serverId: string,
): Promise<readonly Command[]> {
  try {
    const found = await rest.get(Routes.applicationGuildCommands(applicationId, serverId));
    return commandsSchema.parse(found);
  } catch (error) {
    if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404))
      return [];
    throw error;
  }
}
