import type * as z from 'zod';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createFairLru } from '../lib/fair-shares/fair-lru.ts';
import { createIndex } from '../lib/keyed-index.ts';
import type { Machine } from '../lib/machine.ts';
import type { Store } from './store.ts';

/**
 * Whose a document is: of a server, or a person, and of a channel; of nobody where it is about all.
 */
export interface Place {
  readonly ownerId?: string | undefined;
  readonly channelId?: string | undefined;
}

type Whose = { readonly ownerId: string } | { readonly channelId: string };

interface KindRule<Document> {
  /**
   * Start of its keys, with a colon or a dash, before the id; without one the key of the only
   * document, whose id is empty.
   */
  readonly prefix: string;
  readonly schema: z.ZodType<Document>;
  /** Tells whether a document belongs under an id, where that can be told. */
  readonly belongs?: (document: Document, id: string) => boolean;
  /**
   * Owner and channel of a document: it is deleted with its server, person or channel, and goes to
   * the process that serves them; left out: nobody's.
   */
  readonly placeOf?: (document: Document, id: string) => Place;
  /** Epoch ms from which on it need not be kept; left out: for ever. */
  readonly expiresAtMs?: (document: Document) => number;
}

/** Time between two looks for what has expired. */
const PRUNE_MS = 3_600_000;
const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * A kind of stored documents, as load, division among shards and the tools for the operator see it.
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
  /** Null if it is not of the schema, or does not belong under the key. */
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
    /** Whose a stored document is; null if it cannot be read. */
    describe(key: string, stored: unknown): Place | null {
      const document = read(key, stored);
      if (document === null) return null;
      return placeOf(document, idOf(key));
    },
  };
}

/** A kind of documents of which there are few enough to have them in memory as well. */
export function defineCollection<Document>(rule: KindRule<Document>) {
  const kind = defineKind(rule);
  return {
    ...kind,
    open: (machine: Machine, store: DocumentStore) => createCollection(machine, store, kind),
  };
}

/**
 * Limit of all documents together, in what `sizeOf` counts of each, such as bytes: beyond it the
 * largest owner's oldest go early.
 */
interface Bound<Document> {
  readonly limit: number;
  readonly sizeOf: (document: Document) => number;
}

/** A kind of documents that are in the store alone, for a while. */
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

type DocumentStore = Pick<Store, 'get' | 'set' | 'delete'>;
type Kind<Document> = ReturnType<typeof defineKind<Document>>;

export type Collection<Document> = ReturnType<typeof createCollection<Document>>;
export type Archive<Document> = ReturnType<typeof createArchive<Document>>;
export type AnyCollection = Pick<
  Collection<unknown>,
  'holds' | 'load' | 'forget' | 'owners' | 'channelsOf'
>;

/**
 * Answer of a part about a document that it was given at the start: `expired` if it need not be
 * kept any longer.
 */
type Loaded = 'kept' | 'expired' | 'damaged';

/**
 * Documents by id, in memory and store. Changes of one follow one another; each is stored first,
 * then applied.
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
  /** Ids of documents of which a write has failed: it may have arrived all the same. */
  const unsure = new Set<string>();

  const apply = (id: string, after: Document | undefined) => {
    const before = documents.get(id);
    if (before !== undefined) for (const index of [byOwner, byChannel]) index.delete(id, before);
    documents.delete(id);
    if (after === undefined) return;
    for (const index of [byOwner, byChannel]) index.set(id, after);
    documents.set(id, after);
  };

  /**
   * Stores what becomes of a document, from what it is at that moment; undefined: it is deleted.
   */
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
    /** Takes a document that was read at the start. */
    load: loading(kind, nowMs, apply),
    get: (id: string) => documents.get(id),
    ids: () => [...documents.keys()],
    all: () => [...documents.values()],
    /** Those of a channel, the longest unchanged first. */
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
      // A document that is being stored for the first time is found once it is stored.
      await Promise.all([...unsure].map((id) => mutex.run(id, async () => {})));
      const ids =
        'ownerId' in whose ? byOwner.idsOf(whose.ownerId) : byChannel.idsOf(whose.channelId);
      for (const id of ids) await remove(id);
    },
    /** Servers and persons of which there is something that does not expire. */
    owners: (): readonly string[] => (isForEver ? byOwner.keys() : []),
    /** The channels of a server, or of a person, of which there is something. */
    channelsOf: (ownerId: string): readonly string[] =>
      byOwner
        .idsOf(ownerId)
        .flatMap((id) => placeOf(documents.get(id) as Document, id).channelId ?? []),
  };
}

/** Documents by id, in the store for a while. In memory is whose they are, and their size. */
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
   * Deletes what is to go. What the store does not let go of stays marked, and is tried again with
   * the next.
   */
  const deleteLeaving = async () => {
    // One may have been set again meanwhile.
    for (const id of [...leaving]) if (leaving.has(id)) await remove(id);
  };

  return {
    holds: kind.holds,
    load: loading(kind, nowMs, keep),
    /** Undefined if there is none, or it has expired. */
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
    // None: what expires need not be looked for.
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
