import * as z from 'zod';
import { decimalText } from '../lib/exact.ts';

/**
 * What one trade or redemption did to the wallet's position. Stored with its alert, and there only where it is exact: where all
 * that the wallet ever did in this market is known. Decimals are texts; shares are of the item's outcome unless said otherwise.
 */
export const tradeContextSchema = z.object({
  /** Shares held before and after it. */
  sharesBefore: decimalText,
  sharesAfter: decimalText,
  /** Whether a sale or redemption has left nothing, or next to nothing: see `isClosed` of a holding. */
  isClosed: z.boolean(),
  /** Average entry price in cents: of the holding after a purchase, before a sale or redemption; null if nothing is held. */
  entryCents: z.number().nullable(),
  /** USDC gained: proceeds − average cost, fees included. Null for a purchase. */
  realized: decimalText.nullable(),
  /** USDC that the sold or redeemed shares had cost. */
  costOfSold: decimalText,
  /** Shares held of the market's other outcomes. */
  oppositeShares: decimalText,
  isFirstInMarket: z.boolean(),
});
export type TradeContext = z.infer<typeof tradeContextSchema>;

/**
 * Gross USDC of the trade that an item is a part of, against the median and the 95th percentile of the wallet's last `trades`
 * trades before it. Stored with its alert.
 */
export const tradeSizeSchema = z.object({ usdc: z.number(), median: z.number(), p95: z.number(), trades: z.number() });
export type TradeSize = z.infer<typeof tradeSizeSchema>;
