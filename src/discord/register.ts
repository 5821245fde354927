import { isDeepStrictEqual } from 'node:util';
import {
  ApplicationIntegrationType,
  type Client,
  InteractionContextType,
  type RESTPostAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import type { Logger } from 'pino';
import * as z from 'zod';
import { classifyFailure } from '../delivery/failures.ts';
import { backOffMs } from '../lib/async/backoff.ts';
import type { Machine } from '../lib/machine.ts';
import { compare } from '../lib/text/compare.ts';
import type { MessageCommand, SlashCommand } from '../slash-commands/slash-command.ts';

type Registered = Pick<SlashCommand<never> | MessageCommand<never>, 'definition'>;

const RETRY_FIRST_MS = 5_000;
const RETRY_LIMIT_MS = 10 * 60_000;

/** `integration_types_config`: the ways to install the application, by integration type. */
const applicationSchema = z.object({
  id: z.string(),
  integration_types_config: z.record(z.string(), z.unknown()).nullish(),
});
const presentSchema = z.array(z.looseObject({ name: z.string() }));
/** Fields that Discord adds to a command, or translates to the language of the requester. */
const ADDED = new Set([
  'id',
  'application_id',
  'guild_id',
  'version',
  'name_localized',
  'description_localized',
  'dm_permission',
  'default_permission',
]);
const DEFAULTS: readonly unknown[] = [null, undefined, false, ''];

/**
 * Registers the commands with Discord if they differ from the registered ones: each registration
 * counts against a daily limit, and makes people's clients load the commands again. They are
 * offered to people who install the bot for themselves only if the application is set up for that.
 */
export async function registerCommands(
  client: Client<true>,
  commands: readonly Registered[],
  log: Logger,
) {
  const application = applicationSchema.parse(await client.rest.get(Routes.currentApplication()));
  const wanted = commands.map(({ definition }) => supportedBy(application, definition.toJSON()));
  const route = Routes.applicationCommands(client.application.id);
  const query = new URLSearchParams({ with_localizations: 'true' });
  const present = presentSchema.parse(await client.rest.get(route, { query }));
  const inOrder = (one: { readonly name: string }, other: typeof one) =>
    compare(one.name, other.name);
  if (
    isDeepStrictEqual(meaningOf(present.toSorted(inOrder)), meaningOf(wanted.toSorted(inOrder)))
  ) {
    log.debug({ event: 'commands.unchanged', commands: wanted.length });
    return;
  }
  await client.rest.put(route, { body: wanted });
  log.info({ event: 'commands.registered', commands: wanted.map(({ name }) => name) });
}

/**
 * Returns a command restricted to what the application is set up for, because Discord does not say
 * whether it accepts more than that.
 */
function supportedBy(
  { integration_types_config: config }: z.infer<typeof applicationSchema>,
  command: RESTPostAPIApplicationCommandsJSONBody,
): RESTPostAPIApplicationCommandsJSONBody {
  const { UserInstall } = ApplicationIntegrationType;
  const types = command.integration_types ?? [];
  if (
    config === null ||
    config === undefined ||
    Object.hasOwn(config, UserInstall) ||
    types.length === 0
  ) {
    return command;
  }
  const contexts = command.contexts?.filter(
    (context) => context !== InteractionContextType.PrivateChannel,
  );
  const forServers = types.filter((type) => type !== UserInstall);
  return {
    ...command,
    integration_types: forServers,
    ...(contexts === undefined ? {} : { contexts }),
  };
}

/** Registers the commands, and retries unless Discord itself has refused them. Never rejects. */
export async function keepRegistering(
  { log, sleep, random }: Machine,
  parts: {
    readonly client: Client<true>;
    readonly commands: readonly Registered[];
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { client, commands, signal } = parts;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      return await registerCommands(client, commands, log);
    } catch (error) {
      const failure = classifyFailure(error);
      const isFinal = failure.kind !== 'retry' && failure.kind !== 'banned';
      const retryMs = backOffMs(attempt, RETRY_FIRST_MS, RETRY_LIMIT_MS, random);
      let delayMs = retryMs;
      if (failure.kind === 'banned') delayMs = Math.max(failure.pauseMs ?? RETRY_LIMIT_MS, retryMs);
      const when = isFinal ? {} : { attempt: attempt + 1, delayMs: Math.round(delayMs) };
      log.error({ event: 'commands.not_registered', ...when, err: error });
      if (isFinal) return;
      await sleep(delayMs, signal);
    }
  }
}

/** Reduces commands to their meaning, so that omitted and explicit defaults compare equal. */
function meaningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningOf);
  if (typeof value !== 'object' || value === null) return value;
  // Discord gives message commands an empty description.
  const isDefault = (part: unknown) => {
    if (DEFAULTS.includes(part)) return true;
    return typeof part === 'object' && Object.keys(part ?? {}).length === 0;
  };
  const entries = Object.entries(value).filter(
    ([key, part]) => !ADDED.has(key) && !isDefault(part),
  );
  return Object.fromEntries(entries.map(([key, part]) => [key, meaningOf(part)]));
}
