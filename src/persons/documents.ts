import * as z from 'zod';
import { LANGUAGE_TAGS } from '../language/language.ts';
import { type Collection, defineCollection } from '../store/collection.ts';
import { personOwner, snowflake } from '../watches/owner.ts';

const personSchema = z.object({
  version: z.literal(1),
  personId: snowflake,
  /** The person's direct message with the bot. */
  channelId: snowflake,
  /** Of the person's Discord: that of alerts and digests where `/watch channel` has set no other. */
  language: z.enum(LANGUAGE_TAGS),
});

/** A person who has taken a first message. */
export type Person = z.infer<typeof personSchema>;

/** By person. */
export const personKind = defineCollection({
  prefix: 'person:',
  schema: personSchema,
  belongs: ({ personId }, id) => personId === id,
  placeOf: ({ personId, channelId }) => ({ ownerId: personOwner(personId), channelId }),
});

/** Those who have taken a first message, and whether that still goes for them. */
export function createPersonDocuments(persons: Collection<Person>) {
  const doubted = new Set<string>();
  return {
    ...persons,
    /** Whose direct message it is; undefined for a server's channel. */
    ofChannel: (channelId: string): Person | undefined => persons.ofChannel(channelId).at(-1),
    /** A direct message that was refused is tried again: until one arrives nobody knows whether it is taken. In memory alone. */
    doubt: (channelId: string) => void doubted.add(channelId),
    /** One has arrived. */
    trust: (channelId: string) => void doubted.delete(channelId),
    isDoubted: (channelId: string) => doubted.has(channelId),
  };
}
export type PersonDocuments = ReturnType<typeof createPersonDocuments>;
