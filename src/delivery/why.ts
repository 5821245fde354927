import { type Alert, alertKey, recordAlertId } from '../alerts/alert.ts';
import type { AlertBuilder } from '../alerts/builder/build.ts';
import type { Decisions, Hold, Outcome, RecordEvent } from '../alerts/decisions.ts';
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

/** End of one record in a channel, as far as anybody knows. */
export type Verdict =
  | Outcome
  /** It was posted some time ago, epoch ms; `messageId` null: in which message is not known. */
  | { readonly kind: 'postedOnce'; readonly atMs: number; readonly messageId: string | null }
  /**
   * `for`: it is being sent, is about to be added to the message of its purchase, the venue is
   * asked what it means, or a setting has it wait. `untilMs` by the venue's clock; null: not known.
   */
  | {
      readonly kind: 'waits';
      readonly for: 'sending' | 'purchase' | 'meaning' | Wait['setting'];
      readonly untilMs: number | null;
    }
  /** Discord will never take it. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The channel was told that something of that time may be missing. */
  | { readonly kind: 'missed'; readonly messageId: string | null }
  /** The channel hears later, and its clock has not come to it. */
  | { readonly kind: 'later' }
  /** No poll has shown it yet. */
  | { readonly kind: 'unseen' }
  /**
   * Judgement of today, where what was decided is not known any more; `hold` null: it would pass.
   * `isSure` false: other records, its size or its effect may decide otherwise.
   */
  | { readonly kind: 'today'; readonly hold: Hold | null; readonly isSure: boolean };

interface WhyParts {
  readonly outbox: Pick<Later, 'pending' | 'isUnheard'> & Pick<Outbox, 'stateOf'>;
  readonly clock: Pick<ChannelClock, 'isLater' | 'lagMs' | 'nowMs'>;
  readonly channelQueues: Pick<ChannelQueueStore, 'get' | 'deadLetters'>;
  readonly decisions: Decisions;
  readonly alertBuilder: Pick<AlertBuilder, 'heldBy'>;
  readonly composer: Pick<Composer, 'plan' | 'heldAlone'>;
  readonly detailsRecords: Pick<DetailsRecords, 'find'>;
  /** Time that an alert waits for what it means for a position, ms; 0 if it does not. */
  readonly holdMs: (alert: Alert) => number;
  readonly venueNowMs: () => number;
}

/**
 * Says why a record was posted in a channel, or not: from what those have noted who decided; where
 * that is forgotten, from the same predicates as of today.
 */
export function createWhy(parts: WhyParts) {
  const { outbox, channelQueues, decisions, composer, clock, venueNowMs } = parts;

  const openIn = (channelId: string, wallet: WalletAddress, txHash: string) =>
    outbox.pending(channelId).filter((alert) => isOf(alert, wallet, txHash));

  /**
   * Judges the alerts of one wallet that wait for a channel. It judges all of them together,
   * because a thousand may wait and a plan looks at each.
   */
  const waitsOf = (channelId: string, asked: readonly Alert[]): Verdict[] => {
    if (asked.length === 0) return [];
    const queue = channelQueues.get(channelId);
    const waiting = outbox.pending(channelId);
    const sending = keysInQueue(queue);
    const wallets = new Set(asked.map(({ wallet }) => wallet));
    const heldUp = waiting
      .filter(({ wallet }) => wallets.has(wallet))
      .map((alert) => ({ ...alert, heldMs: parts.holdMs(alert) }))
      .filter(({ heldMs }) => heldMs > 0);
    let planned: ReadonlyMap<string, Verdict> | undefined;
    return asked.map((alert): Verdict => {
      const key = alertKey(alert);
      if (sending.has(key)) return { kind: 'waits', for: 'sending', untilMs: null };
      // As delivery does, an alert waits with those of its wallet before it.
      const before = heldUp.filter(
        (one) => one.wallet === alert.wallet && one.seenAtMs <= alert.seenAtMs,
      );
      const heldMs = Math.max(0, ...before.map((one) => one.heldMs));
      if (heldMs > 0) return { kind: 'waits', for: 'meaning', untilMs: venueNowMs() + heldMs };
      planned ??= verdictsOf(composer.plan(channelId, waiting, queue), clock.lagMs(channelId));
      return planned.get(key) ?? { kind: 'waits', for: 'purchase', untilMs: null };
    });
  };

  /** Tells whether a channel hears later, and its clock has not come to a record. */
  const isYetToCome = ({ channelId, wallet }: Watch, event: RecordEvent): boolean => {
    if (!clock.isLater(channelId)) return false;
    const endpoint = kindOf(event).endpoint(event);
    // Its first copy: further ones of the same second are told with it.
    const id = recordAlertId(wallet, endpoint, identityOf(event), 1);
    const isOfLater = event.item.time * 1000 > clock.nowMs(channelId);
    return isOfLater || outbox.isUnheard(channelId, { wallet, id });
  };

  /** Finds what else is known of a record than decisions; undefined if nothing is. */
  const recall = async (watch: Watch, event: RecordEvent): Promise<Verdict | undefined> => {
    const { channelId, wallet } = watch;
    const { time } = event.item;
    if (isYetToCome(watch, event)) return { kind: 'later' };
    const isOfBefore =
      time < beganSecondsOf(watch) ||
      namesOf(event).some((name) => watch.knownIdentities.includes(name));
    if (isOfBefore) return { kind: 'held', hold: { by: 'before' } };
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
    /** Tells what memory has of a transaction's records in the channel of a watch. */
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
    /** Tells what can be said of the venue's records of which memory has nothing. */
    async unknown(watch: Watch, events: readonly RecordEvent[]): Promise<Verdict[]> {
      const verdicts: Verdict[] = [];
      const forgotten: RecordEvent[] = [];
      for (const event of events) {
        const recalled = await recall(watch, event);
        if (recalled === undefined) forgotten.push(event);
        else verdicts.push(recalled);
      }
      return [...verdicts, ...judgeToday(parts, watch, forgotten)];
    },
    /** Judges records as if the venue listed them now, whatever became of them. */
    today: (watch: Watch, events: readonly RecordEvent[]): Verdict[] =>
      judgeToday(parts, { ...watch, knownIdentities: [] }, events),
    /** Counts further copies of a transaction's records that wait until more polls show them. */
    async unconfirmed(wallet: WalletAddress, txHash: string): Promise<number> {
      const state = await outbox.stateOf(wallet);
      const candidates = ENDPOINT_NAMES.flatMap((name) =>
        Object.values(state[name]?.detectionState.duplicateCandidates ?? {}),
      );
      return candidates.filter(({ item }) => item.txHash.toLowerCase() === txHash).length;
    },
    /**
     * The records of a transaction that memory knows of, for the channel of a watch, by the ids of
     * their alerts: the same in all channels.
     */
    recordsIn({ channelId, wallet }: Watch, txHash: string): Map<string, RecordEvent> {
      const decided = decisions.ofTransaction(channelId, wallet, txHash);
      const records = new Map(decided.map(({ id, event }) => [id, event]));
      for (const { id, event } of openIn(channelId, wallet, txHash)) {
        if (isRecord(event)) records.set(id, event);
      }
      return records;
    },
    /** Records about which something was decided lately in a channel, each time, oldest first. */
    decidedIn: decisions.recordsIn,
  };
}
export type Why = ReturnType<typeof createWhy>;

