import { z } from 'zod';
import { Exact } from '../lib/exact.ts';
import type { Entry } from './entries.ts';

/** How many of a room's wallets within how long make a consensus. */
export interface ConsensusRule {
  readonly wallets: number;
  readonly windowSeconds: number;
}

/** A consensus that a room has been told of. */
export const announcedConsensusSchema = z.object({
  channelId: z.string(),
  outcome: z.string(),
  /** How many wallets it named. */
  wallets: z.number(),
  /** Unix seconds of the first and the last purchase in it. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type AnnouncedConsensus = z.infer<typeof announcedConsensusSchema>;

/** What one wallet has put on one side. */
export interface Stake<Wallet extends string> {
  readonly wallet: Wallet;
  readonly side: string;
  readonly shares: Exact;
  readonly usdc: Exact;
}

export interface Consensus<Wallet extends string> {
  readonly outcome: string;
  readonly market: string;
  /** Who took the outcome, the largest first. */
  readonly stakes: readonly Stake<Wallet>[];
  /** Who took another outcome of the market in the same time, the largest first. */
  readonly opposing: readonly Stake<Wallet>[];
  /** Wallets that took both sides and are counted on neither. */
  readonly hedged: readonly Wallet[];
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Whether an earlier one named fewer wallets, rather than none. */
  readonly isEscalation: boolean;
}

/**
 * Looks whether a purchase makes a consensus that the room has not been told of: enough wallets on one outcome of a
 * market, each counted once, within a window of time around the purchase. A wallet that bought another outcome of the
 * market so close to one of these purchases hedges, and counts on neither side. What overlaps in time with a consensus that was told is the same
 * one: it is told again only if it has more wallets.
 *
 * @param takesByWallet of the wallets that the room watches, the purchase among them
 * @param told what this room has been told of this outcome
 * @returns null if there is nothing new to tell
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
  const starts = inMarket
    .map(({ entry }) => entry.atSeconds)
    .filter((start) => start <= purchase.atSeconds && start >= purchase.atSeconds - rule.windowSeconds);
  let best: Consensus<Wallet> | null = null;
  for (const start of new Set(starts)) {
    const inWindow = inMarket.filter(
      ({ entry }) => entry.atSeconds >= start && entry.atSeconds <= start + rule.windowSeconds,
    );
    const isHedge = ({ wallet, entry }: MarketEntry<Wallet>) =>
      inMarket.some(
        (other) =>
          other.wallet === wallet &&
          other.entry.outcome !== entry.outcome &&
          Math.abs(other.entry.atSeconds - entry.atSeconds) <= rule.windowSeconds,
      );
    const found = countWindow(inWindow, isHedge, purchase);
    if (found.stakes.length >= rule.wallets && (best === null || tellsMore(found, best))) best = found;
  }
  if (best === null) return null;
  const { fromSeconds, toSeconds } = best;
  const same = announced.filter((other) => other.fromSeconds <= toSeconds && other.toSeconds >= fromSeconds);
  const most = same.reduce((count, { wallets }) => Math.max(count, wallets), 0);
  return best.stakes.length > most ? { ...best, isEscalation: most > 0 } : null;
}

/** Of two windows around a purchase: more wallets, or as many with more against them. */
function tellsMore<Wallet extends string>(a: Consensus<Wallet>, b: Consensus<Wallet>): boolean {
  return a.stakes.length === b.stakes.length
    ? a.opposing.length + a.hedged.length > b.opposing.length + b.hedged.length
    : a.stakes.length > b.stakes.length;
}

interface MarketEntry<Wallet extends string> {
  readonly wallet: Wallet;
  readonly entry: Entry;
}

function countWindow<Wallet extends string>(
  inWindow: readonly MarketEntry<Wallet>[],
  isHedge: (taken: MarketEntry<Wallet>) => boolean,
  { outcome, market }: Pick<Entry, 'outcome' | 'market'>,
): Consensus<Wallet> {
  const byWallet = new Map<Wallet, Entry[]>();
  for (const { wallet, entry } of inWindow) byWallet.set(wallet, [...(byWallet.get(wallet) ?? []), entry]);
  const hedged: Wallet[] = [];
  const stakes: Stake<Wallet>[] = [];
  const opposing: Stake<Wallet>[] = [];
  for (const [wallet, entries] of byWallet) {
    const [first] = entries;
    if (first === undefined) continue;
    if (entries.some((entry) => isHedge({ wallet, entry }))) {
      hedged.push(wallet);
      continue;
    }
    const sum = (figures: readonly string[]) => figures.reduce((total, figure) => total.plus(figure), new Exact(0));
    const shares = sum(entries.map((entry) => entry.shares));
    const usdc = sum(entries.map((entry) => entry.usdc));
    (first.outcome === outcome ? stakes : opposing).push({ wallet, side: first.side, shares, usdc });
  }
  const times = inWindow.filter(({ entry }) => entry.outcome === outcome).map(({ entry }) => entry.atSeconds);
  const largestFirst = (a: Stake<Wallet>, b: Stake<Wallet>) => b.usdc.comparedTo(a.usdc);
  return {
    outcome,
    market,
    stakes: stakes.sort(largestFirst),
    opposing: opposing.sort(largestFirst),
    hedged,
    fromSeconds: Math.min(...times),
    toSeconds: Math.max(...times),
    isEscalation: false,
  };
}

/** What a room has been told, with one more; what no window can overlap any more is dropped. */
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
