import * as z from 'zod';
import { Exact, quotient, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Entry } from './entries.ts';

/** A channel's rule: so many of its watched wallets on one outcome within so many seconds are a consensus. */
export interface ConsensusRule {
  readonly wallets: number;
  readonly windowSeconds: number;
}

/** A consensus that was announced in a channel. */
export const announcedConsensusSchema = z.object({
  channelId: z.string(),
  /** From `entryKeys`. */
  outcome: z.string(),
  /** How many wallets it named. */
  wallets: z.number(),
  /** Unix seconds of its first and its last entry. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type AnnouncedConsensus = z.infer<typeof announcedConsensusSchema>;

/** What one wallet has bought of one outcome within the window. */
export interface Stake<Wallet extends string> {
  readonly wallet: Wallet;
  /** The venue's name of the outcome, such as `Yes`. */
  readonly side: string;
  readonly shares: Exact;
  /** Gross. */
  readonly usdc: Exact;
  /** Shares of them that it has sold again; null: nobody knows. */
  readonly sold: Exact | null;
}

/** Enough wallets on one outcome of a market within one window. */
export interface Consensus<Wallet extends string> {
  /** Both from `entryKeys`. */
  readonly outcome: string;
  readonly market: string;
  /** Wallets that bought the outcome, the one with most left of it first. */
  readonly stakes: readonly Stake<Wallet>[];
  /** Wallets that bought another outcome of the market in the window, in the same order. */
  readonly opposing: readonly Stake<Wallet>[];
  /** Wallets that bought both and count on neither side. */
  readonly hedged: readonly Wallet[];
  /** Unix seconds of the first and the last entry into the outcome. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Whether it continues an announced one that named fewer wallets. */
  readonly isEscalation: boolean;
}

/**
 * Finds the consensus that a purchase completes, if it has not been announced: enough wallets on one outcome, each counted
 * once, in a window of time that contains the purchase. A wallet that bought another outcome of the market within a
 * window's length of such an entry hedges, and counts on neither side. Of several windows the one with the most wallets
 * counts, then the one with the most against them, then the one that begins first. One that overlaps in time with an announced one is the same; it is
 * announced again only with more wallets.
 *
 * @param entriesByWallet of the wallets that the channel watches, the purchase included
 * @param announced what was announced of this outcome in this channel
 * @returns null if there is nothing to announce
 */
export function findConsensus<Wallet extends string>(
  entriesByWallet: ReadonlyMap<Wallet, readonly Entry[]>,
  purchase: Pick<Entry, 'outcome' | 'market' | 'atSeconds'>,
  rule: ConsensusRule,
  announced: readonly Pick<AnnouncedConsensus, 'wallets' | 'fromSeconds' | 'toSeconds'>[],
): Consensus<Wallet> | null {
  const inMarket = [...entriesByWallet].flatMap(([wallet, entries]) =>
    entries.filter(({ market }) => market === purchase.market).map((entry) => ({ wallet, entry })),
  );
  const isHedge = ({ wallet, entry }: WalletEntry<Wallet>) =>
    inMarket.some(
      (other) =>
        other.wallet === wallet &&
        other.entry.outcome !== entry.outcome &&
        Math.abs(other.entry.atSeconds - entry.atSeconds) <= rule.windowSeconds,
    );
  const starts = inMarket
    .map(({ entry }) => entry.atSeconds)
    .filter((start) => start <= purchase.atSeconds && start >= purchase.atSeconds - rule.windowSeconds);
  let best: Consensus<Wallet> | null = null;
  for (const start of [...new Set(starts)].sort((a, b) => a - b)) {
    const inWindow = inMarket.filter(
      ({ entry }) => entry.atSeconds >= start && entry.atSeconds <= start + rule.windowSeconds,
    );
    const found = countWindow(inWindow, isHedge, purchase);
    if (found.stakes.length >= rule.wallets && (best === null || hasMoreWallets(found, best))) best = found;
  }
  if (best === null) return null;
  const { fromSeconds, toSeconds } = best;
  const same = announced.filter((other) => other.fromSeconds <= toSeconds && other.toSeconds >= fromSeconds);
  const most = same.reduce((count, { wallets }) => Math.max(count, wallets), 0);
  return best.stakes.length > most ? { ...best, isEscalation: most > 0 } : null;
}

/** What a wallet has bought with some entries, and sold of them. */
export function totalOf(entries: readonly Entry[]): Pick<Stake<string>, 'shares' | 'usdc' | 'sold'> {
  const [shares, usdc] = [sum(entries.map((entry) => entry.shares)), sum(entries.map((entry) => entry.usdc))];
  const sold = entries.some((entry) => entry.sold === null) ? null : sum(entries.map((entry) => entry.sold ?? 0));
  return { shares, usdc, sold };
}

/** What was bought less what was sold again, by the average price; all of it where that is not known. Figures as of a {@link Stake}, or as texts. */
export function leftOf({
  shares,
  usdc,
  sold,
}: Record<'shares' | 'usdc', string | Exact> & { readonly sold: string | Exact | null }) {
  const left = new Exact(shares).minus(sold ?? 0);
  return { shares: left, usdc: left.isZero() ? left : quotient(left.times(usdc), shares) };
}

/** The order of stakes. */
export function mostLeftFirst(a: Parameters<typeof leftOf>[0], b: Parameters<typeof leftOf>[0]): number {
  return leftOf(b).usdc.comparedTo(leftOf(a).usdc);
}

/** More wallets on the outcome, or as many with more on other outcomes or both. */
function hasMoreWallets(a: Consensus<string>, b: Consensus<string>): boolean {
  return a.stakes.length === b.stakes.length
    ? a.opposing.length + a.hedged.length > b.opposing.length + b.hedged.length
    : a.stakes.length > b.stakes.length;
}

type WalletEntry<Wallet> = { readonly wallet: Wallet; readonly entry: Entry };

function countWindow<Wallet extends string>(
  inWindow: readonly WalletEntry<Wallet>[],
  isHedge: (entry: WalletEntry<Wallet>) => boolean,
  { outcome, market }: Pick<Entry, 'outcome' | 'market'>,
): Consensus<Wallet> {
  const hedged: Wallet[] = [];
  const stakes: Stake<Wallet>[] = [];
  const opposing: Stake<Wallet>[] = [];
  for (const [wallet, entries] of groupBy(inWindow, (entry) => entry.wallet)) {
    if (entries.some(isHedge)) {
      hedged.push(wallet);
      continue;
    }
    const [first] = entries;
    const stake = { wallet, side: first.entry.side, ...totalOf(entries.map(({ entry }) => entry)) };
    (first.entry.outcome === outcome ? stakes : opposing).push(stake);
  }
  const times = inWindow.filter(({ entry }) => entry.outcome === outcome).map(({ entry }) => entry.atSeconds);
  return {
    outcome,
    market,
    stakes: stakes.sort(mostLeftFirst),
    opposing: opposing.sort(mostLeftFirst),
    hedged,
    fromSeconds: Math.min(...times),
    toSeconds: Math.max(...times),
    isEscalation: false,
  };
}

/**
 * Adds a consensus to the announced ones, and drops those that no window can overlap any more.
 *
 * @param keptFromSeconds Unix seconds: those that ended earlier are dropped
 */
export function addAnnounced(
  announced: readonly AnnouncedConsensus[],
  channelId: string,
  { outcome, stakes, fromSeconds, toSeconds }: Consensus<string>,
  keptFromSeconds: number,
): AnnouncedConsensus[] {
  return [
    ...announced.filter((other) => other.toSeconds >= keptFromSeconds),
    { channelId, outcome, wallets: stakes.length, fromSeconds, toSeconds },
  ];
}
