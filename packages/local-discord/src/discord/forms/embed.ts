import * as z from 'zod';
import { codePoints, complain, list, text, url } from './form.ts';

const media = z.object({ url: url(['http', 'https', 'attachment']) });

/** An embed that a bot may send (resources/message.mdx, "Embed Limits"). */
export const embedSchema = z.object({
  title: text(0, 256).nullish(),
  description: text(0, 4096).nullish(),
  url: url(['http', 'https']).nullish(),
  timestamp: z
    .string()
    .superRefine((value, ctx) => {
      if (!/^\d{4}-\d{2}-\d{2}T/.test(value) || Number.isNaN(Date.parse(value))) {
        complain(ctx, 'DATE_TYPE_PARSE', `Could not parse ${value}. Should be ISO8601.`);
      }
    })
    .nullish(),
  color: z.int().min(0).max(16_777_215).nullish(),
  footer: z
    .object({ text: text(1, 2048), icon_url: url(['http', 'https', 'attachment']).nullish() })
    .nullish(),
  image: media.nullish(),
  thumbnail: media.nullish(),
  author: z
    .object({
      name: text(1, 256),
      url: url(['http', 'https']).nullish(),
      icon_url: url(['http', 'https', 'attachment']).nullish(),
    })
    .nullish(),
  fields: list(
    z.object({ name: text(1, 256), value: text(1, 1024), inline: z.boolean().nullish() }),
    0,
    25,
  ).nullish(),
});
export type Embed = z.output<typeof embedSchema>;

/**
 * Returns the number of characters that count towards a message's 6,000: title, description, field
 * names and values, footer and author.
 */
export function embedSize(embed: Embed): number {
  let size = codePoints(embed.title ?? '') + codePoints(embed.description ?? '');
  size += codePoints(embed.footer?.text ?? '') + codePoints(embed.author?.name ?? '');
  for (const field of embed.fields ?? []) size += codePoints(field.name) + codePoints(field.value);
  return size;
}

/** Whether Discord would display nothing at all for it. */
export function isEmptyEmbed(embed: Embed): boolean {
  return embedSize(embed) === 0 && !embed.image && !embed.thumbnail;
}

/** Returns the names of the uploaded files that the embed refers to. */
export function attachmentsOf(embed: Embed): string[] {
  const urls = [
    embed.image?.url,
    embed.thumbnail?.url,
    embed.footer?.icon_url,
    embed.author?.icon_url,
  ];
  return urls.flatMap((address) =>
    address?.startsWith('attachment://') ? [address.slice(13)] : [],
  );
}
