import * as z from 'zod';
import { LANGUAGE_TAGS } from '../language/language.ts';
import type { Store } from '../store/store.ts';
import { snowflake } from '../watches/owner.ts';

export const PERSON_PREFIX = 'person:';

export const personSchema = z.object({
  version: z.literal(1),
  personId: snowflake,
  /** The person's direct message with the bot. */
  channelId: snowflake,
  /** Of the person's Discord: that of alerts and digests where `/watch channel` has set no other. */
  language: z.enum(LANGUAGE_TAGS),
});

/** A person who has taken a first message. */
export type Person = z.infer<typeof personSchema>;

/** All persons: in memory; in the store a document each, `person:<person id>`. */
export interface PersonDocuments {
  /** Adds a stored document, at the start. False if it is not a person's. */
  load(key: string, document: unknown): boolean;
  get(personId: string): Person | undefined;
  /** Whose direct message it is; undefined for a server's channel. */
  ofChannel(channelId: string): Person | undefined;
  all(): readonly Person[];
  /** A direct message that was refused is tried again: until one arrives nobody knows whether it is taken. In memory alone. */
  doubt(channelId: string): void;
  /** One has arrived. */
  trust(channelId: string): void;
  isDoubted(channelId: string): boolean;
  /** Stores, then applies. */
  set(person: Person): Promise<void>;
  delete(personId: string): Promise<void>;
}

export function createPersonDocuments(store: Pick<Store, 'set' | 'delete'>): PersonDocuments {
  const byId = new Map<string, Person>();
  const byChannel = new Map<string, Person>();
  const doubted = new Set<string>();
  const remove = (personId: string) => {
    const person = byId.get(personId);
    byId.delete(personId);
    if (person === undefined) return;
    byChannel.delete(person.channelId);
    doubted.delete(person.channelId);
  };
  const put = (person: Person) => {
    const before = byId.get(person.personId);
    if (before?.channelId !== person.channelId) remove(person.personId);
    byId.set(person.personId, person);
    byChannel.set(person.channelId, person);
  };
  return {
    load(key, document) {
      const parsed = personSchema.safeParse(document);
      if (!parsed.success || PERSON_PREFIX + parsed.data.personId !== key) return false;
      put(parsed.data);
      return true;
    },
    get: (personId) => byId.get(personId),
    ofChannel: (channelId) => byChannel.get(channelId),
    all: () => [...byId.values()],
    doubt: (channelId) => void doubted.add(channelId),
    trust: (channelId) => void doubted.delete(channelId),
    isDoubted: (channelId) => doubted.has(channelId),
    async set(person) {
      await store.set(PERSON_PREFIX + person.personId, person);
      put(person);
    },
    async delete(personId) {
      await store.delete(PERSON_PREFIX + personId);
      remove(personId);
    },
  };
}
