import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { decimalText, Exact, quotient, stored, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { marketSchema } from '../market.ts';
import type { Entry } from './entries.ts';

/** A channel's rule: so many of its watched wallets on one outcome within so many hours are a consensus. */
const ruleSchema = z.object({ wallets: z.number(), hours: z.number() });

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
const stakeSchema = z.object({
  wallet: walletSchema,
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  shares: decimalText,
  /** Gross. */
  usdc: decimalText,
  /** Shares of them that it has sold again; null: nobody knows. */
  sold: decimalText.nullable(),
});
type Stake = z.infer<typeof stakeSchema>;

/** Enough wallets on one outcome of a market within one window. */
const consensusSchema = z.object({
  /** From `entryKeys`. */
  outcome: z.string(),
  /** Wallets that bought the outcome, and wallets that bought another one in the window; those with most left of it first. */
  stakes: z.array(stakeSchema).min(1),
  opposing: z.array(stakeSchema),
  /** How many wallets bought both and count on neither side. */
  hedged: z.number(),
  /** Whether it continues an announced one that named fewer wallets. */
  isEscalation: z.boolean(),
  /** Unix seconds of the first and the last entry into the outcome. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type Consensus = z.infer<typeof consensusSchema>;

/** A consensus as it is stored with its alert. */
export const consensusNewsSchema = consensusSchema.extend({
  market: marketSchema,
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  rule: ruleSchema,
});
export type ConsensusNews = z.infer<typeof consensusNewsSchema>;

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
export function findConsensus(
  entriesByWallet: ReadonlyMap<WalletAddress, readonly Entry[]>,
  purchase: Pick<Entry, 'outcome' | 'market' | 'atSeconds'>,
  rule: z.infer<typeof ruleSchema>,
  announced: readonly Pick<AnnouncedConsensus, 'wallets' | 'fromSeconds' | 'toSeconds'>[],
): Consensus | null {
  const windowSeconds = rule.hours * 3_600;
  const inMarket = [...entriesByWallet].flatMap(([wallet, entries]) =>
    entries.filter(({ market }) => market === purchase.market).map((entry) => ({ wallet, entry })),
  );
  const isHedge = ({ wallet, entry }: WalletEntry) =>
    inMarket.some(
      (other) =>
        other.wallet === wallet &&
        other.entry.outcome !== entry.outcome &&
        Math.abs(other.entry.atSeconds - entry.atSeconds) <= windowSeconds,
    );
  const starts = inMarket
    .map(({ entry }) => entry.atSeconds)
    .filter((start) => start <= purchase.atSeconds && start >= purchase.atSeconds - windowSeconds);
  let best: Consensus | null = null;
  for (const start of [...new Set(starts)].sort((a, b) => a - b)) {
    const inWindow = inMarket.filter(
      ({ entry }) => entry.atSeconds >= start && entry.atSeconds <= start + windowSeconds,
    );
    const found = countWindow(inWindow, isHedge, purchase.outcome);
    if (found.stakes.length >= rule.wallets && (best === null || hasMoreWallets(found, best))) best = found;
  }
  if (best === null) return null;
  const { fromSeconds, toSeconds } = best;
  const same = announced.filter((other) => other.fromSeconds <= toSeconds && other.toSeconds >= fromSeconds);
  const most = same.reduce((count, { wallets }) => Math.max(count, wallets), 0);
  return best.stakes.length > most ? { ...best, isEscalation: most > 0 } : null;
}

/** What a wallet has bought with some entries, and sold of them. */
export function totalOf(entries: readonly Entry[]): Pick<Stake, 'shares' | 'usdc' | 'sold'> {
  const sumOf = (name: 'shares' | 'usdc' | 'sold') => stored(sum(entries.map((entry) => entry[name] ?? 0)));
  const isSoldKnown = entries.every(({ sold }) => sold !== null);
  return { shares: sumOf('shares'), usdc: sumOf('usdc'), sold: isSoldKnown ? sumOf('sold') : null };
}

/** What was bought less what was sold again, by the average price; all of it where that is not known. */
export function leftOf({ shares, usdc, sold }: ReturnType<typeof totalOf>) {
  const left = new Exact(shares).minus(sold ?? 0);
  return { shares: left, usdc: left.isZero() ? left : quotient(left.times(usdc), shares) };
}

/** The order of stakes. */
export function mostLeftFirst(a: Stake, b: Stake): number {
  return leftOf(b).usdc.comparedTo(leftOf(a).usdc);
}

/** More wallets on the outcome, or as many with more on other outcomes or both. */
function hasMoreWallets(a: Consensus, b: Consensus): boolean {
  return a.stakes.length === b.stakes.length
    ? a.opposing.length + a.hedged > b.opposing.length + b.hedged
    : a.stakes.length > b.stakes.length;
}

type WalletEntry = { readonly wallet: WalletAddress; readonly entry: Entry };

function countWindow(
  inWindow: readonly WalletEntry[],
  isHedge: (entry: WalletEntry) => boolean,
  outcome: string,
): Consensus {
  const [stakes, opposing]: [Stake[], Stake[]] = [[], []];
  let hedged = 0;
  for (const [wallet, entries] of groupBy(inWindow, (entry) => entry.wallet)) {
    const [{ entry: first }] = entries;
    if (entries.some(isHedge)) hedged += 1;
    else
      (first.outcome === outcome ? stakes : opposing).push({
        wallet,
        side: first.side,
        ...totalOf(entries.map(({ entry }) => entry)),
      });
  }
  const times = inWindow.filter(({ entry }) => entry.outcome === outcome).map(({ entry }) => entry.atSeconds);
  return {
    outcome,
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
  { outcome, stakes, fromSeconds, toSeconds }: Consensus,
  keptFromSeconds: number,
): AnnouncedConsensus[] {
  return [
    ...announced.filter((other) => other.toSeconds >= keptFromSeconds),
    { channelId, outcome, wallets: stakes.length, fromSeconds, toSeconds },
  ];
}
