import { isDeepStrictEqual } from 'node:util';
import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import { inlineCode } from '../../../src/embeds/text/escape.ts';
import type { Language } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import type { AnyUse, ButtonUse, SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import { type Filled, OtherForm } from '../../../src/watches/forms/controls.ts';
import {
  type Conflict,
  compareWish,
  type Form,
  formMessage,
  havingSeen,
  readForm,
  shownForm,
  type Wish,
  withoutConflicts,
} from '../../../src/watches/forms/form.ts';
import { readFormArgs, subjectArgs } from '../../../src/watches/forms/form-id.ts';
import type { KeptDeed, Parts } from '../../../src/watches/forms/kept-deed.ts';
import type { Field } from '../../../src/watches/settings/field.ts';
import type { Change } from '../../../src/watches/settings/setting.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { Answer, Message } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { settingsAnswer } from '../edit.ts';
import { PAUSES, pausing, readSeconds } from '../pause.ts';
import { removeWatch } from '../remove.ts';
import { endPause } from '../resume.ts';
import { changeWatch } from '../shared/command.ts';
import { decidedTransactions, readTransaction, whyAnswer } from '../why.ts';
import { openAddForm, submitAddForm } from './add-form.ts';
import { showExample } from './example.ts';
import {
  nameOf,
  type Panel,
  requireWatch,
  unknownButton,
  watchPanel,
  withPanel,
} from './panels.ts';
import { CHANNEL_FORMS, menuId, PANEL, WATCH_FORMS, watchRows } from './rows.ts';

type Modal = APIModalInteractionResponseCallbackData;

/** Fields of forms that set nothing. */
const PAUSE: Form = {
  fields: [{ option: 'for', control: { kind: 'duration', starts: PAUSES }, cleared: '' }],
  texts: {},
};
const WHY: Form = {
  fields: [{ option: 'transaction', control: { kind: 'text', most: 100 }, cleared: '' }],
  texts: {},
};
const FORMS_OF_DEEDS: Readonly<Partial<Record<string, Form>>> = { pause: PAUSE, why: WHY };
/** A menu of transactions beside the field for one. */
const NEWEST = 'newest';
/** Characters of a value that an answer quotes. */
const QUOTED = 100;

/** Restores the parts that a form changed and nobody has changed since. */
function takenBack(before: Parts, after: Parts, present: Parts): Parts {
  const back: Record<string, unknown> = { ...present };
  for (const name of Object.keys(after)) {
    const isChanged = !isDeepStrictEqual(before[name], after[name]);
    if (isChanged && isDeepStrictEqual(present[name], after[name])) back[name] = before[name];
  }
  return back;
}

const ACTIONS_WITH_FORM: readonly string[] = [
  ...WATCH_FORMS,
  ...CHANNEL_FORMS,
  'pause',
  'why',
  'again',
  'add',
];

/** True if the button of these arguments opens a form. */
export function opensForm([action = '']: readonly string[]): boolean {
  return ACTIONS_WITH_FORM.includes(action);
}

/**
 * The form of a button, from memory alone.
 *
 * @throws {UserError} shown in place of the form
 */
export function openForm(
  interaction: ButtonUse,
  [action = '', ...args]: readonly string[],
  context: CommandContext,
): Modal {
  if (action === 'add') return openAddForm(interaction, context);
  if (action === 'again') return formAgain(requireKept(args, context), interaction, context);
  if (action === 'pause' || action === 'why') {
    const watch = requireWatch(interaction, args, context);
    return action === 'pause'
      ? pauseForm(watch, interaction, context)
      : whyForm(watch, interaction, context);
  }
  return withPanel(interaction, args, context, (panel) => {
    const value = panel.find();
    const form = panel.form(action, value);
    if (form === undefined) throw unknownButton();
    const { subject } = panel;
    const shown = shownForm(form, subject, context.language);
    return formMessage(form, shown, formParts(action, panel.title(value), interaction, context));
  });
}

/**
 * The form that was refused, filled in with the submitted values. It still counts as one that showed
 * the settings of its first opening.
 */
function formAgain(deed: KeptDeed, interaction: ButtonUse, context: CommandContext): Modal {
  if (deed.kind !== 'again') return failUnkept();
  const { form: action, args, filled } = deed;
  return withPanel(interaction, args, context, (panel) => {
    const value = panel.find();
    const form = FORMS_OF_DEEDS[action] ?? panel.form(action, value);
    const shown = form && readFormArgs(args, form.fields.length);
    if (form === undefined || shown === undefined) throw unknownButton();
    const parts = formParts(action, panel.title(value), interaction, context);
    return formMessage(form, shown, { ...parts, filled });
  });
}

function formParts(action: string, name: string, { guild }: AnyUse, { language }: CommandContext) {
  const buttons: Readonly<Record<string, string>> = language.texts.watch.panel.buttons;
  return {
    name: `${PANEL}:${action}`,
    title: [buttons[action]?.replace(/…$/, ''), name].filter(Boolean).join(': '),
    language,
    isRole: (id: string) => guild?.roles.cache.has(id) === true,
  };
}

function pauseForm(watch: Watch, interaction: AnyUse, context: CommandContext): Modal {
  const shown = shownForm(PAUSE, watch, context.language);
  return formMessage(PAUSE, shown, formParts('pause', nameOf(watch), interaction, context));
}

function whyForm(watch: Watch, interaction: AnyUse, context: CommandContext): Modal {
  const shown = shownForm(WHY, watch, context.language);
  const form = formMessage(WHY, shown, formParts('why', nameOf(watch), interaction, context));
  const newest = decidedTransactions(watch, context);
  if (newest.length === 0) return form;
  const menu = {
    type: ComponentType.Label,
    label: context.language.texts.watch.panel.newest,
    component: {
      type: ComponentType.StringSelect,
      custom_id: NEWEST,
      required: false,
      min_values: 0,
      max_values: 1,
      options: newest.map(({ name, value }) => ({ label: name, value })),
    },
  } as const;
  return { ...form, components: [...form.components, menu] };
}

/** A button of the panel, or one that opens it. */
export async function pressPanel(
  interaction: ButtonUse,
  [action = '', ...args]: readonly string[],
  context: CommandContext,
): Promise<Answer> {
  switch (action) {
    case 'kept': {
      const deed = requireKept(args, context);
      if (deed.kind === 'again') throw unknownButton();
      const answer = await withPanel(interaction, subjectArgs(deed.subject), context, (panel) => {
        if (deed.kind === 'undo') return takeBack(panel, deed, context);
        return carryOut(panel, deed.form, deed.wish, context, deed.isSure);
      });
      // What was refused, or has failed, can be pressed again.
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
      throw unknownButton();
  }
}

/** Shows the settings of a watch below a message that stays as it is. */
async function openPanel(
  interaction: ButtonUse,
  args: readonly string[],
  context: CommandContext,
): Promise<null> {
  const watch = requireWatch(interaction, args, context);
  const { embeds = [] } = settingsAnswer(interaction, context, watch);
  const components = watchRows(watch, interaction, context);
  if (interaction.isStringSelectMenu()) {
    // A menu sends nothing when the same is chosen again, unless it is another one.
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

/** A form that was submitted. */
export async function submitForm(
  interaction: SubmitUse,
  [action = '', ...args]: readonly string[],
  context: CommandContext,
): Promise<Answer> {
  const filled = filledIn(interaction);
  if (action === 'add') return submitAddForm(interaction, filled, context);
  if (action === 'pause') return submitPause(interaction, args, filled, context);
  if (action === 'why') return submitWhy(interaction, args, filled, context);
  return withPanel(interaction, args, context, (panel) =>
    submitSettings(panel, action, args, filled, context),
  );
}

/** The values of a form by custom ids; what a person has emptied has none. */
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

async function submitSettings<Value>(
  panel: Panel<Value>,
  action: string,
  args: readonly string[],
  filled: Filled,
  context: CommandContext,
): Promise<Message> {
  const present = panel.find();
  const form = panel.form(action, present);
  if (form === undefined) throw new OtherForm();
  const submitted = { form, action, args, filled };
  return orTryAgain(panel, submitted, context, () =>
    carryOut(panel, action, readForm(form, args, filled), context),
  );
}

async function submitPause(
  interaction: SubmitUse,
  args: readonly string[],
  filled: Filled,
  context: CommandContext,
): Promise<Message> {
  const watch = requireWatch(interaction, args, context);
  const panel = watchPanel(watch, interaction, context);
  const submitted = { form: PAUSE, action: 'pause', args, filled };
  return orTryAgain(panel, submitted, context, async () => {
    const [typed = null] = readForm(PAUSE, args, filled).wanted.values();
    const seconds = readSeconds(typed);
    const nowSeconds = Math.ceil(context.venueNowSeconds());
    const untilSeconds = seconds === null ? null : nowSeconds + seconds;
    const change = pausing(watch.channelId, untilSeconds, context);
    return panel.answer(await changeWatch(context, watch, change));
  });
}

async function submitWhy(
  interaction: SubmitUse,
  args: readonly string[],
  filled: Filled,
  context: CommandContext,
): Promise<Message | null> {
  const watch = requireWatch(interaction, args, context);
  const panel = watchPanel(watch, interaction, context);
  const submitted = { form: WHY, action: 'why', args, filled };
  return orTryAgain(panel, submitted, context, async () => {
    const [typed = filled.get(NEWEST)?.[0] ?? ''] = readForm(WHY, args, filled).wanted.values();
    const txHash = readTransaction(typed, context);
    const asked = { wallet: watch.wallet, txHash, watches: [watch] };
    const answer = await whyAnswer(interaction, context, asked);
    await interaction.followUp({ ...answer, flags: MessageFlags.Ephemeral });
    return null;
  });
}

/** Does the work of a form. Shows a refusal above the settings, with a button to try again. */
async function orTryAgain<Value, Done extends Message | null>(
  panel: Panel<Value>,
  { form, action, args, filled }: Submitted,
  context: CommandContext,
  work: () => Promise<Done>,
): Promise<Done | Message> {
  const shown = readFormArgs(args, form.fields.length);
  try {
    return await work();
  } catch (error) {
    const isTyped = error instanceof UserError && !(error instanceof OtherForm);
    if (!isTyped || shown === undefined) throw error;
    const present = panel.find();
    const { again } = context.language.texts.watch.panel.buttons;
    const { personId } = context;
    const key = context.kept.keep({ personId, kind: 'again', form: action, args, filled });
    const retry = button(`${PANEL}:again:${key}`, again);
    return remarked(panel.answer(present), `⚠️ ${error.say(context.language)}`, [retry]);
  }
}

/** A form as it was submitted. */
interface Submitted {
  readonly form: Form;
  readonly action: string;
  /** Arguments of its custom id. */
  readonly args: readonly string[];
  readonly filled: Filled;
}

/** A message of the panel with something above it. */
function remarked(
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

/** Somebody else has changed the same. */
class Conflicted extends Error {
  override readonly name = 'Conflicted';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('Somebody else has changed the same.');
    this.conflicts = conflicts;
  }
}

/**
 * Applies a submitted form to the settings as they are now. Changes nothing where others have
 * changed the same fields, or where a value is doubted.
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
    const doubts = isSure ? [] : await panel.doubts(wanted, present);
    if (doubts.length > 0) return doubted(panel, action, wish, doubts, present, context);
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

/** The id of a button that does something which is kept. */
function keptId(
  { kept, personId }: CommandContext,
  deed: DistributiveOmit<KeptDeed, 'personId'>,
): string {
  return `${PANEL}:kept:${kept.keep({ personId, ...deed })}`;
}
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown
  ? Omit<Union, Key>
  : never;

function doubted<Value>(
  panel: Panel<Value>,
  action: string,
  wish: Wish,
  doubts: readonly string[],
  present: Value,
  context: CommandContext,
): Message {
  const { anyway, nothingChanged } = context.language.texts.watch.settings;
  const { subject } = panel;
  const id = keptId(context, { kind: 'wish', form: action, subject, wish, isSure: true });
  const remark = [...doubts, nothingChanged].join('\n');
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

/** A field's value as it can stand in an answer. */
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
  const said = `↩️ ${language.texts.watch.panel.undone}`;
  return { ...message, content: [said, message.content].filter(Boolean).join('\n') };
}
