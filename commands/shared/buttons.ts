import { ActionRowBuilder, ButtonBuilder, ButtonStyle, type MessageActionRowComponentBuilder } from 'discord.js';
import type { Texts } from '../../src/language/en/index.ts';

/** @param id the custom id that a press brings */
export function button(id: string, label: string, style = ButtonStyle.Secondary): ButtonBuilder {
  return new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);
}

export function buttonRow(...buttons: readonly ButtonBuilder[]) {
  return new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(...buttons);
}

interface Turn {
  readonly id: string;
  readonly isOff: boolean;
  readonly label?: string;
}

/** Previous and Next under a list. */
export function turnButtons(previous: Turn, next: Turn, { lists: { buttons } }: Texts): ButtonBuilder[] {
  return [
    button(previous.id, buttons.previous).setDisabled(previous.isOff),
    button(next.id, next.label ?? buttons.next).setDisabled(next.isOff),
  ];
}
