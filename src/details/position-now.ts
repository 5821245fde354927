import type { ActivityItem } from '../feed/interface.ts';
import { outcomeKey } from '../portfolio/market.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { averageEntryCents, EMPTY_HOLDING } from '../portfolio/positions/holding.ts';
import { holdingOf } from '../portfolio/positions/position.ts';
import { isBeyond } from '../watches/known-since.ts';
import type { Joined } from '../watches/watch.ts';

/** What is known to be held of an outcome. Decimal texts. */
export interface PositionNow {
  readonly shares: string;
  /** Average entry price in cents; null if nothing is held. */
  readonly entryCents: number | null;
  /** USDC paid for the held shares, fees included. */
  readonly cost: string;
  /** Unix seconds: earlier trades are unknown, unless `isWhole`. */
  readonly sinceSeconds: number;
  readonly isWhole: boolean;
}

/**
 * What is held of the outcome of an item, as one guild may know it.
 *
 * @param joined since when the guild knows the wallet; undefined if it knows all that is known
 * @returns null if the holding began before that time, or may be among those that are kept as a total only
 */
export function positionNow(portfolio: Portfolio, item: ActivityItem, joined: Joined | undefined): PositionNow | null {
  const key = outcomeKey(item);
  const position = portfolio.positions.find((candidate) => candidate.key === key);
  if (position === undefined && portfolio.folded.count > 0) return null;
  const isCutOff = isBeyond(joined, portfolio);
  if (isCutOff && position !== undefined && position.openedSeconds < joined.knownSinceSeconds) return null;
  const holding = position === undefined ? EMPTY_HOLDING : holdingOf(position);
  return {
    shares: holding.shares,
    entryCents: averageEntryCents(holding),
    cost: holding.cost,
    sinceSeconds: isCutOff ? joined.knownSinceSeconds : portfolio.sinceSeconds,
    isWhole: portfolio.isWhole && !isCutOff,
  };
}
