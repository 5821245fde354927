import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { walletSchema } from '../domain/address.ts';
import { storedLanguage } from '../language/stored-language.ts';
import { DAY_MS } from '../lib/time.ts';
import { type Archive, defineArchive, ownPlace } from '../store/collection.ts';
import { filtersSchema } from './filters.ts';

/** Time that lists are kept, in ms; after that their buttons answer that they have expired. */
const LIFE_MS = 7 * DAY_MS;
/**
 * Maximum number of stored lists; above it, the oldest ones of the owner with the most lists are
 * deleted early.
 */
const KEPT_LIMIT = 10_000;
/** Maximum number of lists that are not stored. */
const PASSING_LIMIT = 1_000;

const pagerSchema = z.object({
  /** The command that shows the list. */
  list: z.string(),
  ownerId: z.string(),
  wallet: walletSchema,
  /** The wallet as the person named it; empty if a button did. */
  typed: z.string(),
  filters: filtersSchema,
  /** Time of the newest record when the list was first shown; null if it had none. */
  anchorSeconds: z.number().nullable(),
  /**
   * Time of the request by the venue's clock, in Unix seconds; its totals and its chart end there.
   */
  asOfSeconds: z.int(),
  createdAtMs: z.number(),
  /**
   * Language of the person who first requested the list; the message stays in it, no matter who
   * turns the page.
   */
  language: storedLanguage('en-US'),
});

/** State that the buttons of a list need; stored, so that they work after a restart. */
export type Pager = z.infer<typeof pagerSchema>;

export const pagerKind = defineArchive({
  prefix: 'list:',
  schema: pagerSchema,
  placeOf: ownPlace,
  expiresAtMs: ({ createdAtMs }) => createdAtMs + LIFE_MS,
  bound: { limit: KEPT_LIMIT, sizeOf: () => 1 },
});

/**
 * Creates a store of lists by the id in their buttons.
 *
 * @param isStored true if an owner's lists are stored. Other lists, only the newest, are in memory,
 *   because a person's stored data is in one process's store
 */
export function createPagerStore(pagers: Archive<Pager>, isStored: (ownerId: string) => boolean) {
  const passing = new LRUCache<string, Pager>({ max: PASSING_LIMIT });
  return {
    /** @returns undefined if it has expired, or belongs to another owner or list */
    async get(
      id: string,
      { ownerId, list }: Pick<Pager, 'ownerId' | 'list'>,
    ): Promise<Pager | undefined> {
      const pager = passing.get(id) ?? (await pagers.get(id));
      if (pager?.ownerId === ownerId && pager.list === list) return pager;
      return undefined;
    },
    async set(id: string, pager: Pager): Promise<void> {
      if (isStored(pager.ownerId)) await pagers.set(id, pager);
      else passing.set(id, pager);
    },
    /** Deletes the lists of a server, or of a person's own. */
    async forget(ownerId: string): Promise<void> {
      for (const [id, list] of passing.entries()) {
        if (list.ownerId === ownerId) passing.delete(id);
      }
      await pagers.forget({ ownerId });
    },
  };
}
export type PagerStore = ReturnType<typeof createPagerStore>;
