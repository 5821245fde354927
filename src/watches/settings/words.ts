import { inlineCode } from '../../embeds/text/escape.ts';
import type { Language } from '../../language/language.ts';
import type { Market } from '../../portfolio/market.ts';
import type { Choice } from '../../slash-commands/slash-command.ts';
import { choiceOf, onlyExcept, typedMode } from './only-except.ts';
import { fitting } from './typed.ts';

/** Words that one watch, or a channel, can name. */
export const WORDS_LIMIT = 20;
/** The longest word or phrase, in characters. */
export const WORD_LIMIT = 60;
/** Characters of a title or slug in which words are looked for. */
const TEXT_LIMIT = 1_000;
/**
 * A word. Where words have no spaces, or people hang endings on them (Chinese, Japanese, Korean,
 * Thai and neighbours), each character is one, so that names are found anywhere; but katakana,
 * which mark names, are words as they stand.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]|[\p{sc=Kana}ー]+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Kana}ー])[\p{L}\p{N}\p{M}])+/gu;

/** Words that are suggested: with fewer letters they mostly say nothing. */
const SUGGESTED_LEAST = 3;
/** Nor do these, which the titles of many markets have. */
const FILLERS = new Set([
  ...['will', 'the', 'this', 'that', 'these', 'those', 'and', 'for', 'from', 'with', 'than'],
  ...['above', 'below', 'over', 'under', 'before', 'after', 'between', 'more', 'less', 'any'],
  ...['who', 'what', 'which', 'when'],
]);
/**
 * A word that more than half of so many markets share says nothing either, unless somebody types
 * it.
 */
const MARKETS_COMPARED = 4;
// `$100,000` is one.
const SEPARATOR = /[;\n、，；]|(?<!\d),|,(?!\d{3}(?!\d))/;

type Titled = Pick<Market, 'marketTitle' | 'eventSlug'>;

/**
 * Words and phrases of a market's title or its event's slug: `only: nba, lakers`. Whole words
 * count, in any case, with any accents. A trade without title and slug passes, as the unknown does;
 * so do transfers, which have no market.
 */
export const {
  row: words,
  parse: parseWords,
  passes: passesWords,
  suggest,
} = onlyExcept({
  option: 'words',
  columns: { only: 'onlyWords', except: 'exceptWords' },
  most: WORDS_LIMIT,
  longest: WORD_LIMIT,
  separator: SEPARATOR,
  isTyped: (name) => wordsIn(name).length > 0,
  isFiled: (name) => wordsIn(name).length > 0,
  isNamed(names, item) {
    const text = searched(item);
    return /^[ |]*$/.test(text) ? null : names.some((name) => text.includes(spaced(name)));
  },
  show: (name) => inlineCode(name, WORD_LIMIT),
  filed: ({ words: accepted }) => accepted(WORD_LIMIT),
});

/** The words of a text, without accents and case; `U.S.` and `J.D.` are `us` and `jd`. */
export function wordsIn(text: string): string[] {
  const plain = text
    .slice(0, TEXT_LIMIT)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Cf}]/gu, '')
    .replace(/(?<=(?<![\p{L}\p{N}])\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu, '');
  return plain.toUpperCase().toLowerCase().normalize('NFC').match(WORD) ?? [];
}

/** Those of the words and phrases that are in none of these markets. */
export function wordsNotIn(names: readonly string[], markets: Iterable<Titled>): string[] {
  const texts = [...markets].map(searched);
  return names.filter((name) => !texts.some((text) => text.includes(spaced(name))));
}

/**
 * Lists that begin with what was typed so far, and end with a word of these markets, the commonest
 * first.
 */
export function suggestWords(
  typed: string,
  markets: readonly Titled[],
  language: Language,
): Choice[] {
  const { mode, list } = typedMode(typed);
  const begun = list.split(SEPARATOR).map((name) => name.trim());
  const last = wordsIn(begun.pop() ?? '').join(' ');
  const counts = new Map<string, number>();
  for (const market of markets) {
    const words = new Set(wordsIn(`${market.marketTitle} ${market.eventSlug}`));
    for (const word of words) {
      const isLong = word.length >= SUGGESTED_LEAST && /\p{L}/u.test(word);
      if (isLong) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const isTelling = (word: string, count: number) => {
    if (last !== '') return true;
    if (FILLERS.has(word)) return false;
    return markets.length < MARKETS_COMPARED || 2 * count <= markets.length;
  };
  const found = [...counts].filter(
    ([word, count]) => word.startsWith(last) && !begun.includes(word) && isTelling(word, count),
  );
  found.sort(([, a], [, b]) => b - a);
  const modes = mode === undefined ? (['only', 'except'] as const) : [mode];
  const choices = found.flatMap(([word]) =>
    modes.map((chosen) => choiceOf({ mode: chosen, names: [...begun, word] }, language)),
  );
  const accepted = fitting(choices).filter(({ value }) => parseWords(value) !== undefined);
  const typedSoFar = suggest(typed, { language });
  const isNew = ({ value }: Choice) => typedSoFar.every((choice) => choice.value !== value);
  return [...typedSoFar, ...accepted.filter(isNew)];
}

/** No phrase goes over the end of the title. */
function searched({ marketTitle, eventSlug }: Titled): string {
  return [marketTitle, eventSlug].map(spaced).join('|');
}

function spaced(text: string): string {
  return ` ${wordsIn(text).join(' ')} `;
}
