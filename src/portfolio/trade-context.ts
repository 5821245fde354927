import { z } from 'zod';

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

/** What the seen history says about one trade or redemption, at the moment at which it was seen. Stored with its alert. */
export const tradeContextSchema = z.object({
  /** Shares of this outcome that were known to be held before and after it. */
  sharesBefore: decimal,
  sharesAfter: decimal,
  /** Cents: the average entry of what is held after a purchase, or was held before a sale or redemption; null if nothing. */
  entryCents: z.number().nullable(),
  /** USDC realized on known shares, by average cost and with fees; null for a purchase and where no share was known. */
  realized: decimal.nullable(),
  /** USDC that these shares had cost. */
  costOfSold: decimal,
  /** Shares that were sold or redeemed beyond what was known. */
  unknownShares: decimal,
  /** Shares of the market's other outcomes that are known to be held. */
  oppositeShares: decimal,
  isFirstInMarket: z.boolean(),
  /** Unix seconds: what was before is not known, unless the history is whole. */
  sinceSeconds: z.number(),
  isWhole: z.boolean(),
  /** Unix seconds of the oldest purchase of what is held in this market, as far as known; of the item itself if nothing is. */
  heldSinceSeconds: z.number().optional(),
  /** The gross USDC of the trade of which it is a part, against the wallet's usual; null with too few trades. */
  size: z.object({ usdc: z.number(), p95: z.number(), trades: z.number() }).nullable(),
});
export type TradeContext = z.infer<typeof tradeContextSchema>;

/**
 * What of it a room may be told that knows the wallet from a later time on than the history: nothing about shares that were
 * held before, and the time from which the room knows. How unusual the size is was reckoned from trades of before.
 */
export function contextSince(context: TradeContext, sinceSeconds: number): TradeContext | undefined {
  if ((context.heldSinceSeconds ?? 0) < sinceSeconds) return undefined;
  return { ...context, sinceSeconds, isWhole: false, size: null };
}
