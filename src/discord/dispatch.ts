import { randomBytes } from 'node:crypto';
import { type Interaction, MessageFlags } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type {
  CommandContext,
  GuildAutocomplete,
  GuildButton,
  GuildCommand,
  SlashCommand,
} from '../../commands/shared/command.ts';
import { namedWallet } from '../../commands/shared/wallet-option.ts';
import { languageFor } from '../language/language.ts';
import { explainToPerson, UserError } from '../lib/errors.ts';
import { registrySeenBy, watchesForAll } from './member-rights.ts';
import { spendingFrom } from './quotas/lookups.ts';

/** Discord may deliver an event more than once; this many of the last interactions are remembered. */
const REMEMBERED = 5_000;
const CHOICE_LIMIT = 25;

export type Dispatcher = (interaction: Interaction) => Promise<void>;

/**
 * Takes interactions to their commands: once each, acknowledged at once, errors said to the person alone. Never rejects.
 */
export function createDispatcher(
  commands: readonly SlashCommand[],
  deps: Omit<CommandContext, 'language' | 'watchesForAll'>,
): Dispatcher {
  const byName = new Map(commands.map((command) => [command.definition.name, command]));
  const handled = new LRUCache<string, true>({ max: REMEMBERED });
  const { log, quotas } = deps;

  const isFirst = (id: string) => {
    if (handled.has(id)) return false;
    handled.set(id, true);
    return true;
  };

  /** What a command may use for this person: look-ups go from the guild's own share, watches are those that they may know. */
  const contextOf = (interaction: GuildCommand | GuildButton | GuildAutocomplete): CommandContext => ({
    ...deps,
    registry: registrySeenBy(interaction, deps.registry),
    watchesForAll: (wallet) => watchesForAll(interaction, deps.registry, wallet),
    venue: spendingFrom(deps.venue, quotas.lookups(interaction.guildId)),
    language: languageFor(interaction.locale),
  });

  const run = async (interaction: GuildCommand) => {
    quotas.use(interaction.guildId, interaction.user.id);
    const command = byName.get(interaction.commandName);
    if (command === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
    const context = contextOf(interaction);
    command.check?.(interaction, context);
    const wallet = namedWallet(interaction, context.registry);
    if (wallet !== null) context.recent.touch(interaction.guildId, wallet);
    await interaction.deferReply(command.isPrivate(interaction) ? { flags: MessageFlags.Ephemeral } : {});
    await command.execute(interaction, context);
  };

  const press = async (interaction: GuildButton) => {
    quotas.use(interaction.guildId, interaction.user.id);
    const [name = '', ...args] = interaction.customId.split(':');
    const command = byName.get(name);
    if (command?.press === undefined) throw new UserError(({ texts }) => texts.errors.unknownButton);
    await interaction.deferUpdate();
    await command.press(interaction, args, contextOf(interaction));
  };

  const complete = async (interaction: GuildAutocomplete) => {
    const isCounted = quotas.mayComplete(interaction.guildId, interaction.user.id);
    const complete = isCounted ? byName.get(interaction.commandName)?.autocomplete : undefined;
    const choices = complete?.(interaction, contextOf(interaction)) ?? [];
    await interaction.respond(choices.slice(0, CHOICE_LIMIT));
  };

  const answerError = async (interaction: GuildCommand | GuildButton, error: unknown) => {
    const reference = randomBytes(4).toString('hex');
    const language = languageFor(interaction.locale);
    const told = explainToPerson(error, language);
    const content = told ?? language.texts.errors.internal(reference);
    const what = { interaction: interaction.id, guild: interaction.guildId, channel: interaction.channelId, reference };
    if (told === null) log.error({ event: 'command.failed', ...what, err: error });
    else log.info({ event: 'command.refused', ...what, reason: (error as Error).message });
    const answer = { content, flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } } as const;
    if (!interaction.deferred && !interaction.replied) {
      await interaction.reply(answer);
    } else if (interaction.isButton() || interaction.ephemeral === true) {
      // A private answer is filled in; the room's message under a pressed button stays as it is.
      await (interaction.isButton() ? interaction.followUp(answer) : interaction.editReply({ content }));
    } else {
      // What was deferred for all to see can only be answered for all to see: it goes, and the person is told alone.
      await interaction.deleteReply();
      await interaction.followUp(answer);
    }
  };

  return async (interaction) => {
    try {
      if (!interaction.inGuild() || !isFirst(interaction.id)) return;
      if (interaction.isAutocomplete()) return await complete(interaction);
      if (!interaction.isChatInputCommand() && !interaction.isButton()) return;
      try {
        await (interaction.isButton() ? press(interaction) : run(interaction));
      } catch (error) {
        await answerError(interaction, error);
      }
    } catch (error) {
      // The interaction is gone or was answered already: there is nobody left to tell.
      const { id, guildId, channelId } = interaction;
      log.warn({ event: 'interaction.unanswered', interaction: id, guild: guildId, channel: channelId, err: error });
    }
  };
}
