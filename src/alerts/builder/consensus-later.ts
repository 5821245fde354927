import {
  type AnnouncedConsensus,
  addAnnounced,
  type Consensus,
  type ConsensusNews,
  findConsensus,
  type PurchaseSeen,
} from '../../portfolio/consensus.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { ChannelSettings } from '../../watches/channel-settings.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { isLeaving, isPausedLater, type Watch } from '../../watches/watch.ts';
import type { Alert } from '../alert.ts';
import type { FilterReason } from '../decisions.ts';
import type { ConsensusEvent } from '../kinds/consensus.ts';
import type { WalletIndex } from '../wallets/wallet-index.ts';
import type { AlertSources } from './audience.ts';
import { announcedIn, entriesSince } from './consensus-alerts.ts';

interface Learned {
  readonly knowledge: WalletKnowledge;
}

/**
 * Decides which purchases are a consensus for a delayed channel, once its delayed time reaches
 * them. As in a channel without a delay, this depends on the wallets, rule and words the channel
 * has at that time, and on what it has already received.
 */
export function createConsensusJudge(
  parts: AlertSources & { readonly purchasesOf: WalletIndex['purchasesOf'] },
) {
  const { registry, channelSettings, purchasesOf } = parts;

  /**
   * @param isToCome whether the channel's delayed time has not reached an alert yet, for example
   *   after a crash
   * @returns the consensus as the channel is to get it; `reason`: why it does not, null if it does;
   *   `learn`: notes in the wallet's document what the channel gets, null if there is nothing to
   *   note
   */
  return (
    { channelId, wallet, id, seenAtMs }: Alert,
    { consensus: news, seen }: ConsensusEvent,
    nowSeconds: number,
    isToCome: (alert: Pick<Alert, 'wallet' | 'id'>) => boolean,
  ) => {
    const own = registry.kept(channelId, wallet);
    // Nothing is checked if the channel's watch of the wallet is gone or unreadable.
    if (seen === undefined || own === undefined) {
      const reason: FilterReason | null = seen?.isNews === false ? { by: 'pause' } : null;
      return { consensus: news, reason, learn: null };
    }
    const watches = registry.ofChannel(channelId);
    // A removed wallet's own alerts wait for Undo, but it no longer counts in alerts of others.
    const counting = watches.filter(
      (watch) =>
        !isPausedLater(watch, seenAtMs / 1000, nowSeconds) &&
        (watch.wallet === wallet || !isLeaving(watch)),
    );
    const { consensus: rule = null, words = null } = channelSettings.get(channelId) ?? {};
    const { outcome, market, side } = news;
    const posted = announcedIn(watches, purchasesOf, { channelId, outcome }).filter(
      ({ wallet: by, isAhead, alertId }) =>
        isAhead === undefined && (alertId === undefined || !isToCome({ wallet: by, id: alertId })),
    );
    const isAsked =
      seen.atSeconds >= own.sinceSeconds && counting.some((watch) => watch.wallet === wallet);
    const entries = entriesSeen(counting, seen);
    const purchase = { outcome, market: seen.market, atSeconds: seen.atSeconds };
    const found = rule === null || !isAsked ? null : findConsensus(entries, purchase, rule, posted);
    const reason = filterReasonOf(found, words, market);
    const of = { channelId, alertId: id };
    if (found === null || reason !== null) {
      const isNoted = purchasesOf(wallet).announcedConsensus.some((one) => one.alertId === id);
      return { consensus: news, reason, learn: isNoted ? noting(of, null, nowSeconds) : null };
    }
    return {
      consensus: { market, side, ...found },
      reason,
      learn: noting(of, found, nowSeconds),
    };
  };
}

/**
 * Returns the entries of these watches' wallets in a purchase's market, as they were when the
 * purchase was seen.
 */
function entriesSeen(watches: readonly Watch[], { market, wallets }: PurchaseSeen) {
  const seenOf = new Map(wallets.map(({ wallet, entries }) => [wallet, entries]));
  return entriesSince(watches, (wallet) => {
    const entries = seenOf.get(wallet) ?? [];
    return { entries: entries.map((entry) => ({ ...entry, market })) };
  });
}

function filterReasonOf(
  found: Consensus | null,
  words: ChannelSettings['words'],
  market: ConsensusNews['market'],
): FilterReason | null {
  if (words !== null && !passesWords(words, market)) return { by: 'channelWords', value: words };
  return found === null ? { by: 'pause' } : null;
}

/**
 * Notes what a channel gets with an alert, replacing what was noted before a crash.
 * @param found null if the channel does not get it
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
