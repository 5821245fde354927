import type { SlashCommandBuilder, SlashCommandSubcommandBuilder } from 'discord.js';
import type {
  Choice,
  GuildAutocomplete,
  GuildButton,
  GuildCommand,
  SlashCommand,
} from '../../../src/discord/slash-command.ts';
import type { Names } from '../../../src/language/en/names.ts';
import { UserError } from '../../../src/language/user-error.ts';
import type { CommandContext } from '../../shared/context.ts';
import { named } from '../../shared/localised.ts';

/** One subcommand of a slash command: the same parts as a command of its own. */
export interface Subcommand {
  readonly name: keyof Names['subcommands'];
  /** Adds description and options; the name is set already. */
  readonly define: (builder: SlashCommandSubcommandBuilder) => SlashCommandSubcommandBuilder;
  /** Whether only the person who typed it sees the answer. */
  readonly isPrivate: boolean;
  /** What can be refused without a request: throws UserError, before the channel sees that the bot is thinking. */
  readonly check?: (interaction: GuildCommand, context: CommandContext) => void;
  /** Called after the interaction has been acknowledged: answers by `editReply`. */
  readonly execute: (interaction: GuildCommand, context: CommandContext) => Promise<void>;
  /** A button whose custom id is `COMMAND:SUBCOMMAND:ARGUMENTS…`: called after the press has been acknowledged. */
  readonly press?: (interaction: GuildButton, args: readonly string[], context: CommandContext) => Promise<void>;
  readonly autocomplete?: (interaction: GuildAutocomplete, context: CommandContext) => readonly Choice[];
}

/**
 * A slash command that is nothing but its subcommands, in the order in which people are offered them.
 *
 * @param buttons further buttons `COMMAND:NAME:ARGUMENTS…`, of messages that answer no command
 */
export function commandOf(
  definition: SlashCommandBuilder,
  subcommands: readonly Subcommand[],
  buttons: Readonly<Record<string, NonNullable<Subcommand['press']>>> = {},
): SlashCommand<CommandContext> {
  for (const { name, define } of subcommands)
    definition.addSubcommand((builder) => define(named(builder, 'subcommands', name)));
  const byName = new Map<string, Subcommand>(subcommands.map((subcommand) => [subcommand.name, subcommand]));
  const chosen = (interaction: GuildCommand): Subcommand => {
    const subcommand = byName.get(interaction.options.getSubcommand());
    if (subcommand === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
    return subcommand;
  };
  return {
    definition,
    isPrivate: (interaction) => chosen(interaction).isPrivate,
    check: (interaction, context) => chosen(interaction).check?.(interaction, context),
    execute: (interaction, context) => chosen(interaction).execute(interaction, context),
    autocomplete: (interaction, context) =>
      byName.get(interaction.options.getSubcommand())?.autocomplete?.(interaction, context) ?? [],
    async press(interaction, [name = '', ...args], context) {
      const press = byName.get(name)?.press ?? (Object.hasOwn(buttons, name) ? buttons[name] : undefined);
      if (press === undefined) throw new UserError(({ texts }) => texts.errors.unknownButton);
      await press(interaction, args, context);
    },
  };
}
