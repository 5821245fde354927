import { graphemesOf } from '../../lib/text/cut-text.ts';
import { NAME_WEIGHT, SMALL_WEIGHT, weightOf } from './word-weights.ts';

const ELLIPSIS = '…';
/** Share of the room above which a word is cut inside. */
const LONG_WORD_SHARE = 0.5;
/** Letters of each name where they do not all fit in full: tried one after the other. */
const NAME_LETTERS_MAX = [8, 6];
/** Letters that are kept of a word that is cut inside, at least. */
const LEAST_LETTERS = 3;
/** Words of a name that are looked at. */
const WORDS_MAX = 80;
/** UTF-16 units of a name that are read: so many, and so many more for each letter of the room. */
const LEAST_READ = 500;
const READ_PER_ROOM = 4;
/**
 * Room that a name gets where it is like another, letters or ems; twice as much each time it still
 * is, because a hostile venue's names may differ at their ends alone.
 */
const MORE_ROOM = 4;
/** Scripts that are written without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Texts of which every character is one letter. */
const PLAIN = /^[ -~\u00a0-\u024f\u2010-\u2027\u20a0-\u20bf\u2190-\u22ff]*$/;
const JOINTS = /(?<=[-–—_/])(?=\S)/u;
const DIGITS_AT_END = /\p{N}$/u;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The length or width of a text. Of two texts joined it is that of both, or a little less. */
export type Measure = (text: string) => number;

/**
 * A market's name within a room, one line of clean text. Where it is too long the words that say
 * least about which market it is are left out (`word-weights.ts`), and each hole is a …:
 * `Will Ethereum… $5,000… September?`. No word goes while a lighter one of its length stays. A word
 * of more than half the room is cut inside; in scripts without spaces the middle goes first.
 *
 * @param room of the result, as `measure` counts; at least that of …
 * @param measure by default letters as they are drawn
 */
export function shortName(name: string, room: number, measure: Measure = lettersIn): string {
  const read = beginningOf(name, room);
  if (measure(read) <= room) return read;
  let target = room;
  while (target > 0) {
    const short = fitted(read, target, measure);
    const excess = measure(short) - room;
    if (excess <= 0) return short;
    target -= excess;
  }
  return ELLIPSIS;
}

/**
 * Names of one list within a room each. Names that would read alike get more room, as much as they
 * need to differ; only names that are the same as a whole stay alike.
 *
 * @param room of a name that is like no other, as `measure` counts: one for all, or one for each
 */
export function distinctNames(
  names: readonly string[],
  room: number | readonly number[],
  measure: Measure = lettersIn,
): string[] {
  const rooms = names.map((_, index) => (typeof room === 'number' ? room : (room[index] ?? 1)));
  const short = names.map((name, index) => shortName(name, rooms[index] ?? 1, measure));
  for (let more = MORE_ROOM; ; more *= 2) {
    const wholeNames = new Map<string, Set<string>>();
    for (const [index, name] of names.entries()) {
      const shown = short[index] ?? '';
      wholeNames.set(shown, (wholeNames.get(shown) ?? new Set()).add(name));
    }
    const isAlike = (shown = '') => (wholeNames.get(shown)?.size ?? 0) > 1;
    const alike = [...names.entries()].filter(([index]) => isAlike(short[index]));
    if (alike.length === 0) return short;
    for (const [index, name] of alike) {
      const wider = (rooms[index] ?? 1) + more;
      rooms[index] = wider;
      short[index] = shortName(name, wider, measure);
    }
  }
}

/** Letters of a text as they are drawn: grapheme clusters. */
export function lettersIn(text: string): number {
  return PLAIN.test(text) ? text.length : graphemesOf(text).length;
}

interface Word {
  /** As it is shown: changed where it is cut inside. */
  text: string;
  readonly whole: string;
  /** The space before it, or nothing. */
  readonly glue: string;
  readonly weight: number;
  /** Length of the whole word, as it is measured. */
  readonly length: number;
  /** True for a word that may be cut inside though it is short: it names something, and is no figure. */
  readonly mayBeCut: boolean;
  isKept: boolean;
}

