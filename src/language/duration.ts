import { TEXTS } from './all.ts';

/** No length of time that a person means takes more, with its spaces collapsed. UTF-16 units. */
const LENGTH_LIMIT = 60;
/** As it was typed, with runs of spaces: no option of a command takes more. UTF-16 units. */
const TYPED_LIMIT = 1_000;

const UNITS = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 } as const;
/** By their names in every language: a server may have people of several. */
const SECONDS_BY_NAME = new Map(
  Object.values(TEXTS).flatMap((texts) => {
    const { typed } = texts(null).format;
    return (Object.keys(UNITS) as (keyof typeof UNITS)[]).flatMap((unit) =>
      (typed[unit] ?? []).map((name) => [name, UNITS[unit]] as const),
    );
  }),
);

/**
 * A figure and a word, which a stop may cut short (`2 Std.`). What one takes, the next cannot, so that no text is gone through twice. A
 * comma before three digits is refused: `1,500s` may be a second and a half, or 1,500 seconds.
 */
const PART = /(\d{1,9}(?:\.\d{1,9}|,(?!\d{3}(?!\d))\d{1,9})?) ?(\p{L}{1,20})(?:\.(?= |$))? ?/uy;
/** An "and" between two parts: `1 hora e 30 minutos`. */
const AND = / (?:and|und|et|y|e) (?=\d)/g;
/** A numeral alone, as Chinese and Japanese write small figures: `一天`, `两小时`. */
const NUMERAL =
  /(?<![一二两兩三四五六七八九十])[一二两兩三四五六七八九十](?![一二两兩三四五六七八九十])(?=\p{Script=Han})/gu;
const NUMERALS: Readonly<Record<string, string>> = {
  一: '1',
  二: '2',
  两: '2',
  兩: '2',
  三: '3',
  四: '4',
  五: '5',
  六: '6',
  七: '7',
  八: '8',
  九: '9',
  十: '10',
};
/** Minutes after hours, as in `2h30`. */
const MINUTES = /([0-5]?\d)$/y;

/**
 * Why a text is no length of time: it is written like one, but nobody knows the unit; or it is none
 * at all.
 */
export type DurationFault = 'unknown-unit' | 'not-a-duration';

/**
 * Reads a length of time as people type it, greatest unit first, each unit once: `90s`, `10 min`,
 * `1h30m`, `2h30`, `1.5h`, `1,5h`, `2 days`, `2w`. A bare number is none: ten what? The time that
 * it takes grows with the length of the text alone.
 *
 * @returns whole seconds, rounded; else why not
 */
export function readDuration(text: string): number | DurationFault {
  const typed = text.length > TYPED_LIMIT ? '' : plainOf(text);
  if (typed === '' || typed.length > LENGTH_LIMIT) return 'not-a-duration';
  let total = 0;
  let greatest = Number.POSITIVE_INFINITY;
  let isKnown = true;
  for (let end = 0; end < typed.length; end = PART.lastIndex) {
    PART.lastIndex = end;
    const [, count, name = ''] = PART.exec(typed) ?? [];
    if (count === undefined) {
      MINUTES.lastIndex = end;
      const minutes = greatest === UNITS.h ? MINUTES.exec(typed)?.[1] : undefined;
      if (minutes === undefined) return 'not-a-duration';
      total += Number(minutes) * UNITS.m;
      break;
    }
    const seconds = SECONDS_BY_NAME.get(name);
    if (seconds === undefined) isKnown = false;
    else if (seconds >= greatest) return 'not-a-duration';
    else {
      greatest = seconds;
      total += Number(count.replace(',', '.')) * seconds;
    }
  }
  return isKnown ? Math.round(total) : 'unknown-unit';
}

/**
 * Without the full width that some keyboards give to figures, in lower case and single spaces,
 * without "and" between figures, and with digits for a numeral.
 */
function plainOf(text: string): string {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  return plain.replace(AND, ' ').replace(NUMERAL, (numeral) => NUMERALS[numeral] ?? numeral);
}

/** A length of time as `readDuration` reads it, whole seconds; null if it is none. */
export function parseDuration(text: string): number | null {
  const read = readDuration(text);
  return typeof read === 'number' ? read : null;
}
