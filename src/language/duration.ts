import { TEXTS } from './all.ts';

/** Maximum UTF-16 units of a plausible duration, with its spaces collapsed. */
const LENGTH_LIMIT = 60;
/** Maximum UTF-16 units as typed, with runs of spaces; no command option accepts more. */
const TYPED_LIMIT = 1_000;

const UNITS = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 } as const;
/** Units by their names in every language, because people in a server may use several. */
const SECONDS_BY_NAME = new Map(
  Object.values(TEXTS).flatMap((texts) => {
    const { typed } = texts(null).format;
    return (Object.keys(UNITS) as (keyof typeof UNITS)[]).flatMap((unit) =>
      (typed[unit] ?? []).map((name) => [name, UNITS[unit]] as const),
    );
  }),
);

/**
 * A figure and a word, which may be abbreviated with a period (`2 Std.`). No character matches two
 * neighboring parts, so no text is scanned twice. A comma before three digits is rejected, because
 * `1,500s` may be a second and a half, or 1,500 seconds.
 */
const PART = /(\d{1,9}(?:\.\d{1,9}|,(?!\d{3}(?!\d))\d{1,9})?) ?(\p{L}{1,20})(?:\.(?= |$))? ?/uy;
/** An "and" between two parts: `1 hora e 30 minutos`. */
const AND = / (?:and|und|et|y|e) (?=\d)/g;
/** A single numeral, as Chinese and Japanese write small numbers: `一天`, `两小时`. */
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
 * Why a text is not a duration: it has the form of one with an unknown unit, or not even the form.
 */
export type DurationFault = 'unknown-unit' | 'not-a-duration';

/**
 * Reads a duration as people type it, largest unit first, each unit once: `90s`, `10 min`, `1h30m`,
 * `2h30`, `1.5h`, `1,5h`, `2 days`, `2w`. A bare number is rejected, because its unit is unknown.
 * The time needed is proportional to the length of the text.
 *
 * @returns whole seconds, rounded; else the reason
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
 * Normalizes a typed text: no full-width figures of some keyboards, lower case, single spaces, no
 * "and" between figures, and digits instead of a numeral.
 */
function plainOf(text: string): string {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  return plain.replace(AND, ' ').replace(NUMERAL, (numeral) => NUMERALS[numeral] ?? numeral);
}

/** Returns a duration as read by `readDuration`, in whole seconds; null if the text is not one. */
export function parseDuration(text: string): number | null {
  const read = readDuration(text);
  return typeof read === 'number' ? read : null;
}
