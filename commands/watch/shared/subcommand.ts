import { PermissionFlagsBits, type SlashCommandBuilder, type SlashCommandSubcommandBuilder } from 'discord.js';
import type { ButtonUse, Choice, CommandUse, Completion, SlashCommand } from '../../../src/discord/slash-command.ts';
import type { Names } from '../../../src/language/en/names.ts';
import { UserError } from '../../../src/language/user-error.ts';
import type { CommandContext } from '../../shared/context.ts';
import { named } from '../../shared/localised.ts';

/** One subcommand of a slash command: the same parts as a command of its own. */
export interface Subcommand {
  readonly name: keyof Names['subcommands'];
  /** Adds description and options; the name is set already. */
  readonly define: (builder: SlashCommandSubcommandBuilder) => SlashCommandSubcommandBuilder;
  /** Where it works; in servers and in direct messages, if left out. */
  readonly worksIn?: 'directMessage';
  /** Whether only the person who typed it sees the answer. */
  readonly isPrivate: boolean;
  /** What can be refused without a request: throws UserError, before the channel sees that the bot is thinking. */
  readonly check?: (interaction: CommandUse, context: CommandContext) => void;
  /** Called after the interaction has been acknowledged: answers by `editReply`. */
  readonly execute: (interaction: CommandUse, context: CommandContext) => Promise<void>;
  /** A button whose custom id is `COMMAND:SUBCOMMAND:ARGUMENTS…`: called after the press has been acknowledged. */
  readonly press?: (interaction: ButtonUse, args: readonly string[], context: CommandContext) => Promise<void>;
  readonly autocomplete?: (interaction: Completion, context: CommandContext) => readonly Choice[];
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
  const chosen = (interaction: CommandUse): Subcommand => {
    const subcommand = byName.get(interaction.options.getSubcommand());
    if (subcommand === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
    return subcommand;
  };
  return {
    definition,
    isPrivate: (interaction) => chosen(interaction).isPrivate,
    check(interaction, context) {
      const subcommand = chosen(interaction);
      checkPlace(subcommand, context);
      checkManager(interaction, context);
      subcommand.check?.(interaction, context);
    },
    execute: (interaction, context) =>
      inTurn(interaction, context, () => chosen(interaction).execute(interaction, context)),
    autocomplete: (interaction, context) =>
      byName.get(interaction.options.getSubcommand())?.autocomplete?.(interaction, context) ?? [],
    async press(interaction, [name = '', ...args], context) {
      const subcommand = byName.get(name);
      const press = subcommand?.press ?? (Object.hasOwn(buttons, name) ? buttons[name] : undefined);
      if (press === undefined) throw new UserError(({ texts }) => texts.errors.unknownButton);
      checkPlace(subcommand, context);
      await inTurn(interaction, context, () => press(interaction, args, context));
    },
  };
}

/** @throws {UserError} if the subcommand does not work where the person is */
function checkPlace(subcommand: Subcommand | undefined, { place, quotas }: CommandContext): void {
  if (subcommand?.worksIn === 'directMessage') {
    if (place.kind === 'directMessage') return;
    throw new UserError(({ texts }) => texts.personal.forgetElsewhere);
  }
  if (place.kind === 'elsewhere') throw new UserError(({ texts }) => texts.personal.watchElsewhere);
  const isOff = place.kind === 'directMessage' && !quotas.mayWatch(place.ownerId);
  if (isOff) throw new UserError(({ texts }) => texts.personal.off);
}

/**
 * Discord's pages leave open whether it asks who has installed the bot for themselves, too, for the permission that a command takes, and
 * for what a server has set under Integrations.
 *
 * @throws {UserError} if such a person may not manage the server
 */
function checkManager(
  { authorizingIntegrationOwners, memberPermissions }: CommandUse,
  { place }: CommandContext,
): void {
  if (place.kind !== 'server' || authorizingIntegrationOwners.userId === null) return;
  if (memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true) return;
  throw new UserError(({ texts }) => texts.personal.watchNotManager(texts.answers.manageServer));
}

/** What a person does for themselves is done one after the other: nothing is stored while all of it is being deleted. */
function inTurn(
  { user }: CommandUse | ButtonUse,
  { place, persons }: CommandContext,
  work: () => Promise<void>,
): Promise<void> {
  return place.kind === 'directMessage' ? persons.alone(user.id, work) : work();
}
