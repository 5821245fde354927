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

/** Fields that are set together, and the texts that stand in them. */
export interface Form {
  readonly fields: readonly Field[];
  /** Texts of the fields' options; what is left out has its default. */
  readonly texts: TypedOptions;
}

/** Changes of fields: texts for their options, empty for the default. */
export type Changed = ReadonlyMap<Field, string>;

/** A field that somebody else has changed while a form was open. */
export interface Conflict {
  readonly field: Field;
  readonly mine: string;
  readonly theirs: string;
}

export const textOf = ({ texts }: Form, field: Field): string =>
  normalText(field, texts[field.option] ?? '');

/** The fields of a form whose values are too long to be shown in it. */
export function fieldsTooLong(form: Form): readonly Field[] {
  return form.fields.filter((field) => isTooLong(field, textOf(form, field)));
}

/** A form as it is shown now: without fields whose values are too long for it. */
export function shownForm(form: Form, subject: Subject, { tag }: Language): ShownForm {
  const tooLong = fieldsTooLong(form);
  const hashes = form.fields.map((field) =>
    tooLong.includes(field) ? NOT_SHOWN : hashOf(textOf(form, field)),
  );
  return { ...subject, tag, hashes };
}

/**
 * A form for Discord.
 *
 * @param name the beginning of its custom id
 * @param title shown as it stands
 * @param filled what stands in it; left out: what is set
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

/** A person's changes by a form, and the fields as the person saw them. */
export interface Wish {
  readonly wanted: Changed;
  /** Texts of all fields as they were submitted, by their options. */
  readonly submitted: ReadonlyMap<string, string>;
  /** Hash of each field as the person saw it. */
  readonly seen: ReadonlyMap<Field, string>;
}

/**
 * Reads a form: fields that are not as they were shown are wanted so.
 *
 * @param form as it is stored now
 * @param args of the form's custom id
 * @throws {UserError} for a form that is none of ours, and for a field that cannot be read
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

/** Compares a wish with what is stored now: what it changes, and what others have changed. */
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
 * Fields of which the person changed nothing, but others have cleared one that a wanted field needs:
 * it, and all that needs it, as they stood in the form.
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

/** The wish of a person who has seen what others have changed. */
export function havingSeen(wish: Wish, conflicts: readonly Conflict[]): Wish {
  const others = conflicts.map(({ field, theirs }) => [field, hashOf(theirs)] as const);
  return { ...wish, seen: new Map([...wish.seen, ...others]) };
}

/** A wish without what others have changed, nor what needs a field that they have cleared. */
export function withoutConflicts(wish: Wish, conflicts: readonly Conflict[]): Wish {
  const theirs = conflicts.map(({ field }) => field);
  const cleared = conflicts.flatMap(({ field, theirs: text }) => (text === '' ? field.option : []));
  const own = [...wish.wanted].filter(
    ([field]) => !theirs.includes(field) && !cleared.some((option) => option === field.needs),
  );
  return { ...wish, wanted: new Map(own) };
}

/**
 * Changes as the options of a command that makes them.
 *
 * @param resets by option: the name in `reset` of a setting that no text of its option takes back
 */
export function givenBy(
  changed: Changed,
  guildId: string | null,
  resets: Readonly<Record<string, string>>,
): GivenOptions {
  const given = new Map<string, string>();
  for (const [{ option, cleared }, text] of changed) {
    const said = text || cleared;
    if (said !== '') given.set(option, said);
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
