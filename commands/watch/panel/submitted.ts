import { explainToPerson } from '../../../src/discord/explain.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import type { SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import { type Filled, OtherForm } from '../../../src/watches/forms/controls.ts';
import type { Form } from '../../../src/watches/forms/form.ts';
import { readFormArgs } from '../../../src/watches/forms/form-id.ts';
import type { Message } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { isRoleIn, type Panel } from './panels.ts';
import { PANEL } from './rows.ts';

/** A form as it was submitted. */
export interface Submitted {
  readonly form: Form;
  readonly action: string;
  /** Arguments of its custom id. */
  readonly args: readonly string[];
  readonly filled: Filled;
}

/** Returns the parts of a form's message that do not depend on the settings. */
export function formParts(action: string, name: string, { interaction, language }: CommandContext) {
  const buttons: Readonly<Record<string, string>> = language.texts.watch.panel.buttons;
  return {
    name: `${PANEL}:${action}`,
    title: [buttons[action]?.replace(/…$/, ''), name].filter(Boolean).join(': '),
    language,
    isRole: isRoleIn(interaction),
  };
}

/**
 * Does the work of a form. An error is shown above the settings, with a button to try again.
 * @throws errors that cannot be explained to the person, after the button has been shown
 */
export async function orTryAgain<Value, Done extends Message | null>(
  interaction: SubmitUse,
  panel: Panel<Value>,
  { form, action, args, filled }: Submitted,
  context: CommandContext,
  work: () => Promise<Done>,
): Promise<Done | Message> {
  try {
    return await work();
  } catch (error) {
    const isOurs = readFormArgs(args, form.fields.length) !== undefined;
    if (error instanceof OtherForm || !isOurs) throw error;
    const present = panel.find();
    const { language } = context;
    const { notDone } = language.texts.watch.panel;
    const retry = againButton({ action, args, filled }, context);
    const refusal = explainToPerson(error, language.inForms);
    const answer = remarked(panel.answer(present), `⚠️ ${refusal ?? notDone}`, [retry]);
    if (refusal !== null) return answer;
    await interaction.editReply(answer);
    throw error;
  }
}

/** Returns a button that opens a form again, filled in as it was submitted. */
export function againButton(
  { action, args, filled }: Omit<Submitted, 'form'>,
  { personId, kept, language }: CommandContext,
) {
  const key = kept.keep({ personId, kind: 'again', form: action, args, filled });
  return button(`${PANEL}:again:${key}`, language.texts.watch.panel.buttons.again);
}

/** Returns a message of the panel with a remark above it. */
export function remarked(
  message: Message,
  remark: string,
  buttons: readonly ReturnType<typeof button>[],
): Message {
  const content = [remark, message.content].filter(Boolean).join('\n');
  return {
    ...message,
    content,
    components: [buttonRow(...buttons), ...(message.components ?? [])],
  };
}
