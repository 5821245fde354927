import { stringify } from 'csv-stringify/sync';
import { checksummed } from '../domain/address.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/formulas.ts';
import { lowerBoundCents, type Ranking, type WalletScore } from './ranking.ts';

const COLUMNS = [
  'rank',
  'wallet',
  'label',
  'markets',
  'days',
  'won',
  'without_known_end',
  'mean_price_cents',
  'edge_cents',
  'standard_error_cents',
  'lower_bound_cents',
  'better_than_luck',
  'purchases_up_to_utc',
  'one_market_in',
];

/** All wallets of a channel as a table, in the order of the ranking. A figure that does not exist is empty. */
export function scoresCsv({ ranked, unranked, silent }: Ranking): Buffer {
  const rows = [
    ...ranked.map((wallet, index) => rowOf(wallet, String(index + 1))),
    ...[...unranked, ...silent].map((wallet) => rowOf(wallet, '')),
  ];
  return Buffer.from(stringify([COLUMNS, ...rows]));
}

function rowOf({ wallet, label, record }: WalletScore, rank: string): string[] {
  const named = [rank, checksummed(wallet), escapeFormulas((label ?? '').replace(/\p{Cc}+/gu, ' '))];
  if (record === null) return [...named, ...COLUMNS.slice(named.length).map(() => '')];
  const { since, isBetterThanLuck } = record;
  const { markets, days, won, withoutEnd, matureToSeconds } = since;
  return [
    ...named,
    ...[markets, days, won, withoutEnd].map(String),
    ...[since.priceCents, since.edgeCents, since.errorCents, lowerBoundCents(since)].map(cents),
    since.isRanked ? String(isBetterThanLuck) : '',
    matureToSeconds === null ? '' : new Date(matureToSeconds * 1000).toISOString().replace(/\.\d+/, ''),
    String(since.oneIn),
  ];
}

/** To a ten-thousandth, without an exponent. */
function cents(value: number | null): string {
  return value === null ? '' : new Exact(value).toDecimalPlaces(4).toFixed();
}
