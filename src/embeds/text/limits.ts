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
export function embedSize(embed: APIEmbed): number {
  let size = 0;
  for (const part of countedParts(embed)) size += textLength(part.text);
  return size;
}

/** @throws RangeError naming the first part of the embed that Discord would refuse, and its limit */
export function assertEmbedLimits(embed: APIEmbed): void {
  const fieldCount = embed.fields?.length ?? 0;
  if (fieldCount > EMBED_LIMITS.fields) {
    throw new RangeError(`The embed has ${fieldCount} fields. Discord takes at most ${EMBED_LIMITS.fields}.`);
  }
  for (const { name, text, max, required } of countedParts(embed)) {
    const length = textLength(text);
    if (length > max) {
      throw new RangeError(`The embed's ${name} has ${length} characters. Discord takes at most ${max}.`);
    }
    if (required && length === 0)
      throw new RangeError(`The embed's ${name} is empty. Discord takes at least 1 character.`);
  }
  const size = embedSize(embed);
  if (size > EMBED_LIMITS.totalPerMessage) {
    throw new RangeError(
      `The embed has ${size} characters in all. Discord takes at most ${EMBED_LIMITS.totalPerMessage}.`,
    );
  }
}

interface CountedPart {
  readonly name: string;
  readonly text: string;
  readonly max: number;
  readonly required: boolean;
}

function countedParts(embed: APIEmbed): CountedPart[] {
  const { title, description, footer, author, fields = [] } = embed;
  const parts: CountedPart[] = [];
  const add = (name: string, text: string | undefined, max: number, required: boolean): void => {
    if (text !== undefined) parts.push({ name, text, max, required });
  };
  add('title', title, EMBED_LIMITS.title, false);
  add('description', description, EMBED_LIMITS.description, false);
  add('footer', footer?.text, EMBED_LIMITS.footer, true);
  add('author', author?.name, EMBED_LIMITS.author, true);
  for (const [index, field] of fields.entries()) {
    add(`field ${index + 1} name`, field.name, EMBED_LIMITS.fieldName, true);
    add(`field ${index + 1} value`, field.value, EMBED_LIMITS.fieldValue, true);
  }
  return parts;
}
