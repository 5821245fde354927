import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  ENDPOINT_NAMES,
  type EndpointName,
  type TransferItem,
} from '../domain/records.ts';
import { entryKeys } from '../portfolio/market.ts';
import { addUnknown, type OpenQuestion } from '../portfolio/positions/question.ts';
import { addUnannounced, onlyChannels } from '../portfolio/positions/unannounced.ts';
import {
  type AlertedPositions,
  addPositions,
  addPurchase,
  addSale,
  countDelivered,
  giveUp,
  type Updated,
} from '../portfolio/results/alerted-positions.ts';
import {
  addActivityPage,
  addSales,
  addTransfersPage,
  type DetectedPage,
  historyOf,
  type WalletKnowledge,
} from '../portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { BegunWatch, Registry } from '../watches/registry.ts';
import { passesWords } from '../watches/settings/words.ts';
import type { Verdicts } from '../watches/verdicts.ts';
import { beganSecondsOf, isPaused, seenSinceOf, type Watch, wants } from '../watches/watch.ts';
import { alertId, type WalletEvent } from './alert.ts';
import { createConsensusFinder } from './consensus-alerts.ts';
import { type Detection, initialDetectionState } from './detect.ts';
import { type Gap, wantsGap } from './kinds/gap.ts';
import { kindOf } from './kinds/kinds.ts';
import { activityEvent, beforeWatches } from './newcomers.ts';
import { afterAnswers, afterTelling, afterTrades } from './unannounced.ts';
import type {
  Change,
  NewAlert,
  StoredEndpoint,
  WalletDocument,
  WalletState,
} from './wallet-document.ts';
import { createWalletIndex } from './wallet-index.ts';

/** A page of one endpoint, and what of it is new. */
export interface Seen<Item> extends DetectedPage<Item> {
  readonly wallet: WalletAddress;
  readonly detection: Detection<Item>;
}

/**
 * What more is known of a wallet, the results that follow, and what it means for alerts that wait.
 */
interface Learned extends Pick<Change, 'contexts'> {
  readonly knowledge: WalletKnowledge;
  readonly results?: Updated['results'];
}

/**
 * @param boundaries Unix seconds at which rooms began to watch the wallet @returns null if nothing
 * changes
 */
export type Learn = (knowledge: WalletKnowledge, boundaries: readonly number[]) => Learned | null;

