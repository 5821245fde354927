import * as z from 'zod';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { type DocumentStore, defineKind, ownPlace, type Whose } from '../store/collection.ts';
import { ownerIdSchema, snowflake } from '../watches/owner.ts';

/** Maximum items per document. A document is written with every move and every delivery. */
const DOCUMENT_ITEMS = 50;

/** Size of the items that wait for one destination. */
export interface WaitingSize {
  readonly items: number;
  readonly bytes: number;
}
/** Bounds for one destination; beyond them its oldest items are dropped. */
export const WAITING_BOUNDS: WaitingSize = { items: 5_000, bytes: 10_000_000 };

/** Owner of waiting items, and the channel if they are for one channel. */
interface OwnedPlace {
  readonly ownerId: string;
  readonly channelId?: string | undefined;
}

/** Definition of one kind of destination and of its items. */
interface DestinationRule<Item, Noted> {
  /** Prefix of its documents' keys; destination and number come after it: `later:DESTINATION:0`. */
  readonly prefix: string;
  readonly itemSchema: z.ZodType<Item>;
  readonly destinationOf: (place: OwnedPlace) => string;
  /** Names an item among those of its destination. */
  readonly keyOf: (item: Item) => string;
  /** Selects the data of an item that stays in memory, in addition to its key. */
  readonly note: (item: Item) => Noted;
}

/** An item in memory; the rest of it is in the document with this number. */
export type EntryOf<Noted> = Noted & { readonly key: string; readonly number: number };

interface Kept<Noted> {
  readonly number: number;
  readonly bytes: number;
  readonly entries: readonly EntryOf<Noted>[];
}

/** The end of a key. Documents are numbered in the order in which their items came. */
const ID = /^([^:]+):(\d{1,15})$/;

/**
 * Defines a kind of document for items to be delivered later, by destination and number, so that
 * they are not written with every wallet's document.
 */
export function defineWaitingItems<Item, Noted>(rule: DestinationRule<Item, Noted>) {
  const { prefix, itemSchema, destinationOf } = rule;
  const kind = defineKind({
    prefix,
    schema: z.object({
      ownerId: ownerIdSchema,
      channelId: snowflake.optional(),
      alerts: z.array(itemSchema).min(1).readonly(),
    }),
    belongs: (document, id) => ID.exec(id)?.[1] === destinationOf(document),
    placeOf: ownPlace,
  });
  return { ...kind, open: (store: DocumentStore) => createWaitingItems(store, kind, rule) };
}

