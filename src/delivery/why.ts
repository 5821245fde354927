import { type Alert, alertKey, recordAlertId } from '../alerts/alert.ts';
import type { AlertBuilder } from '../alerts/builder/build.ts';
import type { Decisions, FilterReason, Outcome, RecordEvent } from '../alerts/decisions.ts';
import { identityOf, isRecord, namesOf } from '../alerts/decisions.ts';
import { kindOf } from '../alerts/kinds/kinds.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { WalletState } from '../alerts/wallets/wallet-document.ts';
import type { DetailsRecords } from '../details/records.ts';
import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import type { Later } from '../later/later.ts';
import { EFFECTS } from '../portfolio/trade-context.ts';
import type { ChannelClock } from '../watches/channel-clock.ts';
import { beganSecondsOf, recordKind, type Watch } from '../watches/watch.ts';
import { type ChannelQueueStore, keysInQueue } from './channel-queue.ts';
import type { Composer } from './messages/compose.ts';
import type { Plan, Wait } from './plan/plan.ts';

/** Outcome of one record in a channel, as far as it is known. */
export type Verdict =
  | Outcome
  /**
   * It was posted some time ago (epoch ms); `messageId` is null if it is unknown in which message.
   */
  | { readonly kind: 'postedOnce'; readonly atMs: number; readonly messageId: string | null }
  /**
   * `for`: it is being sent, is about to be added to its purchase's message, waits for the venue's
   * answer about its effect on the position, or a setting delays it. `untilMs`: by the venue's
   * clock; null if unknown.
   */
  | {
      readonly kind: 'waits';
      readonly for: 'sending' | 'purchase' | 'meaning' | Wait['setting'];
      readonly untilMs: number | null;
    }
  /** Discord will never accept it. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** A notice in the channel said that something from that time may be missing. */
  | { readonly kind: 'missed'; readonly messageId: string | null }
  /** The channel is delayed, and its delayed time has not reached it. */
  | { readonly kind: 'later' }
  /** No poll has shown it yet. */
  | { readonly kind: 'unseen' }
  /**
   * Assessment by today's settings, used if the original decision is no longer known; `reason` is
   * null if it would pass. `isSure` is false if other records, its size or its effect might change
   * the decision.
   */
  | { readonly kind: 'today'; readonly reason: FilterReason | null; readonly isSure: boolean };

type Unreleased = Awaited<ReturnType<Later['unreleasedRecords']>>;

interface WhyParts {
  readonly outbox: Pick<Later, 'pending' | 'unreleasedRecords'> & Pick<Outbox, 'stateOf'>;
  readonly clock: ChannelClock;
  readonly channelQueues: ChannelQueueStore;
  readonly decisions: Decisions;
  readonly alertBuilder: AlertBuilder;
  readonly composer: Composer;
  readonly detailsRecords: Pick<DetailsRecords, 'find'>;
  /**
   * Time that an alert still waits until its effect on the position is known, in ms; 0 if it does
   * not wait.
   */
  readonly awaitingAnswerMs: (alert: Alert) => number;
  readonly venueNowMs: () => number;
}

/**
 * Explains why a record was or was not posted in a channel. Uses the recorded decisions, or, if
 * these are no longer known, the same checks with today's settings.
 */
