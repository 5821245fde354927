import { countGraphemes, graphemesOf } from '../../lib/text/cut-text.ts';
import { NAME_WEIGHT, SMALL_WEIGHT, weightOf } from './word-weights.ts';

const ELLIPSIS = '…';
/** Share of the available width above which a word is cut inside. */
const LONG_WORD_SHARE = 0.5;
/** Maximum letters of each name word if they do not all fit in full; tried in this order. */
const NAME_LETTERS_MAX = [8, 6];
/** Minimum letters that are kept of a word that is cut inside. */
const LEAST_LETTERS = 3;
/** Maximum words of a name that are considered. */
const WORDS_MAX = 80;
/**
 * UTF-16 units of a name that are read: a minimum, plus a number for each letter of the available
 * width.
 */
const LEAST_READ = 500;
const READ_PER_LETTER = 4;
/**
 * Additional width for a name that looks like another, in letters or ems. It doubles each time,
 * because a hostile venue's names may differ only at their ends.
 */
const MORE_WIDTH = 4;
/** Scripts that are written without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const JOINTS = /(?<=[-–—_/])(?=\S)/u;
const DIGITS_AT_END = /\p{N}$/u;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The length or width of a text. For two joined texts it is the sum, or slightly less. */
export type Measure = (text: string) => number;

/**
 * Cuts a market's name to a width, as one line of clean text. If the name is too long, the words
 * that identify the market least are left out (`word-weights.ts`), and each gap becomes a …: `Will
 * Ethereum… $5,000… September?`. A word is never left out while a lighter one of its length stays.
 * A word wider than half the space is cut inside; in scripts without spaces the middle is left out
 * first.
 *
 * @param width maximum of the result, in units of `measure`; at least that of …
 * @param measure by default, letters as they are drawn
 */
export function shortName(name: string, width: number, measure: Measure = countGraphemes): string {
  const read = beginningOf(name, width);
  if (measure(read) <= width) return read;
  let target = width;
  while (target > 0) {
    const short = fitted(read, target, measure);
    const excess = measure(short) - width;
    if (excess <= 0) return short;
    target -= excess;
  }
  return ELLIPSIS;
}

/**
 * Cuts the names of one list, each to a width. Names that would look alike get as much extra width
 * as they need to differ; only identical names stay alike.
 *
 * @param given width of each name if it is like no other, in units of `measure`
 */
export function distinctNames(
  names: readonly string[],
  given: readonly number[],
  measure: Measure,
): string[] {
  const widths = [...given];
  const short = names.map((name, index) => shortName(name, widths[index] ?? 1, measure));
  for (let more = MORE_WIDTH; ; more *= 2) {
    const wholeNames = new Map<string, Set<string>>();
    for (const [index, name] of names.entries()) {
      const shown = short[index] ?? '';
      wholeNames.set(shown, (wholeNames.get(shown) ?? new Set()).add(name));
    }
    const isAlike = (shown = '') => (wholeNames.get(shown)?.size ?? 0) > 1;
    const alike = [...names.entries()].filter(([index]) => isAlike(short[index]));
    if (alike.length === 0) return short;
    for (const [index, name] of alike) {
      const wider = (widths[index] ?? 1) + more;
      widths[index] = wider;
      short[index] = shortName(name, wider, measure);
    }
  }
}

interface Word {
  /** The text as shown; changed if the word is cut inside. */
  text: string;
  readonly whole: string;
  /** The space before it, or nothing. */
  readonly glue: string;
  readonly weight: number;
  /** Length of the whole word in units of the measure. */
  readonly length: number;
  /**
   * True for a word that may be cut inside although it is short: it names something and is not a
   * figure.
   */
  readonly mayBeCut: boolean;
  isKept: boolean;
}

/**
 * Shows all names in full, or else cuts all of them a little, or else shows the first ones in full.
 */
function fitted(name: string, width: number, measure: Measure): string {
  const all = wordsOf(name, width, measure);
  const inFull = chosen(all, width, measure, Number.POSITIVE_INFINITY);
  for (const lettersMax of [Number.POSITIVE_INFINITY, ...NAME_LETTERS_MAX]) {
    const words =
      lettersMax === Number.POSITIVE_INFINITY ? inFull : chosen(all, width, measure, lettersMax);
    if (words.every((word) => word.isKept || !word.mayBeCut)) return shown(words);
  }
  return shown(inFull);
}

/**
 * Returns copies of a name's words, with the kept ones marked.
 *
 * @param lettersMax maximum letters of a word that may be cut
 */
function chosen(all: readonly Word[], width: number, measure: Measure, lettersMax: number): Word[] {
  const words = all.map((word) => ({ ...word }));
  const isSpaced = words.slice(1).some(({ glue }) => glue !== '');
  const place = (index: number) => (isSpaced ? index : Math.min(index, words.length - 1 - index));
  const isSmall = ({ weight }: Word) => weight === SMALL_WEIGHT;
  const saying = words.every(isSmall) ? () => true : (word: Word) => !isSmall(word);
  const order = [...words.entries()]
    .filter(([index, word]) => index < WORDS_MAX && saying(word))
    .sort(
      ([a, { weight: first }], [b, { weight: second }]) => second - first || place(a) - place(b),
    );
  const length = keptLength(words, measure);
  for (const [index, word] of order) {
    const text = textWithin(word, width, width - length.with(index), measure, {
      isOnly: words.length === 1,
      lettersMax,
    });
    if (text === undefined) continue;
    word.text = text;
    length.add(index);
  }
  const fits = () => measure(shown(words)) <= width;
  for (const word of words.filter(({ isKept, text, whole }) => isKept && text !== whole)) {
    const { text } = word;
    const left = width - measure(shown(words)) + measure(text);
    word.text = word.whole;
    if (!fits()) word.text = startOfWord(word.whole, left, measure) ?? text;
  }
  closeHoles(words, fits);
  return words;
}

