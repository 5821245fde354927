import { stringify } from 'csv-stringify/sync';
import { checksummed, type WalletAddress } from '../domain/address.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/text/formulas.ts';
import type { CameBack } from '../portfolio/came-back.ts';
import type { RecordSince } from '../portfolio/record/channel-record.ts';

/**
 * Columns of a wallet's track record, after `rank`, `wallet` and `label`. A missing figure is
 * empty.
 */
const FIGURES: Readonly<Record<string, (record: RecordSince) => string>> = {
  markets: ({ since }) => String(since.markets),
  days: ({ since }) => String(since.days),
  won: ({ since }) => String(since.won),
  without_known_end: ({ since }) => String(since.withoutEnd),
  mean_price_cents: ({ since }) => cents(since.priceCents),
  edge_cents: ({ since }) => cents(since.edgeCents),
  standard_error_cents: ({ since }) => cents(since.errorCents),
  lower_bound_cents: ({ since }) => cents(lowerBoundCents(since)),
  better_than_luck({ since, verdict }) {
    return since.isRanked ? String(verdict === 'better') : '';
  },
  luck_reaches_cents({ since, luckCents }) {
    return since.isRanked ? cents(luckCents) : '';
  },
  // Without a market of the channel's own, these two would describe markets of others.
  purchases_up_to_utc({ since }) {
    if (since.markets === 0 || since.matureToSeconds === null) return '';
    return utcText(since.matureToSeconds);
  },
  one_market_in({ since }) {
    return since.markets === 0 ? '' : String(since.oneIn);
  },
};

/** Columns of the returned money, after those of the track record; empty while there is no sum. */
const SUMS: Readonly<Record<string, (cameBack: CameBack) => string>> = {
  came_back_up_to_utc: ({ untilSeconds }) => utcText(untilSeconds),
  came_back_markets: ({ markets }) => String(markets),
  came_back_without_known_end: ({ withoutEnd }) => String(withoutEnd.markets),
  came_back_without_known_end_usdc: ({ withoutEnd }) => withoutEnd.paidUsdc,
  came_back_paid_usdc: ({ paidUsdc }) => paidUsdc,
  came_back_usdc: ({ backUsdc }) => backUsdc,
  came_back_gain_usdc: ({ gainUsdc }) => gainUsdc ?? '',
};

/**
 * A wallet of a channel, and its track record for the channel; null if nothing is known about it.
 */
export interface WalletScore {
  readonly wallet: WalletAddress;
  readonly label: string | undefined;
  readonly record: RecordSince | null;
}

export type ScoredWallet = WalletScore & { readonly record: RecordSince };

/** The wallets of a channel, best first. */
export type Ranking = ReturnType<typeof rankWallets>;

/**
 * Ranks wallets by their verdict, and wallets with the same verdict by their edge. Equal input
 * gives equal order.
 */
export function rankWallets(wallets: readonly WalletScore[]) {
  const scored = wallets.filter(
    (wallet): wallet is ScoredWallet => (wallet.record?.since.markets ?? 0) > 0,
  );
  const isRanked = ({ record }: ScoredWallet) => record.since.isRanked;
  const isBetter = ({ record }: ScoredWallet) => record.verdict === 'better';
  const edgeOf = ({ record }: ScoredWallet) => record.since.edgeCents ?? 0;
  const marketsOf = ({ record }: ScoredWallet) => record.since.markets;
  const byAddress = (a: WalletScore, b: WalletScore) =>
    a.wallet < b.wallet ? -1 : Number(a.wallet > b.wallet);
  const byMarkets = (a: ScoredWallet, b: ScoredWallet) =>
    marketsOf(b) - marketsOf(a) || byAddress(a, b);
  // For wallets that are not better than luck, the edge also determines the verdict.
  const byVerdict = (a: ScoredWallet, b: ScoredWallet) =>
    Number(isBetter(b)) - Number(isBetter(a)) || edgeOf(b) - edgeOf(a) || byMarkets(a, b);
  const isSilent = ({ record }: WalletScore) => (record?.since.markets ?? 0) === 0;
  return {
    ranked: scored.filter(isRanked).sort(byVerdict),
    /** Wallets with too few mature markets, those with the most markets first. */
    unranked: scored.filter((wallet) => !isRanked(wallet)).sort(byMarkets),
    /** Wallets without a purchase that is old enough. */
    silent: wallets.filter(isSilent).toSorted(byAddress),
  };
}

/** Returns the edge minus one standard error, in cents per share; null without a market. */
function lowerBoundCents({ edgeCents, errorCents }: RecordSince['since']): number | null {
  if (edgeCents === null || errorCents === null) return null;
  return edgeCents - errorCents;
}

/**
 * Returns all wallets of a channel as a table, in the order of the ranking.
 *
 * @param sums money returned, for the wallets for which the channel may see it
 */
export function scoresCsv(
  { ranked, unranked, silent }: Ranking,
  sums: ReadonlyMap<WalletAddress, CameBack>,
): Buffer {
  const rows = [...ranked, ...unranked, ...silent].map(({ wallet, label, record }, index) => {
    const cameBack = sums.get(wallet);
    return [
      index < ranked.length ? String(index + 1) : '',
      checksummed(wallet),
      escapeFormulas((label ?? '').replace(/\p{Cc}+/gu, ' ')),
      ...Object.values(FIGURES).map((figure) => (record === null ? '' : figure(record))),
      ...Object.values(SUMS).map((figure) => (cameBack === undefined ? '' : figure(cameBack))),
    ];
  });
  const names = ['rank', 'wallet', 'label', ...Object.keys(FIGURES), ...Object.keys(SUMS)];
  return Buffer.from(stringify([names, ...rows]));
}

/** Formats a time to the second: `2026-03-12T08:00:00Z`. */
function utcText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+/, '');
}

/** Formats cents to a ten-thousandth, without an exponent. */
function cents(value: number | null): string {
  if (value === null) return '';
  return new Exact(value).toDecimalPlaces(4).toFixed();
}
