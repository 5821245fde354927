import { ButtonBuilder, ButtonStyle } from 'discord.js';
import type { Texts } from '../../src/language/en/index.ts';

interface Turn {
  /** The custom id that a press brings. */
  readonly id: string;
  readonly isOff: boolean;
}

/** Previous and Next under a list. */
export function turnButtons(
  previous: Turn,
  next: Turn & { readonly label?: string },
  { lists: { buttons } }: Texts,
): ButtonBuilder[] {
  return [
    plainButton(buttons.previous, previous.id).setDisabled(previous.isOff),
    plainButton(next.label ?? buttons.next, next.id).setDisabled(next.isOff),
  ];
}

export function plainButton(label: string, customId: string): ButtonBuilder {
  return new ButtonBuilder().setCustomId(customId).setLabel(label).setStyle(ButtonStyle.Secondary);
}
