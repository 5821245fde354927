import {
  type Alert,
  type AlertGroup,
  alertKey,
  alertsIn,
  groupKey,
  totalUsdc,
} from '../alerts/alert.ts';
import type { WalletAddress } from '../domain/address.ts';
import { toDecimalText } from '../lib/exact.ts';
import type { Machine } from '../lib/machine.ts';
import type { AlertMessagesDeps } from './alert-messages-deps.ts';
import {
  findGroups,
  type OutgoingMessage,
  type StoredAlertGroup,
  storedGroups,
} from './channel-queue.ts';
import { createCorrections } from './corrections.ts';
import { createMessageEdits } from './edits/message-edits.ts';
import type { SendResult } from './failures.ts';
import { createMessageEnds, idsOf } from './message-ends.ts';
import type { MessageSource, SendStep } from './message-source.ts';
import { SILENT } from './plan/mentions.ts';
import { nonceOf } from './post.ts';

/** Time after the decision during which a message is sent as it was rendered then, in ms. */
const FIRST_ATTEMPT_MS = 1_000;
const FOR_EVER = Number.POSITIVE_INFINITY;

type Decided = ReturnType<AlertMessagesDeps['render']> & { readonly alertCount: number };

/**
 * Creates and sends the messages of alerts, one per channel at a time. Each is stored before it is
 * first sent.
 */
function createOutgoing(machine: Machine, deps: AlertMessagesDeps) {
  const { log, nowMs, onFailpoint } = machine;
  const { outbox, channelQueues } = deps;
  /**
   * Messages that this process has decided but not sent yet, as they were rendered then, by
   * channel.
   */
  const untried = new Map<string, Decided>();
  const { finish, finishSent, finishTaken, finishUnwanted, finishFound } = createMessageEnds(
    machine,
    deps,
    (channelId) => untried.delete(channelId),
  );

  const groupsOf = (channelId: string, stored: readonly StoredAlertGroup[]): AlertGroup[] => {
    const wanted = outbox
      .pending(channelId)
      .filter(({ wallet }) => deps.isWanted(channelId, wallet));
    return findGroups(stored, wanted);
  };

  /**
   * Decides a message and stores it.
   * @param carriedOver groups to send next, after those that do not fit; null: groups that do not
   *   fit are planned again, except further fills of the same trades
   */
  const prepare = async (
    channelId: string,
    groups: readonly AlertGroup[],
    carriedOver: StoredAlertGroup[] | null,
  ) => {
    const rendered = deps.render(channelId, groups);
    const taken = groups.slice(0, rendered.included);
    const queue = channelQueues.get(channelId);
    const { noise, cooldownUpdate } = deps.decideMentions(channelId, taken, groups, queue);
    const alerts = alertsIn(taken);
    const message: OutgoingMessage = {
      nonce: nonceOf(channelId, ...alerts.map(alertKey)),
      groups: storedGroups(taken),
      startedAtMs: nowMs(),
      messageId: null,
      noise,
      cooldownUpdate,
    };
    const others = groups.slice(taken.length);
    const goesNext = storedGroups(carriedOver === null ? decidedWith(taken, others) : others);
    await channelQueues.update(channelId, {
      message,
      carriedOver: [...goesNext, ...(carriedOver ?? [])],
    });
    untried.set(channelId, { ...rendered, alertCount: alerts.length });
    onFailpoint('message.stored');
    return stepOf(channelId, message);
  };

  const wasJustDecided = ({ startedAtMs }: OutgoingMessage) =>
    Math.abs(nowMs() - startedAtMs) <= FIRST_ATTEMPT_MS;

  /** Updates a message's start time if a ban lay between its decision and its first attempt. */
  const redateIfDelayed = async (channelId: string, stored: OutgoingMessage) => {
    if (!untried.has(channelId) || wasJustDecided(stored)) return stored;
    const message = { ...stored, startedAtMs: nowMs() };
    await channelQueues.update(channelId, { message });
    return message;
  };

  const trySending = async (channelId: string, stored: OutgoingMessage): Promise<SendResult> => {
    const decided = untried.get(channelId);
    const isAsDecided = wasJustDecided(stored);
    const message = await redateIfDelayed(channelId, stored);
    const groups = groupsOf(channelId, message.groups);
    if (groups.length === 0) {
      await finishUnwanted(channelId, message);
      return 'unasked';
    }
    const alerts = alertsIn(groups);
    const rendered =
      isAsDecided && decided?.alertCount === alerts.length
        ? decided
        : deps.render(channelId, groups);
    // Times in its text grow as time passes, so the groups may no longer fit in one message.
    const isTooLong = rendered.included < groups.length;
    const sentAtMs = nowMs();
    // Quiet hours may have begun after the message was decided.
    const taken = deps.isQuiet(channelId) ? silenced(message) : message;
    return deps.post.attempt(channelId, {
      references: idsOf(message),
      startedAtMs: message.startedAtMs,
      isUntried: decided !== undefined,
      insteadOfSending: isTooLong
        ? () => prepare(channelId, groups, channelQueues.get(channelId).carriedOver)
        : null,
      async send() {
        untried.delete(channelId);
        const { nonce } = message;
        // Details are stored during the attempt, so that a button pressed at once finds them.
        const keep = deps.keepDetails(channelId, groups);
        const sending = deps.send(channelId, { body: rendered.body, noise: taken.noise, nonce });
        const messageId = await sending.catch(async (error: unknown) => {
          await keep(null);
          throw error;
        });
        await keep(messageId);
        return messageId;
      },
      onFound: (messageId) => finishFound(channelId, { ...message, messageId }),
      onSent: (messageId) => finishTaken(channelId, { ...taken, messageId }, groups, sentAtMs),
    });
  };

  /**
   * Isolates a rejected alert, so that it does not block the others of its message: halves of the
   * message are tried until the alert is alone.
   */
  const reject = async (
    channelId: string,
    message: OutgoingMessage,
    reason: string,
  ): Promise<void> => {
    const groups = groupsOf(channelId, message.groups);
    const [group] = groups;
    if (group === undefined) return finish(channelId, message);
    const [alert, ...others] = group.alerts;
    if (groups.length > 1 || others.length > 0) {
      const [first, second] = halves(groups);
      const { carriedOver } = channelQueues.get(channelId);
      return void (await prepare(channelId, first, [...storedGroups(second), ...carriedOver]));
    }
    log.error({
      event: 'alert.rejected',
      channel: channelId,
      wallet: alert.wallet,
      alert: alert.id,
      reason,
    });
    await channelQueues.addDeadLetter({ alert, reason, atMs: nowMs() });
    await finish(channelId, message);
  };

  const stepOf = (channelId: string, message: OutgoingMessage): SendStep => ({
    send: () => trySending(channelId, message),
    onMessageGone: () =>
      finishSent(channelId, message, findGroups(message.groups, outbox.pending(channelId)), false),
    reject: (reason) => reject(channelId, message, reason),
  });

  return { groupsOf, prepare, stepOf, finishUnwanted };
}

