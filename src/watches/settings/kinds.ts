import * as z from 'zod';
import type { Language, LocalizedText } from '../../language/language.ts';
import { KINDS, type Kind } from '../watched-item.ts';
import { readText, type Setting, suggested } from './setting.ts';
import { listOf, listsGoingOn, same, typedList, typedName, typedNames } from './typed.ts';

/** Kinds that are announced; null: all, unknown ones included. */
type Kinds = Kind[] | null;

const STARTS: readonly (readonly Kind[])[] = [
  ['buy', 'sell'],
  ['buy'],
  ['sell'],
  ['buy', 'sell', 'redeem'],
  ['deposit', 'withdrawal'],
  ['redeem'],
];
/** In every language, the forms of sentences and of suggestions; and what people also call them, in the singular. */
const BY_NAME: ReadonlyMap<string, readonly Kind[]> = new Map([
  ...typedNames<readonly Kind[]>(({ texts: { watch } }) =>
    KINDS.flatMap((kind) => [watch.settings.kind[kind], watch.settings.kinds[kind]].map((name) => [name, [kind]])),
  ),
  ['redemption', ['redeem']],
  ['withdraw', ['withdrawal']],
  ['trade', ['buy', 'sell']],
  ['transfer', ['deposit', 'withdrawal']],
  ['flow', ['deposit', 'withdrawal']],
]);
/** "and" in lists, as the languages write it that put spaces around it. */
const CONJUNCTIONS = new Set(['and', 'und', 'y', 'e', 'et']);

const takes: LocalizedText = ({ texts: { watch } }) =>
  watch.settings.accepted.kinds(KINDS.map((kind) => `\`${watch.settings.kind[kind]}\``).join(watch.comma));

export const kinds: Setting<Kinds> = {
  schema: z.array(z.enum(KINDS)).min(1).nullable().default(null),
  options: [suggested('kinds', ({ settings }) => settings.kinds, suggestKinds)],
  isOnAdd: true,
  isFilter: true,
  read: (given, present) => readText(given, 'kinds', parseKinds, takes, present),
  say: (value, language) => language.texts.watch.settings.kindsOnly(kindsWords(value, language)),
  passes: (value, { kind }) => kind !== undefined && value.includes(kind),
  columns: { kinds: (value) => value },
  fromFile(cells) {
    const named = cells.list('kinds').map((name) => {
      const kind = KINDS.find((candidate) => candidate === name.toLowerCase());
      if (kind === undefined) throw cells.unacceptable('kinds', name, (accepted) => accepted.kinds(KINDS.join(', ')));
      return kind;
    });
    return named.length === 0 ? null : [...new Set(named)];
  },
};

/**
 * Reads kinds as people type them: `buy, sell`, `buys and sells`, `trades`, `Käufe, Verkäufe`, `all`.
 *
 * @returns null for all kinds; undefined if the text is something else
 */
export function parseKinds(text: string): Kinds | undefined {
  if (/^(all|any)$/i.test(text.trim())) return null;
  const words = typedList(text)
    .map(typedName)
    .filter((word) => !CONJUNCTIONS.has(word));
  const named = words.map((word) => BY_NAME.get(word) ?? BY_NAME.get(word.replace(/s$/, '')));
  if (named.length === 0 || named.includes(undefined)) return undefined;
  const chosen = new Set(named.flatMap((kindsOfWord) => kindsOfWord ?? []));
  return chosen.size === KINDS.length ? null : KINDS.filter((kind) => chosen.has(kind));
}

/** The kinds in a sentence: `buys, sells and redemptions`; null stands for all of them. */
export function kindsWords(value: Kinds, { tag, texts }: Language): string {
  const names = (value ?? KINDS).map((kind) => texts.watch.settings.kinds[kind]);
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(names).replace(', and ', ' and ');
}

function suggestKinds(typed: string, { texts: { watch } }: Language) {
  const named = (kind: Kind) => ({ name: watch.settings.kind[kind], value: kind });
  if (typed.trim() !== '') return listsGoingOn(typed, KINDS.map(named), watch.comma);
  return [same('all'), ...STARTS.map((start) => listOf(start.map(named), watch.comma))];
}
