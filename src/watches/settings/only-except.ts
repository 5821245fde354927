import * as z from 'zod';
import { ENGLISH, type Language, type LocalizedText } from '../../language/language.ts';
import type { Texts } from '../../language/texts.ts';
import type { Market } from '../../portfolio/market.ts';
import { type InLanguage, textOption } from '../../slash-commands/options.ts';
import type { Choice } from '../../slash-commands/slash-command.ts';
import { linesIn } from './field.ts';
import { readText, type Setting, TEXT_LIMIT } from './setting.ts';
import { fitting, isNothing, typedName, typedNames } from './typed.ts';

/** Names in lower case: only matching markets are announced, or all others; null: everything is. */
type OnlyExcept = { mode: 'only' | 'except'; names: string[] } | null;

/** Definition of a setting that names what to announce or to exclude. */
interface Naming {
  readonly option: 'markets' | 'words';
  readonly columns: { readonly only: string; readonly except: string };
  /** Maximum number of names per watch. */
  readonly most: number;
  /** Maximum characters of a name. */
  readonly longest: number;
  readonly separator: RegExp;
  /** Whether a name can be typed, and whether a file may contain it. */
  readonly isTyped: (name: string) => boolean;
  readonly isFiled: (name: string) => boolean;
  /** Whether any of the names matches the item's market; null if unknown. */
  readonly isNamed: (names: readonly string[], item: Market) => boolean | null;
  /** Returns a name escaped for markdown. */
  readonly show: (name: string, language: Language) => string;
  /** Text that says what the file's column accepts. */
  readonly filed: (accepted: Texts['files']['accepted']) => string;
}

/**
 * Creates a setting that is typed as `only: one, two`, `except: one`, `any`, or `one, two` (which
 * means `only`).
 */
export function onlyExcept(naming: Naming) {
  const { option, columns, most, longest } = naming;
  const takes: LocalizedText = ({ texts }) => texts.watch.settings.accepted[option](most);
  const column = (mode: 'only' | 'except') => (value: OnlyExcept) =>
    value?.mode === mode ? value.names : null;

  /** @returns null for all; undefined if the text cannot be read */
  const parse = (text: string): OnlyExcept | undefined => {
    if (isNothing(text)) return null;
    const { mode = 'only', list } = typedMode(text);
    const typed = list.split(naming.separator).map(plainName);
    const names = [...new Set(typed)].filter((name) => name !== '');
    const isRight = names.every((name) => name.length <= longest && naming.isTyped(name));
    if (names.length === 0 || names.length > most || !isRight) return undefined;
    return { mode, names };
  };

  const named = z.array(z.string().min(1).max(longest)).min(1).max(most);
  const row: Setting<OnlyExcept> = {
    schema: z
      .object({ mode: z.enum(['only', 'except']), names: named })
      .nullable()
      .default(null),
    options: [textOption(option, ({ settings }) => settings[option], TEXT_LIMIT, suggest)],
    read: (given) => readText(given, option, parse, takes),
    typed: (value) => ({ [option]: onlyExceptText(value) }),
    form: 'markets',
    fields: [
      {
        option,
        control: { kind: 'list', mode: (text) => typedMode(text).mode, names: namesOf },
        cleared: 'any',
        normal(text) {
          const value = parse(text);
          // A file may bring names that cannot be typed. Left as they are, they are not a change.
          if (value === undefined) return linesIn(text).join(', ');
          return value === null ? '' : onlyExceptText(value);
        },
      },
    ],
    say({ mode, names }, language, namesShown) {
      const { settings } = language.texts.watch;
      const named = names.slice(0, namesShown).map((name) => naming.show(name, language));
      const listed = listedOf(named, names.length, language);
      if (mode === 'only') return settings[`${option}Only`](listed);
      return settings[`${option}Except`](listed);
    },
    passes: (value, { activity }) => passes(value, activity),
    columns: { [columns.only]: column('only'), [columns.except]: column('except') },
    fromFile(cells) {
      const namesIn = (name: string) => {
        const listed = cells.list(name).map((one) => one.toLowerCase());
        return [...new Set(listed)];
      };
      const only = namesIn(columns.only);
      const except = namesIn(columns.except);
      if (only.length > 0 && except.length > 0) {
        throw cells.fault(({ bothListed }) => bothListed(columns.only, columns.except));
      }
      const mode = only.length > 0 ? 'only' : 'except';
      const names = mode === 'only' ? only : except;
      if (names.length > most) {
        throw cells.fault(({ tooManyListed }) => tooManyListed(columns[mode], names.length, most));
      }
      const wrong = names.find((name) => name.length > longest || !naming.isFiled(name));
      if (wrong !== undefined) throw cells.unacceptable(columns[mode], wrong, naming.filed);
      return names.length === 0 ? null : { mode, names };
    },
  };

  function namesOf(text: string): readonly string[] {
    if (text === '') return [];
    return parse(text)?.names ?? typedMode(text).list.split(', ');
  }

  /** Whether an item passes; an item without a market does. */
  function passes(value: OnlyExcept, item: Market | null): boolean {
    if (value === null || item === null) return true;
    const isNamed = naming.isNamed(value.names, item);
    return isNamed === null || isNamed === (value.mode === 'only');
  }

  function suggest(typed: string, { language }: InLanguage) {
    const named = typed.trim() === '' ? null : parse(typed);
    if (named === undefined) return [];
    if (named === null) return fitting([choiceOf(null, language)]);
    const otherMode = named.mode === 'only' ? 'except' : 'only';
    const other: OnlyExcept = { ...named, mode: otherMode };
    return fitting([choiceOf(named, language), choiceOf(other, language)]);
  }

  return { row, parse, passes, suggest };
}

/** Normalizes a typed name for comparison: lower case, single spaces. */
function plainName(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

const MODES = typedNames(({ texts: { names } }) => [
  [names.typed.only, 'only' as const],
  [names.typed.except, 'except' as const],
]);

/**
 * Splits a text into the mode that it begins with (in any language before a colon; undefined
 * without one) and the list after it.
 */
export function typedMode(text: string) {
  const whole = text.trim();
  const found = /^(only|except)(?=\s|$)|^([\p{L}\p{M}]+)\s*[:：]/iu.exec(whole);
  const [typed, word = ''] = found?.filter(Boolean) ?? [];
  const mode = MODES.get(typedName(word));
  if (mode === undefined) return { mode, list: whole };
  return { mode, list: whole.slice(typed?.length) };
}

/** Writes names so that they can be typed again. */
export function onlyExceptText(value: OnlyExcept, { texts: { names } } = ENGLISH): string {
  if (value === null) return names.typed.any;
  return `${names.typed[value.mode]}: ${value.names.join(', ')}`;
}

export function choiceOf(value: OnlyExcept, language: Language): Choice {
  return { name: onlyExceptText(value, language), value: onlyExceptText(value) };
}

/**
 * Joins the shown items of a list, with the number of the others.
 *
 * @param all number of items in the whole list
 */
export function listedOf(
  shown: readonly string[],
  all: number,
  { texts: { watch } }: Language,
): string {
  const listed = shown.join(watch.comma);
  if (all <= shown.length) return listed;
  return watch.andMore(listed, all - shown.length);
}
