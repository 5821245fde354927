import type { WalletAddress } from '../../domain/address.ts';
import { addUnannounced, onlyChannels } from '../../portfolio/positions/unannounced.ts';
import {
  type AlertedPositions,
  addPositions,
  countDelivered,
  type Delivered,
  giveUp,
  noteSoldSeen,
  type Updated,
} from '../../portfolio/results/alerted-positions.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import { createChannelClock } from '../../watches/channel-clock.ts';
import type { BegunWatch } from '../../watches/registry.ts';
import type { WalletEvent } from '../alert.ts';
import { isRecord, namesOf } from '../decisions.ts';
import type { Gap } from '../kinds/gap.ts';
import { kindOf } from '../kinds/kinds.ts';
import {
  type Change,
  type ChannelsById,
  type NewAlert,
  onlyFor,
  type WalletState,
} from '../wallets/wallet-document.ts';
import type { WalletIndex } from '../wallets/wallet-index.ts';
import { type AlertSources, createAudience } from './audience.ts';
import { createConsensusFinder } from './consensus-alerts.ts';
import { createConsensusJudge } from './consensus-later.ts';
import { damageGaps, gapFound, stateAnew } from './gaps.ts';
import { createPageAlerts } from './pages.ts';
import { resultAlerts, updateByAlert } from './results.ts';
import { afterAnswers, afterPosting, afterTrades } from './unannounced.ts';

/**
 * New knowledge about a wallet, the results that come with it, and its effect on waiting alerts.
 */
interface Learned extends Pick<Change, 'contexts'> {
  readonly knowledge: WalletKnowledge;
  readonly results?: Updated['results'];
}

/**
 * @param boundaries times at which channels began to watch the wallet, in Unix seconds
 * @returns null if nothing changes
 */
export type Learn = (knowledge: WalletKnowledge, boundaries: readonly number[]) => Learned | null;

/**
 * Decides which events are announced, and in which channels. Reads watches, settings and other
 * wallets' purchases; stores and notes nothing.
 */