/** Decides what there is to announce of what was seen, and to which channels. */
export function createAlertBuilder(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** What rooms have found of their wallets. */
  readonly verdicts: Pick<Verdicts, 'of' | 'judge'>;
  /** Whether a channel no longer exists, so that nothing need be kept for it. */
  readonly isGone: (channelId: string) => boolean;
  readonly venueNowSeconds: () => number;
}) {
  const { registry, channelSettings, isGone, venueNowSeconds } = parts;
  const index = createWalletIndex(parts);
  /** Whether it is known how many wallets are ranked in each channel. */
  let isCounted = false;
  const consensus = createConsensusFinder({ ...parts, purchasesOf: index.purchasesOf });

  const channelsFor = (wallet: WalletAddress) =>
    registry.ofWallet(wallet).filter(({ channelId }) => !isGone(channelId));

  /** Channels of which the wallet's document keeps what was announced. */
  const remembering = (wallet: WalletAddress): ReadonlySet<string> =>
    new Set([
      ...registry.keptOfWallet(wallet).map(({ channelId }) => channelId),
      ...registry.unreadableChannels(wallet),
    ]);

  /** Unix seconds at which rooms began to watch the wallet. */
  const boundariesOf = (wallet: WalletAddress) => [
    ...new Set(
      registry.keptOfWallet(wallet).flatMap((watch) => [beganSecondsOf(watch), seenSinceOf(watch)]),
    ),
  ];

  const passesIn = (channelId: string, event: WalletEvent) =>
    event.kind !== 'activity' ||
    passesWords(channelSettings.get(channelId)?.words ?? null, event.item);

  const alertsOf = <Item extends ActivityItem | TransferItem>(
    { wallet, detection, nowSeconds }: Seen<Item>,
    endpoint: EndpointName,
    eventOf: (
      item: Item,
      index: number,
    ) => Extract<WalletEvent, { readonly kind: 'activity' | 'transfer' }>,
  ): NewAlert[] => {
    const watches = channelsFor(wallet);
    return detection.fresh.map(({ item, identity, occurrence }, index): NewAlert => {
      const event = eventOf(item, index);
      const wanting = watches.filter((watch) => wants(watch, event, identity, nowSeconds));
      return {
        id: alertId([wallet, endpoint, identity, occurrence]),
        event,
        seenAtMs: nowSeconds * 1000,
        channels: wanting
          .map(({ channelId }) => channelId)
          .filter((channelId) => passesIn(channelId, event)),
      };
    });
  };

  /** Takes what is stored. The wallet may have been removed meanwhile. */
  const note = (wallet: WalletAddress, { knowledge }: WalletState): void => {
    if (registry.ofWallet(wallet).length > 0) index.set(wallet, knowledge);
  };

  const gapsOf = (
    { wallet, detection: { gap }, nowSeconds }: Seen<unknown>,
    endpoint: EndpointName,
  ) =>
    gap === null
      ? []
      : [gapAlert(wallet, { endpoint, ...gap }, channelsFor(wallet), nowSeconds * 1000)];

  const resultAlerts = (
    wallet: WalletAddress,
    results: Updated['results'],
    atSeconds = venueNowSeconds(),
  ) =>
    results.map(({ channelId, result }): NewAlert => {
      const { key, openedSeconds, closedSeconds, messageId } = result;
      const watch = channelsFor(wallet).find((other) => other.channelId === channelId);
      const isQuiet = watch === undefined || isPaused(watch, atSeconds);
      return {
        id: alertId([
          wallet,
          'result',
          channelId,
          key,
          openedSeconds,
          closedSeconds,
          messageId ?? '',
        ]),
        event: { kind: 'result', result },
        seenAtMs: atSeconds * 1000,
        channels: isQuiet ? [] : [channelId],
      };
    });

  return {
    ...index.reads,
    consensusNow: consensus.asOfNow,
    boundariesOf,
    activity(seen: Seen<ActivityItem>, state: WalletState): Change {
      const { wallet, items, sinceSeconds, nowSeconds } = seen;
      const { knowledge: known, meanings, past } = addActivityPage(state.knowledge, seen);
      const alerts = alertsOf(seen, 'activity', (item, index) =>
        activityEvent(item, meanings[index]),
      );

      // What the venue is to be asked of markets that are not followed.
      const unknown = alerts.flatMap(({ id, event, channels }, index) => {
        if (event.kind !== 'activity' || meanings[index]?.isUnknown !== true) return [];
        const { market } = entryKeys(event.item);
        const isFollowed = known.alertedPositions.some(({ key }) => key === market);
        return [{ alertId: id, item: event.item, isWanted: channels.length > 0 || isFollowed }];
      });
      const seenSeconds = Math.max(sinceSeconds, ...items.map(({ time }) => time));
      const detected = { beforeSeconds: sinceSeconds, seenSeconds };
      const { open: questions, givenUp } = addUnknown(
        known.questions,
        unknown,
        detected,
        known.refusedMarkets,
      );

      // Purchases that were announced are followed, and those answered whose end these items are.
      const kept = remembering(wallet);
      let alertedPositions: AlertedPositions = known.alertedPositions.filter(({ channelId }) =>
        kept.has(channelId),
      );
      const results: Updated['results'][number][] = [];
      for (const [index, alert] of alerts.entries()) {
        const updated = updateByAlert(
          alertedPositions,
          alert,
          meanings[index]?.isDoubtful === true,
          questions,
        );
        alertedPositions = updated.alertedPositions;
        results.push(...updated.results);
      }
      for (const question of givenUp) ({ alertedPositions } = addSales(alertedPositions, question));

      const unannounced = afterTrades(
        onlyChannels(known.unannounced, (channelId) => kept.has(channelId)),
        alerts.map(({ event }) => event),
        channelsFor(wallet),
        nowSeconds,
      );

      const agreed = consensus.find(seen, known, channelsFor(wallet));
      const knowledge: WalletKnowledge = {
        ...known,
        alertedPositions,
        unannounced,
        announced: [...agreed.announced],
        questions,
      };
      // Another wallet's poll may look before this one is stored: neither must miss the other, nor
      // announce it again.
      index.setPurchases(wallet, knowledge);
      return {
        state: { knowledge },
        alerts: [
          ...gapsOf(seen, 'activity'),
          ...beforeWatches(
            wallet,
            past.map(({ item, meaning }) => activityEvent(item, meaning)),
            nowSeconds,
          ),
          ...alerts,
          ...resultAlerts(wallet, results, nowSeconds),
          ...agreed.alerts,
        ],
      };
    },
    transfers(seen: Seen<TransferItem>, state: WalletState): Change {
      const knowledge = addTransfersPage(state.knowledge, seen);
      const alerts = alertsOf(seen, 'deposits-withdrawals', (item) => ({ kind: 'transfer', item }));
      const past = seen.isFirst
        ? historyOf(seen).map((item) => ({ kind: 'transfer', item }) as const)
        : [];
      const before = beforeWatches(seen.wallet, past, seen.nowSeconds);
      return {
        state: { knowledge },
        alerts: [...gapsOf(seen, 'deposits-withdrawals'), ...before, ...alerts],
      };
    },
    /**
     * What follows once more is known of a wallet; null if nothing is known of it, or nothing
     * changes.
     */
    learned(
      wallet: WalletAddress,
      { knowledge: before }: WalletState,
      learn: Learn,
    ): Change | null {
      const learned = before === undefined ? null : learn(before, boundariesOf(wallet));
      if (learned === null) return null;
      const { knowledge, results = [], contexts } = learned;
      const alerts = resultAlerts(wallet, results);
      if (before === undefined || contexts === undefined) return { state: { knowledge }, alerts };
      const unannounced = afterAnswers(
        before,
        knowledge,
        contexts,
        channelsFor(wallet),
        venueNowSeconds(),
      );
      return { state: { knowledge: { ...knowledge, unannounced } }, alerts, contexts };
    },
    /**
     * Alerts were delivered, or never will be: what is followed of them counts from then on.
     *
     * @param isMeant whether these are what became of an alert in a channel
     * @param delivered the message that they are in, its id null if the history had it; null: they
     *   never will be
     */
    afterDelivery(
      wallet: WalletAddress,
      state: WalletState,
      isMeant: (channelId: string, alertId: string) => boolean,
      delivered: { readonly messageId: string | null } | null,
    ): Change {
      const { knowledge } = state;
      if (
        !knowledge?.alertedPositions.some(({ outcomes }) =>
          outcomes.some((each) => each.alertId !== undefined),
        )
      )
        return { state, alerts: [] };
      const { alertedPositions, results } = countDelivered(
        knowledge.alertedPositions,
        isMeant,
        delivered,
      );
      return {
        state: { ...state, knowledge: { ...knowledge, alertedPositions } },
        alerts: resultAlerts(wallet, results),
      };
    },
    /**
     * The state once a channel has been told of these events: of their positions it has not been
     * told nothing.
     */
    afterTelling(
      state: WalletState,
      channelId: string,
      events: readonly WalletEvent[],
    ): WalletState {
      const { knowledge } = state;
      if (knowledge === undefined || knowledge.unannounced.length === 0) return state;
      const unannounced = afterTelling(knowledge.unannounced, channelId, events);
      return { ...state, knowledge: { ...knowledge, unannounced } };
    },
    /**
     * The state once alerts are given to channels that came when they had been committed.
     * @param alerts all that were committed lately, oldest first, each with the channels to which
     *   it is given now
     * @param begun the watches with which the channels came
     */
    afterCatchUp(
      state: WalletState,
      alerts: readonly NewAlert[],
      begun: readonly BegunWatch[],
    ): WalletState {
      const { knowledge } = state;
      if (knowledge === undefined) return state;
      // What the channels followed before has been counted with these alerts already.
      const followed = alerts.reduce<AlertedPositions>((before, alert) => {
        const { event } = alert;
        if (event.kind === 'gap' && event.gap.endpoint === 'activity') return giveUp(before);
        const isDoubtful = event.kind === 'activity' && event.context === undefined;
        return updateByAlert(before, alert, isDoubtful, knowledge.questions).alertedPositions;
      }, []);
      const alertedPositions = addPositions(knowledge.alertedPositions, followed);
      const missed = afterTrades(
        [],
        alerts.map(({ event }) => event),
        begun.map(({ watch, fromSeconds }) => ({ ...watch, sinceSeconds: fromSeconds })),
        venueNowSeconds(),
      );
      if (followed.length === 0 && missed.length === 0) return state;
      const unannounced = addUnannounced(knowledge.unannounced, missed);
      return { ...state, knowledge: { ...knowledge, alertedPositions, unannounced } };
    },
    withoutUnwatched(wallet: WalletAddress, knowledge: WalletKnowledge): Learned {
      const channels = remembering(wallet);
      const alertedPositions = knowledge.alertedPositions.filter(({ channelId }) =>
        channels.has(channelId),
      );
      const announced = knowledge.announced.filter(({ channelId }) => channels.has(channelId));
      const unannounced = onlyChannels(knowledge.unannounced, (channelId) =>
        channels.has(channelId),
      );
      return { knowledge: { ...knowledge, alertedPositions, announced, unannounced } };
    },
    /** Whether a watch that begins is to get an alert that was committed before it was known. */
    isMissed({ watch, fromSeconds }: BegunWatch, { event, seenAtMs }: NewAlert): boolean {
      const isMeant =
        kindOf(event).isForNewcomer?.(event, watch, fromSeconds, seenAtMs / 1000) === true;
      return isMeant && passesIn(watch.channelId, event);
    },
    /** What a wallet begins with whose document cannot be read. */
    anew: (wallet: WalletAddress) =>
      resetWallet(wallet, registry.ofWallet(wallet), venueNowSeconds() * 1000),
    /** Takes what is kept of a wallet, at the start, when not all watches need be known. */
    load: (wallet: WalletAddress, { knowledge }: WalletState): void => index.set(wallet, knowledge),
    /**
     * Takes what is stored, and judges the wallet anew by it. The wallet may have been removed
     * meanwhile.
     */
    noteStored(wallet: WalletAddress, state: WalletState): void {
      note(wallet, state);
      if (isCounted) index.judge(wallet);
    },
    note,
    /** Takes what is stored of a wallet's record alone. */
    noteRecord(wallet: WalletAddress, { knowledge }: WalletState): void {
      index.setRecord(wallet, knowledge?.record);
    },
    hasRecordOf: index.hasRecordOf,
    staleRecords: index.staleRecords,
    /**
     * Judges wallets anew in all rooms, once the records of all have been taken. What is stored is
     * judged from then on.
     */
    judgeAll(wallets: Iterable<WalletAddress>): void {
      isCounted = true;
      for (const wallet of wallets) index.judge(wallet);
    },
    /**
     * Takes only what channels have not been told of: an acknowledgement changes nothing else that
     * is asked.
     */
    noteUnannounced: (wallet: WalletAddress, { knowledge }: WalletState): void =>
      index.setUnannounced(wallet, knowledge?.unannounced ?? []),
    evictWallet: (wallet: WalletAddress): void => index.set(wallet, undefined),
  };
}