export function createWhy(parts: WhyParts) {
  const { outbox, channelQueues, decisions, composer, clock, venueNowMs } = parts;

  const openIn = (channelId: string, wallet: WalletAddress, txHash: string) =>
    outbox.pending(channelId).filter((alert) => isOf(alert, wallet, txHash));

  /**
   * Assesses the alerts of one wallet that are waiting for a channel. All are assessed together,
   * because a thousand may be waiting and a plan checks each of them.
   */
  const waitsOf = (channelId: string, asked: readonly Alert[]): Verdict[] => {
    if (asked.length === 0) return [];
    const queue = channelQueues.get(channelId);
    const waiting = outbox.pending(channelId);
    const sending = keysInQueue(queue);
    const wallets = new Set(asked.map(({ wallet }) => wallet));
    const awaiting = waiting
      .filter(({ wallet }) => wallets.has(wallet))
      .map((alert) => ({ ...alert, awaitingAnswerMs: parts.awaitingAnswerMs(alert) }))
      .filter(({ awaitingAnswerMs }) => awaitingAnswerMs > 0);
    let planned: ReadonlyMap<string, Verdict> | undefined;
    return asked.map((alert): Verdict => {
      const key = alertKey(alert);
      if (sending.has(key)) return { kind: 'waits', for: 'sending', untilMs: null };
      // As in delivery, an alert waits for its wallet's alerts before it.
      const before = awaiting.filter(
        (one) => one.wallet === alert.wallet && one.seenAtMs <= alert.seenAtMs,
      );
      const awaitingAnswerMs = Math.max(0, ...before.map((one) => one.awaitingAnswerMs));
      if (awaitingAnswerMs > 0)
        return { kind: 'waits', for: 'meaning', untilMs: venueNowMs() + awaitingAnswerMs };
      planned ??= verdictsOf(composer.plan(channelId, waiting, queue), clock.lagMs(channelId));
      return planned.get(key) ?? { kind: 'waits', for: 'purchase', untilMs: null };
    });
  };

  /**
   * Whether a delayed channel's time has not reached a record.
   * @param unreleased the wallet's alerts that wait for that time
   */
  const isYetToCome = (
    { channelId, wallet }: Watch,
    event: RecordEvent,
    unreleased: Unreleased,
  ): boolean => {
    if (event.item.time * 1000 > clock.nowMs(channelId)) return true;
    const endpoint = kindOf(event).endpoint(event);
    // The id of its first copy; further copies in the same second are posted with it.
    const id = recordAlertId(wallet, endpoint, identityOf(event), 1);
    return unreleased.has(alertKey({ wallet, id }));
  };

  /**
   * Returns the outcome of a record from sources other than decisions; undefined if there is none.
   * @param unreleased null if the channel is not delayed
   */
  const recall = async (
    watch: Watch,
    event: RecordEvent,
    unreleased: Unreleased | null,
  ): Promise<Verdict | undefined> => {
    const { channelId, wallet } = watch;
    const { time } = event.item;
    if (unreleased !== null && isYetToCome(watch, event, unreleased)) return { kind: 'later' };
    const isOfBefore =
      time < beganSecondsOf(watch) ||
      namesOf(event).some((name) => watch.knownIdentities.includes(name));
    if (isOfBefore) return { kind: 'filtered', reason: { by: 'before' } };
    const details =
      event.kind === 'activity' ? await parts.detailsRecords.find(watch, event.item) : undefined;
    if (details !== undefined) {
      const { createdAtMs: atMs, messageId = null } = details;
      return { kind: 'postedOnce', atMs, messageId };
    }
    const notice = decisions.noticeOf(channelId, wallet, kindOf(event).endpoint(event), time);
    if (notice !== undefined) return { kind: 'missed', messageId: notice.messageId };
    if (isUnseen(await outbox.stateOf(wallet), event)) return { kind: 'unseen' };
    return undefined;
  };

  return {
    /** Returns what memory contains about a transaction's records in the channel of a watch. */
    known({ channelId, wallet }: Watch, txHash: string): Verdict[] {
      const waiting = openIn(channelId, wallet, txHash);
      const letters = channelQueues
        .deadLetters(channelId)
        .filter(({ alert }) => isOf(alert, wallet, txHash));
      const open = new Set(waiting.map(({ id }) => id));
      const decided = decisions
        .ofTransaction(channelId, wallet, txHash)
        .filter(({ id }) => !open.has(id));
      return [
        ...decided.map(({ outcome }) => outcome),
        ...waitsOf(channelId, waiting),
        ...letters.map(({ reason }): Verdict => ({ kind: 'rejected', reason })),
      ];
    },
    /** Returns the verdicts for records of the venue that memory knows nothing about. */
    async unknown(watch: Watch, events: readonly RecordEvent[]): Promise<Verdict[]> {
      const verdicts: Verdict[] = [];
      const forgotten: RecordEvent[] = [];
      const { channelId, wallet } = watch;
      const isDelayed = clock.isLater(channelId);
      // Once for all records, because thousands of alerts may wait.
      const unreleased = isDelayed ? await outbox.unreleasedRecords(channelId, wallet) : null;
      for (const event of events) {
        const recalled = await recall(watch, event, unreleased);
        if (recalled === undefined) forgotten.push(event);
        else verdicts.push(recalled);
      }
      return [...verdicts, ...judgeToday(parts, watch, forgotten)];
    },
    /** Assesses records as if the venue listed them now, whatever their outcome was. */
    today: (watch: Watch, events: readonly RecordEvent[]): Verdict[] =>
      judgeToday(parts, { ...watch, knownIdentities: [] }, events),
    /**
     * Returns the number of further copies of a transaction's records that wait until more polls
     * show them.
     */
    async unconfirmed(wallet: WalletAddress, txHash: string): Promise<number> {
      const state = await outbox.stateOf(wallet);
      const candidates = ENDPOINT_NAMES.flatMap((name) =>
        Object.values(state[name]?.detectionState.duplicateCandidates ?? {}),
      );
      return candidates.filter(({ item }) => item.txHash.toLowerCase() === txHash).length;
    },
    /**
     * Returns a transaction's records known in memory, for the channel of a watch, by the ids of
     * their alerts. The ids are the same in all channels.
     */
    recordsIn({ channelId, wallet }: Watch, txHash: string): Map<string, RecordEvent> {
      const decided = decisions.ofTransaction(channelId, wallet, txHash);
      const records = new Map(decided.map(({ id, event }) => [id, event]));
      for (const { id, event } of openIn(channelId, wallet, txHash)) {
        if (isRecord(event)) records.set(id, event);
      }
      return records;
    },
    /**
     * Returns the records of recent decisions in a channel, one for each decision, oldest first.
     */
    decidedIn: decisions.recordsIn,
  };
}
export type Why = ReturnType<typeof createWhy>;