export function createAlertBuilder(parts: AlertSources & { readonly walletIndex: WalletIndex }) {
  const { walletIndex, venueNowSeconds } = parts;
  const clock = createChannelClock({ ...parts, venueNowMs: () => venueNowSeconds() * 1000 });
  const audience = createAudience(parts);
  const consensus = createConsensusFinder({
    ...parts,
    isLater: audience.isLater,
    purchasesOf: walletIndex.purchasesOf,
  });
  const { watchesForDelay, isLater, remembering, boundariesOf, filteredBy, filteredLater } =
    audience;
  const { registry } = parts;

  const resultsNow = (wallet: WalletAddress, results: Updated['results']) =>
    resultAlerts(wallet, results, watchesForDelay(wallet), venueNowSeconds);

  /**
   * Returns the results that a delivery brings. In a delayed channel, a result counts as seen with
   * its sale, but not before its purchase was delivered, by the channel's delayed time.
   */
  const resultsOfDelivery = (wallet: WalletAddress, results: Updated['results']) =>
    resultAlerts(wallet, results, watchesForDelay(wallet), ({ channelId, seenSeconds = 0 }) =>
      isLater(channelId) ? Math.max(seenSeconds, clock.nowMs(channelId) / 1000) : venueNowSeconds(),
    );

  return {
    ...createPageAlerts(audience, consensus),
    consensusNow: consensus.asOfNow,
    boundariesOf,
    isLater,
    filteredBy,
    filteredLater,
    consensusLater: createConsensusJudge({ ...parts, purchasesOf: walletIndex.purchasesOf }),
    /**
     * Returns the change that new knowledge about a wallet brings; null if the wallet is unknown or
     * nothing changes.
     */
    learned(
      wallet: WalletAddress,
      { knowledge: before }: WalletState,
      learn: Learn,
    ): Change | null {
      const learned = before === undefined ? null : learn(before, boundariesOf(wallet));
      if (learned === null) return null;
      const { knowledge: known, results = [], contexts } = learned;
      const alertedPositions = noteSoldSeen(
        before?.alertedPositions ?? [],
        known.alertedPositions,
        ({ channelId }) => isLater(channelId),
        venueNowSeconds(),
      );
      const knowledge = { ...known, alertedPositions };
      const alerts = resultsNow(wallet, results);
      if (before === undefined || contexts === undefined) return { state: { knowledge }, alerts };
      const watches = watchesForDelay(wallet);
      const unannounced = afterAnswers(before, knowledge, contexts, watches, venueNowSeconds());
      return { state: { knowledge: { ...knowledge, unannounced } }, alerts, contexts };
    },
    /**
     * Returns the change after alerts were delivered or given up. Their positions are tracked from
     * then on.
     * @param concerned the channels of each alert, by its id
     * @param delivered the message that contains them, with a null id if only the channel's history
     *   had it; null if they will never be delivered
     * @param isReleased whether a delayed channel's time has reached an alert
     */
    afterDelivery(
      wallet: WalletAddress,
      state: WalletState,
      concerned: ChannelsById,
      delivered: Delivered | null,
      isReleased?: (channelId: string, alertId: string) => boolean,
    ): Change {
      const { knowledge } = state;
      const waits = knowledge?.alertedPositions.some(({ outcomes }) =>
        outcomes.some(({ alertId }) => alertId !== undefined),
      );
      if (knowledge === undefined || waits !== true) return { state, alerts: [] };
      const isMeant = (channelId: string, id: string) => concerned.get(id)?.has(channelId) === true;
      const counted = countDelivered(knowledge.alertedPositions, isMeant, delivered, isReleased);
      const { alertedPositions, results } = counted;
      return {
        state: { ...state, knowledge: { ...knowledge, alertedPositions } },
        // Every delivery gets here and few close a position, so watches are looked up only when
        // needed.
        alerts: results.length === 0 ? [] : resultsOfDelivery(wallet, results),
      };
    },
    /**
     * Returns the state after a channel has received these events. Their positions no longer count
     * as unannounced there.
     */
    afterPosting(
      state: WalletState,
      channelId: string,
      events: readonly WalletEvent[],
    ): WalletState {
      const { knowledge } = state;
      if (knowledge === undefined || knowledge.unannounced.length === 0) return state;
      const unannounced = afterPosting(knowledge.unannounced, channelId, events);
      if (unannounced === knowledge.unannounced) return state;
      return { ...state, knowledge: { ...knowledge, unannounced } };
    },
    /**
     * Returns the state after alerts are given to channels that joined after they were committed.
     * @param alerts all recently committed alerts, oldest first, each with the channels that get it
     *   now
     * @param begun the watches that the channels began
     */
    afterCatchUp(
      state: WalletState,
      alerts: readonly NewAlert[],
      begun: readonly BegunWatch[],
    ): WalletState {
      const { knowledge } = state;
      if (knowledge === undefined) return state;
      const followed = followedAnew(alerts, knowledge, isLater);
      const alertedPositions = addPositions(knowledge.alertedPositions, followed);
      const events = alerts.map(({ event }) => event);
      const watches = begun.map(({ watch, fromSeconds }) => ({
        ...watch,
        sinceSeconds: fromSeconds,
      }));
      const missed = afterTrades([], events, watches, venueNowSeconds());
      if (followed.length === 0 && missed.length === 0) return state;
      const unannounced = addUnannounced(knowledge.unannounced, missed);
      return { ...state, knowledge: { ...knowledge, alertedPositions, unannounced } };
    },
    /**
     * Returns the knowledge about a wallet without data about channels that no longer watch it; null
     * if there is none.
     */
    withoutUnwatched(wallet: WalletAddress, knowledge: WalletKnowledge): Learned | null {
      const channels = remembering(wallet);
      const isKept = ({ channelId }: { readonly channelId: string }) => channels.has(channelId);
      const alertedPositions = knowledge.alertedPositions.filter(isKept);
      const announcedConsensus = knowledge.announcedConsensus.filter(isKept);
      const unannounced = onlyChannels(knowledge.unannounced, (channelId) =>
        channels.has(channelId),
      );
      const isSame =
        alertedPositions.length === knowledge.alertedPositions.length &&
        announcedConsensus.length === knowledge.announcedConsensus.length &&
        knowledge.unannounced.every(
          ({ channels: all }, at) => all.length === unannounced[at]?.channels.length,
        );
      if (isSame) return null;
      return { knowledge: { ...knowledge, alertedPositions, announcedConsensus, unannounced } };
    },
    /** True if a new watch should get an alert that was committed before the watch was known. */
    isMissed({ watch, fromSeconds }: BegunWatch, { event, seenAtMs }: NewAlert): boolean {
      if (kindOf(event).isForNewcomer?.(event, watch, fromSeconds) !== true) return false;
      return !isRecord(event) || filteredBy(watch, event, namesOf(event), seenAtMs / 1000) === null;
    },
    /** Returns the initial state of a wallet whose document is unreadable. */
    anew(wallet: WalletAddress): Change {
      const nowMs = venueNowSeconds() * 1000;
      const found = damageGaps(watchesForDelay(wallet), nowMs).map((gap) =>
        gapFound(wallet, gap, audience, nowMs),
      );
      const alerts = found.flatMap((one) => one.alerts);
      return { state: stateAnew(nowMs), alerts, filtered: found.flatMap((one) => one.filtered) };
    },
    /** Returns notices for channels for which it is unknown what they received. */
    lostIn(wallet: WalletAddress, channelIds: ReadonlySet<string>): readonly NewAlert[] {
      const nowMs = venueNowSeconds() * 1000;
      const watches = watchesForDelay(wallet).filter(({ channelId }) => channelIds.has(channelId));
      return damageGaps(watches, nowMs)
        .flatMap((gap) => gapFound(wallet, gap, audience, nowMs).alerts)
        .map((notice) => onlyFor(notice, (channelId) => channelIds.has(channelId)))
        .filter(({ channels }) => channels.length > 0);
    },
    /** True if posts about a wallet in a channel are remembered. */
    isRemembered: (channelId: string, wallet: WalletAddress): boolean =>
      registry.kept(channelId, wallet) !== undefined || remembering(wallet).has(channelId),
    /** Returns the notice of a gap. */
    gap: (wallet: WalletAddress, gap: Gap, seenAtMs: number) =>
      gapFound(wallet, gap, audience, seenAtMs),
  };
}

export type AlertBuilder = ReturnType<typeof createAlertBuilder>;

/**
 * Returns the positions tracked because of these alerts alone. Positions that the channels tracked
 * before were already counted with the alerts.
 */
function followedAnew(
  alerts: readonly NewAlert[],
  { questions }: WalletKnowledge,
  isLater: (channelId: string) => boolean,
): AlertedPositions {
  let followed: AlertedPositions = [];
  for (const alert of alerts) {
    const { event } = alert;
    if (event.kind === 'gap' && event.gap.endpoint === 'activity') {
      followed = giveUp(followed);
      continue;
    }
    const isUncertain = event.kind === 'activity' && event.context === undefined;
    ({ alertedPositions: followed } = updateByAlert(
      followed,
      alert,
      isUncertain,
      questions,
      isLater,
    ));
  }
  return followed;
}
