import { z } from 'zod';
import { positionSchema } from './positions/position.ts';
import { largestSchema } from './trades/largest.ts';
import { volumeSchema } from './trades/volume.ts';

const moment = z.object({ timeSeconds: z.number(), amount: z.number() });
const decimal = z.string();

/** What has been seen of a wallet, in a bounded form: stored in its document, in one write with how far it was read. */
export const portfolioSchema = z.object({
  /** Unix seconds: trades of before are not known, unless `isWhole`. */
  sinceSeconds: z.number(),
  /** Whether the wallet's first trade ever is known. */
  isWhole: z.boolean(),
  positions: z.array(positionSchema),
  /** Positions whose every share was known and that are closed. */
  closed: z.object({ count: z.number(), won: z.number(), realized: decimal, costOfSold: decimal }),
  /** Profit of positions that were sold beyond what was known; of their known shares alone. */
  partlyKnown: z.object({ count: z.number(), realized: decimal }),
  /** Open positions that are not followed any more. */
  folded: z.object({ count: z.number(), cost: decimal }),
  /** Hashes of the markets that the wallet traded in, last traded last; and since when they are all of them. */
  markets: z.array(z.string()),
  marketsCut: z.boolean(),
  /** Gross USDC of the last trades, oldest first. */
  sizes: z.array(z.number()),
  volume: volumeSchema,
  largest: largestSchema.default([]),
  /** Trades and redemptions seen. */
  seen: z.number(),
  /** Unix seconds from which deposits and withdrawals are known; null before they have been looked at. */
  transfersSinceSeconds: z.number().nullable(),
  lastDeposit: moment.nullable(),
  lastWithdrawal: moment.nullable(),
});
export type Portfolio = z.infer<typeof portfolioSchema>;

/** A book in which nothing is written. @param sinceSeconds Unix seconds from which on everything will be seen */
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
