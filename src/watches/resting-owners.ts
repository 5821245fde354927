import * as z from 'zod';
import type { Store } from '../store/store.ts';
import { ownerIdSchema } from './owner.ts';

export const RESTING_PREFIX = 'resting:';

/** Days for which the watches of a guild that has removed the bot are kept. */
export const RESTING_DAYS = 30;

/** A resting owner, as it is stored. */
export const restingSchema = z.object({
  version: z.literal(1),
  ownerId: ownerIdSchema,
  /** Unix seconds by the venue's clock. */
  sinceSeconds: z.number(),
  /** True: the bot was removed, the watches are deleted after 30 days. False: the server, or the person, is not served at present. */
  isGone: z.boolean(),
});

/** A server, or a person alone, whose watches are kept, but neither polled nor announced. */
export type RestingOwner = z.infer<typeof restingSchema>;

/** All of them: in memory; in the store a document each, `resting:<owner>`. */
export interface RestingOwners {
  /** Adds a stored document, at the start. False if it is not one of a resting owner. */
  load(key: string, document: unknown): boolean;
  get(ownerId: string): RestingOwner | undefined;
  all(): readonly RestingOwner[];
  /** Stores, then applies. */
  set(owner: RestingOwner): Promise<void>;
  delete(ownerId: string): Promise<void>;
}

export function createRestingOwners(store: Pick<Store, 'set' | 'delete'>): RestingOwners {
  const byOwner = new Map<string, RestingOwner>();
  return {
    load(key, document) {
      const parsed = restingSchema.safeParse(document);
      if (!parsed.success || RESTING_PREFIX + parsed.data.ownerId !== key) return false;
      byOwner.set(parsed.data.ownerId, parsed.data);
      return true;
    },
    get: (ownerId) => byOwner.get(ownerId),
    all: () => [...byOwner.values()],
    async set(owner) {
      await store.set(RESTING_PREFIX + owner.ownerId, owner);
      byOwner.set(owner.ownerId, owner);
    },
    async delete(ownerId) {
      await store.delete(RESTING_PREFIX + ownerId);
      byOwner.delete(ownerId);
    },
  };
}
