import type { WalletAddress } from '../../domain/address.ts';
import {
  type AnnouncedConsensus,
  addAnnounced,
  type Consensus,
  type ConsensusNews,
  findConsensus,
  type PurchaseSeen,
} from '../../portfolio/consensus.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { ChannelSettings, ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { holdsLater, isLeaving, type Watch } from '../../watches/watch.ts';
import type { Alert } from '../alert.ts';
import type { Hold } from '../decisions.ts';
import type { ConsensusEvent } from '../kinds/consensus.ts';
import { announcedIn, entriesSince } from './consensus-alerts.ts';

interface Learned {
  readonly knowledge: WalletKnowledge;
}

/** A consensus as a delayed channel is to get it. */
interface Judged {
  readonly consensus: ConsensusNews;
  /** Reason that keeps it from the channel; null: there is none. */
  readonly hold: Hold | null;
  /** Change of the wallet's document, so that it says what the channel is told; null: none. */
  readonly learn: ((knowledge: WalletKnowledge) => Learned) | null;
}

/**
 * Decides which purchases are a consensus for a delayed channel, when its time has come to where
 * they were seen: as for a channel without a delay, by the wallets, the rule and the words that it
 * has then, and by what it has been told.
 */
export function createConsensusJudge(parts: {
  readonly registry: Pick<Registry, 'kept' | 'ofChannel'>;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  readonly purchasesOf: (wallet: WalletAddress) => Pick<WalletKnowledge, 'announcedConsensus'>;
}) {
  const { registry, channelSettings, purchasesOf } = parts;

  /** @param isToCome whether the channel's time has yet to come to an alert, as after a crash */
  return (
    { channelId, wallet, id, seenAtMs }: Alert,
    { consensus: news, seen }: ConsensusEvent,
    nowSeconds: number,
    isToCome: (alert: Pick<Alert, 'wallet' | 'id'>) => boolean,
  ): Judged => {
    const own = registry.kept(channelId, wallet);
    // Of a channel whose watch of the wallet is gone, or cannot be read, nothing is asked.
    if (seen === undefined || own === undefined) {
      const hold: Hold | null = seen?.isNews === false ? { by: 'pause' } : null;
      return { consensus: news, hold, learn: null };
    }
    const watches = registry.ofChannel(channelId);
    // Alerts of a removed wallet wait for Undo; in those of others it counts no more.
    const counting = watches.filter(
      (watch) =>
        !holdsLater(watch, seenAtMs / 1000, nowSeconds) &&
        (watch.wallet === wallet || !isLeaving(watch)),
    );
    const { consensus: rule = null, words = null } = channelSettings.get(channelId) ?? {};
    const { outcome, market, side } = news;
    const told = announcedIn(watches, purchasesOf, { channelId, outcome }).filter(
      ({ wallet: by, isAhead, alertId }) =>
        isAhead === undefined && (alertId === undefined || !isToCome({ wallet: by, id: alertId })),
    );
    const isAsked =
      seen.atSeconds >= own.sinceSeconds && counting.some((watch) => watch.wallet === wallet);
    const entries = entriesSeen(counting, seen);
    const purchase = { outcome, market: seen.market, atSeconds: seen.atSeconds };
    const found = rule === null || !isAsked ? null : findConsensus(entries, purchase, rule, told);
    const hold = holdOf(found, words, market);
    const of = { channelId, alertId: id };
    if (found === null || hold !== null) {
      const isNoted = purchasesOf(wallet).announcedConsensus.some((one) => one.alertId === id);
      return { consensus: news, hold, learn: isNoted ? noting(of, null, nowSeconds) : null };
    }
    return {
      consensus: { market, side, ...found },
      hold,
      learn: noting(of, found, nowSeconds),
    };
  };
}

/** Entries of a purchase's market by these watches' wallets, as they were when it was seen. */
function entriesSeen(watches: readonly Watch[], { market, wallets }: PurchaseSeen) {
  const seenOf = new Map(wallets.map(({ wallet, entries }) => [wallet, entries]));
  return entriesSince(watches, (wallet) => {
    const entries = seenOf.get(wallet) ?? [];
    return { entries: entries.map((entry) => ({ ...entry, market })) };
  });
}

function holdOf(
  found: Consensus | null,
  words: ChannelSettings['words'],
  market: ConsensusNews['market'],
): Hold | null {
  if (words !== null && !passesWords(words, market)) return { by: 'channelWords', value: words };
  return found === null ? { by: 'pause' } : null;
}

/**
 * Notes what a channel is told with an alert, in the place of what was noted of it before a crash.
 *
 * @param found null: the channel is not told of it
 */
function noting(
  of: Required<Pick<AnnouncedConsensus, 'channelId' | 'alertId'>>,
  found: Consensus | null,
  nowSeconds: number,
) {
  return (knowledge: WalletKnowledge): Learned => {
    const others = knowledge.announcedConsensus.filter(({ alertId }) => alertId !== of.alertId);
    const announcedConsensus =
      found === null ? others : addAnnounced(others, of, found, nowSeconds);
    return { knowledge: { ...knowledge, announcedConsensus } };
  };
}
