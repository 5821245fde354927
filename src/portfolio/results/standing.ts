import { type AlertedPositions, amountsOf } from './alerted-positions.ts';
import { addMarket, addSums, isOverdue, NO_MARKETS, type ReturnSums } from './record.ts';
import { type ReturnPerDollar, returnPerDollar, type Score, scoreOf } from './score.ts';

/** How a wallet's alerts did in one channel, as it is compared with others. */
export interface Standing {
  readonly score: Score;
  /** Closed markets that gained. */
  readonly won: number;
  /** Markets that are open for more than 30 days, or were when they were abandoned. */
  readonly overdue: number;
  /** The other abandoned ones: nobody knows what they came to. */
  readonly givenUp: number;
  /** The return with overdue markets counted as lost: what was not sold or redeemed of them by now is worth nothing. */
  readonly withOverdue: ReturnPerDollar;
  /** That return less its standard error, by which wallets are ranked; null with fewer than 20 closed markets. */
  readonly lowerBound: number | null;
}

/**
 * The standing of a wallet's alerts in a channel.
 *
 * @param nowSeconds Unix seconds by the venue's clock
 * @returns null if no alert of a purchase was delivered there
 */
export function standingOf(alertedPositions: AlertedPositions, channelId: string, nowSeconds: number): Standing | null {
  const score = scoreOf(alertedPositions, new Set([channelId]));
  if (score === null) return null;
  const record = alertedPositions.records.find((candidate) => candidate.channelId === channelId);
  const overdue = alertedPositions.open
    .filter((position) => position.channelId === channelId && position.outcomes.length > 0)
    .filter((position) => isOverdue(position, nowSeconds))
    .map(amountsOf)
    .reduce<ReturnSums>(addMarket, record?.overdue ?? NO_MARKETS);
  const withOverdue = returnPerDollar(addSums(record ?? NO_MARKETS, overdue));
  const isRanked = !score.isSmall && withOverdue.error !== null;
  return {
    score,
    won: record?.won ?? 0,
    overdue: overdue.markets,
    givenUp: score.abandoned - (record?.overdue.markets ?? 0),
    withOverdue,
    lowerBound: isRanked ? withOverdue.perDollar - (withOverdue.error ?? 0) : null,
  };
}
