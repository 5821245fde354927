import { type APIModalInteractionResponseCallbackData, MessageFlags } from 'discord.js';
import { explainToPerson } from '../../../src/discord/explain.ts';
import { ADD_FORM } from '../../../src/discord/guilds/welcome.ts';
import { requireWriting } from '../../../src/discord/permissions.ts';
import { isAnsweredInPlace } from '../../../src/discord/uses.ts';
import { buttonRow } from '../../../src/messages/buttons.ts';
import type { SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import { type Filled, OtherForm, textField } from '../../../src/watches/forms/controls.ts';
import { LABEL_LIMIT } from '../../../src/watches/watch.ts';
import type { Message } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { WALLET_LENGTH } from '../../shared/wallet-option.ts';
import { addWallet, NEW, readNewWallet } from '../add.ts';
import { labelOf } from '../edit.ts';
import { requireManaging } from '../shared/command.ts';
import { againButton } from './submitted.ts';

/** Values of the form before anything is typed. */
const EMPTY: Filled = new Map();

/**
 * Returns the form that adds a wallet to the channel.
 * @param filled values of its fields
 * @throws {UserError} if the person may not add one
 */
export function openAddForm(
  context: CommandContext,
  filled = EMPTY,
): APIModalInteractionResponseCallbackData {
  requireAdding(context);
  const { buttons, fields, walletHint } = context.language.texts.watch.panel;
  const wallet = textField(
    'wallet',
    fields.wallet,
    filled.get('wallet') ?? [],
    WALLET_LENGTH,
    true,
  );
  const label = textField('label', fields.label, filled.get('label') ?? [], LABEL_LIMIT);
  return {
    custom_id: ADD_FORM,
    title: buttons.add,
    components: [{ ...wallet, description: walletHint }, label],
  };
}

/**
 * Adds the form's wallet, as `/watch add` does. An error is shown to the person alone, with a button
 * to try again.
 * @throws {UserError} if the person may not add one
 */
export async function submitAddForm(
  interaction: SubmitUse,
  filled: Filled,
  context: CommandContext,
): Promise<Message | null> {
  requireAdding(context);
  try {
    // In the place of an error nothing of it stays.
    return { content: '', ...(await addTyped(interaction, filled, context)) };
  } catch (error) {
    const refusal = explainToPerson(error, context.language.inForms);
    if (error instanceof OtherForm || refusal === null) throw error;
    const content = `⚠️ ${refusal}`;
    const again = againButton({ action: 'add', args: [], filled }, context);
    const components = [buttonRow(again)];
    if (isAnsweredInPlace(interaction)) return { content, components };
    await interaction.deleteReply();
    await interaction.followUp({ content, components, flags: MessageFlags.Ephemeral });
    return null;
  }
}

function addTyped(
  interaction: SubmitUse,
  filled: Filled,
  context: CommandContext,
): Promise<Message> {
  const { channelId } = interaction;
  const [typed = ''] = filled.get('wallet') ?? [];
  const [name = ''] = filled.get('label') ?? [];
  const isOurs = filled.has('wallet') && typed.length <= WALLET_LENGTH;
  if (!isOurs || Array.from(name).length > LABEL_LIMIT) throw new OtherForm();
  const wallet = readNewWallet(typed, channelId, context);
  const label = labelOf(name.trim()) ?? context.labelOf(wallet, typed, channelId);
  return addWallet(context, { ...NEW, channelId, wallet, label });
}

function requireAdding(context: CommandContext): void {
  const { interaction } = context;
  requireManaging(context);
  requireWriting(interaction, interaction.channelId);
}
