import { EMBED_LIMITS } from '../alert/pack.ts';
import { textLength } from '../alert/text.ts';

/** As many lines, from the first on, as the description of an embed takes, and how many were left out. */
export function joinFitting(rows: readonly string[]): { readonly text: string; readonly left: number } {
  let text = '';
  for (const [index, row] of rows.entries()) {
    const longer = index === 0 ? row : `${text}\n${row}`;
    if (textLength(longer) > EMBED_LIMITS.description) return { text, left: rows.length - index };
    text = longer;
  }
  return { text, left: 0 };
}
