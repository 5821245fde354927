const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text of at most so many code points, cut as `startOf` does, which … then says. */
export function cutText(text: string, maxCodePoints: number): string {
  if (countCodePoints(text) <= maxCodePoints) return text;
  return startOf(text, maxCodePoints - 1) + ELLIPSIS;
}

/**
 * The beginning of a text that is longer: cut between two characters as people see them, and after
 * a word unless half of the room or more would be left over.
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

/** A text's characters as people see them. */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}
