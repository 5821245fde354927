import type * as z from 'zod';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createFairLru } from '../lib/fair-shares/fair-lru.ts';
import { createIndex } from '../lib/keyed-index.ts';
import type { Machine } from '../lib/machine.ts';
import type { Store } from './store.ts';

/**
 * Owner and channel of a document: a server or a person, and a channel; both undefined for a global
 * document.
 */
export interface Place {
  readonly ownerId?: string | undefined;
  readonly channelId?: string | undefined;
}

export type Whose = { readonly ownerId: string } | { readonly channelId: string };

/** Returns the place of a document that names it. */
export const ownPlace = ({ ownerId, channelId }: Place): Place => ({ ownerId, channelId });

interface KindRule<Document> {
  /**
   * Prefix of its keys, ending with a colon or a dash, before the id. Without either it is the key
   * of the only document, whose id is empty.
   */
  readonly prefix: string;
  readonly schema: z.ZodType<Document>;
  /** Whether a document belongs under an id, as far as that can be checked. */
  readonly belongs?: (document: Document, id: string) => boolean;
  /**
   * Returns owner and channel of a document: it is deleted with its server, person or channel, and
   * moves to the process that serves them; default: neither.
   */
  readonly placeOf?: (document: Document, id: string) => Place;
  /** Returns the time from which it need not be kept, in epoch ms; default: never. */
  readonly expiresAtMs?: (document: Document) => number;
}

/** Interval between searches for expired documents, in ms. */
const PRUNE_MS = 3_600_000;
const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * Defines a kind of stored documents for loading, division among shards and the operator's tools.
 */
export function defineKind<Document>(rule: KindRule<Document>) {
  const {
    prefix,
    schema,
    belongs = () => true,
    placeOf = (): Place => ({}),
    expiresAtMs = () => FOR_EVER,
  } = rule;
  const idOf = (key: string) => key.slice(prefix.length);
  /** Returns null if it does not fit the schema, or does not belong under the key. */
  const read = (key: string, stored: unknown): Document | null => {
    const { data } = schema.safeParse(stored);
    if (data !== undefined && belongs(data, idOf(key))) return data;
    return null;
  };
  return {
    prefix,
    schema,
    placeOf,
    expiresAtMs,
    isForEver: rule.expiresAtMs === undefined,
    holds: (key: string) => (/[:-]$/.test(prefix) ? key.startsWith(prefix) : key === prefix),
    idOf,
    read,
    /** Returns owner and channel of a stored document; null if it cannot be read. */
    describe(key: string, stored: unknown): Place | null {
      const document = read(key, stored);
      if (document === null) return null;
      return placeOf(document, idOf(key));
    },
  };
}

/** Defines a kind of documents that are few enough to also keep in memory. */
export function defineCollection<Document>(rule: KindRule<Document>) {
  const kind = defineKind(rule);
  return {
    ...kind,
    open: (machine: Machine, store: DocumentStore) => createCollection(machine, store, kind),
  };
}

/**
 * Limit of all documents together, in units of `sizeOf`, such as bytes. Above it, the oldest
 * documents of the largest owner are deleted early.
 */
interface Bound<Document> {
  readonly limit: number;
  readonly sizeOf: (document: Document) => number;
}

/** Defines a kind of documents that are only in the store, for a limited time. */
export function defineArchive<Document>({
  bound,
  ...rule
}: KindRule<Document> & { readonly bound?: Bound<Document> }) {
  const kind = defineKind(rule);
  return {
    ...kind,
    open: (machine: Machine, store: DocumentStore) => createArchive(machine, store, kind, bound),
  };
}

export type DocumentStore = Pick<Store, 'get' | 'set' | 'delete'>;
type Kind<Document> = ReturnType<typeof defineKind<Document>>;

export type Collection<Document> = ReturnType<typeof createCollection<Document>>;
export type Archive<Document> = ReturnType<typeof createArchive<Document>>;
export type AnyCollection = Pick<
  Collection<unknown>,
  'holds' | 'load' | 'forget' | 'owners' | 'channelsOf'
>;

/** Result of loading a document at the start; `expired` if it need not be kept any longer. */
type Loaded = 'kept' | 'expired' | 'damaged';

/**
 * Creates a collection of documents by id, in memory and store. Changes of one document run one
 * after another; each is stored first, then applied.
 */
