import { createChannelQueueStore } from '../../delivery/channel-queue.ts';
import { createDetailsRecords } from '../../details/records.ts';
import { createPagerStore } from '../../lookups/pager-store.ts';
import { createPersonDocuments } from '../../persons/persons.ts';
import { createChanges } from '../../watches/changes.ts';
import { personOf } from '../../watches/owner.ts';
import { createRegistry } from '../../watches/registry.ts';
import type { AppContext } from '../context.ts';
import { openCollections } from '../documents/kinds.ts';

export type DocumentParts = ReturnType<typeof createDocumentParts>;

/** Creates the parts that keep documents; nothing has been read from the store yet. */
export function createDocumentParts(context: AppContext) {
  const { store } = context;
  const { sharding } = context.config;
  // Direct messages arrive at shard 0. Lookups of people elsewhere may arrive at another process,
  // which stores nothing about them.
  const servesPersons = sharding === 'auto' || sharding.ids.includes(0);
  const collections = openCollections(context, store);
  const { channelSettings, digests, suspended } = collections;
  const pagers = createPagerStore(
    collections.lists,
    (ownerId) => servesPersons || personOf(ownerId) === null,
  );
  return {
    collections,
    channelSettings,
    digests,
    suspended,
    changes: createChanges(context, collections.changes),
    registry: createRegistry(context, store),
    channelQueues: createChannelQueueStore(context, collections.queues, collections.deadLetters),
    pagers,
    personDocuments: createPersonDocuments(collections.persons),
    detailsRecords: createDetailsRecords(collections.details),
  };
}
