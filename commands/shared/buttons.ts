import {
  ActionRowBuilder,
  type AttachmentPayload,
  ButtonBuilder,
  ButtonStyle,
  type MessageActionRowComponentBuilder,
  MessageFlags,
} from 'discord.js';
import { sendWithFiles } from '../../src/discord/attachments.ts';
import type { Texts } from '../../src/language/texts.ts';
import type { ButtonUse } from '../../src/slash-commands/slash-command.ts';
import type { CommandContext } from './context.ts';

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

/** Sends a file to whoever has pressed a button, alone; without it where Discord does not take it, with a word on why. */
export function sendFile(
  interaction: ButtonUse,
  file: AttachmentPayload,
  said: string,
  { language, log }: CommandContext,
) {
  const deliver: Parameters<typeof sendWithFiles>[2] = (files, leftOut) =>
    interaction.followUp({
      content: leftOut?.(language) ?? said,
      files: [...files],
      flags: MessageFlags.Ephemeral,
      allowedMentions: { parse: [] },
    });
  return sendWithFiles('file', [file], deliver, log);
}
