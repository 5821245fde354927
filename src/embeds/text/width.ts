/** Characters that are drawn as wide as they are high, and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60mwMW%@…]/u;
const NARROW = /[ .,:;'’|!ijlItfr()·\p{M}\p{Cf}]/u;
const BROAD = /[\p{Lu}\d$≈+−±×]/u;
/**
 * Width of a market's name that is cut, at least, some 36 letters: in less, markets of a family
 * read alike.
 */
export const LEAST_NAME_EMS = 24;
/** Width of a wallet's name that is cut, at least. */
const LEAST_EMS = 5;

/**
 * Roughly a text's drawn width, in ems of a grotesque: without markdown, of a link its text, of a
 * time the clock.
 */
export function emsIn(markdown: string): number {
  const shown = markdown
    .replace(/<t:\d+:\w>/g, '00:00')
    .replace(/\]\([^()\s]*\)|\*\*|[[\\\u2060]/g, '');
  return plainEmsIn(shown);
}

/** {@link emsIn} of a text that is shown as it is, without markdown. */
export function plainEmsIn(text: string): number {
  return Array.from(text).reduce((ems, one) => ems + emsOf(one), 0);
}

/**
 * Code points of an escaped name that fit a width, but `LEAST_EMS` at least; with its escapes if
 * all of it fits.
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