/** Creates the source that sends the alerts waiting for channels, one message after another. */
export function createAlertMessages(machine: Machine, deps: AlertMessagesDeps): MessageSource {
  const { outbox, channelQueues } = deps;
  const outgoing = createOutgoing(machine, deps);
  const edits = createMessageEdits(machine, deps);
  const decideCorrections = createCorrections(deps.shownIn);

  /**
   * Returns the alerts that may be sent now. Drops corrections of alerts that the channel was not
   * sent.
   */
  const mayBeSent = async (channelId: string) => {
    const pending = outbox.pending(channelId);
    const { waiting: answered, answerInMs } = withoutUnanswered(
      edits.withoutUnderWay(channelId, pending),
      deps.awaitingAnswerMs,
    );
    const { waiting, unwanted, isEarly } = await decideCorrections(channelId, pending, answered);
    if (unwanted.length > 0) await outbox.acknowledge(channelId, unwanted, null);
    return { waiting, answerInMs, isEarly };
  };

  return {
    name: 'alert',
    async next(channelId) {
      await outbox.release(channelId);
      const { message } = channelQueues.get(channelId);
      if (message !== null) {
        if (message.messageId === null && outgoing.groupsOf(channelId, message.groups).length > 0) {
          return outgoing.stepOf(channelId, message);
        }
        // Either it was sent before a restart and only its acknowledgement is missing, or it is no
        // longer wanted.
        await outgoing.finishUnwanted(channelId, message);
      }
      await edits.finishDone(channelId);
      const carriedOver = outgoing.groupsOf(channelId, channelQueues.get(channelId).carriedOver);
      if (carriedOver.length > 0) return outgoing.prepare(channelId, carriedOver, []);
      const { waiting, answerInMs, isEarly } = await mayBeSent(channelId);
      const { drop, groups, joining, nextDueMs } = deps.plan(
        channelId,
        waiting,
        channelQueues.get(channelId),
      );
      if (drop.length > 0) {
        const dropped = drop.map(({ alert }) => alert);
        await outbox.acknowledge(channelId, dropped, null);
        deps.decisions.filtered(drop.map((one) => ({ ...one, channelId })));
      }
      // New messages go first, because they may make a sound and an edit never does.
      if (groups.length > 0) return outgoing.prepare(channelId, groups, null);
      // An alert that a correction waits for may have been dropped.
      if (isEarly && drop.length > 0) return 0;
      const edit = await edits.next(channelId, joining);
      if (typeof edit !== 'number') return edit;
      const editInMs = edit;
      const forgetAtMs = await edits.forgetOld(channelId);
      // Removing an old purchase writes the queue, which also records that the last message is
      // done. If there is none to remove, the queue is written after a delay.
      const storeInMs =
        forgetAtMs === FOR_EVER ? await channelQueues.storeFinished(channelId) : FOR_EVER;
      const dueInMs = deps.clock.untilMs(channelId, Math.min(nextDueMs, forgetAtMs));
      return Math.min(outbox.nextMs(channelId), editInMs, dueInMs, storeInMs, ...answerInMs);
    },
    /**
     * Drops waiting alerts. Alerts of a watch that has begun since then stay, unless the channel is
     * gone.
     */
    async drop(channelId, why) {
      const pending = outbox.pending(channelId);
      const dropped = pending.filter(
        ({ wallet }) => why === 'gone' || !deps.isWanted(channelId, wallet),
      );
      if (dropped.length > 0) await outbox.acknowledge(channelId, dropped, null);
      const unreleased = why === 'blocked' ? 0 : await outbox.dropUnreleased(channelId);
      if (why !== 'blocked') deps.decisions.forget(channelId);
      return dropped.length + unreleased;
    },
    channels: () => [...new Set([...outbox.channels(), ...channelQueues.channels()])],
  };
}

