import { shortHash } from '../market.ts';
import type { Portfolio } from '../portfolio.ts';
import type { Position } from './position.ts';

/** Hashes that are kept of markets that are not known any more: three months of a busy wallet that redeems nothing it lost. */
const LOST_LIMIT = 1_000;

/**
 * The positions of a market, where it is followed from the wallet's first record in it; null where it is not. What is not
 * among them is not held.
 *
 * @param market from `marketKey`
 */
export function followedPositions(portfolio: Portfolio, market: string): readonly Position[] | null {
  const { positions, isWhole, lostMarkets } = portfolio;
  const found = positions.filter((position) => position.market === market);
  if (found.length > 0) return found;
  return isWhole && lostMarkets !== null && !lostMarkets.includes(shortHash(market)) ? [] : null;
}

/** Whether every share that was sold had been bought: else what is held is a guess, until a purchase comes late that explains it. */
export function isKnown(position: Position): boolean {
  return position.held.unknownSold === '0';
}

/** Whether all that the wallet ever traded is known. */
export function isAllKnown({ isWhole, lostMarkets, positions }: Portfolio): boolean {
  return isWhole && lostMarkets?.length === 0 && positions.every(isKnown);
}

/** The portfolio without these markets: nothing will be said of them again. @param markets from `marketKey` */
export function withoutMarkets(portfolio: Portfolio, markets: ReadonlySet<string>): Portfolio {
  if (markets.size === 0) return portfolio;
  const { lostMarkets, positions } = portfolio;
  const lost = lostMarkets === null ? null : [...new Set([...lostMarkets, ...[...markets].map(shortHash)])];
  return {
    ...portfolio,
    positions: positions.filter(({ market }) => !markets.has(market)),
    lostMarkets: lost !== null && lost.length > LOST_LIMIT ? null : lost,
  };
}