function isOf(alert: Alert, wallet: WalletAddress, txHash: string): boolean {
  const { event } = alert;
  return alert.wallet === wallet && isRecord(event) && event.item.txHash.toLowerCase() === txHash;
}

/**
 * Returns a plan's decisions about alerts, by alert key. An alert that is missing waits for others
 * of its purchase.
 * @param lagMs the channel's delay in ms
 */
function verdictsOf(
  { groups, joining, drop, waits }: Plan,
  lagMs: number,
): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const { alerts } of [...groups, ...joining]) {
    for (const alert of alerts) {
      verdicts.set(alertKey(alert), { kind: 'waits', for: 'sending', untilMs: null });
    }
  }
  for (const { alert, setting, untilMs } of waits) {
    verdicts.set(alertKey(alert), { kind: 'waits', for: setting, untilMs: untilMs + lagMs });
  }
  for (const { alert, reason } of drop) verdicts.set(alertKey(alert), { kind: 'filtered', reason });
  return verdicts;
}

/** Whether a record is unknown and would count as new if a page showed it. */
function isUnseen(state: WalletState, event: RecordEvent): boolean {
  const detection = state[kindOf(event).endpoint(event)]?.detectionState;
  if (detection === undefined) return true;
  const names = namesOf(event);
  const isSeen = detection.seen.some(([known]) => names.includes(known));
  return !isSeen && event.item.time >= detection.earliestAcceptedSeconds;
}

/** Returns the record with another time. */
function atSeconds(event: RecordEvent, time: number): RecordEvent {
  if (event.kind === 'activity') return { kind: 'activity', item: { ...event.item, time } };
  return { kind: 'transfer', item: { ...event.item, time } };
}

/** True if a watch's filters depend on more than the record itself. */
function dependsOnMore({ settings }: Watch, event: Alert['event']): boolean {
  if (!isRecord(event)) return false;
  const kind = recordKind(event);
  const byEffect =
    settings.kinds !== null &&
    !settings.kinds.includes(kind) &&
    settings.kinds.some((name) => EFFECTS.some((effect) => effect === name));
  return byEffect || settings.unusualOnly === true;
}

/** Assesses records as if they were all seen now, at the same time. */
function judgeToday(
  { alertBuilder, composer, venueNowMs }: WhyParts,
  watch: Watch,
  events: readonly RecordEvent[],
): Verdict[] {
  const { channelId, wallet, settings } = watch;
  const nowMs = venueNowMs();
  const nowSeconds = Math.floor(nowMs / 1000);
  const alerts = events.map((event, place): Alert => {
    const moved = atSeconds(event, nowSeconds);
    return {
      id: String(place),
      wallet,
      channelId,
      event: moved,
      seenAtMs: nowMs,
    };
  });
  const reasons = new Map<string, FilterReason>();
  for (const { id, event } of alerts) {
    if (!isRecord(event)) continue;
    const reason = alertBuilder.filteredBy(watch, event, namesOf(event), nowMs / 1000);
    if (reason !== null) reasons.set(id, reason);
  }
  const passing = alerts.filter(({ id }) => !reasons.has(id));
  for (const { alert, reason } of composer.filteredAlone(channelId, passing))
    reasons.set(alert.id, reason);
  return alerts.map(({ id, event }) => {
    const reason = reasons.get(id) ?? null;
    // Other fills of its purchase may raise the sum above the minimum.
    const isBySum =
      reason?.by === 'setting' && reason.name === 'minUsdc' && settings.style === 'grouped';
    const mayDiffer = reason === null ? dependsOnMore(watch, event) : isBySum;
    return { kind: 'today', reason, isSure: event.kind !== 'activity' || !mayDiffer };
  });
}
