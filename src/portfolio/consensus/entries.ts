import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { decimalText, Exact, stored } from '../../lib/exact.ts';
import { entryKeys } from '../market.ts';

/** The longest window of a consensus rule, hours. */
export const CONSENSUS_HOURS_LIMIT = 72;

/** Purchases of an outcome within fewer seconds of each other are one entry. */
const MERGED_SECONDS = 60;
/** Entries kept per wallet; beyond, the oldest go. */
const ENTRIES_LIMIT = 200;
/** Code points. */
const SIDE_LIMIT = 40;

/** A wallet's entry into an outcome: one purchase, or several within a minute. */
export const entrySchema = z.object({
  /** From `entryKeys`. */
  outcome: z.string(),
  market: z.string(),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  /** Unix seconds of the first purchase. */
  atSeconds: z.number(),
  /** Decimal texts; `usdc` is gross. */
  shares: z.string(),
  usdc: z.string(),
  /** Shares of them that were sold or redeemed again; null: nobody knows, because of a gap. */
  sold: decimalText.nullable(),
});
export type Entry = z.infer<typeof entrySchema>;

/** The venue's name of an item's outcome, such as `Yes`, as far as it is stored. */
export function sideOf({ positionSide }: ActivityItem): string {
  return Array.from(positionSide).slice(0, SIDE_LIMIT).join('');
}

/**
 * Adds the purchases among these items, takes off what was sold or redeemed of them, and drops entries that are older than the
 * longest window of a consensus.
 *
 * @param items of one wallet
 * @param nowSeconds the venue's clock, Unix seconds
 * @returns oldest first
 */
export function addEntries(entries: readonly Entry[], items: readonly ActivityItem[], nowSeconds: number): Entry[] {
  const next = [...entries];
  for (const item of items) {
    if (item.quantity <= 0) continue;
    if (item.action === 'Sell' || item.action === 'Redeem') takeOff(next, item);
    if (item.action !== 'Buy') continue;
    const { market, outcome } = entryKeys(item);
    const index = next.findIndex(
      (entry) => entry.outcome === outcome && Math.abs(entry.atSeconds - item.time) < MERGED_SECONDS,
    );
    const before = next[index];
    const entry = {
      outcome,
      market,
      side: sideOf(item),
      atSeconds: before?.atSeconds ?? item.time,
      shares: stored(new Exact(before?.shares ?? 0).plus(item.quantity)),
      usdc: stored(new Exact(before?.usdc ?? 0).plus(Math.abs(item.grossValue))),
      sold: before === undefined ? '0' : before.sold,
    };
    if (before === undefined) next.push(entry);
    else next[index] = entry;
  }
  const oldest = nowSeconds - CONSENSUS_HOURS_LIMIT * 3_600;
  return next
    .filter(({ atSeconds }) => atSeconds >= oldest)
    .sort((a, b) => a.atSeconds - b.atSeconds)
    .slice(-ENTRIES_LIMIT);
}

/**
 * Takes a sale or redemption off what was bought before it, the newest first: what was bought last is sold again, whatever
 * was held before.
 */
function takeOff(entries: Entry[], item: ActivityItem): void {
  const { outcome } = entryKeys(item);
  const bought = entries.filter((entry) => entry.outcome === outcome && entry.atSeconds <= item.time);
  let left = new Exact(item.quantity);
  for (const entry of bought.sort((a, b) => b.atSeconds - a.atSeconds)) {
    if (entry.sold === null) continue;
    const sold = Exact.min(entry.shares, left.plus(entry.sold));
    left = left.minus(sold.minus(entry.sold));
    entries[entries.indexOf(entry)] = { ...entry, sold: stored(sold) };
  }
}
