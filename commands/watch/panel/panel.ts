import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import { UserError } from '../../../src/language/user-error.ts';
import type { ButtonUse, SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import type { Filled } from '../../../src/watches/forms/controls.ts';
import {
  type Form,
  fieldsTooLong,
  formMessage,
  shownForm,
} from '../../../src/watches/forms/form.ts';
import { readFormArgs, subjectArgs } from '../../../src/watches/forms/form-id.ts';
import type { KeptDeed } from '../../../src/watches/forms/kept-deed.ts';
import type { Answer } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { settingsAnswer } from '../edit.ts';
import { removeWatch } from '../remove.ts';
import { endPause } from '../resume.ts';
import { changeWatch, unknownButton } from '../shared/command.ts';
import { openAddForm, submitAddForm } from './add-form.ts';
import { DEED_FORMS, deedForm, isDeed, submitDeed } from './deed-forms.ts';
import { showExample } from './example.ts';
import { requireWatch, watchPanel, withPanel } from './panels.ts';
import { CHANNEL_FORMS, menuId, WATCH_FORMS, watchRows } from './rows.ts';
import { carryOutKept, submitSettings } from './set-by-form.ts';
import { formParts } from './submitted.ts';
import { REST, sendTooLong } from './too-long.ts';

type Modal = APIModalInteractionResponseCallbackData;

const ACTIONS_WITH_FORM: readonly string[] = [
  ...WATCH_FORMS,
  ...CHANNEL_FORMS,
  ...Object.keys(DEED_FORMS),
  'again',
  'add',
];

/** True if the button with these arguments opens a form. */
export function opensForm([action = '']: readonly string[]): boolean {
  return ACTIONS_WITH_FORM.includes(action);
}

/**
 * Returns the form of a button, from memory only.
 * @returns null if a field is too long for the form, unless the button is `Open the other fields`
 * @throws {UserError} shown instead of the form
 */
export function openForm(
  [action = '', ...args]: readonly string[],
  context: CommandContext,
): Modal | null {
  if (action !== 'again') return formOf(action, args, context);
  const deed = requireKept(args, context);
  if (deed.kind !== 'again') return failUnkept();
  return formOf(deed.form, deed.args, context, deed.filled);
}

/**
 * @param filled submitted values, if the form was rejected. It still counts as showing the settings
 *   of its first opening
 */
function formOf(
  action: string,
  args: readonly string[],
  context: CommandContext,
  filled?: Filled,
): Modal | null {
  const shownBefore = ({ fields }: Form) => {
    const shown = readFormArgs(args, fields.length);
    if (shown === undefined) throw unknownButton();
    return shown;
  };
  if (action === 'add') return openAddForm(context, filled);
  if (isDeed(action)) {
    const watch = requireWatch(args, context);
    const again = filled && { shown: shownBefore(DEED_FORMS[action]), filled };
    return deedForm(action, watch, context, again);
  }
  return withPanel(args, context, (panel) => {
    const value = panel.find();
    const form = panel.form(action, value);
    if (form === undefined) throw unknownButton();
    const parts = formParts(action, panel.title(value), context);
    if (filled !== undefined) return formMessage(form, shownBefore(form), { ...parts, filled });
    if (args.at(-1) !== REST && fieldsTooLong(form).length > 0) return null;
    return formMessage(form, shownForm(form, panel.subject, context.language), parts);
  });
}

/** Handles a button of the panel, or one that opens it. */
export async function pressPanel(
  interaction: ButtonUse,
  [action = '', ...args]: readonly string[],
  context: CommandContext,
): Promise<Answer> {
  switch (action) {
    case 'kept': {
      const deed = requireKept(args, context);
      if (deed.kind === 'again') throw unknownButton();
      const answer = await withPanel(subjectArgs(deed.subject), context, (panel) =>
        carryOutKept(panel, deed, context),
      );
      // Dropped only after success, so that the button can be pressed again if the change was
      // rejected or failed.
      context.kept.drop(args[0] ?? '');
      return answer;
    }
    case 'open':
      return openPanel(interaction, args, context);
    case 'example':
      return showExample(interaction, requireWatch(args, context), context);
    case 'remove': {
      const answer = await removeWatch(context, requireWatch(args, context));
      return { embeds: [], ...answer };
    }
    case 'resume': {
      const watch = requireWatch(args, context);
      const after = await changeWatch(context, watch, endPause(context));
      return watchPanel(watch, context).answer(after);
    }
    default:
      await withPanel(args, context, (panel) => sendTooLong(panel, action, interaction, context));
      return null;
  }
}

/** Shows the settings of a watch below the message, which stays as it is. */
async function openPanel(
  interaction: ButtonUse,
  args: readonly string[],
  context: CommandContext,
): Promise<null> {
  const watch = requireWatch(args, context);
  const { embeds = [] } = settingsAnswer(context, watch);
  const components = watchRows(watch, context);
  if (interaction.isStringSelectMenu()) {
    // A menu sends nothing when the same option is chosen again, unless the menu has a new id.
    const rows = interaction.message.components.map((row) => row.toJSON());
    const renewed = JSON.stringify(rows).replace(
      JSON.stringify(interaction.customId),
      JSON.stringify(menuId(interaction.id)),
    );
    await interaction.editReply({ components: JSON.parse(renewed) });
  }
  await interaction.followUp({ embeds, components, flags: MessageFlags.Ephemeral });
  return null;
}

function requireKept([key = '']: readonly string[], { kept, personId }: CommandContext): KeptDeed {
  const deed = kept.find(key);
  if (deed?.personId !== personId) return failUnkept();
  return deed;
}

function failUnkept(): never {
  throw new UserError(({ texts }) => texts.watch.panel.typeAgain);
}

/** Handles a submitted form. */
export async function submitForm(
  interaction: SubmitUse,
  [action = '', ...args]: readonly string[],
  context: CommandContext,
): Promise<Answer> {
  const filled = filledIn(interaction);
  if (action === 'add') return submitAddForm(interaction, filled, context);
  if (isDeed(action)) {
    const panel = watchPanel(requireWatch(args, context), context);
    return submitDeed(action, panel, interaction, args, filled, context);
  }
  return withPanel(args, context, (panel) =>
    submitSettings(panel, interaction, action, args, filled, context),
  );
}

/** Returns the values of a form by custom id. A field that the person has emptied has none. */
function filledIn({ components }: SubmitUse): Filled {
  const filled = new Map<string, readonly string[]>();
  for (const row of components) {
    if (row.type !== ComponentType.Label) continue;
    const { component } = row;
    const { value, values } = component as { value?: unknown; values?: unknown };
    const given = [values ?? value ?? []].flat();
    filled.set(
      component.customId,
      given.map(String).filter((text) => text !== ''),
    );
  }
  return filled;
}
