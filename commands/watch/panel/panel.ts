import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import { UserError } from '../../../src/language/user-error.ts';
import type { ButtonUse, SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import type { Filled } from '../../../src/watches/forms/controls.ts';
import { fieldsTooLong, formMessage, shownForm } from '../../../src/watches/forms/form.ts';
import { readFormArgs, subjectArgs } from '../../../src/watches/forms/form-id.ts';
import type { KeptDeed } from '../../../src/watches/forms/kept-deed.ts';
import type { Answer } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { settingsAnswer } from '../edit.ts';
import { removeWatch } from '../remove.ts';
import { endPause } from '../resume.ts';
import { changeWatch } from '../shared/command.ts';
import { openAddForm, submitAddForm } from './add-form.ts';
import { DEED_FORMS, deedForm, isDeed, submitDeed } from './deed-forms.ts';
import { showExample } from './example.ts';
import { requireWatch, unknownButton, watchPanel, withPanel } from './panels.ts';
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
  interaction: ButtonUse,
  [action = '', ...args]: readonly string[],
  context: CommandContext,
): Modal | null {
  if (action === 'add') return openAddForm(interaction, context);
  if (action === 'again') return formAgain(requireKept(args, context), interaction, context);
  if (isDeed(action)) {
    return deedForm(action, requireWatch(interaction, args, context), interaction, context);
  }
  return withPanel(interaction, args, context, (panel) => {
    const value = panel.find();
    const form = panel.form(action, value);
    if (form === undefined) throw unknownButton();
    if (args.at(-1) !== REST && fieldsTooLong(form).length > 0) return null;
    const { subject } = panel;
    const shown = shownForm(form, subject, context.language);
    return formMessage(form, shown, formParts(action, panel.title(value), interaction, context));
  });
}

/**
 * Returns the rejected form, filled in with the submitted values. It still counts as showing the
 * settings of its first opening.
 */
function formAgain(deed: KeptDeed, interaction: ButtonUse, context: CommandContext): Modal {
  if (deed.kind !== 'again') return failUnkept();
  const { form: action, args, filled } = deed;
  if (action === 'add') return openAddForm(interaction, context, filled);
  if (isDeed(action)) {
    const watch = requireWatch(interaction, args, context);
    const shown = readFormArgs(args, DEED_FORMS[action].fields.length);
    if (shown === undefined) throw unknownButton();
    return deedForm(action, watch, interaction, context, { shown, filled });
  }
  return withPanel(interaction, args, context, (panel) => {
    const value = panel.find();
    const form = panel.form(action, value);
    const shown = form && readFormArgs(args, form.fields.length);
    if (form === undefined || shown === undefined) throw unknownButton();
    const parts = formParts(action, panel.title(value), interaction, context);
    return formMessage(form, shown, { ...parts, filled });
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
      const answer = await withPanel(interaction, subjectArgs(deed.subject), context, (panel) =>
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
      return showExample(interaction, requireWatch(interaction, args, context), context);
    case 'remove': {
      const answer = await removeWatch(context, requireWatch(interaction, args, context));
      return { embeds: [], ...answer };
    }
    case 'resume': {
      const watch = requireWatch(interaction, args, context);
      const after = await changeWatch(context, watch, endPause(interaction, context));
      return watchPanel(watch, interaction, context).answer(after);
    }
    default:
      await withPanel(interaction, args, context, (panel) =>
        sendTooLong(panel, action, interaction, context),
      );
      return null;
  }
}

/** Shows the settings of a watch below the message, which stays as it is. */
async function openPanel(
  interaction: ButtonUse,
  args: readonly string[],
  context: CommandContext,
): Promise<null> {
  const watch = requireWatch(interaction, args, context);
  const { embeds = [] } = settingsAnswer(interaction, context, watch);
  const components = watchRows(watch, interaction, context);
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
    const panel = watchPanel(requireWatch(interaction, args, context), interaction, context);
    return submitDeed(action, panel, interaction, args, filled, context);
  }
  return withPanel(interaction, args, context, (panel) =>
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
