/** Characters about as wide as they are high, and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60mwMW%@…]/u;
const NARROW = /[ .,:;'’|!ijlItfr()·\p{M}\p{Cf}]/u;
const BROAD = /[\p{Lu}\d$≈+−±×]/u;
/**
 * Minimum width of a cut market name, in ems: about 36 letters. With less, markets of a family look
 * alike.
 */
export const LEAST_NAME_EMS = 24;
/** Minimum width of a cut wallet name, in ems. */
const LEAST_EMS = 5;

/**
 * Returns a text's approximate drawn width, in ems of a sans-serif font: without markdown; a link
 * counts as its text, a time as a clock time.
 */
export function emsIn(markdown: string): number {
  const shown = markdown
    .replace(/<t:\d+:\w>/g, '00:00')
    .replace(/\]\([^()\s]*\)|\*\*|[[\\\u2060]/g, '');
  return plainEmsIn(shown);
}

/** Returns {@link emsIn} for a text that is shown literally, without markdown. */
export function plainEmsIn(text: string): number {
  return Array.from(text).reduce((ems, one) => ems + emsOf(one), 0);
}

/**
 * Returns the code points of an escaped name that fit a width, which is at least `LEAST_EMS`; if
 * the whole name fits, with space for its escapes.
 */
export function codePointsWithin(text: string, ems: number): number {
  let left = Math.max(LEAST_EMS, ems);
  let count = 0;
  for (const character of text) {
    left -= emsOf(character);
    if (left < 0) return Math.max(1, count);
    count += 1;
  }
  return 2 * count + 1;
}

function emsOf(character: string): number {
  if (WIDE.test(character)) return 1;
  if (NARROW.test(character)) return 0.29;
  return BROAD.test(character) ? 0.62 : 0.54;
}