function createCollection<Document>(
  { nowMs }: Machine,
  store: DocumentStore,
  kind: Kind<Document>,
) {
  const { prefix, placeOf, expiresAtMs, isForEver } = kind;
  const documents = new Map<string, Document>();
  const byOwner = createIndex((document: Document, id) => placeOf(document, id).ownerId);
  const byChannel = createIndex((document: Document, id) => placeOf(document, id).channelId);
  const mutex = createKeyedMutex();
  /** Ids of documents with a failed write, which may have arrived all the same. */
  const unsure = new Set<string>();

  const apply = (id: string, after: Document | undefined) => {
    const before = documents.get(id);
    if (before !== undefined) for (const index of [byOwner, byChannel]) index.delete(id, before);
    documents.delete(id);
    if (after === undefined) return;
    for (const index of [byOwner, byChannel]) index.set(id, after);
    documents.set(id, after);
  };

  /** Stores the new version of a document, computed from the present one; undefined deletes it. */
  const change = (
    id: string,
    update: (before: Document | undefined) => Document | undefined,
  ): Promise<void> =>
    mutex.run(id, async () => {
      const before = documents.get(id);
      const after = update(before);
      if (after === before && !unsure.has(id)) return;
      unsure.add(id);
      if (after === undefined) await store.delete(prefix + id);
      else await store.set(prefix + id, after);
      unsure.delete(id);
      apply(id, after);
    });

  const remove = (id: string) => change(id, () => undefined);

  return {
    holds: kind.holds,
    /** Loads a document that was read at the start. */
    load: loading(kind, nowMs, apply),
    get: (id: string) => documents.get(id),
    ids: () => [...documents.keys()],
    all: () => [...documents.values()],
    /** Returns the documents of a channel, the longest unchanged first. */
    ofChannel: (channelId: string): readonly Document[] => byChannel.of(channelId),
    change,
    set: (id: string, document: Document) => change(id, () => document),
    delete: remove,
    async prune(): Promise<void> {
      for (const [id, document] of [...documents]) {
        if (nowMs() >= expiresAtMs(document)) await remove(id);
      }
    },
    async forget(whose: Whose): Promise<void> {
      // A document that is being stored for the first time is found only once it is stored.
      await Promise.all([...unsure].map((id) => mutex.run(id, async () => {})));
      const ids =
        'ownerId' in whose ? byOwner.idsOf(whose.ownerId) : byChannel.idsOf(whose.channelId);
      for (const id of ids) await remove(id);
    },
    /** Returns the servers and persons with documents that do not expire. */
    owners: (): readonly string[] => (isForEver ? byOwner.keys() : []),
    /** Returns the channels of a server, or of a person, with documents. */
    channelsOf: (ownerId: string): readonly string[] =>
      byOwner
        .idsOf(ownerId)
        .flatMap((id) => placeOf(documents.get(id) as Document, id).channelId ?? []),
  };
}

/**
 * Creates an archive of documents by id, in the store for a limited time. Only their owners and
 * sizes are in memory.
 */
function createArchive<Document>(
  { nowMs }: Machine,
  store: DocumentStore,
  kind: Kind<Document>,
  { limit, sizeOf }: Bound<Document> = { limit: Number.POSITIVE_INFINITY, sizeOf: () => 0 },
) {
  const { prefix, placeOf, expiresAtMs } = kind;
  const kept = new Map<string, Place & { readonly untilMs: number }>();
  const lru = createFairLru(limit);
  const leaving = new Set<string>();
  let prunedAtMs = nowMs();

  const keep = (id: string, document: Document) => {
    const place = placeOf(document, id);
    kept.set(id, { ...place, untilMs: expiresAtMs(document) });
    leaving.delete(id);
    for (const gone of lru.put(place.ownerId ?? '', id, sizeOf(document))) leaving.add(gone);
  };

  const remove = async (id: string) => {
    await store.delete(prefix + id);
    leaving.delete(id);
    kept.delete(id);
    lru.drop(id);
  };

  /**
   * Deletes the documents marked as leaving. If the store rejects a deletion, the document stays
   * marked, and the next call retries it.
   */
  const deleteLeaving = async () => {
    // One may have been set again in the meantime.
    for (const id of [...leaving]) if (leaving.has(id)) await remove(id);
  };

  return {
    holds: kind.holds,
    load: loading(kind, nowMs, keep),
    /** Returns undefined if there is none, or it has expired. */
    async get(id: string): Promise<Document | undefined> {
      const document = kind.read(prefix + id, await store.get(prefix + id));
      if (document !== null && nowMs() < expiresAtMs(document)) return document;
      return undefined;
    },
    ids: () => [...kept.keys()],
    async set(id: string, document: Document): Promise<void> {
      await store.set(prefix + id, document);
      keep(id, document);
      if (Math.abs(nowMs() - prunedAtMs) >= PRUNE_MS) {
        prunedAtMs = nowMs();
        for (const [id, { untilMs }] of kept) if (nowMs() >= untilMs) leaving.add(id);
      }
      await deleteLeaving();
    },
    delete: remove,
    async forget(whose: Whose): Promise<void> {
      for (const [id, { ownerId, channelId }] of kept) {
        if ('ownerId' in whose ? ownerId === whose.ownerId : channelId === whose.channelId) {
          leaving.add(id);
        }
      }
      await deleteLeaving();
    },
    // Always empty, because expiring documents need not be searched for.
    owners: (): readonly string[] => [],
    channelsOf: (): readonly string[] => [],
  };
}

function loading<Document>(
  { read, idOf, expiresAtMs }: Kind<Document>,
  nowMs: () => number,
  keep: (id: string, document: Document) => void,
) {
  return (key: string, stored: unknown): Loaded => {
    const document = read(key, stored);
    if (document === null) return 'damaged';
    if (nowMs() >= expiresAtMs(document)) return 'expired';
    keep(idOf(key), document);
    return 'kept';
  };
}
