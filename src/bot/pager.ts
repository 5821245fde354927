import { z } from 'zod';
import { filtersSchema } from '../look/filters.ts';
import { trailSchema } from '../look/walk.ts';
import type { Store } from '../store/store.ts';
import { walletSchema } from '../watch/watch.ts';

export const PAGER_PREFIX = 'pager:';
/** Buttons of older answers say that they have expired. */
const LIFE_MS = 7 * 86_400_000;

const pagerSchema = z.object({
  version: z.literal(2),
  /** The command whose list it is. */
  list: z.string(),
  guildId: z.string(),
  wallet: walletSchema,
  filters: filtersSchema,
  trail: trailSchema,
  /** When the list was asked for, by the venue's clock: its totals and its chart end there. */
  asOfSeconds: z.int(),
  createdAtMs: z.number(),
});

/** Where somebody stands in a list: kept in the store, so that its buttons still work after a restart. */
export type Pager = z.infer<typeof pagerSchema>;

export interface PagerStore {
  /** @returns undefined if it has expired, or belongs to another guild or list */
  get(id: string, owner: Pick<Pager, 'guildId' | 'list'>): Promise<Pager | undefined>;
  set(id: string, pager: Pager): Promise<void>;
  /** At the start: whether a document that was read is a pager that still lives. */
  isAlive(document: unknown): boolean;
}

export function createPagerStore(store: Pick<Store, 'get' | 'set'>, nowMs: () => number): PagerStore {
  const read = (document: unknown): Pager | undefined => {
    const parsed = pagerSchema.safeParse(document);
    return parsed.success && nowMs() - parsed.data.createdAtMs < LIFE_MS ? parsed.data : undefined;
  };
  return {
    async get(id, { guildId, list }) {
      const pager = read(await store.get(PAGER_PREFIX + id));
      return pager?.guildId === guildId && pager.list === list ? pager : undefined;
    },
    set: (id, pager) => store.set(PAGER_PREFIX + id, pager),
    isAlive: (document) => read(document) !== undefined,
  };
}
