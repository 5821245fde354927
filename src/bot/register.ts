import type { ApplicationCommandData, Client } from 'discord.js';
import type { Logger } from 'pino';
import type { SlashCommand } from './command.ts';

/**
 * Registers the commands with Discord if they differ from those that it has: each registration counts against a daily
 * limit, and makes people's clients load them again.
 */
export async function registerCommands(
  client: Client<true>,
  commands: readonly SlashCommand[],
  log: Logger,
): Promise<void> {
  const wanted = commands.map(({ definition }) => definition.toJSON());
  const present = await client.application.commands.fetch({ withLocalizations: true });
  const isSame =
    present.size === wanted.length &&
    wanted.every((definition) => {
      const command = present.find(({ name }) => name === definition.name);
      // `equals` takes the builders' JSON too; its type only does not say so.
      return command?.equals(definition as ApplicationCommandData) ?? false;
    });
  if (isSame) {
    log.debug({ event: 'commands.unchanged', commands: wanted.length });
    return;
  }
  await client.application.commands.set(wanted);
  log.info({ event: 'commands.registered', commands: wanted.map(({ name }) => name) });
}
