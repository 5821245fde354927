import { randomBytes } from 'node:crypto';
import { type Interaction, MessageFlags } from 'discord.js';
import { LRUCache } from 'lru-cache';
import { ENGLISH, type LanguageFor } from '../language/language.ts';
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
} from '../slash-commands/slash-command.ts';
import { isDiskFull } from '../store/error.ts';
import { explainToPerson } from './explain.ts';
import { placeOf } from './place.ts';
import type { Quotas } from './quotas/quotas.ts';

/**
 * Discord may deliver an interaction more than once: the ids of so many of the last ones are kept.
 */
const KEPT_IDS = 5_000;

/**
 * Hands each interaction to its command: once, acknowledged at once, errors for the person alone.
 * Never rejects.
 */
export function createDispatcher<Context>(
  { log, monotonicMs }: Machine,
  parts: {
    readonly commands: readonly SlashCommand<Context>[];
    readonly messageCommands: readonly MessageCommand<Context>[];
    /** Buttons and menus under alerts, which are answered to each person alone. */
    readonly components: readonly PrivateComponent<Context>[];
    readonly contextOf: (interaction: AnyUse) => Context;
    readonly languageFor: LanguageFor;
    readonly quotas: Pick<Quotas, 'use' | 'mayComplete'>;
    /** Called with each command that has passed its check. */
    readonly onAccepted: (interaction: CommandUse, context: Context) => void;
    /** Called after each command that was accepted, whatever came of it. */
    readonly onDone: (interaction: CommandUse) => void;
    /**
     * Called with the end of each use. `refused`: the person was told why; `failed`: our bug.
     * @param typed as `watch add`
     */
    readonly onEnd: (
      typed: string,
      outcome: 'ok' | 'refused' | 'failed',
      durationSeconds: number,
    ) => void;
  },
) {
  const {
    commands,
    messageCommands,
    components,
    contextOf,
    languageFor,
    quotas,
    onAccepted,
    onDone,
    onEnd,
  } = parts;
  const byName = new Map(commands.map((command) => [command.definition.name, command]));
  const handled = new LRUCache<string, true>({ max: KEPT_IDS });

  /** Reports how the work for an interaction ends, and logs it if it was answered. */
  const reported = async (interaction: AnyUse, typed: string, work: () => Promise<void>) => {
    const beganMs = monotonicMs();
    await work().catch((error: unknown) => {
      const outcome = explainToPerson(error, ENGLISH) === null ? 'failed' : 'refused';
      onEnd(typed, outcome, (monotonicMs() - beganMs) / 1000);
      throw error;
    });
    const durationMs = monotonicMs() - beganMs;
    onEnd(typed, 'ok', durationMs / 1000);
    const { id, guildId, channelId } = interaction;
    const what = {
      interaction: id,
      guild: guildId,
      channel: channelId,
      durationMs: Math.round(durationMs),
    };
    log.info({ event: 'command.answered', command: typed, ...what });
  };

  const run = async (interaction: CommandUse) => {
    quotas.use(placeOf(interaction).ownerId, interaction.user.id);
    const command = byName.get(interaction.commandName);
    if (command === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
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
        await command.execute(interaction, context, asked);
      } finally {
        onDone(interaction);
      }
    });
  };

  const runOnMessage = async (interaction: MessageUse) => {
    quotas.use(placeOf(interaction).ownerId, interaction.user.id, true);
    const { commandName: name } = interaction;
    const command = messageCommands.find(({ definition }) => definition.name === name);
    if (command === undefined) throw new UserError(({ texts }) => texts.errors.unknownCommand);
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await reported(interaction, `${name} (message)`, async () =>
      command.answer(interaction, contextOf(interaction)),
    );
  };

  const press = async (interaction: ButtonUse) => {
    const id = interaction.isButton() ? interaction.customId : (interaction.values[0] ?? '');
    const [name = '', ...args] = id.split(':');
    const component = components.find((each) => each.name === name);
    const isOwn = component !== undefined || byName.get(name)?.isOwnPress?.(args) === true;
    quotas.use(placeOf(interaction).ownerId, interaction.user.id, isOwn);
    // A button's id comes from outside: no part of it but the name of a command becomes the label
    // of a metric.
    const typed = `${name} (button)`;
    if (component !== undefined) {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      return reported(interaction, typed, async () =>
        component.answer(interaction, id, contextOf(interaction)),
      );
    }
    const pressed = byName.get(name)?.press;
    if (pressed === undefined) throw new UserError(({ texts }) => texts.errors.unknownButton);
    await interaction.deferUpdate();
    await reported(interaction, typed, async () =>
      pressed(interaction, args, contextOf(interaction)),
    );
  };

  const complete = async (interaction: Completion) => {
    const isCounted = quotas.mayComplete(placeOf(interaction).ownerId, interaction.user.id);
    const suggest = isCounted ? byName.get(interaction.commandName)?.autocomplete : undefined;
    const choices = (await suggest?.(interaction, contextOf(interaction))) ?? [];
    await interaction.respond(choices.slice(0, CHOICES_MOST));
  };

  const answerError = async (interaction: CommandUse | ButtonUse | MessageUse, error: unknown) => {
    const reference = randomBytes(4).toString('hex');
    const language = languageFor(interaction.locale);
    const explanation = explainToPerson(error, language);
    const { diskFull, internal } = language.texts.errors;
    const content = explanation ?? (isDiskFull(error) ? diskFull : internal)(reference);
    const what = {
      interaction: interaction.id,
      guild: interaction.guildId,
      channel: interaction.channelId,
      reference,
    };
    if (explanation === null) log.error({ event: 'command.failed', ...what, err: error });
    else log.info({ event: 'command.refused', ...what, reason: (error as Error).message });
    const answer = {
      content,
      flags: MessageFlags.Ephemeral,
      allowedMentions: { parse: [] },
    } as const;
    if (!interaction.deferred && !interaction.replied) {
      await interaction.reply(answer);
    } else if (interaction.ephemeral === true) {
      await interaction.editReply({ content });
    } else if (interaction.isMessageComponent()) {
      // The message with the pressed button stays as it is.
      await interaction.followUp(answer);
    } else {
      // A reply deferred for all to see can only be filled in for all: it is deleted, and the
      // person gets one alone.
      await interaction.deleteReply();
      await interaction.followUp(answer);
    }
  };

  return async (interaction: Interaction): Promise<void> => {
    try {
      if (handled.has(interaction.id)) return;
      handled.set(interaction.id, true);
      if (interaction.isAutocomplete()) return await complete(interaction);
      const isUsed = interaction.isButton() || interaction.isStringSelectMenu();
      const isOnMessage = interaction.isMessageContextMenuCommand();
      if (!isUsed && !isOnMessage && !interaction.isChatInputCommand()) return;
      try {
        if (isUsed) await press(interaction);
        else if (isOnMessage) await runOnMessage(interaction);
        else await run(interaction);
      } catch (error) {
        await answerError(interaction, error);
      }
    } catch (error) {
      // The interaction has expired or was answered already: no answer can reach the person.
      const { id, guildId, channelId } = interaction;
      log.warn({
        event: 'interaction.unanswered',
        interaction: id,
        guild: guildId,
        channel: channelId,
        err: error,
      });
    }
  };
}