/** Manages the documents of all destinations, with an in-memory index of their items. */
function createItemDocuments<Item, Noted>(
  store: DocumentStore,
  kind: Kind<Item>,
  { prefix, destinationOf, keyOf, note }: DestinationRule<Item, Noted>,
) {
  /** Documents by destination, oldest first; destinations without documents are left out. */
  const documentsOf = new Map<string, readonly Kept<Noted>[]>();
  const places = new Map<string, OwnedPlace>();
  /** Destinations of each owner. */
  const destinationsOf = new Map<string, Set<string>>();
  /**
   * Numbers of the documents that contain an item, by destination and key; more than one if an
   * earlier version stored an item again because it did not know that a write had succeeded.
   */
  const numbersOf = new Map<string, Map<string, readonly number[]>>();

  const storeKey = (destination: string, number: number) => `${prefix}${destination}:${number}`;

  /** Records what a document contains now; without items it is gone. */
  const noteDocument = (place: OwnedPlace, number: number, items: readonly Item[]): void => {
    const destination = destinationOf(place);
    const before = documentsOf.get(destination) ?? [];
    const numbers = numbersOf.get(destination) ?? new Map<string, readonly number[]>();
    for (const { key } of before.find((kept) => kept.number === number)?.entries ?? []) {
      const others = (numbers.get(key) ?? []).filter((other) => other !== number);
      if (others.length > 0) numbers.set(key, others);
      else numbers.delete(key);
    }
    const documents = before.filter((kept) => kept.number !== number);
    if (items.length > 0) {
      const bytes = Buffer.byteLength(JSON.stringify(items));
      const entries = items.map((item) => ({ ...note(item), key: keyOf(item), number }));
      for (const { key } of entries) numbers.set(key, [...(numbers.get(key) ?? []), number]);
      documents.push({ number, bytes, entries });
    }
    documents.sort((a, b) => a.number - b.number);
    const ofOwner = destinationsOf.get(place.ownerId) ?? new Set();
    if (documents.length > 0) {
      documentsOf.set(destination, documents);
      places.set(destination, place);
      numbersOf.set(destination, numbers);
      destinationsOf.set(place.ownerId, ofOwner.add(destination));
      return;
    }
    documentsOf.delete(destination);
    places.delete(destination);
    numbersOf.delete(destination);
    ofOwner.delete(destination);
    if (ofOwner.size === 0) destinationsOf.delete(place.ownerId);
  };

  const read = async (destination: string, number: number): Promise<readonly Item[]> => {
    const key = storeKey(destination, number);
    return kind.read(key, await store.get(key))?.alerts ?? [];
  };

  const write = async (
    place: OwnedPlace,
    number: number,
    items: readonly Item[],
  ): Promise<void> => {
    const { ownerId, channelId } = place;
    const key = storeKey(destinationOf(place), number);
    if (items.length === 0) await store.delete(key);
    else if (channelId === undefined) await store.set(key, { ownerId, alerts: items });
    else await store.set(key, { ownerId, channelId, alerts: items });
    noteDocument(place, number, items);
  };

  return {
    documents: (destination: string): readonly Kept<Noted>[] => documentsOf.get(destination) ?? [],
    destinations: (): readonly string[] => [...documentsOf.keys()],
    /** Undefined if nothing waits for the destination. */
    placeOf: (destination: string): OwnedPlace | undefined => places.get(destination),
    owners: (): readonly string[] => [...destinationsOf.keys()],
    destinationsOf: (ownerId: string): readonly string[] => [
      ...(destinationsOf.get(ownerId) ?? []),
    ],
    /** Numbers of the documents that contain an item; empty if it does not wait. */
    numbersOf: (destination: string, key: string): readonly number[] =>
      numbersOf.get(destination)?.get(key) ?? [],
    noteDocument,
    read,
    write,
  };
}

type Kind<Item> = ReturnType<typeof defineKind<OwnedPlace & { readonly alerts: readonly Item[] }>>;

/**
 * Keeps items to be delivered later in documents of their own. Each change is stored before it
 * takes effect.
 */
