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
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { beganSecondsOf, isActive, isPaused, type Watch } from '../../watches/watch.ts';
import { alertId } from '../alert.ts';
import type { HeldRecord } from '../decisions.ts';
import type { ConsensusEvent } from '../kinds/consensus.ts';
import type { NewAlert } from '../wallets/wallet-document.ts';

/** Latest purchases of a wallet, and what they have caused. */
interface Known {
  readonly entries: readonly Entry[];
  readonly announcedConsensus: readonly AnnouncedConsensus[];
}

/**
 * Finds where wallets of a channel agree.
 *
 * @param parts `purchasesOf`: latest purchases, and what they have caused
 */
export function createConsensusFinder(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** True of a delayed channel: what it is told of is decided once its time has come there. */
  readonly isLater: (channelId: string) => boolean;
  readonly purchasesOf: (wallet: WalletAddress) => Known;
}) {
  const { registry, channelSettings, isLater, purchasesOf } = parts;

  /** Whether a watch counts for what a wallet has bought. */
  const countsFor = (wallet: WalletAddress, watch: Watch, nowSeconds: number): boolean => {
    // Alerts of a removed wallet wait for Undo; in those of others it counts no more.
    if (watch.wallet === wallet) return !isPaused(watch, nowSeconds);
    return isActive(watch, nowSeconds);
  };

  /** A channel with its rule, as it is when a wallet buys; null: nobody can agree there. */
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
      /** Entries with those of paused wallets, for a delayed channel; null: it is not delayed. */
      allEntries: isDelayed ? entriesSince(watches, known) : null,
    };
  };

  /**
   * Looks for the consensus that a purchase completes in a channel: `found` if the channel is told
   * of it at once; `possible` if a delayed one may be told of it in its time.
   */
  const look = (
    channel: NonNullable<ReturnType<typeof channelNow>>,
    item: ActivityItem,
    known: (wallet: WalletAddress) => Known,
  ) => {
    const { channelId, rule, words, isCounted, watches, entries, allEntries } = channel;
    const purchase = { ...entryKeys(item), atSeconds: item.time };
    const announced = announcedIn(watches, known, { channelId, outcome: purchase.outcome });
    const compared = announced.filter(({ alertId: told, isAhead }) =>
      allEntries === null ? isAhead === undefined : told === undefined,
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
     * A consensus with what was sold since it was found, of wallets whose purchases are still kept.
     * Of one that has bought more within the same minute nobody can say which of it was sold, but
     * for nothing and all.
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
     * Looks in each of these channels for agreement of the wallets that it watches on what one of
     * them has just bought. A delayed channel gets each purchase in which its wallets may agree,
     * paused ones too: whether they do is decided once its time has come there.
     *
     * @returns all that purchases of the wallet have caused, the new alerts, and which channels
     *   would not have been told of them at once
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
      const held: HeldRecord[] = [];
      // The page's own wallet is taken with its new state, which the index does not have yet.
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
            held.push({ alert: { id, wallet, event }, channelId, hold: { by: 'pause' } });
            continue;
          }
          const of = { channelId, ...(seen && { isAhead: true as const }) };
          announced = addAnnounced(announced, of, found, nowSeconds);
        }
      }
      return { announced, alerts, held };
    },
  };
}

/** Purchases since a watch announces: one of those of an outcome in one second. */
function boughtSince(items: readonly ActivityItem[], sinceSeconds: number): ActivityItem[] {
  const bought = items.filter(({ action, time }) => action === 'Buy' && time >= sinceSeconds);
  const bySecond = groupBy(bought, (item) => `${entryKeys(item).outcome} ${item.time}`);
  return [...bySecond.values()].map(([first]) => first);
}

/** Id of a consensus, equal whenever it is found; in a delayed channel each purchase has its own. */
function idOf(channelId: string, { consensus, seen }: ConsensusEvent, nowSeconds: number): string {
  const { outcome, stakes, fromSeconds } = consensus;
  const about = [channelId, 'consensus', outcome];
  if (seen !== undefined) return alertId([...about, seen.atSeconds, nowSeconds]);
  return alertId([...about, stakes.length, fromSeconds]);
}

/** Consensus about an outcome that purchases of a channel's wallets have caused there. */
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

/** Purchases of watched wallets since their watches began, also where a pause has ended since. */
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
