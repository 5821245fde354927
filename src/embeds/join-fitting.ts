import { textLength } from './escape.ts';
import { EMBED_LIMITS } from './limits.ts';

/** As many lines, from the first on, as fit into the limit (an embed's description if not said), and how many do not. */
export function joinFitting(rows: readonly string[], limit?: number): { readonly text: string; readonly left: number } {
  const { text, included } = joinWhileFitting(rows, (row) => row, limit);
  return { text, left: rows.length - included };
}

/** The same of things, a line each: those behind the first whose line does not fit are not put into words at all. */
export function joinWhileFitting<Thing>(
  things: readonly Thing[],
  lineOf: (thing: Thing) => string,
  limit: number = EMBED_LIMITS.description,
): { readonly text: string; readonly included: number } {
  let text = '';
  for (const [index, thing] of things.entries()) {
    const line = lineOf(thing);
    const longer = index === 0 ? line : `${text}\n${line}`;
    if (textLength(longer) > limit) return { text, included: index };
    text = longer;
  }
  return { text, included: things.length };
}
