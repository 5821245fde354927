const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Texts in which every UTF-16 unit is a character as people see it. */
const PLAIN = /^[ -~\u00a0-\u024f\u2010-\u2027\u20a0-\u20bf\u2190-\u22ff]*$/;

/** Limits a text to `maxCodePoints`. A longer text is cut like `startOf` and ends with "…". */
export function cutText(text: string, maxCodePoints: number): string {
  if (countCodePoints(text) <= maxCodePoints) return text;
  return startOf(text, maxCodePoints - 1) + ELLIPSIS;
}

/**
 * Returns the beginning of a longer text, cut between two characters as people see them, and after
 * a word unless that would leave half the space or more unused.
 */
export function startOf(text: string, maxCodePoints: number): string {
  let kept = '';
  let left = maxCodePoints;
  for (const { segment } of graphemes.segment(text)) {
    const length = countCodePoints(segment);
    if (length <= left) {
      kept += segment;
      left -= length;
      continue;
    }
    if (kept === '') return Array.from(segment).slice(0, left).join('');
    const wordEnd = segment.trim() === '' ? -1 : kept.lastIndexOf(' ');
    return kept.slice(0, 2 * wordEnd > kept.length ? wordEnd : undefined).trimEnd();
  }
  return kept;
}

/** Returns a text's characters as people see them. */
export function graphemesOf(text: string): string[] {
  if (PLAIN.test(text)) return text.split('');
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Counts a text's characters as people see them. */
export function countGraphemes(text: string): number {
  return PLAIN.test(text) ? text.length : graphemesOf(text).length;
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}
