import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import { Exact } from '../../lib/exact.ts';
import { HOUR_SECONDS } from '../../lib/time.ts';
import {
  type AnnouncedConsensus,
  addAnnounced,
  CONSENSUS_HOURS_LIMIT,
  type ConsensusNews,
  type Entry,
  findConsensus,
  mostLeftFirst,
  totalOf,
} from '../../portfolio/consensus.ts';
import { entryKeys, marketOf } from '../../portfolio/market.ts';
import type { DetectedPage, WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { isActive, isLeaving, type Watch } from '../../watches/watch.ts';
import { alertId } from '../alert.ts';
import type { NewAlert } from '../wallets/wallet-document.ts';

/**
 * Finds where wallets of a channel agree. @param parts `purchasesOf`: latest purchases, and what
 * they have caused
 */
export function createConsensusFinder(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** True of a channel that hears later: a pause may be over once its clock comes there. */
  readonly isLater: (channelId: string) => boolean;
  readonly purchasesOf: (wallet: WalletAddress) => Pick<WalletKnowledge, 'entries' | 'announced'>;
}) {
  const { registry, channelSettings, isLater, purchasesOf } = parts;
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
     * @returns all that purchases of the wallet have caused, and the new alerts
     */
    find(
      {
        wallet,
        fresh,
        nowSeconds,
      }: { readonly wallet: WalletAddress } & DetectedPage<ActivityItem>,
      { entries: own, announced: before }: WalletKnowledge,
      watches: readonly Watch[],
    ) {
      let announced: readonly AnnouncedConsensus[] = before;
      const alerts: NewAlert[] = [];
      const counts = (watch: Watch) =>
        isLater(watch.channelId) ? !isLeaving(watch) : isActive(watch, nowSeconds);
      for (const watch of watches.filter(counts)) {
        const { channelId, sinceSeconds } = watch;
        const { consensus: rule = null, words = null } = channelSettings.get(channelId) ?? {};
        if (rule === null) continue;
        const inChannel = registry.ofChannel(channelId);
        // The page's own wallet is taken with its new state, which the index does not have yet.
        const known = (of: WalletAddress) =>
          of === wallet ? { entries: own, announced } : purchasesOf(of);
        const entries = entriesSince(inChannel.filter(counts), known);
        for (const item of fresh) {
          if (item.action !== 'Buy' || item.time < sinceSeconds || !passesWords(words, item)) {
            continue;
          }
          const purchase = { ...entryKeys(item), atSeconds: item.time };
          const same = inChannel
            .flatMap((other) => known(other.wallet).announced)
            .filter((other) => other.channelId === channelId && other.outcome === purchase.outcome);
          const found = findConsensus(entries, purchase, rule, same);
          if (found === null) continue;
          const keptSeconds = 2 * CONSENSUS_HOURS_LIMIT * HOUR_SECONDS;
          announced = addAnnounced(announced, channelId, found, nowSeconds - keptSeconds);
          const consensus = { market: marketOf(item), side: item.positionSide, ...found };
          const { outcome, stakes, fromSeconds } = found;
          alerts.push({
            id: alertId([channelId, 'consensus', outcome, stakes.length, fromSeconds]),
            event: { kind: 'consensus', consensus },
            seenAtMs: nowSeconds * 1000,
            channels: [channelId],
          });
        }
      }
      return { announced, alerts };
    },
  };
}

/** Purchases of watched wallets since their watches announce. */
function entriesSince(
  watches: readonly Watch[],
  known: (wallet: WalletAddress) => Pick<WalletKnowledge, 'entries'>,
) {
  const byWallet = new Map<WalletAddress, Entry[]>();
  for (const { wallet, sinceSeconds } of watches) {
    const { entries } = known(wallet);
    const own = entries.filter(({ atSeconds }) => atSeconds >= sinceSeconds);
    byWallet.set(wallet, own);
  }
  return byWallet;
}

export type ConsensusFinder = ReturnType<typeof createConsensusFinder>;
