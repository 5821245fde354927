import { isDeepStrictEqual } from 'node:util';
import { createLateWrites } from '../lib/async/late-writes.ts';
import type { Machine } from '../lib/machine.ts';
import type { Store } from '../store/store.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import { type LearnedLimits, learnedLimitsSchema } from '../venue/rate-limit/window-length.ts';

/** Key of the only document. */
export const RATE_LIMIT_KEY = 'ratelimit';

/**
 * Reads the key's limits that a bot or feed has stored; null if there are none or they are invalid.
 */
export async function storedRateLimit(store: Pick<Store, 'get'>): Promise<LearnedLimits | null> {
  return learnedLimitsSchema.safeParse(await store.get(RATE_LIMIT_KEY)).data ?? null;
}

/**
 * Stores the key's limits and the lengths of their windows across restarts, because no response
 * states the lengths. A limit that a response contradicts is deleted.
 */
export function createRateLimitMemory(
  { log }: Machine,
  {
    store,
    budget,
  }: {
    readonly store: Pick<Store, 'set' | 'delete'>;
    readonly budget: Pick<Budget, 'learnedLimits' | 'restoreLimits'>;
  },
) {
  /** Limits that are stored or about to be. */
  let kept: LearnedLimits | null = null;

  const writes = createLateWrites<typeof RATE_LIMIT_KEY>({
    write: (key) => (kept === null ? store.delete(key) : store.set(key, kept)),
    onFailure: (error) => log.warn({ event: 'rate_limit.not_stored', err: error }),
  });

  return {
    /** Loads the document at startup. Returns false if it cannot be read. */
    load(document: unknown): boolean {
      const { data } = learnedLimitsSchema.safeParse(document);
      if (data === undefined) return false;
      kept = data;
      budget.restoreLimits(data);
      return true;
    },
    /** Compares the known limits with the stored ones, after a response. */
    answered(): void {
      const known = budget.learnedLimits();
      if (isDeepStrictEqual(known, kept)) return;
      kept = known;
      writes.changed(RATE_LIMIT_KEY);
      if (known === null) return;
      const { limit, windowMs, faster } = known;
      log.info({
        event: 'rate_limit.learned',
        limit,
        windowSeconds: windowMs / 1000,
        fasterLimit: faster?.limit ?? null,
        fasterWindowSeconds: faster && faster.windowMs / 1000,
      });
    },
    start: writes.start,
    stop: writes.stop,
  };
}
