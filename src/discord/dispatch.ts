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
import { createUses, isAnsweredInPlace, loggedUse, type UsesParts } from './uses.ts';

/**
 * Number of recent interaction ids that are kept, because Discord may deliver an interaction more
 * than once.
 */
const KEPT_IDS = 5_000;

/**
 * Creates a function that passes each interaction to its command, once. It is acknowledged at once,
 * and only the person sees errors. The function never rejects.
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
        // Another process has answered the person, so any other answer would be refused too.
        if (error instanceof DiscordAPIError && error.code === ALREADY_ANSWERED) throw error;
        const language = parts.languageFor(interaction.locale);
        await answerError(machine.log, interaction, error, language);
      }
    } catch (error) {
      // The interaction has expired or was already answered: no answer can reach the person.
      machine.log.warn({ event: 'interaction.unanswered', ...loggedUse(interaction), err: error });
    }
  };
}

function isSubmit(interaction: Interaction): interaction is SubmitUse {
  return interaction.isModalSubmit() && interaction.channelId !== null;
}

/** Privately tells the person why their command failed, and logs it. */
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
  const what = { ...loggedUse(interaction), reference };
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
    // The message with the pressed button stays unchanged.
    await interaction.followUp(answer);
  } else {
    // A reply deferred publicly can only be filled in publicly, so it is deleted and the person
    // gets a private one.
    await interaction.deleteReply();
    await interaction.followUp(answer);
  }
}
