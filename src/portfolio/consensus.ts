import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import { decimalText, Exact, quotient, sum, toDecimalText } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { HOUR_SECONDS } from '../lib/time.ts';
import { entryKeys, marketKey, marketSchema } from './market.ts';

/** Longest window of a consensus rule, in hours. */
export const CONSENSUS_HOURS_LIMIT = 72;

/** Time between purchases of an outcome below which they are one entry, in seconds. */
const MERGED_SECONDS = 60;
/** Maximum number of entries kept per wallet. Beyond it, the oldest are removed. */
const ENTRIES_LIMIT = 200;
/** Maximum number of code points stored of an outcome's name. */
const SIDE_LIMIT = 40;
/**
 * Maximum number of entries for which a purchase is kept for a delayed channel, unless it is a
 * consensus now. At 130 bytes each, this is 5 kB per purchase, out of the 10 MB that may wait for a
 * channel.
 */
const SEEN_LIMIT = 40;

/** A wallet's entry into an outcome: one purchase, or several within a minute. */
export const entrySchema = z.object({
  /** Keys from `entryKeys`. */
  outcome: z.string(),
  market: z.string(),
  /** The venue's name of the outcome, for example `Yes`. */
  side: z.string(),
  /** Time of the first purchase, in Unix seconds. */
  atSeconds: z.number(),
  shares: decimalText,
  /** Gross amount, from which the price is computed, and the amount paid, fees included. */
  usdc: decimalText,
  netUsdc: decimalText,
  /** Number of these shares that were sold or redeemed; null if unknown because of a gap. */
  sold: decimalText.nullable(),
});
export type Entry = z.infer<typeof entrySchema>;

/**
 * A channel's rule: the number of its watched wallets that form a consensus if they buy one outcome
 * within this many hours.
 */
interface Rule {
  readonly wallets: number;
  readonly hours: number;
}

export const announcedConsensusSchema = z.object({
  channelId: z.string(),
  outcome: z.string(),
  /** Number of wallets it named. */
  wallets: z.number(),
  /** Times of its first and last entry, in Unix seconds. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
  /**
   * True if a delayed channel would have received it without the delay. It is not compared with
   * what the channel actually receives.
   */
  isAhead: z.literal(true).exactOptional(),
  /** Id of the alert with which a delayed channel receives it. */
  alertId: z.string().exactOptional(),
});
export type AnnouncedConsensus = z.infer<typeof announcedConsensusSchema>;

/** One wallet's purchases of one outcome within the window. */
const stakeSchema = z.object({
  wallet: walletSchema,
  side: z.string(),
  shares: decimalText,
  /** Gross amount, and the amount paid, fees included. */
  usdc: decimalText,
  netUsdc: decimalText,
  /** Number of these shares that it has sold; null if unknown. */
  sold: decimalText.nullable(),
});
type Stake = z.infer<typeof stakeSchema>;

/** Enough wallets on one outcome of a market within one window, as stored with its alert. */
export const consensusNewsSchema = z.object({
  outcome: z.string(),
  /**
   * Wallets that bought the outcome, and wallets that bought another one in the window. Those with
   * most left come first.
   */
  stakes: z.array(stakeSchema).min(1),
  opposing: z.array(stakeSchema),
  /** Number of wallets that bought both, and count on neither side. */
  hedged: z.number(),
  /** True if it continues an announced consensus that named fewer wallets. */
  isEscalation: z.boolean(),
  /** Times of the first and the last entry into the outcome, in Unix seconds. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
  /**
   * Wallet of `stakes` that entered the outcome first. Left out if two did so in the same second,
   * and in data stored before this was recorded.
   */
  first: walletSchema.optional(),
  market: marketSchema,
  side: z.string(),
});
export type ConsensusNews = z.infer<typeof consensusNewsSchema>;
export type Consensus = Omit<ConsensusNews, 'market' | 'side'>;

/**
 * A purchase with everything known about its market when it was seen. A delayed channel uses it to
 * look for a consensus when its delayed time has come.
 */
export const purchaseSeenSchema = z.object({
  /** Key of the market, from `entryKeys`. */
  market: z.string(),
  /** Time of the purchase, in Unix seconds. */
  atSeconds: z.number(),
  /** True if a channel without a delay received a consensus with it. */
  isNews: z.boolean(),
  /** Entries into the market by each wallet that the channel watched. */
  wallets: z.array(
    z.object({
      wallet: walletSchema,
      entries: z.array(entrySchema.omit({ market: true })),
    }),
  ),
});
export type PurchaseSeen = z.infer<typeof purchaseSeenSchema>;

