import * as z from 'zod';
import type { Language, LocalizedText } from '../../language/language.ts';
import { EFFECTS, type Effect } from '../../portfolio/trade-context.ts';
import { type InLanguage, textOption } from '../../slash-commands/options.ts';
import { KINDS, type Kind, readText, type Setting, TEXT_LIMIT, USUAL_KINDS } from './setting.ts';
import { listOf, listsGoingOn, meaningOf, typedList, typedName, typedNames } from './typed.ts';

/** Names of records by kind, and of trades and redemptions by their effect on the position. */
const NAMED = [...USUAL_KINDS, ...EFFECTS, 'other'] as const satisfies readonly Named[];
type Named = Kind | Effect;
/** Kinds to announce; null: all but `other`. */
type Kinds = Named[] | null;

/** Effects that each kind of record can have on a position. */
const EFFECTS_OF: Readonly<Record<Kind, readonly Named[]>> = {
  buy: ['opens', 'adds'],
  sell: ['reduces', 'closes'],
  redeem: ['reduces', 'closes'],
  deposit: [],
  withdrawal: [],
  other: [],
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
/** Words that mean both buys and sells, by language; a final s is optional. */
const TRADES = {
  en: 'trades',
  de: 'Trades Handel',
  es: 'operaciones operación',
  fr: 'trades échanges',
  pt: 'operações operação',
  ja: '取引 トレード',
  zh: '交易 买卖',
};
/** Words that mean both deposits and withdrawals, by language. */
const TRANSFERS = {
  en: 'transfers flows',
  // The first word of "Ein- und Auszahlungen".
  de: 'Transfers Zahlungen Ein-',
  es: 'transferencias movimientos',
  fr: 'transferts mouvements',
  pt: 'transferências movimentações movimentação',
  ja: '入出金 送金',
  zh: '转账 充提 出入金',
};
/** Further words for kinds that the interface does not describe, by language. */
const OTHERS = {
  en: 'others unknown',
  de: 'Sonstige Andere',
  es: 'otro otras',
  fr: 'autres',
  pt: 'outro outras',
  ja: '他',
  zh: '其它',
};
/**
 * Kinds by name, in every language: the forms used in sentences and suggestions, and common
 * synonyms in the singular.
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
  // Japanese words of earlier releases.
  ['追加', ['adds']],
  ['縮小', ['reduces']],
  ['決済', ['closes']],
  ...groupNames(TRADES, ['buy', 'sell']),
  ...groupNames(TRANSFERS, ['deposit', 'withdrawal']),
  ...groupNames(OTHERS, ['other']),
]);
/** Names of several words, which splitting a list would break. */
const PHRASES = [...BY_NAME].filter(([name]) => name.includes(' '));
/** Words for "and" in lists, in languages that separate words by spaces. */
const CONJUNCTIONS = new Set(['and', 'und', 'y', 'e', 'et']);

function groupNames(
  byLanguage: Readonly<Record<string, string>>,
  kinds: readonly Named[],
): (readonly [string, readonly Named[]])[] {
  const words = Object.values(byLanguage).flatMap((typed) => typed.split(' '));
  // Each word as written, and without a plural s.
  return words
    .flatMap((word) => [word, word.replace(/s$/, '')])
    .map((word) => [typedName(word), kinds]);
}

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
  form: 'what',
  fields: [
    {
      option: 'kinds',
      control: { kind: 'several', names: ({ texts }) => texts.watch.settings.kind },
      cleared: 'all',
      normal(text) {
        const value = parseKinds(text);
        return value === undefined ? text : (value ?? []).join(', ');
      },
    },
  ],
  say: (value, language) => language.texts.watch.settings.kindsOnly(kindsWords(value, language)),
  /** Records whose effect decides may pass here; see `passesEffect`. */
  passes: (value, { kind }) => [kind, ...EFFECTS_OF[kind]].some((name) => value.includes(name)),
  passesByDefault: ({ kind }) => kind !== 'other',
  columns: { kinds: (value) => value },
  fromFile(cells) {
    const names = cells.list('kinds');
    // Commands accept `all`, and it is the displayed name of the default.
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
 * Whether a record that passed by its kind also passes by its effect.
 *
 * @param effect undefined if unknown; then it passes
 */
export function passesEffect(value: Kinds, kind: Kind, effect: Effect | undefined): boolean {
  if (value === null || value.includes(kind)) return true;
  return effect === undefined || value.includes(effect);
}

/**
 * Reads `buy, sell`, `buys and sells`, `trades`, `Käufe`, `all`, `all, other`.
 *
 * @returns null for all kinds but `other`; undefined if the text cannot be read
 */
export function parseKinds(text: string): Kinds | undefined {
  if (meaningOf(text) === 'everything') return null;
  const spelled = PHRASES.reduce(
    (shown, [phrase, named]) => shown.replaceAll(phrase, named.join(',')),
    typedName(text),
  );
  const words = typedList(spelled).filter((word) => !CONJUNCTIONS.has(word));
  if (words.length === 0) return undefined;
  const chosen = new Set<Named>();
  for (const word of words) {
    const named = namedBy(word);
    if (named === undefined) return undefined;
    for (const kind of named) chosen.add(kind);
  }
  if (!USUAL_KINDS.every((kind) => chosen.has(kind))) {
    return NAMED.filter((kind) => chosen.has(kind));
  }
  return chosen.has('other') ? [...KINDS] : null;
}

/** Returns the kinds that a word (normalized by `typedName`) names; undefined if unknown. */
function namedBy(word: string): readonly Named[] | undefined {
  if (meaningOf(word) === 'everything') return USUAL_KINDS;
  return BY_NAME.get(word) ?? BY_NAME.get(word.replace(/s$/, ''));
}

/** Writes the kinds for a sentence: `buys, sells and redemptions`; null means all but `other`. */
export function kindsWords(value: Kinds, { tag, texts }: Language): string {
  const names = (value ?? USUAL_KINDS).map((kind) => texts.watch.settings.kinds[kind]);
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(names).replace(', and ', ' and ');
}

function suggestKinds(typed: string, { language }: InLanguage) {
  const { watch, names } = language.texts;
  const named = (kind: Named) => ({ name: watch.settings.kind[kind], value: kind });
  if (typed.trim() !== '') return listsGoingOn(typed, NAMED.map(named), watch.comma);
  return [
    { name: names.typed.all, value: 'all' },
    ...STARTS.map((start) => listOf(start.map(named), watch.comma)),
    listOf([{ name: names.typed.all, value: 'all' }, named('other')], watch.comma),
  ];
}
