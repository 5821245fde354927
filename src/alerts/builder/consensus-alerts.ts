import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import { Exact } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import {
  type AnnouncedConsensus,
  addAnnounced,
  type ConsensusNews,
  type Entry,
  findConsensus,
  mostLeftFirst,
  purchaseSeen,
  totalOf,
} from '../../portfolio/consensus.ts';
import { entryKeys, marketOf } from '../../portfolio/market.ts';
import type { DetectedPage, WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { beganSecondsOf, isActive, isPaused, type Watch } from '../../watches/watch.ts';
import { alertId } from '../alert.ts';
import type { FilteredRecord } from '../decisions.ts';
import type { ConsensusEvent } from '../kinds/consensus.ts';
import type { NewAlert } from '../wallets/wallet-document.ts';
import type { AlertSources } from './audience.ts';

/** A wallet's latest purchases, and the consensus alerts they have triggered. */
interface Known {
  readonly entries: readonly Entry[];
  readonly announcedConsensus: readonly AnnouncedConsensus[];
}

/**
 * Finds consensus among a channel's wallets.
 * @param parts `purchasesOf`: a wallet's latest purchases, and the consensus alerts they have
 *   triggered
 */
export function createConsensusFinder(
  parts: AlertSources & {
    /**
     * True if a channel is delayed. Its consensus alerts are decided when its delayed time reaches
     * them.
     */
    readonly isLater: (channelId: string) => boolean;
    readonly purchasesOf: (wallet: WalletAddress) => Known;
  },
) {
  const { registry, channelSettings, isLater, purchasesOf } = parts;

  /** Whether a watch counts for a wallet's purchase. */
  const countsFor = (wallet: WalletAddress, watch: Watch, nowSeconds: number): boolean => {
    // A removed wallet's own alerts wait for Undo, but it no longer counts in alerts of others.
    if (watch.wallet === wallet) return !isPaused(watch, nowSeconds);
    return isActive(watch, nowSeconds);
  };

  /**
   * Returns a channel with its rule at the time of a purchase; null if no consensus is possible
   * there.
   */
  const channelNow = (
    channelId: string,
    wallet: WalletAddress,
    nowSeconds: number,
    known: (wallet: WalletAddress) => Known,
  ) => {
    const { consensus: rule = null, words = null } = channelSettings.get(channelId) ?? {};
    if (rule === null) return null;
    const isDelayed = isLater(channelId);
    const watches = registry.ofChannel(channelId);
    const counting = watches.filter((watch) => countsFor(wallet, watch, nowSeconds));
    const isCounted = counting.some((watch) => watch.wallet === wallet);
    if (!isCounted && !isDelayed) return null;
    return {
      channelId,
      rule,
      words,
      isCounted,
      watches,
      entries: entriesSince(counting, known),
      /**
       * Entries including those of paused wallets, for a delayed channel; null if it is not
       * delayed.
       */
      allEntries: isDelayed ? entriesSince(watches, known) : null,
    };
  };

  /**
   * Searches a channel for the consensus that a purchase completes. `found`: announced in the
   * channel now; `possible`: a delayed channel may announce it when its time has come.
   */
  const look = (
    channel: NonNullable<ReturnType<typeof channelNow>>,
    item: ActivityItem,
    known: (wallet: WalletAddress) => Known,
  ) => {
    const { channelId, rule, words, isCounted, watches, entries, allEntries } = channel;
    const purchase = { ...entryKeys(item), atSeconds: item.time };
    const announced = announcedIn(watches, known, { channelId, outcome: purchase.outcome });
    const compared = announced.filter(({ alertId: earlierId, isAhead }) =>
      allEntries === null ? isAhead === undefined : earlierId === undefined,
    );
    const isWanted = isCounted && (words === null || passesWords(words, item));
    const found = isWanted ? findConsensus(entries, purchase, rule, compared) : null;
    if (allEntries === null) return { found, possible: found };
    const possible = found ?? findConsensus(allEntries, purchase, rule, []);
    if (possible === null) return { found, possible };
    const seen = purchaseSeen(allEntries, purchase, rule, found !== null);
    return { found, possible: seen && possible, seen };
  };

  return {
    /**
     * Updates a consensus with sales since it was found, for wallets whose purchases are still
     * kept. If a wallet bought more within the same minute, it is unknown which shares it sold,
     * unless it sold none or all.
     */
    asOfNow(news: ConsensusNews): ConsensusNews {
      const isNamed = ({ outcome, atSeconds }: Entry) =>
        outcome === news.outcome && atSeconds >= news.fromSeconds && atSeconds <= news.toSeconds;
      const stakes = news.stakes.map((stake) => {
        const { entries } = purchasesOf(stake.wallet);
        const { shares, sold } = totalOf(entries.filter(isNamed));
        if (new Exact(shares).lt(stake.shares) || sold === stake.sold) return stake;
        if (sold === shares) return { ...stake, sold: stake.shares };
        return { ...stake, sold: shares === stake.shares ? sold : null };
      });
      return { ...news, stakes: stakes.sort(mostLeftFirst) };
    },
    /**
     * Checks in each channel whether its wallets agree on an outcome that one of them has just
     * bought. A delayed channel gets every purchase that may be part of a consensus, including
     * those of paused wallets; whether it is one is decided when the channel's delayed time reaches
     * it.
     * @returns everything announced because of the wallet's purchases, the new alerts, and the
     *   channels where an alert would not have been posted without the delay
     */
    find(
      {
        wallet,
        fresh,
        nowSeconds,
      }: { readonly wallet: WalletAddress } & DetectedPage<ActivityItem>,
      { entries: own, announcedConsensus: before }: WalletKnowledge,
      watches: readonly Watch[],
    ) {
      let announced: readonly AnnouncedConsensus[] = before;
      const alerts: NewAlert[] = [];
      const filtered: FilteredRecord[] = [];
      // The page's own wallet is used with its new state, which the index does not have yet.
      const known = (of: WalletAddress) =>
        of === wallet ? { entries: own, announcedConsensus: announced } : purchasesOf(of);
      for (const { channelId, sinceSeconds } of watches) {
        const channel = channelNow(channelId, wallet, nowSeconds, known);
        if (channel === null) continue;
        for (const item of boughtSince(fresh, sinceSeconds)) {
          const { found, possible, seen } = look(channel, item, known);
          if (possible === null) continue;
          const consensus = { market: marketOf(item), side: item.positionSide, ...possible };
          const event = { kind: 'consensus' as const, consensus, ...(seen && { seen }) };
          const id = idOf(channelId, event, nowSeconds);
          alerts.push({ id, event, seenAtMs: nowSeconds * 1000, channels: [channelId] });
          if (found === null) {
            filtered.push({ alert: { id, wallet, event }, channelId, reason: { by: 'pause' } });
            continue;
          }
          const of = { channelId, ...(seen && { isAhead: true as const }) };
          announced = addAnnounced(announced, of, found, nowSeconds);
        }
      }
      return { announced, alerts, filtered };
    },
  };
}

/** Returns purchases since a watch began to announce, one per outcome and second. */
function boughtSince(items: readonly ActivityItem[], sinceSeconds: number): ActivityItem[] {
  const bought = items.filter(({ action, time }) => action === 'Buy' && time >= sinceSeconds);
  const bySecond = groupBy(bought, (item) => `${entryKeys(item).outcome} ${item.time}`);
  return [...bySecond.values()].map(([first]) => first);
}

/**
 * Returns the id of a consensus, the same whenever it is found. In a delayed channel each purchase
 * has its own.
 */
function idOf(channelId: string, { consensus, seen }: ConsensusEvent, nowSeconds: number): string {
  const { outcome, stakes, fromSeconds } = consensus;
  const about = [channelId, 'consensus', outcome];
  if (seen !== undefined) return alertId([...about, seen.atSeconds, nowSeconds]);
  return alertId([...about, stakes.length, fromSeconds]);
}

/**
 * Returns the consensus alerts about an outcome that purchases of a channel's wallets have
 * triggered there.
 */
export function announcedIn(
  inChannel: readonly Watch[],
  known: (wallet: WalletAddress) => Pick<Known, 'announcedConsensus'>,
  { channelId, outcome }: Pick<AnnouncedConsensus, 'channelId' | 'outcome'>,
) {
  return inChannel.flatMap(({ wallet }) =>
    known(wallet)
      .announcedConsensus.filter((one) => one.channelId === channelId && one.outcome === outcome)
      .map((one) => ({ ...one, wallet })),
  );
}

/**
 * Returns purchases of watched wallets since their watches began, including those made during a
 * pause that has ended.
 */
export function entriesSince(
  watches: readonly Watch[],
  known: (wallet: WalletAddress) => Pick<Known, 'entries'>,
) {
  const byWallet = new Map<WalletAddress, Entry[]>();
  for (const watch of watches) {
    const { entries } = known(watch.wallet);
    const own = entries.filter(({ atSeconds }) => atSeconds >= beganSecondsOf(watch));
    byWallet.set(watch.wallet, own);
  }
  return byWallet;
}

export type ConsensusFinder = ReturnType<typeof createConsensusFinder>;
