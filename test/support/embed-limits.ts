import type { APIEmbed } from 'discord.js';
import { textLength } from '../../src/embeds/text/escape.ts';
import { EMBED_LIMITS, embedSize } from '../../src/embeds/text/limits.ts';

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