/**
 * Finds the consensus that a purchase completes, if it has not been announced: enough wallets on
 * one outcome, each counted once, in a window of time that contains the purchase. A wallet that
 * bought another outcome of the market within a window's length of such an entry hedges, and counts
 * on neither side. Among several windows, the one with the most wallets counts, then the one with
 * the most against them, then the one that begins first. A consensus that overlaps in time with an
 * announced one is the same, and is announced again only with more wallets.
 * @param entriesByWallet entries of the channel's watched wallets, including the purchase
 * @param announced earlier consensus alerts about this outcome in this channel
 * @returns null if there is nothing to announce
 */
export function findConsensus(
  entriesByWallet: ReadonlyMap<WalletAddress, readonly Entry[]>,
  purchase: Pick<Entry, 'outcome' | 'market' | 'atSeconds'>,
  rule: Rule,
  announced: readonly Pick<AnnouncedConsensus, 'wallets' | 'fromSeconds' | 'toSeconds'>[],
): Consensus | null {
  const windowSeconds = rule.hours * HOUR_SECONDS;
  const inMarket: { wallet: WalletAddress; entry: Entry; isHedge: boolean }[] = [];
  for (const [wallet, entries] of entriesByWallet) {
    const own = entries.filter(({ market }) => market === purchase.market);
    for (const entry of own) {
      const isOpposite = ({ outcome, atSeconds }: Entry) =>
        outcome !== entry.outcome && Math.abs(atSeconds - entry.atSeconds) <= windowSeconds;
      inMarket.push({ wallet, entry, isHedge: own.some(isOpposite) });
    }
  }
  const starts = new Set<number>();
  const earliestStart = purchase.atSeconds - windowSeconds;
  for (const { entry } of inMarket) {
    const start = entry.atSeconds;
    if (start >= earliestStart && start <= purchase.atSeconds) starts.add(start);
  }
  const countFrom = (start: number) => {
    const end = start + windowSeconds;
    const isInWindow = ({ atSeconds }: Entry) => atSeconds >= start && atSeconds <= end;
    const inWindow = inMarket.filter(({ entry }) => isInWindow(entry));
    const wallets = [...groupBy(inWindow, ({ wallet }) => wallet).values()];
    const taking = wallets.filter((own) => !own.some(({ isHedge }) => isHedge));
    const stakesOf = (isSame: boolean) =>
      taking
        .filter(([{ entry }]) => (entry.outcome === purchase.outcome) === isSame)
        .map((own): Stake => {
          const [{ wallet, entry }] = own;
          const total = totalOf(own.map((one) => one.entry));
          return { wallet, side: entry.side, ...total };
        })
        .sort(mostLeftFirst);
    const times: number[] = [];
    for (const { entry } of inWindow) {
      if (entry.outcome === purchase.outcome) times.push(entry.atSeconds);
    }
    const entered = taking
      .flat()
      .filter(({ entry }) => entry.outcome === purchase.outcome)
      .map(({ wallet, entry: { atSeconds } }) => ({ wallet, atSeconds }));
    return {
      outcome: purchase.outcome,
      stakes: stakesOf(true),
      first: firstOf(entered),
      opposing: stakesOf(false),
      hedged: wallets.length - taking.length,
      fromSeconds: Math.min(...times),
      toSeconds: Math.max(...times),
    };
  };
  const againstIn = ({ opposing, hedged }: ReturnType<typeof countFrom>) =>
    opposing.length + hedged;
  const earliestFirst = [...starts].sort((a, b) => a - b);
  const [best] = earliestFirst
    .map(countFrom)
    .filter(({ stakes }) => stakes.length >= rule.wallets)
    .sort((a, b) => b.stakes.length - a.stakes.length || againstIn(b) - againstIn(a));
  if (best === undefined) return null;
  const { fromSeconds, toSeconds } = best;
  const same = announced.filter(
    (other) => other.fromSeconds <= toSeconds && other.toSeconds >= fromSeconds,
  );
  const most = Math.max(0, ...same.map(({ wallets }) => wallets));
  if (best.stakes.length > most) return { ...best, isEscalation: most > 0 };
  return null;
}

