import { stringify } from 'csv-stringify/sync';
import { checksummed, type WalletAddress } from '../domain/address.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/formulas.ts';
import { isBetterThanLuck, type RoomRecord } from '../portfolio/record/standing.ts';

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

/** A wallet of a channel, and its record for the channel; null if nothing is known of it. */
export interface WalletScore {
  readonly wallet: WalletAddress;
  /** What the server calls it. */
  readonly label: string | undefined;
  readonly record: RoomRecord | null;
}

export type ScoredWallet = WalletScore & { readonly record: RoomRecord };

/** The wallets of a channel, best first. */
export interface Ranking {
  /** By edge less error. */
  readonly ranked: readonly ScoredWallet[];
  /** With too few mature markets, those with most of them first. */
  readonly unranked: readonly ScoredWallet[];
  /** Without any purchase that is old enough. */
  readonly silent: readonly WalletScore[];
}

/**
 * Ranks wallets by their edge less its standard error. Equal input gives an equal order.
 *
 * @param everRanked how many wallets the channel has ever ranked: the more, the luckier is the best of them
 */
export function rankWallets(wallets: readonly WalletScore[], everRanked: number): Ranking {
  const scored = wallets.filter((wallet): wallet is ScoredWallet => (wallet.record?.since.markets ?? 0) > 0);
  const isRanked = ({ record }: ScoredWallet) => record.since.isRanked;
  const among = Math.max(everRanked, scored.filter(isRanked).length);
  const boundOf = ({ record: { since } }: ScoredWallet) => lowerBoundCents(since) ?? 0;
  const marketsOf = ({ record }: ScoredWallet) => record.since.markets;
  const byAddress = (a: WalletScore, b: WalletScore) => (a.wallet < b.wallet ? -1 : Number(a.wallet > b.wallet));
  return {
    ranked: scored
      .filter(isRanked)
      .map((wallet) => ({
        ...wallet,
        record: { ...wallet.record, isBetterThanLuck: isBetterThanLuck(wallet.record.since, among) },
      }))
      .sort((a, b) => boundOf(b) - boundOf(a) || marketsOf(b) - marketsOf(a) || byAddress(a, b)),
    unranked: scored
      .filter((wallet) => !isRanked(wallet))
      .sort((a, b) => marketsOf(b) - marketsOf(a) || byAddress(a, b)),
    silent: wallets.filter(({ record }) => (record?.since.markets ?? 0) === 0).toSorted(byAddress),
  };
}

/** Edge less one standard error, cents a share; null without a market. */
export function lowerBoundCents({ edgeCents, errorCents }: RoomRecord['since']): number | null {
  return edgeCents === null || errorCents === null ? null : edgeCents - errorCents;
}

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
