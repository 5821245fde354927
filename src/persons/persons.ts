import type { DeliveryWorker } from '../delivery/worker.ts';
import type { Admission } from '../discord/guilds/admission.ts';
import type { Holdings } from '../discord/guilds/holdings.ts';
import type { LanguageTag } from '../language/language.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import type { PagerStore } from '../lookups/pager-store.ts';
import type { Collection } from '../store/collection.ts';
import { personOf, personOwner } from '../watches/owner.ts';
import type { Registry } from '../watches/registry.ts';
import type { RestingOwner } from '../watches/resting-owners.ts';
import type { Imports } from '../watches/transfer/imports.ts';
import type { Person, PersonDocuments } from './documents.ts';
import type { FirstMessage } from './greeting.ts';

/** Days after which a person is forgotten whom the bot cannot write to. */
export const BLOCKED_DAYS = 30;
const BLOCKED_MS = BLOCKED_DAYS * 86_400_000;
const UPDATE_MS = 3_600_000;

export type Persons = ReturnType<typeof createPersons>;

/** People who have watches for themselves. */
export function createPersons(
  { nowMs, log }: Machine,
  parts: {
    readonly documents: PersonDocuments;
    readonly registry: Registry;
    readonly holdings: Holdings;
    readonly resting: Collection<RestingOwner>;
    readonly deliveryWorker: Pick<DeliveryWorker, 'block' | 'unblock'>;
    readonly pagers: PagerStore;
    readonly imports: Imports;
    readonly admission: Pick<Admission, 'isServed'>;
    /** Sends a first message. @throws UserError if it cannot be sent */
    readonly sendFirst: (message: FirstMessage) => Promise<void>;
    /** Venue clock, Unix seconds. */
    readonly venueNowSeconds: () => number;
  },
) {
  const { documents, registry, holdings, resting, deliveryWorker } = parts;
  const mutex = createKeyedMutex();

  const forget = async (personId: string): Promise<void> => {
    const ownerId = personOwner(personId);
    const person = documents.get(personId);
    const channelIds = new Set([...holdings.channelsOf(ownerId), ...(person === undefined ? [] : [person.channelId])]);
    await parts.imports.forget(ownerId);
    await parts.pagers.forget(ownerId);
    await holdings.endOwner(ownerId, channelIds);
    await documents.delete(personId);
    for (const forgotten of channelIds) documents.trust(forgotten);
    log.info({ event: 'person.forgotten', channels: [...channelIds] });
  };

  const updatePerson = async ({ personId, channelId }: Person) => {
    const block = deliveryWorker.block(channelId);
    if (block !== null && nowMs() - block.sinceMs > BLOCKED_MS) return forget(personId);
    if (holdings.channelsOf(personOwner(personId)).size === 0) await documents.delete(personId);
  };

  /** Forgets people who cannot be written to for long, or have nothing left; wakes those who are served again. */
  const update = async (): Promise<void> => {
    for (const { ownerId } of resting.all()) {
      const personId = personOf(ownerId);
      if (personId === null || !parts.admission.isServed(ownerId)) continue;
      // What happened meanwhile is not announced.
      const wake = () => registry.wake(ownerId, Math.floor(parts.venueNowSeconds()), () => resting.delete(ownerId));
      await mutex.run(personId, wake);
    }
    for (const person of documents.all()) await mutex.run(person.personId, () => updatePerson(person));
  };

  return {
    /** Does a person's work after what is under way for the same person. */
    alone: mutex.run,
    /**
     * Makes sure that the bot can write to a person: with a first message, unless one has arrived and nothing was refused since.
     *
     * @throws {UserError} that says what to do if it cannot; nothing is stored then
     */
    async greet({ personId, ...message }: FirstMessage & { readonly personId: string }): Promise<void> {
      const { channelId, language } = message;
      const isReached = deliveryWorker.block(channelId) === null && !documents.isDoubted(channelId);
      if (documents.get(personId)?.channelId === channelId && isReached) return;
      await parts.sendFirst(message);
      documents.trust(channelId);
      await documents.set(personId, { version: 1, personId, channelId, language: language.tag });
      await deliveryWorker.unblock(channelId);
    },
    /** A person uses the bot: its language is noted, and what it could not be sent is tried again. */
    seen: (personId: string, language: LanguageTag): Promise<void> =>
      mutex.run(personId, async () => {
        const known = documents.get(personId);
        if (known === undefined) return;
        if (known.language !== language) await documents.set(personId, { ...known, language });
        if (deliveryWorker.block(known.channelId) !== null) documents.doubt(known.channelId);
        await deliveryWorker.unblock(known.channelId);
      }),
    /** Deletes all that is stored of a person. */
    forget,
    update,
    /** Updates at once and every hour. @returns stops it */
    start(): () => void {
      const attempt = () => {
        update().catch((error: unknown) => log.error({ event: 'persons.not_updated', err: error }));
      };
      attempt();
      const timer = setInterval(attempt, UPDATE_MS).unref();
      return () => clearInterval(timer);
    },
  };
}
