import type { APIEmbed } from 'discord.js';
import { textLength } from './escape.ts';

/** Discord's limits of embeds (its documentation, resources/message), in trimmed code points, inclusive. */
export const EMBED_LIMITS = {
  totalPerMessage: 6000,
  title: 256,
  description: 4096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  author: 256,
} as const;

/** Code points that count towards a message's 6,000: title, description, field names and values, footer, author. */
export function embedSize({ title, description, footer, author, fields = [] }: APIEmbed): number {
  const inFields = fields.flatMap(({ name, value }) => [name, value]);
  return [title, description, footer?.text, author?.name, ...inFields].reduce(
    (size, text) => size + textLength(text ?? ''),
    0,
  );
}

/**
 * Joins rows from the first on while they fit.
 *
 * @param limit code points; by default those of an embed's description
 * @returns the text, and how many rows are left out
 */
export function joinFitting(rows: readonly string[], limit?: number): { readonly text: string; readonly left: number } {
  const { text, included } = joinWhileFitting(rows, (row) => row, limit);
  return { text, left: rows.length - included };
}

/**
 * The same of things that become a line each; `lineOf` is not called beyond the first that does not fit.
 *
 * @returns the text, and how many things are in it
 */
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