/** Returns a word as shown, whole or cut inside; undefined if it does not fit. */
function textWithin(
  word: Word,
  width: number,
  left: number,
  measure: Measure,
  { isOnly, lettersMax }: { readonly isOnly: boolean; readonly lettersMax: number },
): string | undefined {
  const { whole } = word;
  if (isOnly) return startOfWord(whole, left, measure, 1);
  const short =
    word.mayBeCut && countGraphemes(whole) > lettersMax + 1
      ? graphemesOf(whole).slice(0, lettersMax).join('') + ELLIPSIS
      : whole;
  if ((short === whole ? word.length : measure(short)) <= left) return short;
  if (word.length <= width * LONG_WORD_SHARE && !word.mayBeCut) return undefined;
  return startOfWord(whole, Math.min(left, width * LONG_WORD_SHARE), measure);
}

/** Keeps small words if all of a gap fits, because they mean nothing by themselves. */
function closeHoles(words: readonly Word[], fits: () => boolean): void {
  let hole: Word[] = [];
  const close = () => {
    if (hole.length === 0 || hole.some(({ weight }) => weight !== SMALL_WEIGHT)) return;
    for (const word of hole) word.isKept = true;
    if (fits()) return;
    for (const word of hole) word.isKept = false;
  };
  for (const word of words) {
    if (word.isKept) {
      close();
      hole = [];
    } else hole.push(word);
  }
  close();
}

/** Returns the part of a name that is read, because a name may be megabytes long. */
function beginningOf(name: string, width: number): string {
  const length = LEAST_READ + READ_PER_LETTER * width;
  if (name.length <= length) return name;
  return name.slice(0, length).replace(/[\ud800-\udbff]$/, '') + ELLIPSIS;
}

/** Returns the words of a name; a word that is too long is split into its parts, if it has any. */
function wordsOf(name: string, width: number, measure: Measure): Word[] {
  const spaced = name.split(' ', WORDS_MAX + 1);
  const parts = spaced.flatMap((word) => {
    const isLong = measure(word) > width * LONG_WORD_SHARE;
    return (isLong ? partsOfLong(word) : [word]).map((text, index) => ({
      text,
      glue: index === 0 ? ' ' : '',
    }));
  });
  return parts.slice(0, WORDS_MAX + 1).map(({ text, glue }, index) => {
    const weight = weightOf(text, index === 0);
    return {
      text,
      whole: text,
      glue: index === 0 ? '' : glue,
      weight,
      length: measure(text),
      mayBeCut: weight >= NAME_WEIGHT && !/\p{N}/u.test(text),
      isKept: false,
    };
  });
}

function partsOfLong(word: string): string[] {
  if (!UNSPACED.test(word)) return word.split(JOINTS);
  const parts: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(word)) {
    const last = parts.at(-1);
    // A mark belongs to the preceding word, a unit to its number: 11万, 10月.
    const isUnit = last !== undefined && DIGITS_AT_END.test(last) && !/\p{N}/u.test(segment);
    if (last !== undefined && (isWordLike !== true || isUnit)) parts[parts.length - 1] += segment;
    else parts.push(segment);
  }
  return parts;
}

/** Tracks the length of the kept words and their gaps without joining them. */
function keptLength(words: readonly Word[], measure: Measure) {
  const hole = measure(ELLIPSIS);
  const space = measure(' ');
  const glueOf = (index: number) => (words[index]?.glue === ' ' ? space : 0);
  const last = words.length - 1;
  let length = hole;
  let first = words.length;
  const lengthWith = (index: number): number => {
    const glueOfFirst = index < first ? glueOf(first) : 0;
    const glue = index > first ? glueOf(index) : 0;
    return length + (holesAround(index) - 1) * hole + glue + glueOfFirst;
  };
  const holesAround = (index: number): number =>
    Number(index > 0 && words[index - 1]?.isKept !== true) +
    Number(index < last && words[index + 1]?.isKept !== true);
  return {
    /** Returns the length of the rest if this word is kept, without the word itself. */
    with: lengthWith,
    add: (index: number): void => {
      const word = words[index];
      if (word === undefined) return;
      length = lengthWith(index) + (word.text === word.whole ? word.length : measure(word.text));
      first = Math.min(first, index);
      word.isKept = true;
    },
  };
}

/** Joins the kept words, with … for each gap; “vs.…” would read as four dots. */
function shown(words: readonly Word[]): string {
  let text = '';
  let isHole = false;
  const closed = (open: string) =>
    open.endsWith(ELLIPSIS) ? open : open.replace(/[.,:;]$/, '') + ELLIPSIS;
  for (const word of words) {
    if (!word.isKept) {
      isHole = true;
      continue;
    }
    const before = isHole ? closed(text) : text;
    text = before + (text === '' ? '' : word.glue) + word.text;
    isHole = false;
  }
  return isHole ? closed(text) : text;
}

/** Returns the first letters of a word, and …; undefined if too few fit. */
function startOfWord(
  word: string,
  width: number,
  measure: Measure,
  leastLetters = LEAST_LETTERS,
): string | undefined {
  let start = '';
  let count = 0;
  let left = width - measure(ELLIPSIS);
  for (const letter of graphemesOf(word)) {
    left -= measure(letter);
    if (left < 0) break;
    start += letter;
    count += 1;
  }
  if (count < leastLetters) return undefined;
  return start.replace(/[.,:;]$/, '') + ELLIPSIS;
}
