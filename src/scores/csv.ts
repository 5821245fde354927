import { stringify } from 'csv-stringify/sync';
import { checksummed } from '../feed/interface.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/formulas.ts';
import type { Ranking, WalletScore } from './ranking.ts';

const COLUMNS = [
  'rank',
  'wallet',
  'label',
  'closed_markets',
  'won',
  'return_per_dollar',
  'standard_error',
  'open',
  'oldest_open_utc',
  'over_30_days_open',
  'return_with_those_lost',
  'its_standard_error',
  'lower_bound',
  'given_up',
];

/**
 * All wallets of a channel as a table, in the order of the ranking. Returns are shares: 0.0631 is 6.31 %. A figure that does
 * not exist is empty.
 */
export function scoresCsv({ ranked, unranked, silent }: Ranking): Buffer {
  const rows = [
    ...ranked.map((wallet, index) => rowOf(wallet, String(index + 1))),
    ...[...unranked, ...silent].map((wallet) => rowOf(wallet, '')),
  ];
  return Buffer.from(stringify([COLUMNS, ...rows]));
}

function rowOf({ wallet, label, standing }: WalletScore, rank: string): string[] {
  const named = [rank, checksummed(wallet), escapeFormulas((label ?? '').replace(/\p{Cc}+/gu, ' '))];
  if (standing === null) return [...named, ...COLUMNS.slice(named.length).map(() => '')];
  const { score, won, overdue, withOverdue, lowerBound, givenUp } = standing;
  const { markets, open, oldestOpenSeconds } = score;
  const isCounted = markets + overdue > 0;
  return [
    ...named,
    String(markets),
    String(won),
    share(markets > 0 ? score.perDollar : null),
    share(score.perDollarError),
    String(open),
    oldestOpenSeconds === null ? '' : new Date(oldestOpenSeconds * 1000).toISOString().replace(/\.\d+/, ''),
    String(overdue),
    share(isCounted ? withOverdue.perDollar : null),
    share(withOverdue.error),
    share(lowerBound),
    String(givenUp),
  ];
}

/** To a millionth, without an exponent. */
function share(value: number | null): string {
  return value === null ? '' : new Exact(value).toDecimalPlaces(6).toFixed();
}
