import type { WalletAddress } from '../domain/address.ts';
import { type ActivityItem, ENDPOINT_NAMES, type EndpointName, type TransferItem } from '../domain/records.ts';
import type { Settlement } from '../domain/settlement.ts';
import type { Machine } from '../lib/machine.ts';
import { entryKeys } from '../portfolio/consensus/entries.ts';
import { marketKey } from '../portfolio/market.ts';
import { addUnknown, type OpenQuestion } from '../portfolio/positions/question.ts';
import { recordFill } from '../portfolio/record/record.ts';
import {
  type AlertedPositions,
  addPositions,
  addPurchase,
  addSale,
  countDelivered,
  keepChannels,
  type Updated,
  withoutMarket,
} from '../portfolio/results/alerted-positions.ts';
import {
  type AddedActivity,
  addActivityPage,
  addTransfersPage,
  type DetectedPage,
  type WalletKnowledge,
  withReadBack,
  withSettlements,
} from '../portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { BegunWatch, Registry } from '../watches/registry.ts';
import { passesWords } from '../watches/settings/words.ts';
import { beganSecondsOf, isPaused, seenSinceOf, type Watch, wants } from '../watches/watch.ts';
import { alertId, type WalletEvent } from './alert.ts';
import { type Answer, addSales, withAnswers } from './answers.ts';
import { createConsensusFinder } from './consensus-alerts.ts';
import { type Detection, initialDetectionState } from './detect.ts';
import type { HeldAlert } from './holds.ts';
import { type Gap, wantsGap } from './kinds/gap.ts';
import { kindOf } from './kinds/kinds.ts';
import type { Change, DeliveredAlerts, NewAlert, Newcomer, StoredEndpoint, WalletState } from './wallet-document.ts';
import { createWalletIndex } from './wallet-index.ts';

/** A page of one endpoint, and what of it is new. */
export interface Seen<Item> extends Omit<DetectedPage<Item>, 'fresh' | 'gapEndSeconds' | 'boundaries'> {
  readonly wallet: WalletAddress;
  readonly detection: Detection<Item>;
}

/** What follows from a page, and the alerts of which the venue is to be asked what they mean. */
export interface Built extends Change {
  readonly asked: readonly HeldAlert[];
}

