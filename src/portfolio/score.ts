import { Exact } from '../lib/exact.ts';
import type { AlertedPositions } from './alerted-positions.ts';

/** How alerts did, with how sure that is. */
export interface Score {
  readonly markets: number;
  /** Share of the markets that gained, 0 to 1, and its 95 % interval (Wilson). */
  readonly won: number;
  readonly wonFrom: number;
  readonly wonTo: number;
  /** What a dollar at the alerts' prices has gained, fees counted: 0.1 is ten cents. */
  readonly perDollar: number;
  /** Standard error of that, over markets; null with fewer than two. */
  readonly perDollarError: number | null;
  readonly isSmall: boolean;
  readonly open: number;
  readonly oldestOpenSeconds: number | null;
  readonly givenUp: number;
}

/** With fewer markets than this a record says little. */
const SMALL_SAMPLE = 20;
const Z95 = 1.96;

/** The record of a wallet's alerts in these channels; null if none has rung. */
export function scoreOf({ open, records }: AlertedPositions, channels: ReadonlySet<string>): Score | null {
  const meant = records.filter(({ channelId }) => channels.has(channelId));
  const followed = open.filter(({ channelId, stakes }) => channels.has(channelId) && stakes.length > 0);
  if (meant.length === 0 && followed.length === 0) return null;
  const sum = (name: 'markets' | 'won' | 'paidPaid' | 'gotGot' | 'paidGot' | 'givenUp') =>
    meant.reduce((total, record) => total + record[name], 0);
  const markets = sum('markets');
  const paid = meant.reduce((total, record) => total.plus(record.paid), new Exact(0)).toNumber();
  const got = meant.reduce((total, record) => total.plus(record.got), new Exact(0)).toNumber();
  const won = markets === 0 ? 0 : sum('won') / markets;
  const ratio = paid === 0 ? 1 : got / paid;
  // Residuals of the ratio estimator, one a market: forty fills of one market are one bet.
  const residuals = Math.max(0, sum('gotGot') - 2 * ratio * sum('paidGot') + ratio * ratio * sum('paidPaid'));
  const [wonFrom, wonTo] = wilson(won, markets);
  return {
    markets,
    won,
    wonFrom,
    wonTo,
    perDollar: ratio - 1,
    perDollarError: markets < 2 || paid === 0 ? null : Math.sqrt((residuals * markets) / (markets - 1)) / paid,
    isSmall: markets < SMALL_SAMPLE,
    open: followed.length,
    oldestOpenSeconds: followed.reduce<number | null>(
      (oldest, { openedSeconds }) => Math.min(oldest ?? openedSeconds, openedSeconds),
      null,
    ),
    givenUp: sum('givenUp'),
  };
}

/** The 95 % score interval of a proportion (Wilson 1927). */
function wilson(share: number, count: number): readonly [number, number] {
  if (count === 0) return [0, 1];
  const z2 = (Z95 * Z95) / count;
  const middle = (share + z2 / 2) / (1 + z2);
  const reach = (Z95 * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count))) / (1 + z2);
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)];
}
