import * as z from 'zod';
import { decimalText, Exact, stored, sum } from '../lib/exact.ts';
import { accountsSchema, NO_ACCOUNTS } from './accounts/accounts.ts';
import { type Holding, isClosed, isKnown, LATE_SECONDS, type Position, positionSchema } from './positions/position.ts';
import { largestTradeSchema } from './trades/trades.ts';
import { volumeSchema } from './trades/volume.ts';

/** Positions kept one by one; of more, the markets without a fill for the longest time are given up. */
const POSITIONS_LIMIT = 100;
/** The same with those that alerts were of. */
const WITH_ALERTED_LIMIT = 400;
/** Hashes kept of markets that are not known any more: three months of a busy wallet that redeems nothing it lost. */
const LOST_LIMIT = 1_000;

const lastTransferSchema = z.object({ timeSeconds: z.number(), amount: z.number() });

/**
 * What is known of a wallet's trades, of bounded size. Stored in the wallet's document, in the same write as its
 * detection state. Amounts are USDC, as decimal texts.
 */
export const portfolioSchema = z.object({
  /** Unix seconds: earlier trades are unknown, unless `isWhole`. */
  sinceSeconds: z.number(),
  /** Whether all trades are known, from the wallet's first on. */
  isWhole: z.boolean(),
  /** Of markets that are known from their first record on, see {@link positionsIn}. */
  positions: z.array(positionSchema),
  /** Of all markets in which the wallet was seen to buy. */
  accounts: accountsSchema,
  /** Totals of closed positions, beside `positions`. `won`: how many gained. */
  closed: z.object({ count: z.number(), won: z.number(), realized: decimalText, costOfSold: decimalText }),
  /** Unix seconds of the newest fill of those. */
  closedSeconds: z.number(),
  /**
   * Hashes of markets of which something is not known any more. Null: there were too many, and of markets that are not
   * in `positions` nobody can tell.
   */
  lostMarkets: z.array(z.string()).nullable(),
  /** The last trades: Unix seconds and gross USDC of each, in the order in which they were listed. */
  sizes: z.array(z.tuple([z.number(), z.number()]).readonly()),
  volume: volumeSchema,
  /** Oldest first. */
  largest: z.array(largestTradeSchema),
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
    accounts: NO_ACCOUNTS,
    closed: { count: 0, won: 0, realized: '0', costOfSold: '0' },
    closedSeconds: 0,
    lostMarkets: [],
    sizes: [],
    volume: [],
    largest: [],
    transfersSinceSeconds: null,
    lastDeposit: null,
    lastWithdrawal: null,
  };
}

/**
 * The positions of a market, where it is followed from the wallet's first record in it; null where it is not. What is
 * not among them is not held.
 *
 * @param market its id, and the short hash of its `marketKey`, null if that is not known
 */
export function followedPositions(
  { positions, isWhole, lostMarkets }: Portfolio,
  { marketId, key }: { readonly marketId: string; readonly key: string | null },
): readonly Position[] | null {
  const own = positions.filter((position) => (key === null ? position.marketId === marketId : position.market === key));
  const isLost = key === null ? lostMarkets?.length !== 0 : lostMarkets?.includes(key) !== false;
  return own.length > 0 || (isWhole && !isLost) ? own : null;
}

/** The same; null also where it is not known exactly what is held. */
export function positionsIn(portfolio: Portfolio, market: Parameters<typeof followedPositions>[1]) {
  const own = followedPositions(portfolio, market);
  return own?.every(isKnown) === true ? own : null;
}

/** Whether all that the wallet ever traded is known. */
export function isAllKnown({ isWhole, lostMarkets, positions }: Portfolio): boolean {
  return isWhole && lostMarkets?.length === 0 && positions.every(isKnown);
}

/** Open positions, highest cost first. */
export function openPositions({ positions }: Portfolio): readonly Position[] {
  return positions.filter(({ held }) => !isClosed(held)).sort((a, b) => new Exact(b.held.cost).comparedTo(a.held.cost));
}

/**
 * Realized profit in USDC, over all that was ever sold or redeemed: of closed positions, with how many, how many
 * gained, and cost of what was sold; and of those that are open. It is true where all is known.
 */
export function realizedTotals({ positions, closed }: Portfolio) {
  return {
    closed: positions
      .filter(({ held }) => isClosed(held))
      .reduce((totals, { held }) => addClosed(totals, held), closed),
    open: sum(positions.filter(({ held }) => !isClosed(held)).map(({ held }) => held.realized)),
  };
}

/**
 * Folds markets of which nothing is left into the portfolio's totals, as soon as no late record can change them any
 * more (`LATE_SECONDS` before the wallet's newest). Gives up the markets in which more was sold than was bought, and
 * what is beyond the newest 100 and was not alerted.
 *
 * @param lostMarkets of which nothing will be said again
 * @param nowSeconds the venue's clock, Unix seconds
 * @param isAlerted whether a channel follows purchases in a market: such a market is not given up
 */
export function foldPositions(
  portfolio: Portfolio,
  lostMarkets: ReadonlySet<string>,
  nowSeconds: number,
  isAlerted: (market: string) => boolean,
): Portfolio {
  const newestFirst = portfolio.positions
    .filter(({ market }) => !lostMarkets.has(market))
    .sort((a, b) => b.lastSeconds - a.lastSeconds);
  const lateSeconds = Math.min(nowSeconds, newestFirst[0]?.lastSeconds ?? nowSeconds) - LATE_SECONDS;
  const isOver = (position: Position) =>
    isClosed(position.held) && isKnown(position) && position.lastSeconds < lateSeconds;
  // What one outcome has gained is told as long as another of its market is held, if there is room.
  const open = new Set(newestFirst.filter((position) => !isOver(position)).map(({ market }) => market));
  const kept: Position[] = [];
  const lost = new Set(lostMarkets);
  let { closed, closedSeconds } = portfolio;
  for (const position of newestFirst) {
    const { market, lastSeconds, held } = position;
    if ((position.base?.unknownSold ?? '0') !== '0') lost.add(market);
    else if (isOver(position) && (!open.has(market) || kept.length >= POSITIONS_LIMIT)) {
      closed = addClosed(closed, held);
      closedSeconds = Math.max(closedSeconds, lastSeconds);
    } else if (kept.length < POSITIONS_LIMIT || (kept.length < WITH_ALERTED_LIMIT && isAlerted(market)))
      kept.push(position);
    else lost.add(market);
  }
  const known = portfolio.lostMarkets && [...new Set([...portfolio.lostMarkets, ...lost])];
  return {
    ...portfolio,
    closed,
    closedSeconds,
    positions: kept.filter(({ market }) => !lost.has(market)),
    lostMarkets: known && known.length <= LOST_LIMIT ? known : null,
  };
}

function addClosed(closed: Portfolio['closed'], { realized, costOfSold }: Holding): Portfolio['closed'] {
  return {
    count: closed.count + 1,
    won: closed.won + (new Exact(realized).gt(0) ? 1 : 0),
    realized: stored(new Exact(closed.realized).plus(realized)),
    costOfSold: stored(new Exact(closed.costOfSold).plus(costOfSold)),
  };
}