function createWaitingItems<Item, Noted>(
  store: DocumentStore,
  kind: Kind<Item>,
  rule: DestinationRule<Item, Noted>,
) {
  const { destinationOf, keyOf } = rule;
  const kept = createItemDocuments(store, kind, rule);
  const { documents, destinations, placeOf } = kept;
  const mutex = createKeyedMutex();

  const lists = new WeakMap<readonly Kept<Noted>[], readonly EntryOf<Noted>[]>();
  /**
   * Lists the items that wait for a destination. The same array is returned until something
   * changes.
   */
  const entries = (destination: string): readonly EntryOf<Noted>[] => {
    const own = documents(destination);
    const list = lists.get(own) ?? own.flatMap((document) => document.entries);
    lists.set(own, list);
    return list;
  };

  /** Changes one document; items for which `update` returns undefined are removed. */
  const changeDocument = (
    destination: string,
    number: number,
    update: (item: Item) => Item | undefined,
  ): Promise<void> =>
    mutex.run(destination, async () => {
      const place = placeOf(destination);
      if (place === undefined) return;
      const before = await kept.read(destination, number);
      const after = before.map(update);
      const left = after.filter((item) => item !== undefined);
      const isSame = after.every((item, index) => item === before[index]);
      // Memory is updated to the store's content, because the store may have lost an item.
      if (isSame) kept.noteDocument(place, number, left);
      else await kept.write(place, number, left);
    });

  /** Changes items; those for which `update` returns undefined are removed. */
  const changeAll = async (
    destination: string,
    keys: ReadonlySet<string>,
    update: (item: Item) => Item | undefined,
  ): Promise<void> => {
    const own = [...keys].flatMap((key) => kept.numbersOf(destination, key));
    for (const number of new Set(own)) {
      await changeDocument(destination, number, (item) =>
        keys.has(keyOf(item)) ? update(item) : item,
      );
    }
  };

  const forget = (destination: string): Promise<void> =>
    mutex.run(destination, async () => {
      const place = placeOf(destination);
      if (place === undefined) return;
      for (const { number } of documents(destination)) await kept.write(place, number, []);
    });

  const placesOf = (all: readonly string[]): readonly OwnedPlace[] =>
    all.flatMap((destination) => placeOf(destination) ?? []);
  const ofOwner = (ownerId: string): readonly OwnedPlace[] =>
    placesOf(kept.destinationsOf(ownerId));
  const has = (destination: string, key: string): boolean =>
    kept.numbersOf(destination, key).length > 0;

  return {
    holds: kind.holds,
    /** Loads a document at startup. */
    load(key: string, stored: unknown): 'kept' | 'damaged' {
      const document = kind.read(key, stored);
      const number = ID.exec(kind.idOf(key))?.[2];
      if (document === null || number === undefined) return 'damaged';
      const { ownerId, channelId, alerts } = document;
      kept.noteDocument({ ownerId, channelId }, Number(number), alerts);
      return 'kept';
    },
    /** Destinations for which something waits. */
    destinations,
    placeOf,
    /** Servers and persons for which something waits. */
    owners: kept.owners,
    /** Channels of a server or a person for which something waits. */
    channelsOf: (ownerId: string): readonly string[] =>
      ofOwner(ownerId).flatMap(({ channelId }) => channelId ?? []),
    /** Deletes the items that wait for an owner or a channel. */
    async forget(whose: Whose) {
      const gone =
        'ownerId' in whose
          ? ofOwner(whose.ownerId)
          : placesOf(destinations()).filter(({ channelId }) => channelId === whose.channelId);
      for (const place of gone) await forget(destinationOf(place));
    },
    /**
     * Lists the items that wait for a destination, in order of arrival. The same array is returned
     * until it changes.
     */
    entries,
    /** Whether an item waits for a destination. */
    has,
    /** Number of items that wait for a destination, and bytes of their documents. */
    sizeOf(destination: string): WaitingSize {
      let [items, bytes] = [0, 0];
      for (const document of documents(destination)) {
        items += document.entries.length;
        bytes += document.bytes;
      }
      return { items, bytes };
    },
    /** Destinations of an owner for which something waits. */
    destinationsOf: kept.destinationsOf,
    /** Stores items behind those that wait, ignoring duplicates. */
    add(place: OwnedPlace, items: readonly Item[]): Promise<void> {
      const destination = destinationOf(place);
      return mutex.run(destination, async () => {
        let left = items.filter((item) => !has(destination, keyOf(item)));
        while (left.length > 0) {
          const newest = documents(destination).at(-1);
          const hasSpace = newest !== undefined && newest.entries.length < DOCUMENT_ITEMS;
          const number = hasSpace ? newest.number : (newest?.number ?? -1) + 1;
          const before = hasSpace ? await kept.read(destination, number) : [];
          // A rejected write may have succeeded nevertheless.
          const there = new Set(before.map(keyOf));
          left = left.filter((item) => !there.has(keyOf(item)));
          const free = DOCUMENT_ITEMS - before.length;
          await kept.write(place, number, [...before, ...left.slice(0, free)]);
          left = left.slice(free);
        }
      });
    },
    /** Reads one of its documents. */
    read: kept.read,
    /** Returns an item as stored; undefined if it no longer waits. */
    async get(destination: string, { number, key }: EntryOf<unknown>): Promise<Item | undefined> {
      return (await kept.read(destination, number)).find((item) => keyOf(item) === key);
    },
    /** Removes items. */
    remove: (destination: string, keys: ReadonlySet<string>): Promise<void> =>
      changeAll(destination, keys, () => undefined),
    /** Changes items, writing each document once. */
    changeAll,
    /** Changes an item. */
    change: (
      destination: string,
      { number, key }: EntryOf<unknown>,
      update: (item: Item) => Item,
    ): Promise<void> =>
      changeDocument(destination, number, (item) => (keyOf(item) === key ? update(item) : item)),
    /**
     * Deletes the oldest document, unless it is the only one.
     *
     * @returns the number of its items
     */
    dropOldest: (destination: string): Promise<number> =>
      mutex.run(destination, async () => {
        const place = placeOf(destination);
        const [oldest, ...newer] = documents(destination);
        if (place === undefined || oldest === undefined || newer.length === 0) return 0;
        await kept.write(place, oldest.number, []);
        return oldest.entries.length;
      }),
    /** Resolves when no write is in progress. */
    idle: mutex.idle,
  };
}
