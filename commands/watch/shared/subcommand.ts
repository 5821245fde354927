import { type InteractionEditReplyOptions, PermissionFlagsBits, type SlashCommandBuilder } from 'discord.js';
import type { Names } from '../../../src/language/en/names.ts';
import { UserError } from '../../../src/language/user-error.ts';
import {
  type CommandOption,
  type CommandText,
  described,
  named,
  suggestFrom,
  withOptions,
} from '../../../src/slash-commands/options.ts';
import type { ButtonUse, CommandUse, SlashCommand } from '../../../src/slash-commands/slash-command.ts';
import type { CommandContext } from '../../shared/context.ts';

/** An answer, which mentions nobody: a text or more; null where it has been sent already. */
type Answer = string | Pick<InteractionEditReplyOptions, 'content' | 'embeds' | 'components'> | null;

/** One subcommand of a slash command. `Asked`: what it reads of its options. */
export interface Subcommand<Asked = unknown> {
  readonly name: keyof Names['subcommands'];
  readonly about: CommandText;
  /** In the order in which people are offered them. */
  readonly options?: readonly CommandOption<CommandContext>[];
  /** Where it works; in servers and in direct messages, if left out. */
  readonly worksIn?: 'directMessage';
  /** Whether only the person who typed it sees the answer. */
  readonly isPrivate: boolean | ((interaction: CommandUse) => boolean);
  /** Reads what is asked. What can be refused without a request throws UserError here, before the channel sees that the bot is thinking. */
  check?(interaction: CommandUse, context: CommandContext): Asked;
  /** Called after the interaction has been acknowledged. @param asked what `check` returned */
  execute(interaction: CommandUse, context: CommandContext, asked: Asked): Promise<Answer>;
  /** A button whose custom id is `COMMAND:SUBCOMMAND:ARGUMENTS…`: called after the press has been acknowledged. The answer takes the message's place. */
  readonly press?: (interaction: ButtonUse, args: readonly string[], context: CommandContext) => Promise<Answer>;
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
  for (const { name, about, options = [] } of subcommands) {
    definition.addSubcommand((builder) => withOptions(described(named(builder, 'subcommands', name), about), options));
  }
  const byName = new Map<string, Subcommand>(subcommands.map((subcommand) => [subcommand.name, subcommand]));
  const chosen = (interaction: CommandUse): Subcommand => {
    const subcommand = byName.get(interaction.options.getSubcommand());
    if (subcommand === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
    return subcommand;
  };
  return {
    definition,
    isPrivate(interaction) {
      const { isPrivate } = chosen(interaction);
      return typeof isPrivate === 'boolean' ? isPrivate : isPrivate(interaction);
    },
    check(interaction, context) {
      const subcommand = chosen(interaction);
      checkPlace(subcommand, context);
      checkManager(interaction, context);
      return subcommand.check?.(interaction, context);
    },
    execute: (interaction, context, asked) =>
      answered(interaction, context, () => chosen(interaction).execute(interaction, context, asked)),
    autocomplete: (interaction, context) =>
      suggestFrom(byName.get(interaction.options.getSubcommand())?.options ?? [])(interaction, context),
    async press(interaction, [name = '', ...args], context) {
      const subcommand = byName.get(name);
      const press = subcommand?.press ?? (Object.hasOwn(buttons, name) ? buttons[name] : undefined);
      if (press === undefined) throw new UserError(({ texts }) => texts.errors.unknownButton);
      checkPlace(subcommand, context);
      await answered(interaction, context, () => press(interaction, args, context));
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
  throw new UserError(({ texts }) => texts.personal.watchNotManager(texts.errors.permissions.manageServer));
}

/** What a person does for themselves is done one after the other: nothing is stored while all of it is being deleted. */
async function answered(
  interaction: CommandUse | ButtonUse,
  { place, persons, language }: CommandContext,
  work: () => Promise<Answer>,
): Promise<void> {
  const answer = async () => {
    const said = await work();
    if (said === null) return;
    const message = typeof said === 'string' ? { content: said } : said;
    // A sentence may begin with `this DM`.
    const { here } = language.texts.personal;
    const content = message.content?.startsWith(here) ? { content: upperFirst(message.content) } : {};
    await interaction.editReply({ ...message, ...content, allowedMentions: { parse: [] } });
  };
  await (place.kind === 'directMessage' ? persons.alone(interaction.user.id, answer) : answer());
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
