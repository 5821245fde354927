import { Exact, stored, sum } from '../../lib/exact.ts';
import type { Portfolio } from '../portfolio.ts';
import { type Holding, isClosed } from './holding.ts';
import { withoutMarkets } from './known-markets.ts';
import { LATE_SECONDS, type Position } from './position.ts';

/** Positions kept one by one; of more, the markets without a fill for the longest time are given up. */
const POSITIONS_LIMIT = 100;
/** The same with those that alerts were of. */
const WITH_ALERTED_LIMIT = 400;

/** Open positions, highest cost first. */
export function openPositions({ positions }: Portfolio): readonly Position[] {
  return positions.filter(({ held }) => !isClosed(held)).sort((a, b) => new Exact(b.held.cost).comparedTo(a.held.cost));
}

/**
 * Realized profit in USDC, over all that was ever sold or redeemed: of closed positions, with how many, how many gained, and
 * cost of what was sold; and of those that are open. It is true where all is known.
 */
export function realizedTotals({ positions, closed }: Portfolio) {
  const all = positions
    .filter(({ held }) => isClosed(held))
    .reduce((totals, { held }) => addClosed(totals, held), closed);
  const { count, won, realized, costOfSold } = all;
  return {
    closed: { count, won, realized: new Exact(realized), cost: new Exact(costOfSold) },
    open: sum(positions.filter(({ held }) => !isClosed(held)).map(({ held }) => held.realized)),
  };
}

/**
 * Folds positions of which nothing is left into the portfolio's totals, as soon as no late record can change them any more
 * (`LATE_SECONDS` before the wallet's newest). Gives up the markets in which more was sold than was bought, and what is beyond
 * the newest 100 and was not alerted.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param isAlerted whether a channel follows purchases in a market, by its `marketKey`
 */
export function foldPositions(
  portfolio: Portfolio,
  nowSeconds: number,
  isAlerted: (market: string) => boolean,
): Portfolio {
  const newestFirst = portfolio.positions.toSorted((a, b) => b.lastSeconds - a.lastSeconds);
  const lateSeconds = Math.min(nowSeconds, newestFirst[0]?.lastSeconds ?? nowSeconds) - LATE_SECONDS;
  const kept: Position[] = [];
  const lost = new Set<string>();
  let { closed, closedSeconds } = portfolio;
  for (const position of newestFirst) {
    const { market, lastSeconds, held } = position;
    const isEmpty = held.shares === '0' && held.unknownSold === '0';
    if ((position.base?.unknownSold ?? '0') !== '0') lost.add(market);
    else if (isEmpty && lastSeconds < lateSeconds) {
      closed = addClosed(closed, held);
      closedSeconds = Math.max(closedSeconds, lastSeconds);
    } else if (kept.length < POSITIONS_LIMIT || (kept.length < WITH_ALERTED_LIMIT && isAlerted(market)))
      kept.push(position);
    else lost.add(market);
  }
  return withoutMarkets({ ...portfolio, closed, closedSeconds, positions: kept }, lost);
}

function addClosed(closed: Portfolio['closed'], { realized, costOfSold }: Holding): Portfolio['closed'] {
  return {
    count: closed.count + 1,
    won: closed.won + (new Exact(realized).gt(0) ? 1 : 0),
    realized: stored(new Exact(closed.realized).plus(realized)),
    costOfSold: stored(new Exact(closed.costOfSold).plus(costOfSold)),
  };
}
