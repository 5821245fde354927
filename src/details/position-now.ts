import type { ActivityItem } from '../domain/records.ts';
import { marketKey, outcomeKey } from '../portfolio/market.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { averageEntryCents, EMPTY_HOLDING } from '../portfolio/positions/holding.ts';
import { knownPositions } from '../portfolio/positions/known-markets.ts';

/** What is held of an outcome. Decimal texts. */
export interface PositionNow {
  readonly shares: string;
  /** Average entry price in cents; null if nothing is held. */
  readonly entryCents: number | null;
  /** USDC paid for the held shares, fees included. */
  readonly cost: string;
}

/** What is held of the outcome of an item; null if it is not known exactly. */
export function positionNow(portfolio: Portfolio, item: ActivityItem): PositionNow | null {
  const known = knownPositions(portfolio, marketKey(item));
  if (known === null) return null;
  const held = known.find(({ key }) => key === outcomeKey(item))?.held ?? EMPTY_HOLDING;
  return { shares: held.shares, entryCents: averageEntryCents(held), cost: held.cost };
}
