import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import { Exact } from '../../lib/exact.ts';
import { HOUR_SECONDS } from '../../lib/time.ts';
import {
  type AnnouncedConsensus,
  addAnnounced,
  CONSENSUS_HOURS_LIMIT,
  type ConsensusNews,
  countedNow,
  type Entry,
  findConsensus,
  mostLeftFirst,
  totalOf,
} from '../../portfolio/consensus.ts';
import { entryKeys, marketOf } from '../../portfolio/market.ts';
import type { DetectedPage, WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { ChannelSettings, ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { beganSecondsOf, isActive, isPaused, type Watch } from '../../watches/watch.ts';
import { alertId } from '../alert.ts';
import type { HeldRecord, Hold } from '../decisions.ts';
import type { NewAlert } from '../wallets/wallet-document.ts';

/**
 * Finds where wallets of a channel agree. @param parts `purchasesOf`: latest purchases, and what
 * they have caused
 */
export function createConsensusFinder(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** True of a delayed channel: a pause may be over once its time comes there. */
  readonly isLater: (channelId: string) => boolean;
  readonly purchasesOf: (
    wallet: WalletAddress,
  ) => Pick<WalletKnowledge, 'entries' | 'announcedConsensus'>;
}) {
  const { registry, channelSettings, isLater, purchasesOf } = parts;

  /** Whether a watch counts for what a wallet has bought. */
  const countsFor = (wallet: WalletAddress, watch: Watch, nowSeconds: number): boolean => {
    if (isLater(watch.channelId)) return true;
    // Alerts of a removed wallet wait for Undo; in those of others it counts no more.
    if (watch.wallet === wallet) return !isPaused(watch, nowSeconds);
    return isActive(watch, nowSeconds);
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
     * them has just bought.
     *
     * @returns all that purchases of the wallet have caused, the new alerts, and from which channels
     *   they are held for now
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
      const counts = (watch: Watch) => countsFor(wallet, watch, nowSeconds);
      for (const watch of watches.filter(counts)) {
        const { channelId, sinceSeconds } = watch;
        const { consensus: rule = null, words = null } = channelSettings.get(channelId) ?? {};
        if (rule === null) continue;
        const channel = { channelId, isLater: isLater(channelId) };
        const inChannel = registry.ofChannel(channelId);
        // The page's own wallet is taken with its new state, which the index does not have yet.
        const known = (of: WalletAddress) =>
          of === wallet ? { entries: own, announcedConsensus: announced } : purchasesOf(of);
        const entries = entriesSince(inChannel.filter(counts), known);
        const bought = boughtSince(fresh, sinceSeconds, words);
        const asked = channel.isLater ? bought : bought.filter(({ hold }) => hold === null);
        for (const { item, hold } of asked) {
          const purchase = { ...entryKeys(item), atSeconds: item.time };
          const same = inChannel
            .flatMap((other) => known(other.wallet).announcedConsensus)
            .filter((other) => other.channelId === channelId && other.outcome === purchase.outcome)
            .map((other) => countedNow(other, entries));
          const found = findConsensus(entries, purchase, rule, same);
          if (found === null) continue;
          const keptSeconds = 2 * CONSENSUS_HOURS_LIMIT * HOUR_SECONDS;
          announced = addAnnounced(announced, channel, found, nowSeconds - keptSeconds);
          const consensus = { market: marketOf(item), side: item.positionSide, ...found };
          const { outcome, stakes, fromSeconds } = found;
          const id = alertId([channelId, 'consensus', outcome, stakes.length, fromSeconds]);
          const event = { kind: 'consensus', consensus } as const;
          alerts.push({ id, event, seenAtMs: nowSeconds * 1000, channels: [channelId] });
          if (hold !== null) held.push({ alert: { id, wallet, event }, channelId, hold });
        }
      }
      return { announced, alerts, held };
    },
  };
}

/** Purchases since a watch announces, each with the channel's words where these hold it. */
function boughtSince(
  items: readonly ActivityItem[],
  sinceSeconds: number,
  words: ChannelSettings['words'],
) {
  const bought = items.filter(({ action, time }) => action === 'Buy' && time >= sinceSeconds);
  return bought.map((item): { readonly item: ActivityItem; readonly hold: Hold | null } => {
    const isHeld = words !== null && !passesWords(words, item);
    return { item, hold: isHeld ? { by: 'channelWords', value: words } : null };
  });
}

/** Purchases of watched wallets since their watches began, also where a pause has ended since. */
function entriesSince(
  watches: readonly Watch[],
  known: (wallet: WalletAddress) => Pick<WalletKnowledge, 'entries'>,
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
