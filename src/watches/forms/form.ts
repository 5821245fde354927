import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import { plainText } from '../../embeds/text/escape.ts';
import { type Language, languageFor } from '../../language/language.ts';
import type { UserError } from '../../language/user-error.ts';
import { type Field, normalText } from '../settings/field.ts';
import type { GivenOptions, TypedOptions } from '../settings/setting.ts';
import {
  componentsOf,
  type Filled,
  FORM_LIMITS,
  fill,
  isTooLong,
  OtherForm,
  readField,
} from './controls.ts';
import {
  formArgs,
  hashOf,
  NOT_SHOWN,
  readFormArgs,
  type ShownForm,
  type Subject,
} from './form-id.ts';

/** Fields that are set together, with their texts. */
export interface Form {
  readonly fields: readonly Field[];
  /** Texts of the fields' options. A missing one has its default. */
  readonly texts: TypedOptions;
}

/** Changed fields with the texts for their options; empty for the default. */
export type Changed = ReadonlyMap<Field, string>;

/** A field that another person changed while the form was open. */
export interface Conflict {
  readonly field: Field;
  readonly mine: string;
  readonly theirs: string;
}

export const textOf = ({ texts }: Form, field: Field): string =>
  normalText(field, texts[field.option] ?? '');

/** Returns the fields of a form whose values are too long to be shown in it. */
export function fieldsTooLong(form: Form): readonly Field[] {
  return form.fields.filter((field) => isTooLong(field, textOf(form, field)));
}

/** Describes a form as it is shown now, without fields whose values are too long for it. */
export function shownForm(form: Form, subject: Subject, { tag }: Language): ShownForm {
  const tooLong = fieldsTooLong(form);
  const hashes = form.fields.map((field) =>
    tooLong.includes(field) ? NOT_SHOWN : hashOf(textOf(form, field)),
  );
  return { ...subject, tag, hashes };
}

/**
 * Builds a form for Discord.
 *
 * @param name the beginning of its custom id
 * @param title plain text, cut to Discord's limit
 * @param filled values to show; the present settings if left out
 */
export function formMessage(
  form: Form,
  shown: ShownForm,
  parts: {
    readonly name: string;
    readonly title: string;
    readonly language: Language;
    readonly isRole: (id: string) => boolean;
    readonly filled?: Filled;
  },
): APIModalInteractionResponseCallbackData {
  const { language, isRole } = parts;
  const components = form.fields.flatMap((field, at) => {
    if (shown.hashes[at] === NOT_SHOWN) return [];
    const filled = parts.filled ?? fill(field, textOf(form, field), languageFor(shown.tag));
    return componentsOf(field, filled, language, isRole);
  });
  return {
    custom_id: [parts.name, ...formArgs(shown)].join(':'),
    title: plainText(parts.title, FORM_LIMITS.title, '…'),
    components,
  };
}

/** A person's changes in a form, with the fields as the person saw them. */
export interface Wish {
  readonly wanted: Changed;
  /** Texts of all fields as submitted, by option. */
  readonly submitted: ReadonlyMap<string, string>;
  /** Hash of each field's text as the person saw it. */
  readonly seen: ReadonlyMap<Field, string>;
}

/**
 * Reads a submitted form. Fields whose text differs from what was shown are changes.
 *
 * @param form as it is stored now
 * @param args arguments of the form's custom id
 * @throws {UserError} if the form is not ours or a field cannot be read
 */
export function readForm(form: Form, args: readonly string[], submitted: Filled): Wish {
  const shown = readFormArgs(args, form.fields.length);
  if (shown === undefined) throw new OtherForm();
  const wanted = new Map<Field, string>();
  const seen = new Map<Field, string>();
  const refusals: UserError[] = [];
  const texts = new Map<string, string>();
  for (const [at, field] of form.fields.entries()) {
    const hash = shown.hashes[at] ?? '';
    if (hash === NOT_SHOWN) continue;
    const { text, refusal } = readField(
      field,
      submitted,
      languageFor(shown.tag),
      hash === hashOf(''),
    );
    texts.set(field.option, text);
    seen.set(field, hash);
    const isIgnored = field.needs !== undefined && texts.get(field.needs) === '';
    if (isIgnored || hashOf(text) === hash) continue;
    if (refusal !== undefined) refusals.push(refusal);
    wanted.set(field, text);
  }
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
  return { wanted, submitted: texts, seen };
}

/**
 * Compares a wish with the stored settings. Returns its changes and the conflicts with changes by
 * others.
 */
export function compareWish(form: Form, wish: Wish) {
  const { wanted, seen } = wish;
  const changed = new Map<Field, string>();
  const conflicts: Conflict[] = [];
  for (const [field, mine] of [...wanted, ...clearedByOthers(form, wish)]) {
    const theirs = textOf(form, field);
    if (mine === theirs) continue;
    changed.set(field, mine);
    if (hashOf(theirs) !== seen.get(field)) conflicts.push({ field, mine, theirs });
  }
  return { changed, conflicts };
}

/**
 * Finds fields that the person did not change, but that others have cleared although a changed
 * field needs them. Returns these and all fields that need them, as they were in the form.
 */
function clearedByOthers(form: Form, { wanted, submitted }: Wish): Changed {
  const needed = new Set([...wanted.keys()].map(({ needs }) => needs));
  const cleared = form.fields
    .filter((field) => needed.has(field.option) && textOf(form, field) === '')
    .map(({ option }) => option);
  const lost = form.fields.filter(
    ({ option, needs }) => cleared.includes(option) || (needs && cleared.includes(needs)),
  );
  const left = lost.filter((field) => !wanted.has(field));
  return new Map(left.map((field) => [field, submitted.get(field.option) ?? '']));
}

/** Returns the wish as of a person who has seen the changes by others. */
export function havingSeen(wish: Wish, conflicts: readonly Conflict[]): Wish {
  const others = conflicts.map(({ field, theirs }) => [field, hashOf(theirs)] as const);
  return { ...wish, seen: new Map([...wish.seen, ...others]) };
}

/**
 * Returns the wish without the fields that others have changed and without those that need a field
 * they have cleared.
 */
export function withoutConflicts(wish: Wish, conflicts: readonly Conflict[]): Wish {
  const theirs = conflicts.map(({ field }) => field);
  const cleared = conflicts.flatMap(({ field, theirs: text }) => (text === '' ? field.option : []));
  const own = [...wish.wanted].filter(
    ([field]) => !theirs.includes(field) && !cleared.some((option) => option === field.needs),
  );
  return { ...wish, wanted: new Map(own) };
}

/**
 * Presents changes as options of the command that makes them.
 *
 * @param resets names for `reset`, by option, of settings that no text of their option clears
 */
export function givenBy(
  changed: Changed,
  guildId: string | null,
  resets: Readonly<Record<string, string>>,
): GivenOptions {
  const given = new Map<string, string>();
  for (const [{ option, cleared }, text] of changed) {
    const value = text || cleared;
    if (value !== '') given.set(option, value);
    else given.set('reset', resets[option] ?? '');
  }
  const textIn = (name: string) => given.get(name) ?? null;
  const numberIn = (name: string) => {
    const text = textIn(name);
    return text === null ? null : Number(text);
  };
  return {
    guildId,
    options: {
      getString: textIn,
      getNumber: numberIn,
      getInteger: numberIn,
      getRole(name) {
        const id = textIn(name);
        return id === null ? null : { id };
      },
    },
  };
}
