import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem, EndpointName, TransferItem } from '../../domain/records.ts';
import { entryKeys } from '../../portfolio/market.ts';
import { addUnknown } from '../../portfolio/positions/question.ts';
import { onlyChannels } from '../../portfolio/positions/unannounced.ts';
import {
  type AlertedPositions,
  noteSoldSeen,
  type Updated,
} from '../../portfolio/results/alerted-positions.ts';
import type { ItemMeaning } from '../../portfolio/update.ts';
import {
  addActivityPage,
  addSales,
  addTransfersPage,
  type DetectedPage,
  historyOf,
  type WalletKnowledge,
} from '../../portfolio/wallet-knowledge.ts';
import { recordAlertId } from '../alert.ts';
import { type FilteredRecord, namesOf, type RecordEvent } from '../decisions.ts';
import type { Detection } from '../detect.ts';
import type { Change, NewAlert, WalletState } from '../wallets/wallet-document.ts';
import { amended, amendedAlerts } from './amended.ts';
import type { Audience } from './audience.ts';
import type { ConsensusFinder } from './consensus-alerts.ts';
import { gapFound } from './gaps.ts';
import { activityEvent, beforeWatches } from './newcomers.ts';
import { resultAlerts, updateByAlert } from './results.ts';
import { afterTrades } from './unannounced.ts';

/** A page of one endpoint, with its new records. */
export interface Seen<Item> extends DetectedPage<Item> {
  readonly wallet: WalletAddress;
  readonly detection: Detection<Item>;
}

/** Builds the alerts of pages, and the knowledge about a wallet after them. Pure. */
export function createPageAlerts(audience: Audience, consensus: ConsensusFinder) {
  const { watchesOf, watchesForDelay, isLater, remembering, filteredBy } = audience;

  /** Returns the alerts of new records, and the channels that do not get them. */
  const alertsOf = <Item extends ActivityItem | TransferItem>(
    { wallet, detection, nowSeconds }: Seen<Item>,
    endpoint: EndpointName,
    eventOf: (item: Item, index: number) => RecordEvent,
  ) => {
    const watches = watchesOf(wallet);
    const filtered: FilteredRecord[] = [];
    const alerts = detection.fresh.map(({ item, identity, occurrence }, index): NewAlert => {
      const event = eventOf(item, index);
      const id = recordAlertId(wallet, endpoint, identity, occurrence);
      const names = namesOf(event);
      const channels: string[] = [];
      for (const watch of watches) {
        const { channelId } = watch;
        const reason = filteredBy(watch, event, names, nowSeconds);
        const isAskedLater = isLater(channelId) && reason?.by !== 'before';
        if (reason === null || isAskedLater) channels.push(channelId);
        if (reason !== null) filtered.push({ alert: { id, wallet, event }, channelId, reason });
      }
      return { id, event, seenAtMs: nowSeconds * 1000, channels };
    });
    return { alerts, filtered };
  };

  const gapsOf = ({ wallet, detection, nowSeconds }: Seen<unknown>, endpoint: EndpointName) => {
    if (detection.gap === null) return { alerts: [], filtered: [] };
    return gapFound(wallet, { endpoint, ...detection.gap }, audience, nowSeconds * 1000);
  };

  return {
    activity(seen: Seen<ActivityItem>, state: WalletState): Change {
      const { wallet, nowSeconds } = seen;
      const watches = watchesForDelay(wallet);
      const before = state.knowledge && amended(state.knowledge, seen);
      const { knowledge: known, meanings, past } = addActivityPage(before, seen);
      const isEndKnown = endsKnown(before);
      const { alerts, filtered } = alertsOf(seen, 'activity', (item, index) =>
        activityEvent(item, withEnd(meanings[index], isEndKnown(item))),
      );
      const asked = ask(seen, known, alerts, meanings);

      const kept = remembering(wallet);
      const keptPositions = known.alertedPositions.filter(({ channelId }) => kept.has(channelId));
      const seenBy = { isLater, nowSeconds };
      const { alertedPositions, results } = follow(keptPositions, alerts, meanings, asked, seenBy);
      const events = alerts.map(({ event }) => event);
      const keptUnannounced = onlyChannels(known.unannounced, (channelId) => kept.has(channelId));
      const unannounced = afterTrades(keptUnannounced, events, watches, nowSeconds);

      const agreed = consensus.find(seen, known, watches);
      const gaps = gapsOf(seen, 'activity');
      const pastEvents = past.map(({ item, meaning }) => activityEvent(item, meaning));
      const knowledge: WalletKnowledge = {
        ...known,
        alertedPositions,
        unannounced,
        announcedConsensus: [...agreed.announced],
        questions: asked.open,
      };
      return {
        state: { knowledge },
        alerts: [
          ...gaps.alerts,
          ...beforeWatches(wallet, pastEvents, nowSeconds),
          ...amendedAlerts(seen, watchesOf(wallet)),
          ...alerts,
          ...resultAlerts(wallet, results, watches, () => nowSeconds),
          ...agreed.alerts,
        ],
        filtered: [...gaps.filtered, ...filtered, ...agreed.filtered],
      };
    },
    transfers(seen: Seen<TransferItem>, state: WalletState): Change {
      const { wallet, isFirst, nowSeconds } = seen;
      const knowledge = addTransfersPage(state.knowledge, seen);
      const eventOf = (item: TransferItem) => ({ kind: 'transfer', item }) as const;
      const { alerts, filtered } = alertsOf(seen, 'deposits-withdrawals', eventOf);
      const past = isFirst ? historyOf(seen).map(eventOf) : [];
      const before = beforeWatches(wallet, past, nowSeconds);
      const gaps = gapsOf(seen, 'deposits-withdrawals');
      return {
        state: { knowledge },
        alerts: [...gaps.alerts, ...before, ...alerts],
        filtered: [...gaps.filtered, ...filtered],
      };
    },
  };
}

