import { LRUCache } from 'lru-cache';
import type { Machine } from '../lib/machine.ts';
import type { VenueCall } from './errors.ts';
import type { Budget } from './rate-limit/budget.ts';
import type { SkippedItem } from './read.ts';

/**
 * Number of pages with skipped items that are remembered, so that each is logged as a warning only
 * once and not at every poll.
 */
const SKIPS_REMEMBERED = 1_000;
/** Maximum difference between the ends of pauses of requests that were refused together, in ms. */
const PAUSE_JITTER_MS = 1_000;

/**
 * Creates a log of lasting conditions: one line when a condition begins and one when it ends, not
 * one per request.
 */
export function createIncidentLog({ log, nowMs }: Machine, budget: Budget) {
  const loggedSkips = new LRUCache<string, true>({ max: SKIPS_REMEMBERED });
  /** End of the pause that was logged last, in epoch ms; null if no pause is under way. */
  let loggedPauseMs: number | null = null;
  let isClockRefused = false;

  return {
    /**
     * Logs that a pause has begun, is longer than was logged, or is over. Call it after each
     * response.
     */
    pause({ endpoint }: { readonly endpoint: string }, status: number): void {
      const { pause } = budget.snapshot();
      if (pause === null) {
        if (loggedPauseMs !== null) log.info({ event: 'venue.rate_limit_over', endpoint });
        loggedPauseMs = null;
        return;
      }
      if (loggedPauseMs !== null && pause.untilMs <= loggedPauseMs + PAUSE_JITTER_MS) return;
      loggedPauseMs = pause.untilMs;
      const text = 'the rate limit is used up; the venue is asked again after the pause';
      const pauseMs = Math.max(0, pause.untilMs - nowMs());
      log.warn({ event: 'venue.rate_limited', endpoint, status, pauseMs }, text);
    },
    /** Logs when the venue's clock starts or stops being more than a day from this machine's. */
    clock(isRefused: boolean): void {
      if (isRefused === isClockRefused) return;
      isClockRefused = isRefused;
      const skewSeconds = Math.round((budget.snapshot().skewMs ?? 0) / 1000);
      const text =
        "the venue's clock and this machine's are more than a day apart: this machine's counts";
      if (isRefused) log.error({ event: 'venue.clock_refused', skewSeconds }, text);
      else log.info({ event: 'venue.clock_accepted', skewSeconds });
    },
    /**
     * Logs the unreadable items of a page: a warning the first time for a wallet and item, then at
     * debug level.
     */
    skipped({ endpoint, wallet }: VenueCall, skipped: readonly SkippedItem[]): void {
      const [first] = skipped;
      if (first === undefined) return;
      const { index, reason, txHash } = first;
      const key = `${endpoint} ${wallet} ${txHash ?? index} ${reason}`;
      const level = loggedSkips.has(key) ? 'debug' : 'warn';
      loggedSkips.set(key, true);
      const text =
        'items of a page could not be read and were skipped; the reason is that of the first';
      const facts = {
        endpoint,
        wallet,
        items: skipped.length,
        index,
        txHash,
        reason,
      };
      log[level]({ event: 'venue.items_skipped', ...facts }, text);
    },
  };
}
