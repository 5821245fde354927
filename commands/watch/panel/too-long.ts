import { type AttachmentPayload, MessageFlags } from 'discord.js';
import { sendWithFiles } from '../../../src/discord/attachments.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import type { ButtonUse } from '../../../src/slash-commands/slash-command.ts';
import { linesOf } from '../../../src/watches/forms/controls.ts';
import { fieldsTooLong, textOf } from '../../../src/watches/forms/form.ts';
import type { CommandContext } from '../../shared/context.ts';
import { unknownButton } from '../shared/command.ts';
import type { Panel } from './panels.ts';
import { panelId } from './rows.ts';

/** Suffix of the id of a button that opens a form without the fields that are too long for it. */
export const REST = 'rest';

/**
 * Sends fields that are too long for a form to the person, one file per field, visible only to
 * them, with a button that opens the other fields.
 * @throws {UserError} if no field is too long
 */
export async function sendTooLong<Value>(
  panel: Panel<Value>,
  action: string,
  interaction: ButtonUse,
  context: CommandContext,
): Promise<void> {
  const { language } = context;
  const form = panel.form(action, panel.find());
  const fields = form === undefined ? [] : fieldsTooLong(form);
  if (form === undefined || fields.length === 0) throw unknownButton();
  const { tooLong, buttons } = language.texts.watch.panel;
  const { options } = language.inForms.texts.names;
  const files = fields.map((field): AttachmentPayload => {
    const lines = linesOf(field, textOf(form, field)) ?? '';
    return { attachment: Buffer.from(`${lines}\n`), name: `${field.option}.txt` };
  });
  const labels = fields.map(({ option }) => `\`${options[option]}\``);
  const warning = tooLong(labels.join(language.texts.watch.comma));
  const rest = button(`${panelId(action, panel.subject)}:${REST}`, buttons.rest);
  const hasOthers = fields.length < form.fields.length;
  await sendWithFiles(context, 'file', files, (sent, note) =>
    interaction.followUp({
      content: [warning, note].filter(Boolean).join('\n'),
      files: sent,
      components: hasOthers ? [buttonRow(rest)] : [],
      flags: MessageFlags.Ephemeral,
    }),
  );
}
