import {
  type APILabelComponent,
  type APISelectMenuOption,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { inlineCode } from '../../embeds/text/escape.ts';
import { parseDuration } from '../../language/duration.ts';
import type { Language, LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import { countCodePoints, cutText } from '../../lib/text/cut-text.ts';
import { snowflake } from '../owner.ts';
import { durationWords } from '../settings/durations.ts';
import { type Field, normalText } from '../settings/field.ts';
import { notAccepted } from '../settings/setting.ts';
import { readTypedNumber, shownNumber, withPoint } from '../settings/typed-number.ts';

/** Discord's limits for a form, in characters; `text` is the maximum of a text field. */
export const FORM_LIMITS = { title: 45, label: 45, text: 4_000 } as const;
/** Maximum characters of a typed number or duration. */
const SHORT_TEXT = 60;
/** Maximum number of options in a menu. */
const MENU_LIMIT = 25;
/** Modes of a list, in the order of its menu. */
const MODES = ['all', 'only', 'except'] as const;

/** Values of a form's components, as shown or as submitted, by custom id. */
export type Filled = ReadonlyMap<string, readonly string[]>;

/** A submitted field. */
interface ReadField {
  /** Text for the field's option; empty for the default. */
  readonly text: string;
  /** Error for a text that was edited and cannot be read. */
  readonly refusal?: UserError;
}

/** Custom id of a field's second component: another duration, or the names of a list. */
const beside = (option: string) => `${option}:more`;

/** Thrown for a form that is not ours or is out of date; nothing of it is read. */
export class OtherForm extends UserError {
  override readonly name = 'OtherForm';

  constructor() {
    super(({ texts }) => texts.watch.panel.otherForm);
  }
}

/** Returns the names of a list as its field shows them, one per line; null for any other field. */
export function linesOf({ control }: Field, text: string): string | null {
  return control.kind === 'list' ? control.names(text).join('\n') : null;
}

/** True if a text of the field's option is too long for a field. */
export function isTooLong(field: Field, text: string): boolean {
  return (linesOf(field, text)?.length ?? 0) > FORM_LIMITS.text;
}

/**
 * Fills in a field.
 *
 * @param text the option's text, empty for the default
 */
export function fill(field: Field, text: string, { tag }: Language): Filled {
  const { option, control, cleared } = field;
  const value = text || cleared;
  switch (control.kind) {
    case 'number':
      return new Map([[option, listOf(shownNumber(text, tag))]]);
    case 'text':
    case 'role':
      return new Map([[option, listOf(text)]]);
    case 'choice':
      return new Map([[option, [value]]]);
    case 'several':
      return new Map([[option, text === '' ? [] : text.split(', ')]]);
    case 'duration':
      return new Map([
        [option, text === '' && !control.starts.includes(cleared) ? [] : [value]],
        [beside(option), []],
      ]);
    case 'list':
      return new Map([
        [option, [control.mode(text) ?? 'all']],
        [beside(option), listOf(linesOf(field, text) ?? '')],
      ]);
  }
}

function listOf(text: string): readonly string[] {
  return text === '' ? [] : [text];
}

/**
 * Builds the components of a field with their values.
 *
 * @param isRole whether the server has a role; Discord rejects a form with an unknown one
 */
export function componentsOf(
  { option, control }: Field,
  filled: Filled,
  language: Language,
  isRole: (id: string) => boolean,
): APILabelComponent[] {
  const { onePerLine, otherTime, modes } = language.texts.watch.panel;
  const labels: Readonly<Partial<Record<string, string>>> = language.texts.watch.panel.fields;
  const label = cutText(labels[option] ?? option, FORM_LIMITS.label);
  const values = filled.get(option) ?? [];
  const more = filled.get(beside(option)) ?? [];
  const menu = (names: Readonly<Record<string, string>>, most = 1): APILabelComponent => ({
    type: ComponentType.Label,
    label,
    component: {
      type: ComponentType.StringSelect,
      custom_id: option,
      options: Object.entries(names).map(
        ([value, name]): APISelectMenuOption => ({
          label: name,
          value,
          default: values.includes(value),
        }),
      ),
      required: false,
      // Otherwise phones cannot clear it (discord-api-docs #8272).
      min_values: 0,
      max_values: most,
    },
  });
  switch (control.kind) {
    case 'number':
      return [textField(option, label, values, SHORT_TEXT)];
    case 'text':
      return [textField(option, label, values, control.most)];
    case 'choice':
      return [menu(control.names(language))];
    case 'several': {
      const names = control.names(language);
      return [menu(names, Object.keys(names).length)];
    }
    case 'role':
      return [roleMenu(option, label, values.filter(isRole))];
    case 'duration': {
      const times = [...new Set([...control.starts, ...values])].slice(0, MENU_LIMIT);
      const names = times.map((time) => [time, timeName(time, language)]);
      return [
        menu(Object.fromEntries(names)),
        textField(beside(option), otherTime, more, SHORT_TEXT),
      ];
    }
    case 'list':
      return [
        menu(modes),
        textField(
          beside(option),
          onePerLine,
          more,
          FORM_LIMITS.text,
          false,
          TextInputStyle.Paragraph,
        ),
      ];
  }
}

function timeName(time: string, language: Language): string {
  const seconds = parseDuration(time);
  if (seconds === null) return language.texts.names.typed.none;
  return durationWords(seconds, language);
}

/**
 * Builds a text field of one line.
 *
 * @param values the prefilled text, or none
 * @param most maximum characters
 */
export function textField(
  customId: string,
  label: string,
  [value]: readonly string[],
  most: number,
  isRequired = false,
  style = TextInputStyle.Short,
): APILabelComponent {
  return {
    type: ComponentType.Label,
    label,
    component: {
      type: ComponentType.TextInput,
      style,
      custom_id: customId,
      required: isRequired,
      max_length: most,
      ...(value !== undefined && { value }),
    },
  };
}

function roleMenu(customId: string, label: string, roleIds: readonly string[]): APILabelComponent {
  return {
    type: ComponentType.Label,
    label,
    component: {
      type: ComponentType.RoleSelect,
      custom_id: customId,
      required: false,
      min_values: 0,
      max_values: 1,
      default_values: roleIds.map((id) => ({ id, type: 'role' as never })),
    },
  };
}

/**
 * Reads a submitted field.
 *
 * @param language language of the form
 * @param wasEmpty whether the field was empty when it was shown
 * @throws {UserError} if components are missing or hold values that no Discord client sends
 */
export function readField(
  field: Field,
  submitted: Filled,
  language: Language,
  wasEmpty: boolean,
): ReadField {
  const { option, control } = field;
  const chosen = submitted.get(option);
  if (chosen === undefined) throw new OtherForm();
  const [first = '', ...others] = chosen;
  if (others.length > 0 && control.kind !== 'several') throw new OtherForm();
  const normal = (text: string): ReadField => ({ text: normalText(field, text) });
  switch (control.kind) {
    case 'number':
      return readNumber(field, shortText(first, SHORT_TEXT), control.takes, language);
    case 'text':
      return normal(shortText(first, control.most));
    case 'choice':
      return normal(known([first], control.names(language))[0] ?? '');
    case 'several':
      return normal(known(chosen, control.names(language)).join(', '));
    case 'role':
      if (first !== '' && !snowflake.safeParse(first).success) throw new OtherForm();
      return normal(first);
    case 'duration': {
      const typed = shortText(moreOf(field, submitted), SHORT_TEXT).trim();
      return normal(typed === '' ? shortText(first, SHORT_TEXT) : typed);
    }
    case 'list': {
      const names = shortText(moreOf(field, submitted), FORM_LIMITS.text).trim();
      const mode = MODES.find((one) => one === (first || 'all'));
      if (mode === undefined) throw new OtherForm();
      // Names typed into an empty list mean "only these", as with the option.
      const wanted = mode === 'all' && wasEmpty ? 'only' : mode;
      if (wanted === 'all' || names === '') return normal('');
      return normal(`${wanted}: ${names}`);
    }
  }
}

function moreOf({ option }: Field, submitted: Filled): string {
  const typed = submitted.get(beside(option));
  if (typed === undefined || typed.length > 1) throw new OtherForm();
  return typed[0] ?? '';
}

function shortText(text: string, most: number): string {
  if (countCodePoints(text) > most) throw new OtherForm();
  return text;
}

function known(values: readonly string[], names: Readonly<Record<string, string>>) {
  const chosen = values.filter((value) => value !== '');
  if (!chosen.every((value) => Object.hasOwn(names, value))) throw new OtherForm();
  return chosen;
}

function readNumber(
  { option, cleared }: Field,
  typed: string,
  takes: LocalizedText,
  { tag }: Language,
): ReadField {
  const read = readTypedNumber(typed, tag);
  if (read.kind === 'empty') return { text: '' };
  if (read.kind === 'number') {
    const text = String(read.value);
    return { text: text === cleared ? '' : text };
  }
  const text = withPoint(typed, tag);
  if (read.kind === 'unreadable') return { text, refusal: notAccepted(option, typed, takes) };
  const [thousands, decimal] = read.values.map(String);
  const refusal = new UserError(({ texts: { names, watch } }) =>
    watch.panel.either(
      names.options[option],
      inlineCode(typed, SHORT_TEXT),
      thousands ?? '',
      decimal ?? '',
    ),
  );
  return { text, refusal };
}
