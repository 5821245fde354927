import * as z from 'zod';
import { decimalText } from '../lib/exact.ts';

/**
 * What the wallet's known history says of one trade or redemption at the moment when it was detected. Stored with its alert.
 * Decimals are texts; shares are of the item's outcome unless said otherwise.
 */
export const tradeContextSchema = z.object({
  /** Shares known to be held before and after it. */
  sharesBefore: decimalText,
  sharesAfter: decimalText,
  /** Average entry price in cents: of the holding after a purchase, before a sale or redemption; null if nothing is held. */
  entryCents: z.number().nullable(),
  /** USDC gained on known shares: proceeds − average cost, fees included. Null for a purchase and if no share was known. */
  realized: decimalText.nullable(),
  /** USDC that the sold or redeemed known shares had cost. */
  costOfSold: decimalText,
  /** Shares sold or redeemed beyond those known to be held. */
  unknownShares: decimalText,
  /** Shares known to be held of the market's other outcomes. */
  oppositeShares: decimalText,
  isFirstInMarket: z.boolean(),
  /** Unix seconds: earlier trades are unknown, unless `isWhole`. */
  sinceSeconds: z.number(),
  /** Whether the history begins with the wallet's first trade. */
  isWhole: z.boolean(),
  /** Unix seconds of the oldest known purchase of what is held in this market; of the item itself if nothing is held. */
  heldSinceSeconds: z.number().optional(),
  /**
   * Gross USDC of the trade that the item is a part of, against the median and the 95th percentile of the wallet's last
   * `trades` trades; null with too few trades.
   */
  size: z.object({ usdc: z.number(), median: z.number(), p95: z.number(), trades: z.number() }).nullable(),
});
export type TradeContext = z.infer<typeof tradeContextSchema>;

/**
 * The context for a guild that knows the wallet from a later time than the history does. Without the size, because the usual
 * size comes from trades that were seen for other guilds.
 *
 * @param sinceSeconds Unix seconds from which the guild knows the wallet
 * @returns undefined if it says anything of shares that were held before that time
 */
export function contextSince(context: TradeContext, sinceSeconds: number): TradeContext | undefined {
  if ((context.heldSinceSeconds ?? 0) < sinceSeconds) return undefined;
  return { ...context, sinceSeconds, isWhole: false, size: null };
}
