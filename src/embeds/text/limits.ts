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
