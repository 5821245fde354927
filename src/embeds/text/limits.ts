import type { APIEmbed } from 'discord.js';
import { textLength } from './escape.ts';

/**
 * Discord's limits for embeds (its documentation, resources/message), in trimmed code points,
 * inclusive.
 */
export const EMBED_LIMITS = {
  totalPerMessage: 6000,
  description: 4096,
  fieldValue: 1024,
  /** UTF-16 code units (Discord's OpenAPI description). */
  url: 2048,
} as const;

/** Discord's limits for the other parts of a message, in UTF-16 code units, inclusive. */
export const MESSAGE_LIMITS = {
  content: 2000,
  /** URL of a link button (Discord's documentation, components/reference). */
  buttonUrl: 512,
  /** Id of a button; the value of a menu option has the same limit. */
  customId: 100,
  optionLabel: 100,
} as const;

/**
 * Returns the code points that count towards a message's 6,000: title, description, field names and
 * values, footer, author.
 */
export function embedSize({ title, description, footer, author, fields = [] }: APIEmbed): number {
  const inFields = fields.flatMap(({ name, value }) => [name, value]);
  return [title, description, footer?.text, author?.name, ...inFields].reduce(
    (size, text) => size + textLength(text ?? ''),
    0,
  );
}

/**
 * Joins the first things that fit, one per line. `included` is their number, `left` the number of
 * the others. `lineOf` is not called after the first thing that does not fit.
 *
 * @param limit code points, by default a description's
 */
export function joinFitting<Thing>(
  things: readonly Thing[],
  limit: number = EMBED_LIMITS.description,
  lineOf: (thing: Thing) => string = String,
) {
  let text = '';
  for (const [included, thing] of things.entries()) {
    const line = lineOf(thing);
    const longer = included === 0 ? line : `${text}\n${line}`;
    if (textLength(longer) > limit) return { text, included, left: things.length - included };
    text = longer;
  }
  return { text, included: things.length, left: 0 };
}