export type AlertBuilder = ReturnType<typeof createAlertBuilder>;

/**
 * The followed purchases after one alert, and the results that it gives.
 *
 * @param isDoubtful whether nobody can tell what is sold of the purchases in its market
 * @param questions on markets of which the venue will tell: their sales count once it has
 */
function updateByAlert(
  before: AlertedPositions,
  { id, event, channels }: NewAlert,
  isDoubtful: boolean,
  questions: readonly OpenQuestion[],
): Updated {
  if (event.kind !== 'activity') return { alertedPositions: before, results: [] };
  const { item, context } = event;
  const own = entryKeys(item).market;
  const isAsked = questions.some(({ market }) => market === own);
  const isAlertedPurchase = item.action === 'Buy' && channels.length > 0;
  const alertedPositions = isAlertedPurchase
    ? addPurchase(before, { alertId: id, item, channels })
    : before;
  if (isDoubtful && !isAsked)
    return { alertedPositions: giveUp(alertedPositions, own), results: [] };
  const isSale = item.action === 'Sell' || item.action === 'Redeem';
  if (context === undefined || !isSale) return { alertedPositions, results: [] };
  return addSale(alertedPositions, item, context);
}

/** The notice of a gap, for channels: the same whenever the same gap is found. */
export function gapNotice(
  wallet: WalletAddress,
  gap: Gap,
  channels: readonly string[],
  seenAtMs: number,
): NewAlert {
  const id = alertId([wallet, gap.endpoint, 'gap', gap.cause, gap.fromSeconds, gap.toSeconds]);
  return { id, event: { kind: 'gap', gap }, seenAtMs, channels };
}

