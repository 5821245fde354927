import { LRUCache } from 'lru-cache';
import type { Machine } from '../lib/machine.ts';
import type { VenueCall } from './errors.ts';
import type { Budget } from './rate-limit/budget.ts';
import type { SkippedItem } from './read.ts';

/**
 * Pages with skipped items that were logged at warning level and are not repeated there at every
 * poll.
 */
const SKIPS_REMEMBERED = 1_000;
/** Requests that are refused together end their pauses as little apart. */
const PAUSE_JITTER_MS = 1_000;

/** Logs what lasts for many requests when it begins and when it ends, not once a request. */
export function createIncidentLog({ log, nowMs }: Machine, budget: Budget) {
  const loggedSkips = new LRUCache<string, true>({ max: SKIPS_REMEMBERED });
  /** End of the pause that was logged last, epoch ms; null when none is under way. */
  let loggedPauseMs: number | null = null;
  let isClockRefused = false;

  return {
    /**
     * To be called after each response: requests are held back, for longer than was logged, or go
     * on.
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
    /** The venue's clock is a day or more from this machine's, or no more. */
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
     * Items of a page that could not be read: a warning once a wallet and item, then at debug
     * level.
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
