import { Exact, stored } from '../../lib/exact.ts';
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
export function realizedTotals(portfolio: Portfolio) {
  let { count, won } = portfolio.closed;
  let [realized, cost] = [new Exact(portfolio.closed.realized), new Exact(portfolio.closed.costOfSold)];
  let open = new Exact(0);
  for (const { held } of portfolio.positions) {
    if (isClosed(held)) {
      count += 1;
      won += hasGained(held) ? 1 : 0;
      realized = realized.plus(held.realized);
      cost = cost.plus(held.costOfSold);
    } else open = open.plus(held.realized);
  }
  return { closed: { count, won, realized, cost }, open };
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
  let folded = portfolio;
  for (const position of newestFirst) {
    const { market, lastSeconds, held } = position;
    const isEmpty = held.shares === '0' && held.unknownSold === '0';
    if ((position.base?.unknownSold ?? '0') !== '0') lost.add(market);
    else if (isEmpty && lastSeconds < lateSeconds) folded = foldClosed(folded, held, lastSeconds);
    else if (kept.length < POSITIONS_LIMIT || (kept.length < WITH_ALERTED_LIMIT && isAlerted(market)))
      kept.push(position);
    else lost.add(market);
  }
  return withoutMarkets({ ...folded, positions: kept }, lost);
}

function foldClosed(portfolio: Portfolio, holding: Holding, lastSeconds: number): Portfolio {
  const { closed } = portfolio;
  return {
    ...portfolio,
    closed: {
      count: closed.count + 1,
      won: closed.won + (hasGained(holding) ? 1 : 0),
      realized: stored(new Exact(closed.realized).plus(holding.realized)),
      costOfSold: stored(new Exact(closed.costOfSold).plus(holding.costOfSold)),
    },
    closedSeconds: Math.max(portfolio.closedSeconds, lastSeconds),
  };
}

function hasGained({ realized }: Holding): boolean {
  return new Exact(realized).gt(0);
}