/**
 * Returns the wallet that entered before all others; undefined if two did so in the same second, or
 * there are none.
 * @param entered times of entries into one outcome, in Unix seconds
 */
export function firstOf(
  entered: readonly { readonly wallet: WalletAddress; readonly atSeconds: number }[],
): WalletAddress | undefined {
  const earliest = Math.min(...entered.map(({ atSeconds }) => atSeconds));
  const wallets = new Set<WalletAddress>();
  for (const { wallet, atSeconds } of entered) if (atSeconds === earliest) wallets.add(wallet);
  const [first, ...others] = wallets;
  return others.length === 0 ? first : undefined;
}

/** Adds up what a wallet bought with some entries, and what it sold of that. */
export function totalOf(entries: readonly Entry[]) {
  const sumOf = (name: 'shares' | 'usdc' | 'netUsdc' | 'sold') =>
    toDecimalText(sum(entries.map((entry) => entry[name] ?? 0)));
  const isSoldKnown = entries.every(({ sold }) => sold !== null);
  return {
    shares: sumOf('shares'),
    usdc: sumOf('usdc'),
    netUsdc: sumOf('netUsdc'),
    sold: isSoldKnown ? sumOf('sold') : null,
  };
}

/**
 * Returns the shares bought minus those sold, with their cost at the average price. If it is
 * unknown how many were sold, returns all of them.
 */
export function leftOf({ shares, usdc, netUsdc, sold }: ReturnType<typeof totalOf>) {
  const left = new Exact(shares).minus(sold ?? 0);
  const partOf = (amount: string) => (left.isZero() ? left : quotient(left.times(amount), shares));
  return { shares: left, usdc: partOf(usdc), netUsdc: partOf(netUsdc) };
}

export function mostLeftFirst(a: Stake, b: Stake): number {
  return leftOf(b).netUsdc.comparedTo(leftOf(a).netUsdc);
}

/**
 * Adds a consensus, and removes those that no window can overlap any more.
 * @param of the channel, and for a delayed one, how it receives the consensus
 */
export function addAnnounced(
  announced: readonly AnnouncedConsensus[],
  of: Pick<AnnouncedConsensus, 'channelId' | 'isAhead' | 'alertId'>,
  { outcome, stakes, fromSeconds, toSeconds }: Consensus,
  nowSeconds: number,
): AnnouncedConsensus[] {
  const keptFromSeconds = nowSeconds - 2 * CONSENSUS_HOURS_LIMIT * HOUR_SECONDS;
  return [
    ...announced.filter((other) => other.toSeconds >= keptFromSeconds),
    { ...of, outcome, wallets: stakes.length, fromSeconds, toSeconds },
  ];
}

/**
 * Returns a purchase with the entries into its market that may be in a window with it, or make a
 * wallet hedge there. It has at most 200 entries in total, but at least each wallet's newest in
 * each outcome. Beyond that, a wallet's oldest entries into an outcome are merged into the next
 * newer one.
 * @param isNews whether a channel without a delay receives a consensus with it
 * @returns null if it is not part of a consensus now and would take much space. It could become
 *   part of one only if settings are changed in the meantime
 */
export function purchaseSeen(
  entriesByWallet: ReadonlyMap<WalletAddress, readonly Entry[]>,
  { market, atSeconds }: Pick<Entry, 'market' | 'atSeconds'>,
  { hours }: Rule,
  isNews: boolean,
): PurchaseSeen | null {
  const reachSeconds = 2 * hours * HOUR_SECONDS;
  const known: { readonly wallet: WalletAddress; readonly entries: readonly Entry[] }[] = [];
  let count = 0;
  for (const [wallet, all] of entriesByWallet) {
    const entries = all
      .filter((one) => one.market === market)
      .filter((one) => Math.abs(one.atSeconds - atSeconds) <= reachSeconds);
    if (entries.length > 0) known.push({ wallet, entries });
    count += entries.length;
  }
  if (!isNews && count > SEEN_LIMIT) return null;
  const mostEach = Math.max(1, Math.floor(ENTRIES_LIMIT / Math.max(1, known.length)));
  const wallets = known.map(({ wallet, entries }) => ({
    wallet,
    entries: thinned(entries, mostEach).map(({ market: _, ...entry }) => entry),
  }));
  return { market, atSeconds, isNews, wallets };
}

