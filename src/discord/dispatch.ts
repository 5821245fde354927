import { randomBytes } from 'node:crypto';
import { DiscordAPIError, type Interaction, MessageFlags } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Language, LanguageFor } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import type {
  ButtonUse,
  CommandUse,
  MessageUse,
  SubmitUse,
} from '../slash-commands/slash-command.ts';
import { isDiskFull } from '../store/error.ts';
import { explainToPerson } from './explain.ts';
import { ALREADY_ANSWERED } from './requests/token-use.ts';
import { createUses, isAnsweredInPlace, type UsesParts } from './uses.ts';

/**
 * Discord may deliver an interaction more than once: the ids of so many of the last ones are kept.
 */
const KEPT_IDS = 5_000;

/**
 * Hands each interaction to its command: once, acknowledged at once, errors for the person alone.
 * Never rejects.
 */
export function createDispatcher<Context>(
  machine: Machine,
  parts: UsesParts<Context> & { readonly languageFor: LanguageFor },
) {
  const uses = createUses(machine, parts);
  const handled = new LRUCache<string, true>({ max: KEPT_IDS });

  return async (interaction: Interaction): Promise<void> => {
    try {
      if (handled.has(interaction.id)) return;
      handled.set(interaction.id, true);
      if (interaction.isAutocomplete()) return await uses.complete(interaction);
      const isUsed = interaction.isButton() || interaction.isStringSelectMenu();
      const isOnMessage = interaction.isMessageContextMenuCommand();
      const isForm = isSubmit(interaction);
      if (!isUsed && !isOnMessage && !isForm && !interaction.isChatInputCommand()) return;
      try {
        if (isForm) await uses.submit(interaction);
        else if (isUsed) await uses.press(interaction);
        else if (isOnMessage) await uses.runOnMessage(interaction);
        else await uses.run(interaction);
      } catch (error) {
        // Somebody has answered the person: another answer of any kind is refused as well.
        if (error instanceof DiscordAPIError && error.code === ALREADY_ANSWERED) throw error;
        const language = parts.languageFor(interaction.locale);
        await answerError(machine.log, interaction, error, language);
      }
    } catch (error) {
      // The interaction has expired or was answered already: no answer can reach the person.
      const { id, guildId, channelId } = interaction;
      machine.log.warn({
        event: 'interaction.unanswered',
        interaction: id,
        guild: guildId,
        channel: channelId,
        err: error,
      });
    }
  };
}

function isSubmit(interaction: Interaction): interaction is SubmitUse {
  return interaction.isModalSubmit() && interaction.channelId !== null;
}

/** Says to the person alone why their command failed, and logs it. */
async function answerError(
  log: Machine['log'],
  interaction: CommandUse | ButtonUse | MessageUse | SubmitUse,
  error: unknown,
  language: Language,
): Promise<void> {
  const reference = randomBytes(4).toString('hex');
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
  } else if (
    interaction.isMessageComponent() ||
    (interaction.isModalSubmit() && isAnsweredInPlace(interaction))
  ) {
    // The message with the pressed button stays as it is.
    await interaction.followUp(answer);
  } else {
    // A reply deferred for all to see can only be filled in for all: it is deleted, and the
    // person gets one alone.
    await interaction.deleteReply();
    await interaction.followUp(answer);
  }
}
