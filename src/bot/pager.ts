import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { walletSchema } from '../watch/watch.ts';

export const PAGER_PREFIX = 'pager:';
/** Buttons of older answers say that they have expired. */
const LIFE_MS = 7 * 86_400_000;

const pagerSchema = z.object({
  version: z.literal(1),
  guildId: z.string(),
  wallet: walletSchema,
  /** The cursor of each page after the first, as far as they are known. A cursor is too long for a button's id. */
  cursors: z.array(z.string()),
  createdAtMs: z.number(),
});

/** Where somebody stands in a list: kept in the store, so that its buttons still work after a restart. */
export type Pager = z.infer<typeof pagerSchema>;

export interface PagerStore {
  /** @returns undefined if it has expired, or belongs to another guild */
  get(id: string, guildId: string): Promise<Pager | undefined>;
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
    async get(id, guildId) {
      const pager = read(await store.get(PAGER_PREFIX + id));
      return pager?.guildId === guildId ? pager : undefined;
    },
    set: (id, pager) => store.set(PAGER_PREFIX + id, pager),
    isAlive: (document) => read(document) !== undefined,
  };
}