/** Decides what there is to announce of what was seen, and to which channels. */
export function createAlertBuilder(
  { log }: Pick<Machine, 'log'>,
  {
    registry,
    channelSettings,
    isGone,
    venueNowSeconds,
  }: {
    readonly registry: Pick<Registry, 'ofWallet' | 'restingOfWallet' | 'ofChannel' | 'unreadableChannels'>;
    readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
    /** Whether a channel no longer exists, so that nothing need be kept for it. */
    readonly isGone: (channelId: string) => boolean;
    /** Venue clock, Unix seconds. */
    readonly venueNowSeconds: () => number;
  },
) {
  const consensus = createConsensusFinder({ registry, channelSettings });
  const index = createWalletIndex({ registry, channelSettings, venueNowSeconds });

  const note = (wallet: WalletAddress, { knowledge }: WalletState) => {
    for (const part of [consensus, index]) {
      if (knowledge === undefined) part.delete(wallet);
      else part.set(wallet, knowledge);
    }
  };

  const channelsFor = (wallet: WalletAddress) =>
    registry.ofWallet(wallet).filter(({ channelId }) => !isGone(channelId));

  /** Watches of the wallet, also those that rest. */
  const keptFor = (wallet: WalletAddress) => [...registry.ofWallet(wallet), ...registry.restingOfWallet(wallet)];

  /** Channels of which the wallet's document keeps what was announced. */
  const remembering = (wallet: WalletAddress): ReadonlySet<string> =>
    new Set([...keptFor(wallet).map(({ channelId }) => channelId), ...registry.unreadableChannels(wallet)]);

  /** Unix seconds at which rooms began to watch the wallet. */
  const boundariesOf = (wallet: WalletAddress) => [
    ...new Set(keptFor(wallet).flatMap((watch) => [beganSecondsOf(watch), seenSinceOf(watch)])),
  ];

  /** Whether the channel's own words let an event pass. */
  const passesIn = (channelId: string, event: WalletEvent) =>
    event.kind !== 'activity' || passesWords(channelSettings.get(channelId)?.words ?? null, event.item);

  const pageOf = <Item>({ detection, ...page }: Seen<Item>): DetectedPage<Item> => ({
    ...page,
    fresh: detection.fresh.map(({ item }) => item),
    // What is known of the time after a gap in the past was counted with what was known before it.
    gapEndSeconds: detection.gap === null ? null : Math.max(detection.gap.toSeconds, page.sinceSeconds),
    boundaries: boundariesOf(page.wallet),
  });

  const alertsOf = <Item extends ActivityItem | TransferItem>(
    { wallet, detection, nowSeconds }: Seen<Item>,
    endpoint: EndpointName,
    eventOf: (item: Item, index: number) => Extract<WalletEvent, { readonly kind: 'activity' | 'transfer' }>,
  ): NewAlert[] => {
    const watches = channelsFor(wallet);
    const alerts = detection.fresh.map(({ item, identity, occurrence }, index): NewAlert => {
      const event = eventOf(item, index);
      const wanting = watches.filter((watch) => wants(watch, event, identity, nowSeconds));
      return {
        id: alertId([wallet, endpoint, identity, occurrence]),
        event,
        seenAtMs: nowSeconds * 1000,
        channels: wanting.map(({ channelId }) => channelId).filter((channelId) => passesIn(channelId, event)),
      };
    });
    if (alerts.length > 0) log.info({ event: 'poll.fresh', wallet, endpoint, items: alerts.length });
    return alerts;
  };

  const gapsOf = ({ wallet, detection: { gap }, nowSeconds }: Seen<unknown>, endpoint: EndpointName) => {
    if (gap === null) return [];
    log.warn({ event: 'poll.gap', wallet, endpoint, ...gap });
    return [gapAlert(wallet, { endpoint, ...gap }, channelsFor(wallet), nowSeconds * 1000)];
  };

  /** What the venue is to be asked of markets that are not followed. */
  const askOf = (
    { items, sinceSeconds }: Seen<ActivityItem>,
    { knowledge, meanings }: AddedActivity,
    alerts: readonly NewAlert[],
  ) => {
    const unknown = alerts.flatMap(({ id, event, channels }, index) => {
      if (event.kind !== 'activity' || meanings[index]?.isUnknown !== true) return [];
      const { market } = entryKeys(event.item);
      const isFollowed = knowledge.alertedPositions.some((position) => position.market === market);
      return [{ alertId: id, item: event.item, isWanted: channels.length > 0 || isFollowed }];
    });
    const seenSeconds = Math.max(sinceSeconds, ...items.map(({ time }) => time));
    const detected = { beforeSeconds: sinceSeconds, seenSeconds };
    return addUnknown(knowledge.questions, unknown, detected, knowledge.refusedMarkets);
  };

  /** Follows purchases that were announced, and answers those whose end these items are. */
  const updateAlertedPositions = (
    { wallet, nowSeconds }: Seen<ActivityItem>,
    { knowledge, meanings }: AddedActivity,
    alerts: readonly NewAlert[],
    { open, givenUp }: ReturnType<typeof askOf>,
  ) => {
    let alertedPositions = keepChannels(knowledge.alertedPositions, remembering(wallet));
    const results: NewAlert[] = [];
    for (const [index, alert] of alerts.entries()) {
      const updated = updateByAlert(alertedPositions, alert, meanings[index]?.isDoubtful === true, open);
      alertedPositions = updated.alertedPositions;
      results.push(...resultAlerts(wallet, updated.results, nowSeconds));
    }
    for (const question of givenUp) ({ alertedPositions } = addSales(alertedPositions, question));
    return { alertedPositions, results };
  };

  const resultAlerts = (wallet: WalletAddress, results: Updated['results'], atSeconds = venueNowSeconds()) =>
    results.map(({ channelId, result }): NewAlert => {
      const { key, openedSeconds, closedSeconds, messageId } = result;
      const watch = channelsFor(wallet).find((other) => other.channelId === channelId);
      const isQuiet = watch === undefined || isPaused(watch, atSeconds);
      return {
        id: alertId([wallet, 'result', channelId, key, openedSeconds, closedSeconds, messageId ?? '']),
        event: { kind: 'result', result },
        seenAtMs: atSeconds * 1000,
        channels: isQuiet ? [] : [channelId],
      };
    });

  return {
    ...index.reads,
    /** A consensus with what was sold since it was found. */
    consensusNow: consensus.asOfNow,
    /** What a page of trades and redemptions leads to. */
    activity(seen: Seen<ActivityItem>, state: WalletState): Built {
      const { wallet } = seen;
      const detected = pageOf(seen);
      const page = addActivityPage(state.knowledge, detected);
      const alerts = alertsOf(seen, 'activity', (item, index) => {
        const { context = null, sizes = null } = page.meanings[index] ?? {};
        return { kind: 'activity', item, ...(context && { context }), ...(sizes && { sizes }) };
      });
      const questions = askOf(seen, page, alerts);
      const asked = new Set(questions.open.flatMap(({ live }) => live.map((record) => record.alertId)));
      const { alertedPositions, results } = updateAlertedPositions(seen, page, alerts, questions);
      const agreed = consensus.find({ wallet, ...detected }, page.knowledge, channelsFor(wallet));
      const announced = [...agreed.announced];
      const knowledge: WalletKnowledge = { ...page.knowledge, alertedPositions, announced, questions: questions.open };
      // Another wallet's poll may look before this one is stored: neither must overlook the other, nor announce it again.
      if (registry.ofWallet(wallet).length > 0) note(wallet, { knowledge });
      return {
        state: { knowledge },
        alerts: [...gapsOf(seen, 'activity'), ...alerts, ...results, ...agreed.alerts],
        asked: alerts.filter(({ id }) => asked.has(id)),
      };
    },
    /** What a page of deposits and withdrawals leads to. */
    transfers(seen: Seen<TransferItem>, state: WalletState): Built {
      const knowledge = addTransfersPage(state.knowledge, pageOf(seen));
      const alerts = alertsOf(seen, 'deposits-withdrawals', (item) => ({ kind: 'transfer', item }));
      return { state: { knowledge }, alerts: [...gapsOf(seen, 'deposits-withdrawals'), ...alerts], asked: [] };
    },
    /** Alerts were delivered, or never will be: what is followed of them counts from then on. */
    afterDelivery(state: WalletState, { wallet, channelId, ids, delivered }: DeliveredAlerts): Change {
      const { knowledge } = state;
      if (!knowledge?.alertedPositions.some(({ outcomes }) => outcomes.some((each) => each.alertId !== undefined)))
        return { state, alerts: [] };
      const { alertedPositions, results } = countDelivered(knowledge.alertedPositions, channelId, ids, delivered);
      return {
        state: { ...state, knowledge: { ...knowledge, alertedPositions } },
        alerts: resultAlerts(wallet, results),
      };
    },
    /**
     * The state once alerts are given to channels that came when they had been committed.
     *
     * @param alerts all that were committed lately, oldest first, each with the channels to which it is given now
     */
    afterCatchUp(state: WalletState, alerts: readonly NewAlert[]): WalletState {
      const { knowledge } = state;
      if (knowledge === undefined) return state;
      // What the channels followed before has been counted with these alerts already.
      const followed = alerts.reduce<AlertedPositions>((before, alert) => {
        const { event } = alert;
        if (event.kind === 'gap' && event.gap.endpoint === 'activity') return [];
        const isDoubtful = event.kind === 'activity' && event.context === undefined;
        return updateByAlert(before, alert, isDoubtful, knowledge.questions).alertedPositions;
      }, []);
      const alertedPositions = addPositions(knowledge.alertedPositions, followed);
      return { ...state, knowledge: { ...knowledge, alertedPositions } };
    },
    /** The state once what is of channels that no longer watch the wallet is left out; null if nothing is known. */
    withoutUnwatched(wallet: WalletAddress, { knowledge }: WalletState): Change | null {
      if (knowledge === undefined) return null;
      const channels = remembering(wallet);
      const alertedPositions = keepChannels(knowledge.alertedPositions, channels);
      const announced = knowledge.announced.filter(({ channelId }) => channels.has(channelId));
      return { state: { knowledge: { ...knowledge, alertedPositions, announced } }, alerts: [] };
    },
    /** The state once older trades have been read back, oldest first; null if nothing is known. */
    withReadBack(wallet: WalletAddress, { knowledge }: WalletState, history: readonly ActivityItem[]): Change | null {
      if (knowledge === undefined) return null;
      const fills = history.flatMap((item) => recordFill(item) ?? []);
      return { state: { knowledge: withReadBack(knowledge, fills, boundariesOf(wallet)) }, alerts: [] };
    },
    /** The state once these markets were settled; null if nothing changes with them. */
    withSettlements(
      wallet: WalletAddress,
      { knowledge }: WalletState,
      settlements: readonly Settlement[],
    ): Change | null {
      const settled = knowledge && withSettlements(knowledge, settlements, boundariesOf(wallet));
      if (!settled) return null;
      return { state: { knowledge: settled.knowledge }, alerts: resultAlerts(wallet, settled.results) };
    },
    /** The state with the venue's answers, what they mean for alerts that wait, and which results follow. */
    withAnswers(wallet: WalletAddress, { knowledge: before }: WalletState, answers: readonly Answer[]): Change | null {
      if (before === undefined) return null;
      const nowSeconds = venueNowSeconds();
      const { knowledge, contexts, results } = withAnswers(before, answers, nowSeconds, boundariesOf(wallet));
      return { state: { knowledge }, alerts: resultAlerts(wallet, results, nowSeconds), contexts };
    },
    /** What a watch that begins is to get of what was found before it was known. */
    newcomer({ watch, fromSeconds }: BegunWatch): Newcomer {
      const { wallet, channelId } = watch;
      const isWanted = ({ event, seenAtMs }: NewAlert) =>
        kindOf(event).isForNewcomer?.(event, watch, fromSeconds, seenAtMs / 1000) === true &&
        passesIn(channelId, event);
      return { wallet, channelId, isWanted };
    },
    /** What a wallet begins with whose document cannot be read. */
    anew: (wallet: WalletAddress): Change => resetWallet(wallet, registry.ofWallet(wallet), venueNowSeconds() * 1000),
    /** Takes what is kept of a wallet, at the start. */
    index: note,
    /** Takes what was stored. The wallet may have been removed meanwhile. */
    stored(wallet: WalletAddress, state: WalletState): void {
      if (registry.ofWallet(wallet).length > 0) note(wallet, state);
    },
    evictWallet: (wallet: WalletAddress): void => note(wallet, {}),
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
  const isAsked = questions.some(({ market }) => market === marketKey(item));
  if (isDoubtful && !isAsked) return { alertedPositions: withoutMarket(before, item), results: [] };
  const isAlertedPurchase = item.action === 'Buy' && channels.length > 0;
  const alertedPositions = isAlertedPurchase ? addPurchase(before, { alertId: id, item, channels }) : before;
  const isSale = item.action === 'Sell' || item.action === 'Redeem';
  if (context === undefined || !isSale) return { alertedPositions, results: [] };
  return addSale(alertedPositions, item, context);
}

/** The notice of a gap, for the channels that watched the wallet in that time. */
export function gapAlert(wallet: WalletAddress, gap: Gap, watches: readonly Watch[], seenAtMs: number): NewAlert {
  return {
    id: alertId([wallet, gap.endpoint, 'gap', gap.cause, gap.fromSeconds, gap.toSeconds]),
    event: { kind: 'gap', gap },
    seenAtMs,
    channels: watches.filter((watch) => wantsGap(watch, gap)).map(({ channelId }) => channelId),
  };
}

/** Tells a channel that its watch of the wallet cannot be read, and that no alerts come until it can. */
export function unreadableWatchAlert(wallet: WalletAddress, channelId: string, nowMs: number): NewAlert {
  const nowSeconds = Math.floor(nowMs / 1000);
  const gap: Gap = { cause: 'watch', endpoint: 'activity', fromSeconds: nowSeconds, toSeconds: nowSeconds };
  return {
    id: alertId([wallet, 'watch', channelId]),
    event: { kind: 'gap', gap },
    seenAtMs: nowMs,
    channels: [channelId],
  };
}

/**
 * The state and the alerts of a wallet whose document cannot be read: everything counts as new from now on, and a gap says
 * its channels that something may be missing, because what was on its way is not known any more.
 */
export function resetWallet(wallet: WalletAddress, watches: readonly Watch[], nowMs: number): Change {
  const toSeconds = Math.floor(nowMs / 1000);
  const fromSeconds = Math.min(toSeconds, ...watches.map(({ sinceSeconds }) => sinceSeconds));
  const anew: StoredEndpoint<never> = { state: initialDetectionState(toSeconds), pollId: 0 };
  return {
    state: { activity: anew, 'deposits-withdrawals': anew },
    alerts: ENDPOINT_NAMES.map((endpoint) =>
      gapAlert(wallet, { endpoint, cause: 'damage', fromSeconds, toSeconds }, watches, nowMs),
    ),
  };
}