/** Merges the oldest entries of each outcome into the next newer one, until few enough are left. */
function thinned(entries: readonly Entry[], most: number): Entry[] {
  if (entries.length <= most) return [...entries];
  const kept = entries.toSorted((a, b) => a.atSeconds - b.atSeconds);
  for (let place = 0; kept.length > most && place < kept.length; ) {
    const old = kept[place];
    const next = kept.findIndex(({ outcome }, at) => at > place && outcome === old?.outcome);
    const newer = kept[next];
    if (old === undefined || newer === undefined) {
      place += 1;
      continue;
    }
    kept[next] = { ...newer, ...totalOf([old, newer]) };
    kept.splice(place, 1);
  }
  return kept;
}

/** Returns the venue's name of an item's outcome, for example `Yes`, cut to the stored length. */
export function sideOf({ positionSide }: ActivityItem): string {
  return Array.from(positionSide).slice(0, SIDE_LIMIT).join('');
}

/**
 * Adds the purchases among a wallet's items, subtracts what was sold or redeemed, and removes
 * entries older than the longest window of a consensus.
 * @param nowSeconds the venue's clock, in Unix seconds
 * @param known records that were counted before. If a purchase is listed after a later sale, it is
 *   unknown how much of it was sold
 * @returns oldest first
 */
export function addEntries(
  entries: readonly Entry[],
  items: readonly ActivityItem[],
  nowSeconds: number,
  known: readonly ActivityItem[] = [],
): Entry[] {
  const next = [...entries];
  for (const item of items) {
    if (item.quantity <= 0 || marketKey(item) === '') continue;
    if (item.action === 'Sell' || item.action === 'Redeem') takeOff(next, item);
    if (item.action !== 'Buy') continue;
    const { outcome } = entryKeys(item);
    const index = next.findIndex((entry) => isInEntry(entry, item));
    const before = next[index];
    const isLaterSale = (other: ActivityItem) =>
      other.time >= item.time && other.action !== 'Buy' && entryKeys(other).outcome === outcome;
    const isBeforeSale = known.some(isLaterSale);
    const entry = withPurchase(before, item, isBeforeSale);
    if (before === undefined) next.push(entry);
    else next[index] = entry;
  }
  const oldest = nowSeconds - CONSENSUS_HOURS_LIMIT * HOUR_SECONDS;
  return next
    .filter(({ atSeconds }) => atSeconds >= oldest)
    .sort((a, b) => a.atSeconds - b.atSeconds)
    .slice(-ENTRIES_LIMIT);
}

/** Whether a purchase belongs to an entry. */
export function isInEntry({ outcome, atSeconds }: Entry, item: ActivityItem): boolean {
  return outcome === entryKeys(item).outcome && Math.abs(atSeconds - item.time) < MERGED_SECONDS;
}

/**
 * Returns the entry with a purchase added.
 * @param before undefined if this purchase begins the entry
 * @param isBeforeSale whether a later sale was counted
 */
function withPurchase(before: Entry | undefined, item: ActivityItem, isBeforeSale: boolean): Entry {
  const soldBefore = before === undefined ? '0' : before.sold;
  return {
    ...entryKeys(item),
    side: sideOf(item),
    atSeconds: before?.atSeconds ?? item.time,
    shares: toDecimalText(new Exact(before?.shares ?? 0).plus(item.quantity)),
    usdc: toDecimalText(new Exact(before?.usdc ?? 0).plus(Math.abs(item.grossValue))),
    netUsdc: toDecimalText(new Exact(before?.netUsdc ?? 0).plus(item.transferNetAmount)),
    sold: isBeforeSale ? null : soldBefore,
  };
}

/**
 * Subtracts a sale or redemption from earlier purchases, the newest first, regardless of what was
 * held before them.
 */
function takeOff(entries: Entry[], item: ActivityItem): void {
  const { outcome } = entryKeys(item);
  const bought = entries.filter(
    (entry) => entry.outcome === outcome && entry.atSeconds <= item.time,
  );
  bought.sort((a, b) => b.atSeconds - a.atSeconds);
  let left = new Exact(item.quantity);
  for (const entry of bought) {
    if (entry.sold === null) continue;
    const sold = Exact.min(entry.shares, left.plus(entry.sold));
    left = left.minus(sold.minus(entry.sold));
    entries[entries.indexOf(entry)] = { ...entry, sold: toDecimalText(sold) };
  }
}
