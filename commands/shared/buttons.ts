import { type APIButtonComponentWithCustomId, type AttachmentPayload, MessageFlags } from 'discord.js';
import { sendWithFiles } from '../../src/discord/attachments.ts';
import type { Texts } from '../../src/language/texts.ts';
import { button } from '../../src/messages/buttons.ts';
import type { ButtonUse } from '../../src/slash-commands/slash-command.ts';
import type { CommandContext } from './context.ts';

interface Turn {
  readonly id: string;
  readonly isOff: boolean;
  readonly label?: string;
}

/** Previous and Next under a list. */
export function turnButtons(
  previous: Turn,
  next: Turn,
  { lists: { buttons } }: Texts,
): APIButtonComponentWithCustomId[] {
  return [
    { ...button(previous.id, buttons.previous), disabled: previous.isOff },
    { ...button(next.id, next.label ?? buttons.next), disabled: next.isOff },
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
