import { isDeepStrictEqual } from 'node:util';
import { createLateWrites } from '../lib/async/late-writes.ts';
import type { Machine } from '../lib/machine.ts';
import type { Store } from '../store/store.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import { type LearnedLimits, learnedLimitsSchema } from '../venue/rate-limit/window-length.ts';

/** Key of the only document. */
export const RATE_LIMIT_KEY = 'ratelimit';
/** A crash loses no more than this of it, ms. */
const WRITE_EVERY_MS = 60_000;

/**
 * Reads what a bot or feed stored of the key's limits; null if nothing is stored, or nothing that
 * can be meant.
 */
export async function storedRateLimit(store: Pick<Store, 'get'>): Promise<LearnedLimits | null> {
  return learnedLimitsSchema.safeParse(await store.get(RATE_LIMIT_KEY)).data ?? null;
}

/**
 * Keeps the limits of the key, and how long their windows are, over restarts: no response says the
 * length. What a response contradicts is deleted.
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
  /** Limits as they are stored, or about to be. */
  let kept: LearnedLimits | null = null;

  const writes = createLateWrites<typeof RATE_LIMIT_KEY>({
    everyMs: WRITE_EVERY_MS,
    write: (key) => (kept === null ? store.delete(key) : store.set(key, kept)),
    onFailure: (error) => log.warn({ event: 'rate_limit.not_stored', err: error }),
  });

  return {
    /** Takes the document that was read at the start. False if it cannot be read. */
    load(document: unknown): boolean {
      const { data } = learnedLimitsSchema.safeParse(document);
      if (data === undefined) return false;
      kept = data;
      budget.restoreLimits(data);
      return true;
    },
    /** Compares what is known with what is stored, after a response. */
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
