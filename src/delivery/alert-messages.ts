import { type Alert, type AlertGroup, alertKey, groupKey, totalUsdc } from '../alerts/alert.ts';
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

/** A message that is sent this soon after it was decided is sent as it was rendered then. */
const FIRST_ATTEMPT_MS = 1_000;
const FOR_EVER = Number.POSITIVE_INFINITY;

type Decided = ReturnType<AlertMessagesDeps['render']> & { readonly alertCount: number };

/**
 * Messages of alerts, one a channel at a time: each is stored before it is first sent.
 */
function createOutgoing(machine: Machine, deps: AlertMessagesDeps) {
  const { log, nowMs, onFailpoint } = machine;
  const { outbox, channelQueues } = deps;
  /**
   * Messages that this process has decided and never sent, by channel, as they were rendered then.
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
   *
   * @param carriedOver what goes next, behind what finds no room; null: what finds no room is
   *   planned anew, but for further fills of the same trades
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
    const alerts = taken.flatMap((group) => group.alerts);
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

  /** Dates a message anew where a ban lay between its decision and its first attempt. */
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
    const alerts = groups.flatMap((group) => group.alerts);
    const rendered =
      isAsDecided && decided?.alertCount === alerts.length
        ? decided
        : deps.render(channelId, groups);
    // With the time that has passed in its words, what was one message may be too long for one now.
    const isTooLong = rendered.included < groups.length;
    const divide = async () => {
      await prepare(channelId, groups, channelQueues.get(channelId).carriedOver);
    };
    const sentAtMs = nowMs();
    // It may have been decided before the hours began, and only now get through.
    const taken = deps.isQuiet(channelId) ? silenced(message) : message;
    return deps.post.attempt(channelId, {
      references: idsOf(message),
      startedAtMs: message.startedAtMs,
      isUntried: decided !== undefined,
      insteadOfSending: isTooLong ? divide : null,
      async send() {
        untried.delete(channelId);
        const { nonce } = message;
        // What is known is looked up beside the attempt; whoever presses at once finds it.
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
   * One bad alert must not take the others of its message along: halves of it are tried, until it
   * is left alone.
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

/** The alerts that wait for channels as messages, one after the other. */
export function createAlertMessages(machine: Machine, deps: AlertMessagesDeps): MessageSource {
  const { outbox, channelQueues } = deps;
  const outgoing = createOutgoing(machine, deps);
  const edits = createMessageEdits(machine, deps);
  const decideCorrections = createCorrections(deps.shownIn);

  /** Alerts that may be sent now. Drops corrections of what the channel was not sent. */
  const mayBeSent = async (channelId: string) => {
    const pending = outbox.pending(channelId);
    const { waiting: answered, answerInMs } = withoutUnanswered(
      edits.withoutUnderWay(channelId, pending),
      deps.holdMs,
    );
    const { waiting, unwanted, isEarly } = await decideCorrections(channelId, pending, answered);
    if (unwanted.length > 0) await outbox.acknowledge(channelId, unwanted, null);
    return { waiting, answerInMs, isEarly };
  };

  return {
    name: 'alert',
    async next(channelId) {
      await outbox.hear(channelId);
      const { message } = channelQueues.get(channelId);
      if (message !== null) {
        if (message.messageId === null && outgoing.groupsOf(channelId, message.groups).length > 0) {
          return outgoing.stepOf(channelId, message);
        }
        // Sent before a restart, so that only its acknowledgement is missing; or not wanted any
        // more.
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
        deps.decisions.held(drop.map((one) => ({ ...one, channelId })));
      }
      // New messages go first: they may be heard, an edit never is.
      if (groups.length > 0) return outgoing.prepare(channelId, groups, null);
      // What a correction waits for may be among what was dropped.
      if (isEarly && drop.length > 0) return 0;
      const edit = await edits.next(channelId, joining);
      if (typeof edit !== 'number') return edit;
      const editInMs = edit;
      const forgetAtMs = await edits.forgetOld(channelId);
      // Forgetting a purchase writes the queue, and with it that the last message is done. Where
      // there is none to forget, the queue is written after a rest.
      const storeInMs =
        forgetAtMs === FOR_EVER ? await channelQueues.storeRested(channelId) : FOR_EVER;
      const dueInMs = deps.clock.untilMs(channelId, Math.min(nextDueMs, forgetAtMs));
      return Math.min(outbox.nextMs(channelId), editInMs, dueInMs, storeInMs, ...answerInMs);
    },
    /**
     * Drops what waits; alerts of a watch that has begun since stay, unless the channel is gone.
     */
    async drop(channelId, why) {
      const pending = outbox.pending(channelId);
      const dropped = pending.filter(
        ({ wallet }) => why === 'gone' || !deps.isWanted(channelId, wallet),
      );
      if (dropped.length > 0) await outbox.acknowledge(channelId, dropped, null);
      const unheard = why === 'blocked' ? 0 : await outbox.dropUnheard(channelId);
      if (why !== 'blocked') deps.decisions.forget(channelId);
      return dropped.length + unheard;
    },
    channels: () => [...new Set([...outbox.channels(), ...channelQueues.channels()])],
  };
}

/**
 * Alerts that need not wait for an answer of the venue, and in how long others are sent without:
 * with later ones of the same wallet, to keep the order.
 */
function withoutUnanswered(pending: readonly Alert[], holdMs: (alert: Alert) => number) {
  const waitMs = new Map<WalletAddress, number>();
  const waiting = pending.filter((alert) => {
    const { wallet } = alert;
    const delayMs = holdMs(alert);
    if (delayMs > 0) waitMs.set(wallet, Math.max(delayMs, waitMs.get(wallet) ?? 0));
    return !waitMs.has(wallet);
  });
  return { waiting, answerInMs: [...waitMs.values()] };
}

/**
 * Groups of fills of the same trades, shown one by one: without the first ones the others would do
 * something else.
 */
function decidedWith(taken: readonly AlertGroup[], others: readonly AlertGroup[]): AlertGroup[] {
  const keys = new Set(taken.flatMap(({ alerts }) => alerts).map(groupKey));
  return others.filter(({ alerts: [first] }) => keys.has(groupKey(first)));
}

/** The message as it is sent in quiet hours: no cooldown of a mention begins, because it mentions nobody. */
function silenced(message: OutgoingMessage): OutgoingMessage {
  return {
    ...message,
    noise: SILENT,
    cooldownUpdate: { ...message.cooldownUpdate, mentions: [] },
  };
}

/** Halves of several groups, or of the alerts of one. */
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
