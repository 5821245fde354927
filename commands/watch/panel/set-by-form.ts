import { isDeepStrictEqual } from 'node:util';
import { inlineCode } from '../../../src/embeds/text/escape.ts';
import type { Language } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { button } from '../../../src/messages/buttons.ts';
import type { SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import { type Filled, OtherForm } from '../../../src/watches/forms/controls.ts';
import {
  type Conflict,
  compareWish,
  havingSeen,
  readForm,
  type Wish,
  withoutConflicts,
} from '../../../src/watches/forms/form.ts';
import type { KeptDeed, Parts } from '../../../src/watches/forms/kept-deed.ts';
import type { Field } from '../../../src/watches/settings/field.ts';
import type { Change } from '../../../src/watches/settings/setting.ts';
import type { Message } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import type { Panel } from './panels.ts';
import { PANEL } from './rows.ts';
import { orTryAgain, remarked } from './submitted.ts';

/** Maximum number of characters of a value quoted in an answer. */
const QUOTED = 100;

/**
 * Changes settings to the values of a submitted form.
 * @param args arguments of the form's custom id
 * @throws {UserError} for a form this version does not know; other errors are shown above the
 *   settings
 */
export async function submitSettings<Value>(
  panel: Panel<Value>,
  interaction: SubmitUse,
  action: string,
  args: readonly string[],
  filled: Filled,
  context: CommandContext,
): Promise<Message> {
  const form = panel.form(action, panel.find());
  if (form === undefined) throw new OtherForm();
  const submitted = { form, action, args, filled };
  return orTryAgain(interaction, panel, submitted, context, () =>
    carryOut(panel, action, readForm(form, args, filled), context),
  );
}

/**
 * Carries out the change of a button whose data is kept in memory.
 * @throws {UserError} that names fields by their labels
 */
export async function carryOutKept<Value>(
  panel: Panel<Value>,
  deed: Extract<KeptDeed, { kind: 'undo' | 'wish' }>,
  context: CommandContext,
): Promise<Message> {
  if (deed.kind === 'undo') return takeBack(panel, deed, context);
  try {
    return await carryOut(panel, deed.form, deed.wish, context, deed.isSure);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(({ inForms }) => cause.say(inForms), { cause });
  }
}

/** Thrown if someone else has changed the same fields. */
class Conflicted extends Error {
  override readonly name = 'Conflicted';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('Somebody else has changed the same.');
    this.conflicts = conflicts;
  }
}

/**
 * Applies a submitted form to the current settings. Changes nothing if others have changed the same
 * fields, or if a value needs a warning.
 */
async function carryOut<Value>(
  panel: Panel<Value>,
  action: string,
  wish: Wish,
  context: CommandContext,
  isSure = false,
): Promise<Message> {
  const change: Change<Value> = (value) => {
    const form = panel.form(action, value);
    if (form === undefined) throw new OtherForm();
    const { changed, conflicts } = compareWish(form, wish);
    if (conflicts.length > 0) throw new Conflicted(conflicts);
    if (changed.size === 0) return value;
    return panel.read(changed)(value);
  };
  try {
    const present = panel.find();
    const wanted = change(present);
    await panel.check(present, wanted);
    const warnings = isSure ? [] : await panel.warnings(wanted, present);
    if (warnings.length > 0) return warned(panel, action, wish, warnings, present, context);
    const [before, after] = await panel.store(change);
    if (isDeepStrictEqual(before, after)) return panel.answer(after, before);
    return panel.answer(after, before, undoButton(panel, before, after, context));
  } catch (error) {
    if (error instanceof Conflicted) {
      return conflicted(panel, action, wish, error.conflicts, context);
    }
    throw error;
  }
}

/** Returns the id of a button for an action that is kept in memory. */
function keptId(
  { kept, personId }: CommandContext,
  deed: DistributiveOmit<KeptDeed, 'personId'>,
): string {
  return `${PANEL}:kept:${kept.keep({ personId, ...deed })}`;
}
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown
  ? Omit<Union, Key>
  : never;

function warned<Value>(
  panel: Panel<Value>,
  action: string,
  wish: Wish,
  warnings: readonly string[],
  present: Value,
  context: CommandContext,
): Message {
  const { anyway, nothingChanged } = context.language.texts.watch.settings;
  const { subject } = panel;
  const id = keptId(context, { kind: 'wish', form: action, subject, wish, isSure: true });
  const remark = [...warnings, nothingChanged].join('\n');
  return remarked(panel.answer(present), remark, [button(id, anyway.button)]);
}

function conflicted<Value>(
  panel: Panel<Value>,
  action: string,
  wish: Wish,
  conflicts: readonly Conflict[],
  context: CommandContext,
): Message {
  const { language } = context;
  const { conflict, bothValues, fields, buttons } = language.texts.watch.panel;
  const labels: Readonly<Record<string, string>> = fields;
  const lines = conflicts.map(({ field, mine, theirs }) =>
    bothValues(
      labels[field.option] ?? field.option,
      quoted(field, mine, language),
      quoted(field, theirs, language),
    ),
  );
  const mine = havingSeen(wish, conflicts);
  const theirs = withoutConflicts(wish, conflicts);
  const { subject } = panel;
  const idOf = (chosen: Wish) =>
    keptId(context, { kind: 'wish', form: action, subject, wish: chosen, isSure: false });
  return remarked(panel.answer(panel.find()), [`⚠️ ${conflict}`, ...lines].join('\n'), [
    button(idOf(mine), buttons.mine),
    button(idOf(theirs), buttons.theirs),
  ]);
}

/** Returns a field's value in the form in which an answer quotes it. */
function quoted({ control }: Field, text: string, language: Language): string {
  if (text === '') return language.texts.watch.panel.unset;
  if (control.kind === 'role') return `<@&${text}>`;
  if (control.kind === 'choice') return inlineCode(control.names(language)[text] ?? text, QUOTED);
  return inlineCode(text, QUOTED);
}

function undoButton<Value>(
  panel: Panel<Value>,
  before: Value,
  after: Value,
  context: CommandContext,
) {
  const id = keptId(context, {
    kind: 'undo',
    subject: panel.subject,
    before: panel.parts(before),
    after: panel.parts(after),
  });
  return button(id, context.language.texts.watch.undo.button);
}

async function takeBack<Value>(
  panel: Panel<Value>,
  deed: Extract<KeptDeed, { kind: 'undo' }>,
  { language }: CommandContext,
): Promise<Message> {
  const change: Change<Value> = (value) =>
    panel.withParts(value, takenBack(deed.before, deed.after, panel.parts(value)));
  const present = panel.find();
  await panel.check(present, change(present));
  const [was, is] = await panel.store(change);
  const message = panel.answer(is, was);
  if (isDeepStrictEqual(was, is)) return message;
  const undone = `↩️ ${language.texts.watch.panel.undone}`;
  return { ...message, content: [undone, message.content].filter(Boolean).join('\n') };
}

/** Restores the parts that a form changed, unless someone has changed them since. */
function takenBack(before: Parts, after: Parts, present: Parts): Parts {
  const back: Record<string, unknown> = { ...present };
  for (const name of Object.keys(after)) {
    const isChanged = !isDeepStrictEqual(before[name], after[name]);
    if (isChanged && isDeepStrictEqual(present[name], after[name])) back[name] = before[name];
  }
  return back;
}
