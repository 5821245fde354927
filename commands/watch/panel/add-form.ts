import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import { ADD_FORM } from '../../../src/discord/guilds/welcome.ts';
import { requireWriting } from '../../../src/discord/permissions.ts';
import type { AnyUse, ButtonUse, SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import { type Filled, OtherForm, textField } from '../../../src/watches/forms/controls.ts';
import { LABEL_LIMIT } from '../../../src/watches/watch.ts';
import type { Message } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { WALLET_LENGTH } from '../../shared/wallet-option.ts';
import { addWallet, NEW, readNewWallet } from '../add.ts';
import { labelOf } from '../edit.ts';
import { requireManaging } from '../shared/command.ts';

/**
 * Returns the form that adds a wallet to the channel.
 * @throws {UserError} if the person may not add one
 */
export function openAddForm(
  interaction: ButtonUse,
  context: CommandContext,
): APIModalInteractionResponseCallbackData {
  requireAdding(interaction, context);
  const { buttons, fields, walletHint } = context.language.texts.watch.panel;
  const wallet = textField('wallet', fields.wallet, [], WALLET_LENGTH, true);
  const label = textField('label', fields.label, [], LABEL_LIMIT);
  return {
    custom_id: ADD_FORM,
    title: buttons.add,
    components: [{ ...wallet, description: walletHint }, label],
  };
}

/**
 * Adds the form's wallet, as `/watch add` does.
 * @throws {UserError} as `/watch add` does
 */
export async function submitAddForm(
  interaction: SubmitUse,
  filled: Filled,
  context: CommandContext,
): Promise<Message> {
  requireAdding(interaction, context);
  const { channelId } = interaction;
  const [typed = ''] = filled.get('wallet') ?? [];
  const [name = ''] = filled.get('label') ?? [];
  const isOurs = filled.has('wallet') && typed.length <= WALLET_LENGTH;
  if (!isOurs || Array.from(name).length > LABEL_LIMIT) throw new OtherForm();
  const wallet = readNewWallet(typed, channelId, context);
  const label = labelOf(name.trim()) ?? context.labelOf(wallet, typed, channelId);
  return addWallet(interaction, context, { ...NEW, channelId, wallet, label });
}

function requireAdding(interaction: AnyUse, context: CommandContext): void {
  requireManaging(interaction, context);
  requireWriting(interaction, interaction.channelId);
}