/** All names in full, or else all of them cut a little, or else the first ones in full. */
function fitted(name: string, room: number, measure: Measure): string {
  const all = wordsOf(name, room, measure);
  const inFull = chosen(all, room, measure, Number.POSITIVE_INFINITY);
  for (const lettersMax of [Number.POSITIVE_INFINITY, ...NAME_LETTERS_MAX]) {
    const words =
      lettersMax === Number.POSITIVE_INFINITY ? inFull : chosen(all, room, measure, lettersMax);
    if (words.every((word) => word.isKept || !word.mayBeCut)) return shown(words);
  }
  return shown(inFull);
}

/**
 * Copies of a name's words, those that are kept marked.
 *
 * @param lettersMax of one that may be cut
 */
function chosen(all: readonly Word[], room: number, measure: Measure, lettersMax: number): Word[] {
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
    const text = textWithin(word, room, room - length.with(index), measure, {
      isOnly: words.length === 1,
      lettersMax,
    });
    if (text === undefined) continue;
    word.text = text;
    length.add(index);
  }
  const fits = () => measure(shown(words)) <= room;
  for (const word of words.filter(({ isKept, text, whole }) => isKept && text !== whole)) {
    const { text } = word;
    const left = room - measure(shown(words)) + measure(text);
    word.text = word.whole;
    if (!fits()) word.text = startOfWord(word.whole, left, measure) ?? text;
  }
  closeHoles(words, fits);
  return words;
}

/** A word as it is shown, whole or cut inside; undefined where it has no room. */
function textWithin(
  word: Word,
  room: number,
  left: number,
  measure: Measure,
  { isOnly, lettersMax }: { readonly isOnly: boolean; readonly lettersMax: number },
): string | undefined {
  const { whole } = word;
  if (isOnly) return startOfWord(whole, left, measure, 1);
  const short =
    word.mayBeCut && lettersIn(whole) > lettersMax + 1
      ? graphemesOf(whole).slice(0, lettersMax).join('') + ELLIPSIS
      : whole;
  if ((short === whole ? word.length : measure(short)) <= left) return short;
  if (word.length <= room * LONG_WORD_SHARE && !word.mayBeCut) return undefined;
  return startOfWord(whole, Math.min(left, room * LONG_WORD_SHARE), measure);
}

/** Keeps small words where all of a hole fits, because alone they say nothing. */
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

/** The part of a name that is read, because it may be megabytes long. */
function beginningOf(name: string, room: number): string {
  const length = LEAST_READ + READ_PER_ROOM * room;
  if (name.length <= length) return name;
  return name.slice(0, length).replace(/[\ud800-\udbff]$/, '') + ELLIPSIS;
}

/** The words of a name; of one that is too long for the room its parts, if it has any. */
function wordsOf(name: string, room: number, measure: Measure): Word[] {
  const spaced = name.split(' ', WORDS_MAX + 1);
  const parts = spaced.flatMap((word) => {
    const isLong = measure(word) > room * LONG_WORD_SHARE;
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
    // A mark belongs to the word before it, a unit to its number: 11万, 10月.
    const isUnit = last !== undefined && DIGITS_AT_END.test(last) && !/\p{N}/u.test(segment);
    if (last !== undefined && (isWordLike !== true || isUnit)) parts[parts.length - 1] += segment;
    else parts.push(segment);
  }
  return parts;
}

/** Keeps count of how long the kept words and their holes are, without writing them down. */
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
    /** The length with this word, not counting the word. */
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

/** The kept words, with … for each hole; “vs.…” would read as four dots. */
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

/** The first letters of a word, and …; undefined where hardly any has room. */
function startOfWord(
  word: string,
  room: number,
  measure: Measure,
  leastLetters = LEAST_LETTERS,
): string | undefined {
  let start = '';
  let count = 0;
  let left = room - measure(ELLIPSIS);
  for (const letter of graphemesOf(word)) {
    left -= measure(letter);
    if (left < 0) break;
    start += letter;
    count += 1;
  }
  if (count < leastLetters) return undefined;
  return start.replace(/[.,:;]$/, '') + ELLIPSIS;
}
