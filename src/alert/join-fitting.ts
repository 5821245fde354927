import { EMBED_LIMITS } from './pack.ts';
import { textLength } from './text.ts';

/** As many lines, from the first on, as fit into the limit (an embed's description if not said), and how many do not. */
export function joinFitting(
  rows: readonly string[],
  limit: number = EMBED_LIMITS.description,
): { readonly text: string; readonly left: number } {
  let text = '';
  for (const [index, row] of rows.entries()) {
    const longer = index === 0 ? row : `${text}\n${row}`;
    if (textLength(longer) > limit) return { text, left: rows.length - index };
    text = longer;
  }
  return { text, left: 0 };
}