function isOf(
  alert: Pick<Alert, 'wallet' | 'event'>,
  wallet: WalletAddress,
  txHash: string,
): boolean {
  const { event } = alert;
  return alert.wallet === wallet && isRecord(event) && event.item.txHash.toLowerCase() === txHash;
}

/**
 * Decisions of a plan about alerts, by their keys. An alert that is missing waits for others of its
 * purchase.
 *
 * @param lagMs by how much the channel's clock is behind the venue's
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
  for (const { alert, hold } of drop) verdicts.set(alertKey(alert), { kind: 'held', hold });
  return verdicts;
}

/** Tells whether pages have shown no record of so late that this one would be known. */
function isUnseen(state: WalletState, event: RecordEvent): boolean {
  const detection = state[kindOf(event).endpoint(event)]?.detectionState;
  if (detection === undefined) return true;
  const names = namesOf(event);
  const isSeen = detection.seen.some(([known]) => names.includes(known));
  return !isSeen && event.item.time >= detection.earliestAcceptedSeconds;
}

/** Moves a record to another time. */
function atSeconds(event: RecordEvent, time: number): RecordEvent {
  if (event.kind === 'activity') return { kind: 'activity', item: { ...event.item, time } };
  return { kind: 'transfer', item: { ...event.item, time } };
}

/** True if a watch asks of a record what the record alone does not say. */
function dependsOnMore({ settings }: Watch, event: Alert['event']): boolean {
  if (!isRecord(event)) return false;
  const kind = recordKind(event);
  const byEffect =
    settings.kinds !== null &&
    !settings.kinds.includes(kind) &&
    settings.kinds.some((name) => EFFECTS.some((effect) => effect === name));
  return byEffect || settings.unusualOnly === true;
}

/** Judges records as if they were seen today, all at once. */
function judgeToday(
  {
    alertBuilder,
    composer,
    venueNowMs,
  }: Pick<WhyParts, 'alertBuilder' | 'composer' | 'venueNowMs'>,
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
  const holds = new Map<string, Hold>();
  for (const { id, event } of alerts) {
    if (!isRecord(event)) continue;
    const hold = alertBuilder.heldBy(watch, event, namesOf(event), nowMs / 1000);
    if (hold !== null) holds.set(id, hold);
  }
  const passing = alerts.filter(({ id }) => !holds.has(id));
  for (const { alert, hold } of composer.heldAlone(channelId, passing)) holds.set(alert.id, hold);
  return alerts.map(({ id, event }) => {
    const hold = holds.get(id) ?? null;
    // Other fills of its purchase may bring it there.
    const isBySum =
      hold?.by === 'setting' && hold.name === 'minUsdc' && settings.style === 'grouped';
    const mayDiffer = hold === null ? dependsOnMore(watch, event) : isBySum;
    return { kind: 'today', hold, isSure: event.kind !== 'activity' || !mayDiffer };
  });
}
