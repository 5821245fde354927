import type { WalletAddress } from '../../domain/address.ts';
import {
  type AnnouncedConsensus,
  type ConsensusNews,
  type Entry,
  firstOf,
} from '../../portfolio/consensus.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { ChannelSettings, ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { holdsLater, isLeaving, type Watch } from '../../watches/watch.ts';
import type { Alert } from '../alert.ts';
import type { Hold } from '../decisions.ts';

interface Learned {
  readonly knowledge: WalletKnowledge;
}

/** A consensus as a delayed channel is to get it. */
interface Judged {
  /** Names the wallets that count. */
  readonly consensus: ConsensusNews;
  /** Reason that keeps it from the channel; null: there is none. */
  readonly hold: Hold | null;
  /** Change of the wallet's document, so that it says what the channel is told; null: none. */
  readonly learn: ((knowledge: WalletKnowledge) => Learned) | null;
}

/**
 * Judges consensus alerts of delayed channels, by the wallets, the rule and the words that a channel
 * has when its time has come to where the consensus was seen. It was found with all wallets, paused
 * ones too.
 */
export function createConsensusJudge(parts: {
  readonly registry: Pick<Registry, 'kept' | 'ofChannel'>;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  readonly purchasesOf: (
    wallet: WalletAddress,
  ) => Pick<WalletKnowledge, 'entries' | 'announcedConsensus'>;
}) {
  const { registry, channelSettings, purchasesOf } = parts;

  /** Purchases of a consensus by one wallet. */
  const entriesOf = (news: ConsensusNews, wallet: WalletAddress): readonly Entry[] =>
    purchasesOf(wallet).entries.filter(
      ({ outcome, atSeconds }) =>
        outcome === news.outcome && atSeconds >= news.fromSeconds && atSeconds <= news.toSeconds,
    );

  /**
   * Counts a consensus again, of these watches alone. Amounts stay those of the moment when it was
   * found.
   */
  const countedAnew = (news: ConsensusNews, watches: readonly Watch[]): ConsensusNews => {
    const wallets = new Set(watches.map(({ wallet }) => wallet));
    const isCounted = ({ wallet }: { readonly wallet: WalletAddress }) => wallets.has(wallet);
    const stakes = news.stakes.filter(isCounted);
    const opposing = news.opposing.filter(isCounted);
    const entries = stakes.flatMap(({ wallet }) =>
      entriesOf(news, wallet).map((entry) => ({ ...entry, wallet })),
    );
    const times = entries.map(({ atSeconds }) => atSeconds);
    const isHedge = ({ wallet }: Watch) => {
      const inMarket = purchasesOf(wallet).entries.filter(({ market }) =>
        entries.some((entry) => entry.market === market),
      );
      return new Set(inMarket.map(({ outcome }) => outcome)).size > 1;
    };
    const hedged = Math.min(news.hedged, watches.filter(isHedge).length);
    const isAsFound = stakes.length === news.stakes.length;
    // Purchases are kept for three days.
    if (isAsFound && times.length > 0) return { ...news, stakes, opposing, hedged };
    const first = firstOf(entries);
    if (times.length === 0) return { ...news, stakes, opposing, first };
    const [fromSeconds, toSeconds] = [Math.min(...times), Math.max(...times)];
    return { ...news, stakes, opposing, hedged, first, fromSeconds, toSeconds };
  };

  return (
    { channelId, wallet, seenAtMs }: Alert,
    news: ConsensusNews,
    nowSeconds: number,
  ): Judged => {
    // Of a channel whose watch of the wallet is gone, or cannot be read, nothing is asked.
    if (registry.kept(channelId, wallet) === undefined) {
      return { consensus: news, hold: null, learn: null };
    }
    const watches = registry.ofChannel(channelId);
    // Alerts of a removed wallet wait for Undo; in those of others it counts no more.
    const counting = watches.filter(
      (watch) =>
        !holdsLater(watch, seenAtMs / 1000, nowSeconds) &&
        (watch.wallet === wallet || !isLeaving(watch)),
    );
    const { consensus: rule = null, words = null } = channelSettings.get(channelId) ?? {};
    const isOf = (one: AnnouncedConsensus) =>
      one.channelId === channelId && one.outcome === news.outcome;
    const counted = countedAnew(news, counting);
    const [found, count] = [news.stakes.length, counted.stakes.length];
    const isSameTime = (one: AnnouncedConsensus) =>
      isOf(one) && one.fromSeconds === news.fromSeconds && one.toSeconds === news.toSeconds;
    // A crash may have come after it was noted, and before it was posted: of how many it was noted
    // then says nothing of how many count now.
    const ofSameTime = purchasesOf(wallet).announcedConsensus.filter(isSameTime);
    const notedCounts = ofSameTime.map(({ wallets }) => wallets).filter((own) => own <= found);
    const notedCount = Math.max(...notedCounts);
    const isOwn = (one: AnnouncedConsensus) => isSameTime(one) && one.wallets === notedCount;
    const isTold = ({ isWaiting, wallets }: AnnouncedConsensus) =>
      // One that does not say it was stored before format 12. If it names no fewer wallets, it was
      // found after this one, and the channel has not come to it.
      isWaiting === undefined ? wallets < found : !isWaiting;
    const told = watches
      .flatMap(({ wallet: other }) =>
        purchasesOf(other).announcedConsensus.filter((one) => other !== wallet || !isOwn(one)),
      )
      .filter((one) => isOf(one) && isTold(one))
      .filter(
        ({ fromSeconds, toSeconds }) =>
          fromSeconds <= news.toSeconds && toSeconds >= news.fromSeconds,
      );
    const most = Math.max(0, ...told.map(({ wallets }) => wallets));
    const isAgreed =
      rule !== null &&
      count >= rule.wallets &&
      count > most &&
      counting.some((watch) => watch.wallet === wallet);
    const hold = holdOf(isAgreed, words, news);
    if (hold !== null) return { consensus: news, hold, learn: noting(isOwn, null) };
    return {
      consensus: { ...counted, isEscalation: most > 0 },
      hold,
      learn: noting(isOwn, count),
    };
  };
}

function holdOf(
  isAgreed: boolean,
  words: ChannelSettings['words'],
  { market }: ConsensusNews,
): Hold | null {
  if (words !== null && !passesWords(words, market)) return { by: 'channelWords', value: words };
  return isAgreed ? null : { by: 'pause' };
}

/**
 * Notes how many wallets a consensus named in the end, so that a later one is compared with that.
 *
 * @param wallets null: the channel was not told of it
 */
function noting(isOwn: (one: AnnouncedConsensus) => boolean, wallets: number | null) {
  return (knowledge: WalletKnowledge): Learned => {
    const announcedConsensus = knowledge.announcedConsensus.flatMap((one) => {
      if (!isOwn(one)) return [one];
      return wallets === null ? [] : [{ ...one, wallets, isWaiting: false }];
    });
    return { knowledge: { ...knowledge, announcedConsensus } };
  };
}
