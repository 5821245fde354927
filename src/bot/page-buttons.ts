import { ActionRowBuilder, ButtonBuilder, ButtonStyle, type MessageActionRowComponentBuilder } from 'discord.js';

/** Previous and Next under a list; a press brings the custom id `PREFIX:INDEX` of the page wanted. */
export function pageButtons(
  prefix: string,
  index: number,
  hasNext: boolean,
): ActionRowBuilder<MessageActionRowComponentBuilder> {
  const button = (label: string, target: number, isEnabled: boolean) =>
    new ButtonBuilder()
      .setCustomId(`${prefix}:${target}`)
      .setLabel(label)
      .setStyle(ButtonStyle.Secondary)
      .setDisabled(!isEnabled);
  return new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(
    button('Previous', Math.max(0, index - 1), index > 0),
    button('Next', index + 1, hasNext),
  );
}
