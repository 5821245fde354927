import * as z from 'zod';
import { defineCollection } from '../store/collection.ts';

export const snowflake = z.string().regex(/^\d{17,20}$/);

/**
 * Begins the id of an owner that is a person, and names the payer that all persons are together.
 */
export const PERSON_SIGN = '@';

/** The owner of a watch: a server, by its id, or a person alone, by `@` and the person's id. */
export const ownerIdSchema = z.string().regex(/^@?\d{17,20}$/);

/** Watches in one file, and the most that an owner may have. */
export const FILE_LIMIT_WATCHES = 1_000;

/**
 * The owner of what a person has for themselves.
 *
 * @param userId a Discord id
 */
export function personOwner(userId: string): string {
  return PERSON_SIGN + userId;
}

/** The id of the person that an owner is; null: it is a server. */
export function personOf(ownerId: string): string | null {
  if (!ownerId.startsWith(PERSON_SIGN)) return null;
  return ownerId.slice(PERSON_SIGN.length);
}

/** Address of a message in a channel of the owner. */
export function messageUrl(ownerId: string, channelId: string, messageId: string): string {
  const place = personOf(ownerId) === null ? ownerId : '@me';
  return `https://discord.com/channels/${place}/${channelId}/${messageId}`;
}

/** Days for which the watches of a guild that has removed the bot are kept. */
export const RESTING_DAYS = 30;

const restingSchema = z.object({
  ownerId: ownerIdSchema,
  /** Unix seconds by the venue's clock. */
  sinceSeconds: z.number(),
  /**
   * True: the bot was removed, watches are deleted after 30 days. False: the server or person is
   * not served now.
   */
  isGone: z.boolean(),
});

/** A server, or a person alone, whose watches are kept, but neither polled nor announced. */
export type RestingOwner = z.infer<typeof restingSchema>;

export const restingKind = defineCollection({
  prefix: 'resting:',
  schema: restingSchema,
  belongs: ({ ownerId }, id) => ownerId === id,
  placeOf: ({ ownerId }) => ({ ownerId }),
});
