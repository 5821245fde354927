import * as z from 'zod';
import { decimalText } from '../lib/exact.ts';

/**
 * Effect of one trade or redemption on the wallet's position. Stored with its alert, but only if it
 * is exact, that is, if everything the wallet did in this market is known. Decimals are texts;
 * shares are of the item's outcome unless stated otherwise.
 */
export const tradeContextSchema = z.object({
  /** Shares held before and after it. */
  sharesBefore: decimalText,
  sharesAfter: decimalText,
  /**
   * True if a purchase opens a position although a negligible number of shares was held, see
   * `isClosed` of a holding.
   */
  isOpening: z.literal(true).exactOptional(),
  /**
   * True if a sale or redemption left nothing or a negligible number of shares, see `isClosed` of a
   * holding.
   */
  isClosed: z.boolean(),
  /** True if it was known how the market had ended, so channels may have read the result. */
  isEndKnown: z.literal(true).exactOptional(),
  /**
   * Average entry price in cents: after a purchase, before a sale or redemption; null if nothing is
   * held.
   */
  entryCents: z.number().nullable(),
  /** USDC gained: proceeds − average cost, fees included. Null for a purchase. */
  realized: decimalText.nullable(),
  /** USDC that the sold or redeemed shares cost. */
  costOfSold: decimalText,
  /** Number of shares held of the market's other outcomes. */
  oppositeShares: decimalText,
  isFirstInMarket: z.boolean(),
});
export type TradeContext = z.infer<typeof tradeContextSchema>;

/** Effects of trades on a position. Each trade whose effect is known has one of these. */
export const EFFECTS = ['opens', 'adds', 'reduces', 'closes'] as const;
export type Effect = (typeof EFFECTS)[number];

/** Median and 95th percentile in USDC of the wallet's last `trades` trades. */
const usualSizeSchema = z.object({ median: z.number(), p95: z.number(), trades: z.number() });

/**
 * Gross USDC of the trade that an item is part of, compared with the earlier ones that a channel
 * has seen.
 */
export const tradeSizeSchema = usualSizeSchema.extend({ usdc: z.number() });
export type TradeSize = z.infer<typeof tradeSizeSchema>;

/**
 * Gross USDC of the trade that an item is part of, compared with the sizes seen by channels that
 * began to watch at different times. `sinceSeconds`, in Unix seconds, is the time of the first
 * trade that a channel has seen. Stored with the alert, which all channels share.
 */
export const tradeSizesSchema = z.object({
  usdc: z.number(),
  usual: z.array(usualSizeSchema.extend({ sinceSeconds: z.number() })),
});
export type TradeSizes = z.infer<typeof tradeSizesSchema>;
