import * as z from 'zod';
import { defineCollection, ownPlace } from '../store/collection.ts';

export const snowflake = z.string().regex(/^\d{17,20}$/);

/**
 * First character of an owner's id if the owner is a person; alone, the payer that all persons
 * share.
 */
export const PERSON_SIGN = '@';

/** The owner of a watch: a server (its id), or a single person (`@` and the person's id). */
export const ownerIdSchema = z.string().regex(/^@?\d{17,20}$/);

/** Maximum number of watches in one file, and per owner. */
export const FILE_LIMIT_WATCHES = 1_000;

/**
 * Returns the owner id of a person's own watches.
 *
 * @param userId a Discord id
 */
export function personOwner(userId: string): string {
  return PERSON_SIGN + userId;
}

/** Returns the person's id of an owner; null for a server. */
export function personOf(ownerId: string): string | null {
  if (!ownerId.startsWith(PERSON_SIGN)) return null;
  return ownerId.slice(PERSON_SIGN.length);
}

/** Returns the URL of a message in a channel of the owner. */
export function messageUrl(ownerId: string, channelId: string, messageId: string): string {
  const place = personOf(ownerId) === null ? ownerId : '@me';
  return `https://discord.com/channels/${place}/${channelId}/${messageId}`;
}

/** Days for which the watches of a guild are kept after it has removed the bot. */
export const SUSPENDED_DAYS = 30;

const suspendedSchema = z.object({
  ownerId: ownerIdSchema,
  /** Unix seconds by the venue's clock. */
  sinceSeconds: z.number(),
  /**
   * True: the bot was removed, and the watches are deleted after 30 days. False: the server or
   * person is not served at present.
   */
  isGone: z.boolean(),
});

/** A suspended server or person: its watches are stored, but neither polled nor announced. */
export type SuspendedOwner = z.infer<typeof suspendedSchema>;

export const suspendedKind = defineCollection({
  prefix: 'resting:',
  schema: suspendedSchema,
  belongs: ({ ownerId }, id) => ownerId === id,
  placeOf: ownPlace,
});
