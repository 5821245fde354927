import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Exact, stored } from '../lib/exact.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { CONSENSUS_HOURS_LIMIT } from '../watches/channel-settings.ts';
import { marketKey, outcomeKey } from './outcome.ts';

/** Purchases of an outcome this close together are one entry. */
const MERGED_SECONDS = 60;
/** Entries kept per wallet; beyond, the oldest go. */
const TAKES_LIMIT = 200;
const SIDE_LIMIT = 40;

/** That a wallet has taken an outcome: a purchase, or several in a minute. */
export const entrySchema = z.object({
  outcome: z.string(),
  market: z.string(),
  side: z.string(),
  /** Unix seconds of the first purchase. */
  atSeconds: z.number(),
  shares: z.string(),
  /** Gross USDC. */
  usdc: z.string(),
});
export type Entry = z.infer<typeof entrySchema>;

/** Short names of an item's market and outcome, the same for every wallet. */
export function entryKeys(item: ActivityItem): { readonly market: string; readonly outcome: string } {
  return { market: shortHash(marketKey(item)), outcome: shortHash(outcomeKey(item)) };
}

/**
 * Adds the purchases among these items, and forgets what no window reaches any more.
 *
 * @param items of one wallet
 * @returns oldest first
 */
export function addEntries(entries: readonly Entry[], items: readonly ActivityItem[], nowSeconds: number): Entry[] {
  const next = [...entries];
  for (const item of items) {
    if (item.action !== 'Buy' || item.quantity <= 0) continue;
    const { market, outcome } = entryKeys(item);
    const index = next.findIndex(
      (entry) => entry.outcome === outcome && Math.abs(entry.atSeconds - item.time) < MERGED_SECONDS,
    );
    const before = next[index];
    const entry = {
      outcome,
      market,
      side: Array.from(item.positionSide).slice(0, SIDE_LIMIT).join(''),
      atSeconds: before?.atSeconds ?? item.time,
      shares: stored(new Exact(before?.shares ?? 0).plus(item.quantity)),
      usdc: stored(new Exact(before?.usdc ?? 0).plus(Math.abs(item.grossValue))),
    };
    if (before === undefined) next.push(entry);
    else next[index] = entry;
  }
  const oldest = nowSeconds - CONSENSUS_HOURS_LIMIT * 3_600;
  return next
    .filter(({ atSeconds }) => atSeconds >= oldest)
    .sort((a, b) => a.atSeconds - b.atSeconds)
    .slice(-TAKES_LIMIT);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 10);
}
