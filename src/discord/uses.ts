import { type Interaction, MessageFlags } from 'discord.js';
import { ENGLISH } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';
import type { Machine } from '../lib/machine.ts';
import {
  type AnyUse,
  type ButtonUse,
  CHOICES_MOST,
  type CommandUse,
  type Completion,
  type MessageCommand,
  type MessageUse,
  type PrivateComponent,
  type SlashCommand,
  type SubmitUse,
} from '../slash-commands/slash-command.ts';
import { explainToPerson } from './explain.ts';
import { placeOf } from './place.ts';
import type { Quotas } from './quotas/quotas.ts';

export interface UsesParts<Context> {
  readonly commands: readonly SlashCommand<Context>[];
  readonly messageCommands: readonly MessageCommand<Context>[];
  /** Buttons and menus under alerts; the answer is visible only to the person. */
  readonly components: readonly PrivateComponent<Context>[];
  readonly contextOf: (interaction: AnyUse) => Context;
  readonly quotas: Pick<Quotas, 'use' | 'mayComplete'>;
  /** Resolves once everything is loaded that the commands of a server, or a person, may need. */
  readonly whenKnown: (ownerId: string) => Promise<void>;
  /** Called with each command that has passed its check. */
  readonly onAccepted: (interaction: CommandUse, context: Context) => void;
  /** Called after each accepted command, whatever its outcome. */
  readonly onDone: (interaction: CommandUse) => void;
  /**
   * Called at the end of each use. `refused`: the person got the reason; `failed`: our bug.
   *
   * @param typed for example `watch add`
   */
  readonly onEnd: (
    typed: string,
    outcome: 'ok' | 'refused' | 'failed',
    durationSeconds: number,
  ) => void;
}

/** True if the answer to a form replaces the message whose button opened it. */
export function isAnsweredInPlace({ message }: SubmitUse): boolean {
  return message?.flags.has(MessageFlags.Ephemeral) === true;
}

/** Returns what log lines say of an interaction. */
export const loggedUse = ({ id, guildId, channelId }: Interaction) => ({
  interaction: id,
  guild: guildId,
  channel: channelId,
});

/** @throws {UserError} if there is no such command */
function known<Command>(command: Command | undefined): Command {
  if (command === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
  return command;
}

/**
 * Creates functions that count uses by the quotas and pass each to its command. They throw errors
 * that explain the failure to the person.
 */
export function createUses<Context>({ log, monotonicMs }: Machine, parts: UsesParts<Context>) {
  const { commands, messageCommands, components, contextOf, whenKnown, quotas } = parts;
  const { onAccepted, onDone, onEnd } = parts;
  const byName = new Map(commands.map((command) => [command.definition.name, command]));

  const use = (interaction: AnyUse, isAlone = false) =>
    quotas.use(placeOf(interaction).ownerId, interaction.user.id, isAlone);

  const ownerKnown = async (
    interaction: AnyUse,
    command?: Pick<SlashCommand<Context>, 'worksUnread'>,
    subcommand: string | null = null,
  ): Promise<void> => {
    if (command?.worksUnread?.(subcommand) !== true) await whenKnown(placeOf(interaction).ownerId);
  };

  /** Runs the work for an interaction, reports its outcome, and logs it if it was answered. */
  const reported = async (interaction: AnyUse, typed: string, work: () => Promise<void>) => {
    const beganMs = monotonicMs();
    await work().catch((error: unknown) => {
      const outcome = explainToPerson(error, ENGLISH) === null ? 'failed' : 'refused';
      onEnd(typed, outcome, (monotonicMs() - beganMs) / 1000);
      throw error;
    });
    const durationMs = monotonicMs() - beganMs;
    onEnd(typed, 'ok', durationMs / 1000);
    const what = { ...loggedUse(interaction), durationMs: Math.round(durationMs) };
    log.info({ event: 'command.answered', command: typed, ...what });
  };

  return {
    async run(interaction: CommandUse): Promise<void> {
      use(interaction);
      const command = known(byName.get(interaction.commandName));
      const context = contextOf(interaction);
      const isAlone = command.isPrivate(interaction) || placeOf(interaction).kind === 'elsewhere';
      const subcommand = interaction.options.getSubcommand(false);
      const typed =
        subcommand === null ? interaction.commandName : `${interaction.commandName} ${subcommand}`;
      await reported(interaction, typed, async () => {
        const asked = command.check?.(interaction, context);
        onAccepted(interaction, context);
        await interaction.deferReply(isAlone ? { flags: MessageFlags.Ephemeral } : {});
        try {
          await ownerKnown(interaction, command, subcommand);
          await command.execute(interaction, context, asked);
        } finally {
          onDone(interaction);
        }
      });
    },

    async runOnMessage(interaction: MessageUse): Promise<void> {
      use(interaction, true);
      const { commandName: name } = interaction;
      const command = known(messageCommands.find(({ definition }) => definition.name === name));
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await reported(interaction, `${name} (message)`, async () => {
        await ownerKnown(interaction);
        await command.answer(interaction, contextOf(interaction));
      });
    },

    async press(interaction: ButtonUse): Promise<void> {
      const id = interaction.isButton() ? interaction.customId : (interaction.values[0] ?? '');
      const [name = '', ...args] = id.split(':');
      const component = components.find((each) => each.name === name);
      const isOwn = component !== undefined || byName.get(name)?.isOwnPress?.(args) === true;
      use(interaction, isOwn);
      // A button's id comes from outside, so only the name of a command in it becomes the label of
      // a metric.
      const typed = `${name} (button)`;
      if (component !== undefined) {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        return reported(interaction, typed, async () => {
          await ownerKnown(interaction);
          await component.answer(interaction, id, contextOf(interaction));
        });
      }
      const command = byName.get(name);
      const pressed = command?.press;
      if (pressed === undefined) throw new UserError(({ texts }) => texts.errors.unknownButton);
      const forms = command?.forms?.isOpenedBy(args) === true ? command.forms : undefined;
      if (forms === undefined) await interaction.deferUpdate();
      await reported(interaction, typed, async () => {
        const form = forms?.open(interaction, args, contextOf(interaction)) ?? null;
        if (form !== null) return void (await interaction.showModal(form));
        if (forms !== undefined) await interaction.deferUpdate();
        await ownerKnown(interaction, command, args[0]);
        await pressed(interaction, args, contextOf(interaction));
      });
    },

    async submit(interaction: SubmitUse): Promise<void> {
      const [name = '', ...args] = interaction.customId.split(':');
      use(interaction);
      const command = byName.get(name);
      const forms = command?.forms;
      if (forms === undefined) throw new UserError(({ texts }) => texts.watch.panel.otherForm);
      if (isAnsweredInPlace(interaction)) await interaction.deferUpdate();
      else await interaction.deferReply();
      await reported(interaction, `${name} (form)`, async () => {
        await ownerKnown(interaction, command, args[0]);
        await forms.submit(interaction, args, contextOf(interaction));
      });
    },

    async complete(interaction: Completion): Promise<void> {
      const isCounted = quotas.mayComplete(placeOf(interaction).ownerId, interaction.user.id);
      const suggest = isCounted ? byName.get(interaction.commandName)?.autocomplete : undefined;
      const choices = (await suggest?.(interaction, contextOf(interaction))) ?? [];
      await interaction.respond(choices.slice(0, CHOICES_MOST));
    },
  };
}
