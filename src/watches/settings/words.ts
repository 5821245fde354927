import { inlineCode } from '../../embeds/text/escape.ts';
import type { Language } from '../../language/language.ts';
import type { Market } from '../../portfolio/market.ts';
import type { Choice } from '../../slash-commands/slash-command.ts';
import { choiceOf, onlyExcept, typedMode } from './only-except.ts';
import { fitting } from './typed.ts';

/** Maximum number of words for one watch or channel. */
export const WORDS_LIMIT = 20;
/** Maximum length of a word or phrase, in characters. */
export const WORD_LIMIT = 60;
/** Characters of a title or slug that are searched. */
const TEXT_LIMIT = 1_000;
/**
 * One word. In scripts without spaces or with attached endings (Chinese, Japanese, Korean, Thai and
 * neighbors) each character is a word, so that names are found anywhere. Runs of katakana, which
 * mark names, are whole words.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]|[\p{sc=Kana}ー]+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Kana}ー])[\p{L}\p{N}\p{M}])+/gu;

/** Minimum length of a suggested word, in letters; shorter ones are rarely useful. */
const SUGGESTED_LEAST = 3;
/** Common words in market titles, which are not suggested. */
const FILLERS = new Set([
  ...['will', 'the', 'this', 'that', 'these', 'those', 'and', 'for', 'from', 'with', 'than'],
  ...['above', 'below', 'over', 'under', 'before', 'after', 'between', 'more', 'less', 'any'],
  ...['who', 'what', 'which', 'when'],
]);
/**
 * From this many markets on, a word that more than half of them share is suggested only once the
 * person begins to type it.
 */
const MARKETS_COMPARED = 4;
// Keeps `$100,000` whole.
const SEPARATOR = /[;\n、，；]|(?<!\d),|,(?!\d{3}(?!\d))/;

type Titled = Pick<Market, 'marketTitle' | 'eventSlug'>;

/**
 * Filter by words and phrases in a market's title or its event's slug: `only: nba, lakers`. It
 * matches whole words and ignores case and accents. Trades without title and slug pass because
 * nothing is known of them; so do transfers, which have no market.
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

/**
 * Returns the words of a text, without accents and case; `U.S.` and `J.D.` become `us` and `jd`.
 */
export function wordsIn(text: string): string[] {
  const plain = text
    .slice(0, TEXT_LIMIT)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Cf}]/gu, '')
    .replace(/(?<=(?<![\p{L}\p{N}])\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu, '');
  return plain.toUpperCase().toLowerCase().normalize('NFC').match(WORD) ?? [];
}

/** Returns the words and phrases that occur in none of these markets. */
export function wordsNotIn(names: readonly string[], markets: Iterable<Titled>): string[] {
  const texts = [...markets].map(searched);
  return names.filter((name) => !texts.some((text) => text.includes(spaced(name))));
}

/**
 * Suggests lists that continue the typed text with a word of these markets, most frequent first.
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
  const isDistinctive = (word: string, count: number) => {
    if (last !== '') return true;
    if (FILLERS.has(word)) return false;
    return markets.length < MARKETS_COMPARED || 2 * count <= markets.length;
  };
  const found = [...counts].filter(
    ([word, count]) => word.startsWith(last) && !begun.includes(word) && isDistinctive(word, count),
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

/** The separator keeps phrases from spanning title and slug. */
function searched({ marketTitle, eventSlug }: Titled): string {
  return [marketTitle, eventSlug].map(spaced).join('|');
}

function spaced(text: string): string {
  return ` ${wordsIn(text).join(' ')} `;
}
