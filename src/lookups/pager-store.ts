import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { walletSchema } from '../domain/address.ts';
import { LANGUAGE_TAGS } from '../language/language.ts';
import type { Loaded, Store } from '../store/store.ts';
import { createFairLru } from './fair-lru.ts';
import { filtersSchema } from './filters.ts';

export const PAGER_PREFIX = 'list:';
/** Lists are kept for 7 days; then their buttons answer that they have expired. */
const LIFE_MS = 7 * 86_400_000;
/** Stored lists: beyond, the oldest ones of the owner with the most of them are deleted early. */
const KEPT_LIMIT = 10_000;
/** Lists that are not stored. */
const PASSING_LIMIT = 1_000;

/** What a list is stored as. */
export const pagerSchema = z.object({
  version: z.literal(2),
  /** The command whose list it is. */
  list: z.string(),
  ownerId: z.string(),
  wallet: walletSchema,
  /** How the person named the wallet; empty where a button did. */
  typed: z.string(),
  filters: filtersSchema,
  /** Time of the newest record when the list was first shown; null: it had none. Lists of earlier versions have none. */
  anchorSeconds: z.number().nullable().default(null),
  /** When the list was asked for, by the venue's clock: its totals and its chart end there. */
  asOfSeconds: z.int(),
  createdAtMs: z.number(),
  /** Of whoever asked first: the message stays in it, whoever turns the page. Lists of the first versions have none. */
  language: z.enum(LANGUAGE_TAGS).optional(),
});

/** What the Next and Previous buttons of a list need; stored, so that they work after a restart. */
export type Pager = z.infer<typeof pagerSchema>;

export interface PagerStore {
  /** @returns undefined if it has expired, or belongs to another owner or list */
  get(id: string, owner: Pick<Pager, 'ownerId' | 'list'>): Promise<Pager | undefined>;
  set(id: string, pager: Pager): Promise<void>;
  /** Deletes the lists of a server, or of a person alone. */
  forget(ownerId: string): Promise<void>;
  /** Adds a stored document, at the start. */
  load(key: string, document: unknown): Loaded;
}

export interface PagerStoreOptions {
  /** This machine's clock, epoch ms. */
  readonly nowMs: () => number;
  /**
   * Whether lists of an owner are stored. Others are in memory alone, the newest of them: what is stored of a person is in one
   * process's store.
   */
  readonly isStored?: (ownerId: string) => boolean;
}

export function createPagerStore(
  store: Pick<Store, 'get' | 'set' | 'delete'>,
  { nowMs, isStored = () => true }: PagerStoreOptions,
): PagerStore {
  /** Oldest first as far as this process made them. */
  const kept = new Map<string, Pick<Pager, 'createdAtMs' | 'ownerId'>>();
  const passing = new LRUCache<string, Pager>({ max: PASSING_LIMIT });
  const isExpired = (madeAtMs: number) => nowMs() - madeAtMs >= LIFE_MS;
  const read = (document: unknown): Pager | undefined => {
    const parsed = pagerSchema.safeParse(document);
    return parsed.success && !isExpired(parsed.data.createdAtMs) ? parsed.data : undefined;
  };
  const lru = createFairLru(KEPT_LIMIT);
  const leaving = new Set<string>();
  const keep = (id: string, pager: Pager) => {
    kept.set(id, { createdAtMs: pager.createdAtMs, ownerId: pager.ownerId });
    for (const gone of lru.put(pager.ownerId, id, 1)) leaving.add(gone);
  };
  const prune = async () => {
    for (const [id, { createdAtMs }] of kept) {
      if (!isExpired(createdAtMs)) break;
      leaving.add(id);
    }
    await deleteLeaving();
  };
  const deleteLeaving = async () => {
    for (const id of leaving) {
      leaving.delete(id);
      kept.delete(id);
      lru.drop(id);
      await store.delete(PAGER_PREFIX + id);
    }
  };
  return {
    async get(id, { ownerId, list }) {
      const pager = passing.get(id) ?? read(await store.get(PAGER_PREFIX + id));
      return pager?.ownerId === ownerId && pager.list === list ? pager : undefined;
    },
    async set(id, pager) {
      if (!isStored(pager.ownerId)) return void passing.set(id, pager);
      await store.set(PAGER_PREFIX + id, pager);
      keep(id, pager);
      await prune();
    },
    async forget(ownerId) {
      for (const [id, list] of kept) if (list.ownerId === ownerId) leaving.add(id);
      for (const [id, list] of passing.entries()) if (list.ownerId === ownerId) passing.delete(id);
      await deleteLeaving();
    },
    load(key, document) {
      const parsed = pagerSchema.safeParse(document);
      if (!parsed.success) return 'unreadable';
      if (isExpired(parsed.data.createdAtMs)) return 'expired';
      keep(key.slice(PAGER_PREFIX.length), parsed.data);
      return 'kept';
    },
  };
}
