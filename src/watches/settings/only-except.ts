import * as z from 'zod';
import { ENGLISH, type Language, type LocalizedText } from '../../language/language.ts';
import type { Texts } from '../../language/texts.ts';
import type { Market } from '../../portfolio/market.ts';
import { type InLanguage, textOption } from '../../slash-commands/options.ts';
import type { Choice } from '../../slash-commands/slash-command.ts';
import { linesIn } from './field.ts';
import { readText, type Setting, TEXT_LIMIT } from './setting.ts';
import { fitting, isNothing, typedName, typedNames } from './typed.ts';

/** Names in lower case: only what they name is announced, or all but that; null: everything is. */
export type OnlyExcept = { mode: 'only' | 'except'; names: string[] } | null;

/** Particulars of a setting that names what is announced, or what is not. */
interface Naming {
  readonly option: 'markets' | 'words';
  readonly columns: { readonly only: string; readonly except: string };
  /** Most names that one watch may have. */
  readonly most: number;
  /** Characters of a name. */
  readonly longest: number;
  readonly separator: RegExp;
  /** Tell whether a name can be typed, and whether a file may hold it. */
  readonly isTyped: (name: string) => boolean;
  readonly isFiled: (name: string) => boolean;
  /** Tells whether any of the names is of the item's market; null: nobody can tell. */
  readonly isNamed: (names: readonly string[], item: Market) => boolean | null;
  /** A name as it can stand where markdown is read. */
  readonly show: (name: string, language: Language) => string;
  /** Says what a file's column takes. */
  readonly filed: (accepted: Texts['files']['accepted']) => string;
}

/** A setting that is typed as `only: one, two`, `except: one`, `one, two` for `only`, or `any`. */
export function onlyExcept(naming: Naming) {
  const { option, columns, most, longest } = naming;
  const takes: LocalizedText = ({ texts }) => texts.watch.settings.accepted[option](most);
  const column = (mode: 'only' | 'except') => (value: OnlyExcept) =>
    value?.mode === mode ? value.names : null;

  /** @returns null for all; undefined if the text is something else */
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
          // A file may bring names that cannot be typed: as they stand they are no change.
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

  /** Tells whether an item passes; one without a market does. */
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

/** A typed name as names are compared: in lower case, with single spaces. */
function plainName(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

const MODES = typedNames(({ texts: { names } }) => [
  [names.typed.only, 'only' as const],
  [names.typed.except, 'except' as const],
]);

/**
 * The mode that a text begins with, in any language before a colon, undefined without one, and the
 * list behind it.
 */
export function typedMode(text: string) {
  const whole = text.trim();
  const found = /^(only|except)(?=\s|$)|^([\p{L}\p{M}]+)\s*[:：]/iu.exec(whole);
  const [typed, word = ''] = found?.filter(Boolean) ?? [];
  const mode = MODES.get(typedName(word));
  if (mode === undefined) return { mode, list: whole };
  return { mode, list: whole.slice(typed?.length) };
}

/** Names as they are read back where they are typed. */
export function onlyExceptText(value: OnlyExcept, { texts: { names } } = ENGLISH): string {
  if (value === null) return names.typed.any;
  return `${names.typed[value.mode]}: ${value.names.join(', ')}`;
}

export function choiceOf(value: OnlyExcept, language: Language): Choice {
  return { name: onlyExceptText(value, language), value: onlyExceptText(value) };
}

/**
 * Parts of a list as they are shown.
 *
 * @param all how many there are; the others are counted
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
