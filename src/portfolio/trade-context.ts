import * as z from 'zod';
import { decimalText } from '../lib/exact.ts';

/**
 * Effect of one trade or redemption on the wallet's position. Stored with its alert, and there only
 * where it is exact: where all that the wallet ever did in this market is known. Decimals are
 * texts; shares are of the item's outcome unless said otherwise.
 */
export const tradeContextSchema = z.object({
  /** Shares held before and after it. */
  sharesBefore: decimalText,
  sharesAfter: decimalText,
  /**
   * True if a purchase opens a position although shares were held: next to nothing, see `isClosed`
   * of a holding.
   */
  isOpening: z.literal(true).exactOptional(),
  /**
   * True if a sale or redemption has left nothing, or next to nothing: see `isClosed` of a holding.
   */
  isClosed: z.boolean(),
  /** True if the bot knew how the market ended: channels may have read what came of it. */
  isEndKnown: z.literal(true).exactOptional(),
  /**
   * Average entry price in cents: after a purchase, before a sale or redemption; null if nothing is
   * held.
   */
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

/** Effects of trades on a position. Each trade whose effect is known has one of these. */
export const EFFECTS = ['opens', 'adds', 'reduces', 'closes'] as const;
export type Effect = (typeof EFFECTS)[number];

/** Median and 95th percentile, USDC, of the wallet's last `trades` trades. */
const usualSizeSchema = z.object({ median: z.number(), p95: z.number(), trades: z.number() });

/**
 * Gross USDC of the trade that an item is a part of, against those before it that a room has seen.
 */
export const tradeSizeSchema = usualSizeSchema.extend({ usdc: z.number() });
export type TradeSize = z.infer<typeof tradeSizeSchema>;

/**
 * Gross USDC of the trade that an item is a part of, against the sizes that rooms have seen which
 * began to watch at different times: `sinceSeconds`, Unix seconds, is when the first of the trades
 * was that a room has seen. Stored with the alert, which is one for all rooms.
 */
export const tradeSizesSchema = z.object({
  usdc: z.number(),
  usual: z.array(usualSizeSchema.extend({ sinceSeconds: z.number() })),
});
export type TradeSizes = z.infer<typeof tradeSizesSchema>;
