import type { ActivityItem } from '../feed/interface.ts';
import { marketKey, outcomeKey } from '../portfolio/market.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { averageEntryCents, EMPTY_HOLDING } from '../portfolio/positions/holding.ts';
import { knownPositions } from '../portfolio/positions/known-markets.ts';
import { holdingOf } from '../portfolio/positions/position.ts';
import { knowsAll } from '../watches/known-since.ts';
import type { Joined } from '../watches/watch.ts';

/** What is held of an outcome. Decimal texts. */
export interface PositionNow {
  readonly shares: string;
  /** Average entry price in cents; null if nothing is held. */
  readonly entryCents: number | null;
  /** USDC paid for the held shares, fees included. */
  readonly cost: string;
}

/**
 * What is held of the outcome of an item, as one guild may know it.
 *
 * @param joined since when the guild knows the wallet; undefined if it knows all that is known
 * @returns null if it is not known exactly, or not by this guild
 */
export function positionNow(portfolio: Portfolio, item: ActivityItem, joined: Joined | undefined): PositionNow | null {
  const known = knownPositions(portfolio, marketKey(item));
  if (known === null || !knowsAll(joined, portfolio)) return null;
  const position = known.find(({ key }) => key === outcomeKey(item));
  const holding = position === undefined ? EMPTY_HOLDING : holdingOf(position);
  return { shares: holding.shares, entryCents: averageEntryCents(holding), cost: holding.cost };
}
