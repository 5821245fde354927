import { ENGLISH, type Language } from '../language/language.ts';

/** Characters that the charts' font has; others would be drawn as an empty box. A test compares it with the font's table. */
const DRAWN =
  /[ -~\u00a1-\u00ac\u00ae-\u0148\u014a-\u017e\u0391-\u03a1\u03a3-\u03ce\u0400-\u045f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2212]/u;
const ELLIPSIS = '…';
/** UTF-16 units of a text that are read. */
const RAW_MAX = 2_000;

/**
 * Somebody else's text for a chart, not yet escaped: one line of characters that the font draws, the others left out.
 *
 * @param maxCharacters of the result, the closing … included
 * @param fallback our own words, if nothing is left
 */
export function drawable(text: string, maxCharacters: number, fallback: string): string {
  const characters = Array.from(text.slice(0, RAW_MAX).normalize('NFC').replace(/\s+/gu, ' ')).filter((character) =>
    DRAWN.test(character),
  );
  const kept = characters.join('').replace(/ {2,}/g, ' ').trim();
  if (!/[^ \p{P}\p{S}]/u.test(kept)) return fallback;
  return kept.length > maxCharacters ? `${kept.slice(0, maxCharacters - 1).trimEnd()}${ELLIPSIS}` : kept;
}

/** The language that a chart is written in: English where the charts' font has no letters for the reader's own. */
export function chartLanguage(language: Language): Language {
  return Array.from(language.texts.lists.chart.bought).every((letter) => DRAWN.test(letter)) ? language : ENGLISH;
}
