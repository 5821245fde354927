import { COMPONENT_TYPES } from '../forms/components.ts';
import { codePoints } from '../forms/form.ts';
import { isRequired, MAX_TEXT_LENGTH, type ModalField } from '../forms/modal.ts';
import type { Wire } from '../model.ts';
import { CannotDo, checkFileType, type PickedFile, type Resolver } from './commandline.ts';

const T = COMPONENT_TYPES;

/**
 * A value that a person enters in a field: the text of a text input, the selected values or ids of
 * a menu or checkbox group, the value of a radio group (null for none), true for a ticked checkbox,
 * or files.
 */
export type FieldValue = string | boolean | null | readonly string[] | readonly PickedFile[];
/** Returns a field's initial value, without default ids that the person cannot pick. */
export function filledIn(field: ModalField, resolver: Resolver): FieldValue {
  switch (field.type) {
    case T.TEXT_INPUT:
      return field.style === 1 ? (field.value ?? '').replace(/[\r\n]+/g, '') : (field.value ?? '');
    case T.CHECKBOX:
      return field.default ?? false;
    case T.FILE_UPLOAD:
      return [];
    case T.RADIO_GROUP:
      return field.options.find((option) => option.default)?.value ?? null;
    case T.STRING_SELECT:
    case T.CHECKBOX_GROUP:
      return field.options.filter((option) => option.default).map(({ value }) => value);
    default:
      return (field.default_values ?? [])
        .map(({ id }) => id)
        .filter((id) => canPick(field, id, resolver));
  }
}

type EntitySelect = Exclude<ModalField, { readonly type: 3 | 4 | 19 | 21 | 22 | 23 }>;

function canPick(field: EntitySelect, id: string, resolver: Resolver): boolean {
  try {
    pick(field, id, resolver);
    return true;
  } catch (error) {
    if (error instanceof CannotDo) return false;
    throw error;
  }
}

/** @throws CannotDo for an entity that this person cannot pick */
function pick(field: EntitySelect, id: string, resolver: Resolver): void {
  if (field.type === T.USER_SELECT) resolver.user(id);
  else if (field.type === T.ROLE_SELECT) resolver.role(id);
  else if (field.type === T.CHANNEL_SELECT) resolver.channel(id, field.channel_types ?? []);
  else resolver.mentionable(id);
}

/**
 * Returns the person's part of a field's submission, after the checks of Discord's client.
 *
 * @throws CannotDo that says what is wrong
 */
export function answerOf(field: ModalField, entered: FieldValue, resolver: Resolver): Wire {
  switch (field.type) {
    case T.TEXT_INPUT:
      return { value: checkedText(field, entered) };
    case T.CHECKBOX:
      return { value: checkedTick(entered) };
    case T.RADIO_GROUP:
      return { value: checkedChoice(field, entered) };
    case T.CHECKBOX_GROUP: {
      const values = checkedTexts(entered);
      const max = field.max_values ?? field.options.length;
      checkCount(field, values.length, field.min_values ?? 1, max);
      checkOffered(field.options, values);
      return { values };
    }
    case T.FILE_UPLOAD: {
      const files = checkedFiles(entered);
      checkCount(field, files.length, field.min_values ?? 1, field.max_values ?? 1);
      for (const file of files) checkFileType({ ...field, name: field.custom_id }, file);
      return { values: files.map((file) => resolver.attachment(file)) };
    }
    default: {
      const values = checkedTexts(entered);
      checkCount(field, values.length, field.min_values ?? 1, field.max_values ?? 1);
      if (field.type === T.STRING_SELECT) checkOffered(field.options, values);
      else for (const id of values) pick(field, id, resolver);
      return { values };
    }
  }
}

type TextInput = Extract<ModalField, { readonly type: typeof T.TEXT_INPUT }>;

/** Spaces count as text: Discord neither trims nor rejects them (ISSUE discord-api-docs#4480). */
function checkedText(field: TextInput, entered: FieldValue): string {
  const value = entered ?? '';
  if (typeof value !== 'string') throw new CannotDo('This is text.');
  if (field.style === 1 && /[\r\n]/.test(value)) throw new CannotDo('This has one line.');
  if (value === '') {
    if (isRequired(field)) throw new CannotDo(REQUIRED);
    return value;
  }
  const min = field.min_length ?? 0;
  const max = field.max_length ?? MAX_TEXT_LENGTH;
  const length = codePoints(value);
  if (length < min) throw new CannotDo(`Must be at least ${min} characters.`);
  if (length > max) throw new CannotDo(`Must be ${max} or fewer characters.`);
  return value;
}

function checkedTick(entered: FieldValue): boolean {
  if (typeof entered !== 'boolean') throw new CannotDo('This is true or false.');
  return entered;
}

type RadioGroup = Extract<ModalField, { readonly type: typeof T.RADIO_GROUP }>;

function checkedChoice(field: RadioGroup, entered: FieldValue): string | null {
  if (entered !== null && typeof entered !== 'string') throw new CannotDo('This is one value.');
  const values = entered === null ? [] : [entered];
  checkCount(field, values.length, 1, 1);
  checkOffered(field.options, values);
  return entered;
}

const REQUIRED = 'This field is required.';

function checkCount(
  field: { readonly required?: boolean | null | undefined },
  count: number,
  min: number,
  max: number,
): void {
  if (count === 0 && isRequired(field)) throw new CannotDo(REQUIRED);
  if (count > 0 && count < min) throw new CannotDo(`Choose at least ${min}.`);
  if (count > max) throw new CannotDo(`Choose ${max} or fewer.`);
}

function checkOffered(
  options: readonly { readonly value: string }[],
  values: readonly string[],
): void {
  const unknown = values.find((value) => !options.some((option) => option.value === value));
  if (unknown !== undefined) throw new CannotDo(`There is no option ${unknown}.`);
}

function checkedTexts(entered: FieldValue): string[] {
  const values: string[] = [];
  for (const value of listOf(entered)) {
    if (typeof value !== 'string') throw new CannotDo('This is a list of values.');
    if (values.includes(value)) throw new CannotDo(`${value} is chosen twice.`);
    values.push(value);
  }
  return values;
}

function checkedFiles(entered: FieldValue): PickedFile[] {
  return listOf(entered).map((file) => {
    if (typeof file === 'string') throw new CannotDo('This is a list of files.');
    return file;
  });
}

function listOf(entered: FieldValue): readonly (string | PickedFile)[] {
  if (entered === null) return [];
  if (typeof entered === 'string' || typeof entered === 'boolean') {
    throw new CannotDo('This is a list.');
  }
  return entered;
}
