import { ActionRowBuilder, ButtonBuilder, ButtonStyle, type MessageActionRowComponentBuilder } from 'discord.js';
import type { Language } from '../../src/language/language.ts';

/**
 * Previous and Next under a list; a press brings the custom id `PREFIX:INDEX` of the page wanted.
 *
 * @param isPartial the page is not full because the scan has stopped early: the second button goes on with it,
 *   with the custom id `PREFIX:INDEX:further`
 */
export function pageButtons(
  prefix: string,
  index: number,
  hasNext: boolean,
  { texts }: Language,
  isPartial = false,
): ActionRowBuilder<MessageActionRowComponentBuilder> {
  const { previous, next: onwards, further } = texts.lists.buttons;
  const next = isPartial ? `${prefix}:${index}:further` : `${prefix}:${index + 1}`;
  return new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(
    plainButton(previous, `${prefix}:${Math.max(0, index - 1)}`).setDisabled(index === 0),
    plainButton(isPartial ? further : onwards, next).setDisabled(!hasNext),
  );
}

export function plainButton(label: string, customId: string): ButtonBuilder {
  return new ButtonBuilder().setCustomId(customId).setLabel(label).setStyle(ButtonStyle.Secondary);
}
