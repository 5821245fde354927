import type { WalletAddress } from '../domain/address.ts';
import { isBetterThanLuck } from '../portfolio/record/record.ts';
import type { RoomRecord } from '../portfolio/record/room-record.ts';

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
