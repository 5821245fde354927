import type { WalletAddress } from '../feed/interface.ts';
import type { Standing } from '../portfolio/results/standing.ts';

/** A wallet of a channel, and how its alerts there did; null if no purchase of it was alerted. */
export interface WalletScore {
  readonly wallet: WalletAddress;
  /** What the server calls it. */
  readonly label: string | undefined;
  readonly standing: Standing | null;
}

export type ScoredWallet = WalletScore & { readonly standing: Standing };

/** The wallets of a channel, best first. */
export interface Ranking {
  /** By the lower bound of their returns. */
  readonly ranked: readonly ScoredWallet[];
  /** With fewer than 20 closed markets, those with most of them first. */
  readonly unranked: readonly ScoredWallet[];
  /** Without any alerted purchase. */
  readonly silent: readonly WalletScore[];
}

/** Ranks wallets by the return of their alerts less its standard error, see `Standing`. Equal input gives an equal order. */
export function rankWallets(wallets: readonly WalletScore[]): Ranking {
  const scored = wallets.filter((wallet): wallet is ScoredWallet => wallet.standing !== null);
  const boundOf = ({ standing }: ScoredWallet) => standing.lowerBound ?? 0;
  const closedOf = ({ standing }: ScoredWallet) => standing.score.markets;
  const openOf = ({ standing }: ScoredWallet) => standing.score.open;
  const byAddress = (a: WalletScore, b: WalletScore) => (a.wallet < b.wallet ? -1 : Number(a.wallet > b.wallet));
  return {
    ranked: scored
      .filter(({ standing }) => standing.lowerBound !== null)
      .toSorted((a, b) => boundOf(b) - boundOf(a) || closedOf(b) - closedOf(a) || byAddress(a, b)),
    unranked: scored
      .filter(({ standing }) => standing.lowerBound === null)
      .toSorted((a, b) => closedOf(b) - closedOf(a) || openOf(b) - openOf(a) || byAddress(a, b)),
    silent: wallets.filter(({ standing }) => standing === null).toSorted(byAddress),
  };
}
