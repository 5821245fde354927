import * as z from 'zod';
import { decimalText } from '../lib/exact.ts';
import { positionSchema } from './positions/position.ts';
import { largestSchema } from './trades/largest.ts';
import { volumeSchema } from './trades/volume.ts';

const lastTransferSchema = z.object({ timeSeconds: z.number(), amount: z.number() });

/**
 * What is known of a wallet's trades, of bounded size. Stored in the wallet's document, in the same write as its detection
 * state. Amounts are USDC, as decimal texts.
 */
export const portfolioSchema = z.object({
  /** Unix seconds: earlier trades are unknown, unless `isWhole`. */
  sinceSeconds: z.number(),
  /** Whether the wallet's first trade ever is known. */
  isWhole: z.boolean(),
  positions: z.array(positionSchema),
  /** Totals of closed positions of which every share was known, beside `positions`. `won`: how many gained. */
  closed: z.object({ count: z.number(), won: z.number(), realized: decimalText, costOfSold: decimalText }),
  /** The same of positions that were sold beyond what was known; profit of their known shares alone. */
  partlyKnown: z.object({ count: z.number(), realized: decimalText }),
  /** Open positions that are kept as a total only. */
  folded: z.object({ count: z.number(), cost: decimalText }),
  /** Hashes of the last 300 markets that the wallet traded in, last traded last. */
  markets: z.array(z.string()),
  /** Whether older ones were dropped: then a market that is not among them may be known to the wallet all the same. */
  marketsCut: z.boolean(),
  /** Gross USDC of the last trades, oldest first. */
  sizes: z.array(z.number()),
  volume: volumeSchema,
  largest: largestSchema.default([]),
  /** How many trades and redemptions were added in all. */
  seen: z.number(),
  /** Unix seconds from which all deposits and withdrawals are known; null before the first page of them. */
  transfersSinceSeconds: z.number().nullable(),
  lastDeposit: lastTransferSchema.nullable(),
  lastWithdrawal: lastTransferSchema.nullable(),
});
export type Portfolio = z.infer<typeof portfolioSchema>;

/** An empty portfolio. @param sinceSeconds Unix seconds from which all trades will be added */
export function newPortfolio(sinceSeconds: number, isWhole: boolean): Portfolio {
  return {
    sinceSeconds,
    isWhole,
    positions: [],
    closed: { count: 0, won: 0, realized: '0', costOfSold: '0' },
    partlyKnown: { count: 0, realized: '0' },
    folded: { count: 0, cost: '0' },
    markets: [],
    marketsCut: false,
    sizes: [],
    volume: [],
    largest: [],
    seen: 0,
    transfersSinceSeconds: null,
    lastDeposit: null,
    lastWithdrawal: null,
  };
}