/** The same for the channels that watched the wallet in that time. */
export function gapAlert(
  wallet: WalletAddress,
  gap: Gap,
  watches: readonly Watch[],
  seenAtMs: number,
): NewAlert {
  const channels = watches
    .filter((watch) => wantsGap(watch, gap))
    .map(({ channelId }) => channelId);
  return gapNotice(wallet, gap, channels, seenAtMs);
}

/**
 * Tells a channel that its watch of the wallet cannot be read, and that no alerts come until it
 * can.
 */
export function unreadableWatchAlert(
  wallet: WalletAddress,
  channelId: string,
  nowMs: number,
): NewAlert {
  const nowSeconds = Math.floor(nowMs / 1000);
  const gap: Gap = {
    cause: 'watch',
    endpoint: 'activity',
    fromSeconds: nowSeconds,
    toSeconds: nowSeconds,
  };
  return {
    ...gapNotice(wallet, gap, [channelId], nowMs),
    id: alertId([wallet, 'watch', channelId]),
  };
}

/**
 * In place of an unreadable document: all is new from now on; a gap says that what was on its way
 * may be missing.
 */
export function resetWallet(
  wallet: WalletAddress,
  watches: readonly Watch[],
  nowMs: number,
): WalletDocument {
  const toSeconds = Math.floor(nowMs / 1000);
  const fromSeconds = Math.min(toSeconds, ...watches.map(({ sinceSeconds }) => sinceSeconds));
  const anew: StoredEndpoint<never> = {
    detectionState: initialDetectionState(toSeconds),
    pollId: 0,
  };
  const notices = ENDPOINT_NAMES.map((endpoint) =>
    gapAlert(wallet, { endpoint, cause: 'damage', fromSeconds, toSeconds }, watches, nowMs),
  );
  return {
    state: Object.fromEntries(ENDPOINT_NAMES.map((endpoint) => [endpoint, anew])),
    outbox: notices.filter(({ channels }) => channels.length > 0),
  };
}
