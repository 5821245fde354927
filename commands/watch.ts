import { InteractionContextType, PermissionFlagsBits, SlashCommandBuilder } from 'discord.js';
import { UserError } from '../src/language/user-error.ts';
import {
  described,
  INSTALLED,
  named,
  suggestFrom,
  withOptions,
} from '../src/slash-commands/options.ts';
import type {
  ButtonUse,
  CommandUse,
  SlashCommand,
  SubmitUse,
} from '../src/slash-commands/slash-command.ts';
import { OtherForm } from '../src/watches/forms/controls.ts';
import { type Answer, messageOf } from './shared/answer.ts';
import type { CommandContext } from './shared/context.ts';
import { watchAdd } from './watch/add.ts';
import { watchChannel } from './watch/channel.ts';
import { watchDeleteData } from './watch/delete-data.ts';
import { watchDigest } from './watch/digest.ts';
import { watchEdit } from './watch/edit.ts';
import { watchExport } from './watch/export.ts';
import { watchImport } from './watch/import.ts';
import { watchList } from './watch/list.ts';
import { openForm, opensForm, pressPanel, submitForm } from './watch/panel/panel.ts';
import { pressMute, watchPause } from './watch/pause.ts';
import { watchRemove } from './watch/remove.ts';
import { watchResume } from './watch/resume.ts';
import { watchScores } from './watch/scores.ts';
import { requireManaging, type Subcommand } from './watch/shared/command.ts';
import { capitalized } from './watch/shared/words.ts';
import { watchStatus } from './watch/status.ts';
import { watchWhy } from './watch/why.ts';

/** Subcommands in the order in which they are offered. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  watchAdd,
  watchEdit,
  watchRemove,
  watchPause,
  watchResume,
  watchChannel,
  watchDigest,
  watchScores,
  watchList,
  watchWhy,
  watchStatus,
  watchExport,
  watchImport,
  watchDeleteData,
];
const BY_NAME = new Map<string, Subcommand>(
  SUBCOMMANDS.map((subcommand) => [subcommand.name, subcommand]),
);

/** Mute under alerts, and the buttons of settings panels. */
const OTHER_PRESSES = new Map<string, NonNullable<Subcommand['press']>>([
  ['mute', pressMute],
  ['panel', pressPanel],
]);

const DEFINITION = described(
  named(new SlashCommandBuilder(), 'commands', 'watch'),
  (texts) => texts.watch,
)
  .setContexts(InteractionContextType.Guild, InteractionContextType.BotDM)
  .setIntegrationTypes(...INSTALLED)
  .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild);
for (const { name, about, options = [] } of SUBCOMMANDS) {
  DEFINITION.addSubcommand((builder) =>
    withOptions(described(named(builder, 'subcommands', name), about), options),
  );
}

/**
 * `/watch …`: which channels get alerts about which wallets. In direct messages, a person watches
 * for themselves only. Discord also offers it in other servers to people who have installed the bot
 * for themselves; there it explains where it works.
 */
export const watch: SlashCommand<CommandContext> = {
  definition: DEFINITION,

  isPrivate(interaction) {
    const { isPrivate } = chosen(interaction);
    return typeof isPrivate === 'boolean' ? isPrivate : isPrivate(interaction);
  },

  worksUnread: (subcommand) => BY_NAME.get(subcommand ?? '')?.worksUnread === true,

  check(interaction, context) {
    const subcommand = chosen(interaction);
    checkPlace(subcommand, context);
    // Discord's documentation does not say whether a person who has installed the bot for
    // themselves also needs the permission that a command requires, and is subject to a server's
    // settings under Integrations.
    if (interaction.authorizingIntegrationOwners.userId !== null) {
      requireManaging(context, ({ texts }) =>
        texts.personal.watchNotManager(texts.errors.permissions.manageServer),
      );
    }
    return subcommand.check?.(interaction, context);
  },

  execute: (interaction, context, asked) =>
    answered(interaction, context, () => chosen(interaction).execute(interaction, context, asked)),

  autocomplete: (interaction, context) =>
    suggestFrom(BY_NAME.get(interaction.options.getSubcommand())?.options ?? [])(
      interaction,
      context,
    ),

  async press(interaction, [name = '', ...args], context) {
    const subcommand = BY_NAME.get(name);
    // These buttons do not belong to a command.
    const press = OTHER_PRESSES.get(name) ?? subcommand?.press;
    if (press === undefined) throw new UserError(({ texts }) => texts.errors.unknownButton);
    checkPlace(subcommand, context);
    await answered(interaction, context, () => press(interaction, args, context));
  },

  forms: {
    isOpenedBy: ([name = '', ...args]) => name === 'panel' && opensForm(args),

    open(_interaction, [, ...args], context) {
      checkPlace(undefined, context);
      return openForm(args, context);
    },

    async submit(interaction, [name, ...args], context) {
      if (name !== 'panel') throw new OtherForm();
      checkPlace(undefined, context);
      await answered(interaction, context, () => submitForm(interaction, args, context));
    },
  },
};

function chosen(interaction: CommandUse): Subcommand {
  const subcommand = BY_NAME.get(interaction.options.getSubcommand());
  if (subcommand === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
  return subcommand;
}

/** @throws {UserError} if the subcommand does not work in this place */
function checkPlace(subcommand: Subcommand | undefined, { place, quotas }: CommandContext): void {
  if (place.kind === 'elsewhere') throw new UserError(({ texts }) => texts.personal.watchElsewhere);
  const isOff = place.kind === 'directMessage' && !quotas.mayWatch(place.ownerId);
  if (isOff && subcommand?.worksWhereOff !== true) {
    throw new UserError(({ texts }) => texts.personal.off);
  }
}

/**
 * Answers an interaction. A person's own commands run one after another, so that nothing is stored
 * while all their data is being deleted.
 */
async function answered(
  interaction: CommandUse | ButtonUse | SubmitUse,
  context: CommandContext,
  work: () => Promise<Answer>,
) {
  const { place, persons, language } = context;
  const answer = async () => {
    const done = await work();
    if (done === null) return;
    const message = messageOf(done);
    // A sentence may begin with `this DM`.
    const { here } = language.texts.personal;
    const { content } = message;
    const isLowerCase = content?.startsWith(here) === true;
    await interaction.editReply(
      isLowerCase ? { ...message, content: capitalized(content) } : message,
    );
  };
  if (place.kind === 'directMessage') await persons.alone(interaction.user.id, answer);
  else await answer();
}
