import { Exact, stored } from '../lib/exact.ts';
import type { Holding } from './holding.ts';
import { holdingOf, LATE_SECONDS, type Position } from './position.ts';
import type { Portfolio } from './schema.ts';

/** Positions kept one by one; beyond, the longest quiet are folded away. */
const POSITIONS_LIMIT = 100;

/** What is held, the dearest first. */
export function openPositions(
  portfolio: Portfolio,
): readonly { readonly position: Position; readonly holding: Holding }[] {
  return portfolio.positions
    .map((position) => ({ position, holding: holdingOf(position) }))
    .filter(({ holding }) => holding.shares !== '0')
    .sort((a, b) => new Exact(b.holding.cost).comparedTo(a.holding.cost));
}

/** Totals of profit, over positions that are closed or partly sold. */
export function realizedTotals(portfolio: Portfolio): {
  /** Closed positions of which every share was known, how many of them gained, their profit and their cost. */
  readonly closed: { readonly count: number; readonly won: number; readonly realized: Exact; readonly cost: Exact };
  /** Profit of everything else that was sold or redeemed, as far as known. */
  readonly others: Exact;
} {
  let { count, won } = portfolio.closed;
  let [realized, cost] = [new Exact(portfolio.closed.realized), new Exact(portfolio.closed.costOfSold)];
  let others = new Exact(portfolio.partlyKnown.realized);
  for (const position of portfolio.positions) {
    const holding = holdingOf(position);
    if (isClosed(holding) && isKnown(holding)) {
      count += 1;
      won += new Exact(holding.realized).gt(0) ? 1 : 0;
      realized = realized.plus(holding.realized);
      cost = cost.plus(holding.costOfSold);
    } else others = others.plus(holding.realized);
  }
  return { closed: { count, won, realized, cost }, others };
}

/** Takes closed positions into the totals when nothing can come late any more, and the longest quiet ones beyond the limit. */
export function fold(portfolio: Portfolio, nowSeconds: number): Portfolio {
  let { closed, partlyKnown, folded } = portfolio;
  const kept: Position[] = [];
  const byAge = portfolio.positions.toSorted((a, b) => b.lastSeconds - a.lastSeconds);
  for (const position of byAge) {
    const mayStay = kept.length < POSITIONS_LIMIT;
    if (mayStay && position.lastSeconds >= nowSeconds - LATE_SECONDS) {
      kept.push(position);
      continue;
    }
    const holding = holdingOf(position);
    if (mayStay && !isClosed(holding)) {
      kept.push(position);
      continue;
    }
    if (!isClosed(holding)) {
      folded = { count: folded.count + 1, cost: stored(new Exact(folded.cost).plus(holding.cost)) };
    }
    if (isClosed(holding) && isKnown(holding)) {
      closed = {
        count: closed.count + 1,
        won: closed.won + (new Exact(holding.realized).gt(0) ? 1 : 0),
        realized: stored(new Exact(closed.realized).plus(holding.realized)),
        costOfSold: stored(new Exact(closed.costOfSold).plus(holding.costOfSold)),
      };
    } else if (holding.realized !== '0' || holding.unknownSold !== '0') {
      partlyKnown = {
        count: partlyKnown.count + 1,
        realized: stored(new Exact(partlyKnown.realized).plus(holding.realized)),
      };
    }
  }
  return { ...portfolio, positions: kept, closed, partlyKnown, folded };
}

function isClosed({ shares }: Holding): boolean {
  return shares === '0';
}

function isKnown({ unknownSold }: Holding): boolean {
  return unknownSold === '0';
}
