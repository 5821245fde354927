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
  /** Whether all trades are known, from the wallet's first on. */
  isWhole: z.boolean(),
  /** Of markets that are known from their first record on, see {@link positionsIn}. */
  positions: z.array(positionSchema),
  /** Totals of closed positions, beside `positions`. `won`: how many gained. */
  closed: z.object({ count: z.number(), won: z.number(), realized: decimalText, costOfSold: decimalText }),
  /** Unix seconds of the newest fill of those. */
  closedSeconds: z.number(),
  /**
   * Hashes of markets of which something is not known any more. Null: there were too many, and of markets that are not among
   * `positions` nobody can tell. */
  lostMarkets: z.array(z.string()).nullable(),
  /** Hashes of the last 300 markets that the wallet traded in, last traded last. */
  markets: z.array(z.string()),
  /** Whether older ones were dropped: then a market that is not among them may be known to the wallet all the same. */
  marketsCut: z.boolean(),
  /** The last trades: Unix seconds and gross USDC of each, in the order in which they were listed. */
  sizes: z.array(z.tuple([z.number(), z.number()]).readonly()),
  volume: volumeSchema,
  largest: largestSchema,
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
    closedSeconds: 0,
    lostMarkets: [],
    markets: [],
    marketsCut: false,
    sizes: [],
    volume: [],
    largest: [],
    transfersSinceSeconds: null,
    lastDeposit: null,
    lastWithdrawal: null,
  };
}