/**
 * Returns the alerts that need not wait for an answer of the venue, and the delays after which the
 * others are sent without one. Later alerts of the same wallet wait too, to keep the order.
 */
function withoutUnanswered(pending: readonly Alert[], awaitingAnswerMs: (alert: Alert) => number) {
  const waitMs = new Map<WalletAddress, number>();
  const waiting = pending.filter((alert) => {
    const { wallet } = alert;
    const delayMs = awaitingAnswerMs(alert);
    if (delayMs > 0) waitMs.set(wallet, Math.max(delayMs, waitMs.get(wallet) ?? 0));
    return !waitMs.has(wallet);
  });
  return { waiting, answerInMs: [...waitMs.values()] };
}

/**
 * Returns groups with fills of the same trades, shown one by one. Without the first fills, the
 * effect shown for the others would be wrong.
 */
function decidedWith(taken: readonly AlertGroup[], others: readonly AlertGroup[]): AlertGroup[] {
  const keys = new Set(alertsIn(taken).map(groupKey));
  return others.filter(({ alerts: [first] }) => keys.has(groupKey(first)));
}

/**
 * Returns the message as sent in quiet hours. It mentions no role, so it starts no mention
 * cooldown.
 */
function silenced(message: OutgoingMessage): OutgoingMessage {
  return {
    ...message,
    noise: SILENT,
    cooldownUpdate: { ...message.cooldownUpdate, mentions: [] },
  };
}

/** Splits several groups, or the alerts of one group, into two halves. */
function halves(groups: readonly AlertGroup[]): readonly [AlertGroup[], AlertGroup[]] {
  const [group, ...others] = groups;
  if (group === undefined || others.length > 0) {
    const middle = Math.ceil(groups.length / 2);
    return [groups.slice(0, middle), groups.slice(middle)];
  }
  const middle = Math.ceil(group.alerts.length / 2);
  const [alert, ...rest] = group.alerts;
  const first: AlertGroup = { ...group, alerts: [alert, ...rest.slice(0, middle - 1)] };
  const shown = group.kind === 'alert' ? totalUsdc(first) : null;
  const earlierUsdc = shown === null ? undefined : toDecimalText(shown);
  const [next, ...last] = rest.slice(middle - 1);
  if (next === undefined) return [[first], []];
  return [[first], [{ ...group, alerts: [next, ...last], earlierUsdc }]];
}