/**
 * Returns a function that checks whether an item is a redemption in a market whose end was known
 * before this page.
 */
function endsKnown(before: WalletKnowledge | undefined): (item: ActivityItem) => boolean {
  const ended = new Set(
    before?.record.markets.flatMap(({ market, payout }) => (payout === undefined ? [] : [market])),
  );
  return (item) => item.action === 'Redeem' && ended.has(entryKeys(item).market);
}

/** Marks a redemption's context if the market's end was already known. */
function withEnd(meaning: ItemMeaning | undefined, isEndKnown: boolean): ItemMeaning | undefined {
  if (!isEndKnown || meaning === undefined || meaning.context === null) return meaning;
  return { ...meaning, context: { ...meaning.context, isEndKnown } };
}

/** Adds questions to the venue about markets whose positions are not tracked yet. */
function ask(
  { sinceSeconds, items }: Seen<ActivityItem>,
  known: WalletKnowledge,
  alerts: readonly NewAlert[],
  meanings: readonly ItemMeaning[],
) {
  const unknown = [];
  for (const [index, { id, event, channels }] of alerts.entries()) {
    if (event.kind !== 'activity' || meanings[index]?.isUnknown !== true) continue;
    const { market } = entryKeys(event.item);
    const isFollowed = known.alertedPositions.some(({ key }) => key === market);
    const isWanted = channels.length > 0 || isFollowed;
    unknown.push({ alertId: id, item: event.item, isWanted });
  }
  const seenSeconds = Math.max(sinceSeconds, ...items.map(({ time }) => time));
  const detected = { beforeSeconds: sinceSeconds, seenSeconds };
  return addUnknown(known.questions, unknown, detected, known.refusedMarkets);
}

/**
 * Tracks announced purchases, and finds the results of positions that this page closes.
 * @param seen when the page was seen, and which channels are delayed
 */
function follow(
  before: AlertedPositions,
  alerts: readonly NewAlert[],
  meanings: readonly ItemMeaning[],
  { open, givenUp }: ReturnType<typeof ask>,
  seen: { readonly isLater: (channelId: string) => boolean; readonly nowSeconds: number },
): Updated {
  let alertedPositions = before;
  const results: Updated['results'][number][] = [];
  const ids = new Set(alerts.map(({ id }) => id));
  const isOfPage = ({ alertId = '' }: { readonly alertId?: string }) => ids.has(alertId);
  for (const [index, alert] of alerts.entries()) {
    const isUncertain = meanings[index]?.isUncertain === true;
    const updated = updateByAlert(alertedPositions, alert, isUncertain, open, seen.isLater);
    // Purchases and sales on the same page are one position, in any channel.
    const isFromBefore = ({ channelId, outcomes }: AlertedPositions[number]) =>
      seen.isLater(channelId) && !outcomes.some(isOfPage);
    alertedPositions = noteSoldSeen(
      alertedPositions,
      updated.alertedPositions,
      isFromBefore,
      seen.nowSeconds,
    );
    results.push(...updated.results);
  }
  for (const question of givenUp) ({ alertedPositions } = addSales(alertedPositions, question));
  const ofLater = ({ channelId }: AlertedPositions[number]) => seen.isLater(channelId);
  return {
    alertedPositions: noteSoldSeen(before, alertedPositions, ofLater, seen.nowSeconds),
    results,
  };
}
