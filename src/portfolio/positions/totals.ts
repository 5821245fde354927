import { Exact, stored } from '../../lib/exact.ts';
import type { Portfolio } from '../portfolio.ts';
import type { Holding } from './holding.ts';
import { holdingOf, LATE_SECONDS, type Position } from './position.ts';

/** Positions kept one by one; of more, those without a fill for the longest time are folded into totals. */
const POSITIONS_LIMIT = 100;

/** Open positions with what is held of them, highest cost first; without those that are folded. */
export function openPositions(
  portfolio: Portfolio,
): readonly { readonly position: Position; readonly holding: Holding }[] {
  return portfolio.positions
    .map((position) => ({ position, holding: holdingOf(position) }))
    .filter(({ holding }) => !isClosed(holding))
    .sort((a, b) => new Exact(b.holding.cost).comparedTo(a.holding.cost));
}

/** Realized profit in USDC, over all that was ever sold or redeemed. */
export function realizedTotals(portfolio: Portfolio): {
  /** Closed positions of which every share was known: how many, how many gained, profit, and cost of what was sold. */
  readonly closed: { readonly count: number; readonly won: number; readonly realized: Exact; readonly cost: Exact };
  /** Profit of all other positions, of their known shares. */
  readonly others: Exact;
} {
  let { count, won } = portfolio.closed;
  let [realized, cost] = [new Exact(portfolio.closed.realized), new Exact(portfolio.closed.costOfSold)];
  let others = new Exact(portfolio.partlyKnown.realized);
  for (const position of portfolio.positions) {
    const holding = holdingOf(position);
    if (isClosed(holding) && isKnown(holding)) {
      count += 1;
      won += hasGained(holding) ? 1 : 0;
      realized = realized.plus(holding.realized);
      cost = cost.plus(holding.costOfSold);
    } else others = others.plus(holding.realized);
  }
  return { closed: { count, won, realized, cost }, others };
}

/**
 * Folds positions into the portfolio's totals: closed ones as soon as no late record can change them any more
 * (`LATE_SECONDS` after their newest fill), and whatever is beyond the newest 100.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function foldPositions(portfolio: Portfolio, nowSeconds: number): Portfolio {
  const kept: Position[] = [];
  let folded = portfolio;
  for (const position of portfolio.positions.toSorted((a, b) => b.lastSeconds - a.lastSeconds)) {
    const isRecent = position.lastSeconds >= nowSeconds - LATE_SECONDS;
    if (kept.length < POSITIONS_LIMIT && (isRecent || !isClosed(holdingOf(position)))) kept.push(position);
    else folded = foldHolding(folded, holdingOf(position));
  }
  return { ...folded, positions: kept };
}

function foldHolding(portfolio: Portfolio, holding: Holding): Portfolio {
  const { closed, partlyKnown, folded } = portfolio;
  if (isClosed(holding) && isKnown(holding)) {
    return {
      ...portfolio,
      closed: {
        count: closed.count + 1,
        won: closed.won + (hasGained(holding) ? 1 : 0),
        realized: stored(new Exact(closed.realized).plus(holding.realized)),
        costOfSold: stored(new Exact(closed.costOfSold).plus(holding.costOfSold)),
      },
    };
  }
  const isSold = holding.realized !== '0' || holding.unknownSold !== '0';
  const realized = stored(new Exact(partlyKnown.realized).plus(holding.realized));
  const cost = stored(new Exact(folded.cost).plus(holding.cost));
  return {
    ...portfolio,
    folded: isClosed(holding) ? folded : { count: folded.count + 1, cost },
    partlyKnown: isSold ? { count: partlyKnown.count + 1, realized } : partlyKnown,
  };
}

function isClosed({ shares }: Holding): boolean {
  return shares === '0';
}

/** Whether every share that was sold had been seen bought. */
function isKnown({ unknownSold }: Holding): boolean {
  return unknownSold === '0';
}

function hasGained({ realized }: Holding): boolean {
  return new Exact(realized).gt(0);
}
