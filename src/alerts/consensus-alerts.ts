import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import { Exact } from '../lib/exact.ts';
import {
  type AnnouncedConsensus,
  addAnnounced,
  type ConsensusNews,
  findConsensus,
  mostLeftFirst,
  totalOf,
} from '../portfolio/consensus/consensus.ts';
import { CONSENSUS_HOURS_LIMIT, type Entry, entryKeys } from '../portfolio/consensus/entries.ts';
import { marketOf } from '../portfolio/market.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { Registry } from '../watches/registry.ts';
import { passesWords } from '../watches/settings/words.ts';
import { isLeaving, isPaused, type Watch } from '../watches/watch.ts';
import { alertId } from './alert.ts';
import type { NewAlert } from './wallet-document.ts';

/** New trades of a wallet, and the venue's clock in Unix seconds. */
interface Found {
  readonly wallet: WalletAddress;
  readonly fresh: readonly ActivityItem[];
  readonly nowSeconds: number;
}

/** Finds where wallets of a channel agree. Of every wallet it keeps its latest purchases, and what they have caused. */
export function createConsensusFinder({
  registry,
  channelSettings,
}: {
  readonly registry: Pick<Registry, 'ofChannel'>;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
}) {
  const inputs = new Map<WalletAddress, Pick<WalletKnowledge, 'entries' | 'announced'>>();

  /** Looks in one channel for agreement on what the wallet has just bought. @returns all that is announced, and the new alerts */
  const findIn = (
    { channelId, ...watch }: Watch,
    { wallet, fresh, nowSeconds }: Found,
    { entries: own }: WalletKnowledge,
    alreadyAnnounced: readonly AnnouncedConsensus[],
  ) => {
    const { consensus: rule = null, words = null } = channelSettings.get(channelId) ?? {};
    const alerts: NewAlert[] = [];
    if (rule === null || isPaused(watch, nowSeconds) || isLeaving(watch))
      return { announced: alreadyAnnounced, alerts };
    const watches = registry.ofChannel(channelId);
    // Since each watch began; of the wallet whose page this is what is newer than what is kept of it.
    const entries = new Map(
      watches
        .filter((other) => !isPaused(other, nowSeconds) && !isLeaving(other))
        .map((other): [WalletAddress, readonly Entry[]] => {
          const bought = other.wallet === wallet ? own : (inputs.get(other.wallet)?.entries ?? []);
          return [other.wallet, bought.filter(({ atSeconds }) => atSeconds >= other.sinceSeconds)];
        }),
    );
    const ofOthers = watches.flatMap((other) =>
      other.wallet === wallet ? [] : (inputs.get(other.wallet)?.announced ?? []),
    );
    let announced = alreadyAnnounced;
    for (const item of fresh) {
      if (item.action !== 'Buy' || item.time < watch.sinceSeconds || !passesWords(words, item)) continue;
      const purchase = { ...entryKeys(item), atSeconds: item.time };
      const before = [...announced, ...ofOthers].filter(
        (other) => other.channelId === channelId && other.outcome === purchase.outcome,
      );
      const found = findConsensus(entries, purchase, rule, before);
      if (found === null) continue;
      announced = addAnnounced(announced, channelId, found, nowSeconds - 2 * CONSENSUS_HOURS_LIMIT * 3_600);
      alerts.push({
        id: alertId([channelId, 'consensus', found.outcome, found.stakes.length, found.fromSeconds]),
        event: { kind: 'consensus', consensus: { market: marketOf(item), side: item.positionSide, rule, ...found } },
        seenAtMs: nowSeconds * 1000,
        channels: [channelId],
      });
    }
    return { announced, alerts };
  };

  return {
    set(wallet: WalletAddress, { entries, announced }: WalletKnowledge): void {
      if (entries.length + announced.length > 0) inputs.set(wallet, { entries, announced });
      else inputs.delete(wallet);
    },
    delete: (wallet: WalletAddress): boolean => inputs.delete(wallet),
    /**
     * A consensus with what was sold since it was found, of wallets whose purchases are still kept. Of one that has bought more
     * within the same minute nobody can say which of it was sold, but for nothing and all.
     */
    asOfNow(news: ConsensusNews): ConsensusNews {
      const isNamed = ({ outcome, atSeconds }: Entry) =>
        outcome === news.outcome && atSeconds >= news.fromSeconds && atSeconds <= news.toSeconds;
      const stakes = news.stakes.map((stake) => {
        const { shares, sold } = totalOf(inputs.get(stake.wallet)?.entries.filter(isNamed) ?? []);
        if (new Exact(shares).lt(stake.shares) || sold === stake.sold) return stake;
        if (sold === shares) return { ...stake, sold: stake.shares };
        return { ...stake, sold: shares === stake.shares ? sold : null };
      });
      return { ...news, stakes: stakes.sort(mostLeftFirst) };
    },
    /** Looks in each of these channels of the wallet for agreement among the wallets that it watches. */
    find(seen: Found, knowledge: WalletKnowledge, watches: readonly Watch[]) {
      let announced: readonly AnnouncedConsensus[] = knowledge.announced;
      const alerts: NewAlert[] = [];
      for (const watch of watches) {
        const found = findIn(watch, seen, knowledge, announced);
        announced = found.announced;
        alerts.push(...found.alerts);
      }
      return { announced, alerts };
    },
  };
}
