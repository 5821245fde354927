import { z } from 'zod';
import { LANGUAGE_TAGS } from '../language/language.ts';
import { filtersSchema } from '../look/filters.ts';
import { trailSchema } from '../look/walk.ts';
import type { Loaded, Store } from '../store/store.ts';
import { walletSchema } from '../watch/watch.ts';

export const PAGER_PREFIX = 'pager:';
/** Buttons of older answers say that they have expired. */
const LIFE_MS = 7 * 86_400_000;
/** However much is asked for, no more lists than this stay turnable: the oldest end early. */
const KEPT_LIMIT = 10_000;

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
  /** Of whoever asked first: the message stays in it, whoever turns the page. Documents of before have none. */
  language: z.enum(LANGUAGE_TAGS).optional(),
});

/** Where somebody stands in a list: kept in the store, so that its buttons still work after a restart. */
export type Pager = z.infer<typeof pagerSchema>;

export interface PagerStore {
  /** @returns undefined if it has expired, or belongs to another guild or list */
  get(id: string, owner: Pick<Pager, 'guildId' | 'list'>): Promise<Pager | undefined>;
  set(id: string, pager: Pager): Promise<void>;
  /** Takes a document that was read at the start. */
  load(key: string, document: unknown): Loaded;
}

export function createPagerStore(store: Pick<Store, 'get' | 'set' | 'delete'>, nowMs: () => number): PagerStore {
  /** When each was made, oldest first as far as this process made them. */
  const createdAtMs = new Map<string, number>();
  const isOutlived = (madeAtMs: number) => nowMs() - madeAtMs >= LIFE_MS;
  const read = (document: unknown): Pager | undefined => {
    const parsed = pagerSchema.safeParse(document);
    return parsed.success && !isOutlived(parsed.data.createdAtMs) ? parsed.data : undefined;
  };
  const prune = async () => {
    for (const [id, madeAtMs] of createdAtMs) {
      if (!isOutlived(madeAtMs) && createdAtMs.size <= KEPT_LIMIT) return;
      createdAtMs.delete(id);
      await store.delete(PAGER_PREFIX + id);
    }
  };
  return {
    async get(id, { guildId, list }) {
      const pager = read(await store.get(PAGER_PREFIX + id));
      return pager?.guildId === guildId && pager.list === list ? pager : undefined;
    },
    async set(id, pager) {
      await store.set(PAGER_PREFIX + id, pager);
      createdAtMs.set(id, pager.createdAtMs);
      await prune();
    },
    load(key, document) {
      const parsed = pagerSchema.safeParse(document);
      if (!parsed.success) return 'unreadable';
      if (isOutlived(parsed.data.createdAtMs)) return 'outlived';
      createdAtMs.set(key.slice(PAGER_PREFIX.length), parsed.data.createdAtMs);
      return 'kept';
    },
  };
}
