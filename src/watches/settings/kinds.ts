import * as z from 'zod';
import type { Language, LocalizedText } from '../../language/language.ts';
import { EFFECTS, type Effect } from '../../portfolio/trade-context.ts';
import { type InLanguage, textOption } from '../../slash-commands/options.ts';
import { KINDS, type Kind, readText, type Setting, TEXT_LIMIT } from './setting.ts';
import { listOf, listsGoingOn, meaningOf, typedList, typedName, typedNames } from './typed.ts';

/**
 * Names of records by their kind, and of trades and redemptions by their effect on the position.
 */
const NAMED = [...KINDS, ...EFFECTS] as const;
type Named = Kind | Effect;
/** Kinds that are announced; null: all, unknown ones included. */
type Kinds = Named[] | null;

/** Effects that each kind of record can have on a position. */
const EFFECTS_OF: Readonly<Record<Kind, readonly Named[]>> = {
  buy: ['opens', 'adds'],
  sell: ['reduces', 'closes'],
  redeem: ['reduces', 'closes'],
  deposit: [],
  withdrawal: [],
};
const STARTS: readonly (readonly Named[])[] = [
  ['buy', 'sell'],
  ['opens', 'closes'],
  ['buy'],
  ['sell'],
  ['buy', 'sell', 'redeem'],
  ['deposit', 'withdrawal'],
  ['redeem'],
];
/**
 * In every language, the forms of sentences and of suggestions; and what people also call them, in
 * the singular.
 */
const BY_NAME: ReadonlyMap<string, readonly Named[]> = new Map([
  ...typedNames<readonly Named[]>(({ texts }) => {
    const { kind: singular, kinds: plural } = texts.watch.settings;
    return NAMED.flatMap((kind) => [
      [singular[kind], [kind]],
      [plural[kind], [kind]],
    ]);
  }),
  ['redemption', ['redeem']],
  ['withdraw', ['withdrawal']],
  ['open', ['opens']],
  ['add', ['adds']],
  ['reduce', ['reduces']],
  ['close', ['closes']],
  ['trade', ['buy', 'sell']],
  ['transfer', ['deposit', 'withdrawal']],
  ['flow', ['deposit', 'withdrawal']],
]);
/** "and" in lists, as the languages write it that put spaces around it. */
const CONJUNCTIONS = new Set(['and', 'und', 'y', 'e', 'et']);

const takes: LocalizedText = ({ texts }) => {
  const { settings, comma } = texts.watch;
  const names = NAMED.map((kind) => `\`${settings.kind[kind]}\``);
  return settings.accepted.kinds(names.join(comma));
};

export const kinds: Setting<Kinds> = {
  schema: z.array(z.enum(NAMED)).min(1).nullable().default(null),
  options: [textOption('kinds', ({ settings }) => settings.kinds, TEXT_LIMIT, suggestKinds)],
  read: (given) => readText(given, 'kinds', parseKinds, takes),
  typed: (value) => ({ kinds: value.join(', ') }),
  say: (value, language) => language.texts.watch.settings.kindsOnly(kindsWords(value, language)),
  /** A record whose effect decides may pass here: see `passesEffect`. */
  passes(value, { kind }) {
    if (kind === undefined) return false;
    return [kind, ...EFFECTS_OF[kind]].some((name) => value.includes(name));
  },
  columns: { kinds: (value) => value },
  fromFile(cells) {
    const names = cells.list('kinds');
    // As commands have it, and as the default is called.
    if (names.length === 1 && names[0]?.toLowerCase() === 'all') return null;
    const named = names.map((name) => {
      const kind = NAMED.find((candidate) => candidate === name.toLowerCase());
      if (kind !== undefined) return kind;
      throw cells.unacceptable('kinds', name, (accepted) => accepted.kinds(NAMED.join(', ')));
    });
    return named.length === 0 ? null : [...new Set(named)];
  },
};

/**
 * Tells whether trades that pass by their kind pass by their effect. @param effect undefined if
 * unknown: they pass
 */
export function passesEffect(
  value: Kinds,
  kind: Kind | undefined,
  effect: Effect | undefined,
): boolean {
  if (value === null || kind === undefined || value.includes(kind)) return true;
  return effect === undefined || value.includes(effect);
}

/**
 * Reads `buy, sell`, `buys and sells`, `trades`, `Käufe`, `all`. @returns null: all kinds;
 * undefined: other texts
 */
export function parseKinds(text: string): Kinds | undefined {
  if (meaningOf(text) === 'everything') return null;
  const words = typedList(text)
    .map(typedName)
    .filter((word) => !CONJUNCTIONS.has(word));
  if (words.length === 0) return undefined;
  const chosen = new Set<Named>();
  for (const word of words) {
    const named = BY_NAME.get(word) ?? BY_NAME.get(word.replace(/s$/, ''));
    if (named === undefined) return undefined;
    for (const kind of named) chosen.add(kind);
  }
  if (KINDS.every((kind) => chosen.has(kind))) return null;
  return NAMED.filter((kind) => chosen.has(kind));
}

/** The kinds in a sentence: `buys, sells and redemptions`; null stands for all of them. */
export function kindsWords(value: Kinds, { tag, texts }: Language): string {
  const names = (value ?? KINDS).map((kind) => texts.watch.settings.kinds[kind]);
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(names).replace(', and ', ' and ');
}

function suggestKinds(typed: string, { language }: InLanguage) {
  const { watch, names } = language.texts;
  const named = (kind: Named) => ({ name: watch.settings.kind[kind], value: kind });
  if (typed.trim() !== '') return listsGoingOn(typed, NAMED.map(named), watch.comma);
  return [
    { name: names.typed.all, value: 'all' },
    ...STARTS.map((start) => listOf(start.map(named), watch.comma)),
  ];
}
