import { embedSchema, embedSize } from '@walletbell/local-discord/discord/forms/embed';
import type { APIEmbed } from 'discord.js';

const MOST_OF_A_MESSAGE = 6_000;

/**
 * @throws ZodError or RangeError that names the part of the embed that Discord would reject, and
 *   its limit
 */
export function assertEmbedLimits(embed: APIEmbed): void {
  const size = embedSize(embedSchema.parse(embed));
  if (size > MOST_OF_A_MESSAGE)
    throw new RangeError(`The embed has ${size} characters, more than ${MOST_OF_A_MESSAGE}.`);
}
