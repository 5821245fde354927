import { type Alert, type AlertGroup, groupKey, totalUsdc, walletOf } from '../alerts/alert.ts';
import type { WalletAddress } from '../domain/address.ts';
import { toDecimalText } from '../lib/exact.ts';
import type { Machine } from '../lib/machine.ts';
import {
  findGroups,
  type OutgoingMessage,
  type StoredAlertGroup,
  storedGroups,
} from './channel-queue.ts';
import type { SendResult } from './failures.ts';
import { type AlertMessagesDeps, createMessageEdits } from './message-edits.ts';
import type { MessageSource, SendStep } from './message-source.ts';
import { stillNeeded, withSent } from './plan/announced.ts';
import { addCooldowns } from './plan/cooldowns.ts';
import { nonceOf } from './post.ts';

/** A message that is sent this soon after it was decided is sent as it was rendered then. */
const FIRST_ATTEMPT_MS = 1_000;
/** References in a log event at the most: what has piled up in an outage may be one message. */
const REFERENCES_LOGGED = 20;
const FOR_EVER = Number.POSITIVE_INFINITY;

type Decided = ReturnType<AlertMessagesDeps['render']> & { readonly alerts: number };

/**
 * The alerts that wait for channels as messages, one after the other, each stored before it is
 * first sent.
 */
export function createAlertMessages(machine: Machine, deps: AlertMessagesDeps): MessageSource {
  const { log, nowMs, onFailpoint } = machine;
  const { outbox, channelQueues } = deps;
  const edits = createMessageEdits(machine, deps);
  /**
   * Messages that this process has decided and never sent, by channel, as they were rendered then.
   */
  const untried = new Map<string, Decided>();

  const groupsOf = (channelId: string, stored: readonly StoredAlertGroup[]): AlertGroup[] => {
    const wanted = outbox
      .pending(channelId)
      .filter(({ wallet }) => deps.isWanted(channelId, wallet));
    return findGroups(stored, wanted);
  };

  /**
   * Decides a message and stores it.
   * @param carriedOver what goes next; null: what finds no room is planned anew, but for what was
   *   decided with the rest
   */
  const prepare = async (
    channelId: string,
    groups: readonly AlertGroup[],
    carriedOver: StoredAlertGroup[] | null,
  ) => {
    const rendered = deps.render(channelId, groups);
    const taken = groups.slice(0, rendered.included);
    const { cooldowns } = channelQueues.get(channelId);
    const { noise, cooldownUpdate } = deps.decideMentions(channelId, taken, groups, cooldowns);
    const alerts = taken.flatMap((group) => group.alerts);
    const message: OutgoingMessage = {
      nonce: nonceOf(channelId, ...alerts.map(({ wallet, id }) => `${wallet}:${id}`)),
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
    untried.set(channelId, { ...rendered, alerts: alerts.length });
    onFailpoint('message.stored');
    return stepOf(channelId, message);
  };

  /**
   * Stores that Discord has the message, or had it, with what begins by that, and finishes it.
   * @param groups of what it shows @param isAll whether that is all, so that it may grow where
   *   messages are edited
   */
  const finishSent = async (
    channelId: string,
    sent: OutgoingMessage,
    groups: readonly AlertGroup[],
    isAll = true,
  ) => {
    const { noise } = sent;
    const messageId = isAll && deps.takesEdits(channelId) ? sent.messageId : null;
    const channelQueue = channelQueues.get(channelId);
    const venueNowMs = deps.venueNowMs();
    const sentAtMs = venueNowMs - Math.max(0, nowMs() - sent.startedAtMs);
    const { announced, growing } = stillNeeded(
      withSent(channelQueue, groups, { messageId, sentAtMs, noise }),
      {
        nowMs: venueNowMs,
        edit: channelQueue.edit,
        waiting: outbox.pending(channelId),
      },
    );
    const cooldowns = addCooldowns(channelQueue.cooldowns, sent.cooldownUpdate, venueNowMs);
    await channelQueues.update(channelId, { cooldowns, announced, growing, message: sent });
    onFailpoint('sent.stored');
    for (const { alerts, earlierUsdc } of groups)
      deps.decisions.posted(channelId, alerts, sent.messageId, earlierUsdc !== undefined);
    await finish(channelId, sent, true);
  };

  /** Takes the message's alerts out of what waits, if that has not been done, and ends it. */
  const finish = async (
    channelId: string,
    { groups, messageId }: OutgoingMessage,
    isSent = messageId !== null,
  ) => {
    const alerts = stillWaiting(groups, outbox.pending(channelId));
    if (alerts.length > 0)
      await outbox.acknowledge(channelId, alerts, isSent ? { messageId } : null);
    channelQueues.finish(channelId, 'message');
    untried.delete(channelId);
    onFailpoint('outbox.cleared');
  };

  /** Finishes a message of which nothing is wanted any more. */
  const finishUnwanted = async (channelId: string, message: OutgoingMessage) => {
    if (message.messageId === null) {
      const unwanted = findGroups(message.groups, outbox.pending(channelId));
      const alerts = unwanted.flatMap((group) => group.alerts);
      deps.decisions.held(alerts.map((alert) => ({ alert, channelId, hold: { by: 'pause' } })));
    }
    await finish(channelId, message);
  };

  /** Stores that an earlier attempt has arrived, whatever is wanted by now, and finishes it. */
  const finishFound = async (channelId: string, found: OutgoingMessage) => {
    const groups = findGroups(found.groups, outbox.pending(channelId));
    const alerts = groups.flatMap((group) => group.alerts);
    const isAll = alerts.length === idsOf(found).length;
    await finishSent(channelId, found, groups, isAll);
  };

  const isAtOnce = ({ startedAtMs }: OutgoingMessage) =>
    Math.abs(nowMs() - startedAtMs) <= FIRST_ATTEMPT_MS;

  /** The message, dated anew where a ban lay between what was decided and its first attempt. */
  const datedNow = async (channelId: string, stored: OutgoingMessage) => {
    if (!untried.has(channelId) || isAtOnce(stored)) return stored;
    const message = { ...stored, startedAtMs: nowMs() };
    await channelQueues.update(channelId, { message });
    return message;
  };

  const trySending = async (channelId: string, stored: OutgoingMessage): Promise<SendResult> => {
    const decided = untried.get(channelId);
    const isAsDecided = isAtOnce(stored);
    const message = await datedNow(channelId, stored);
    const groups = groupsOf(channelId, message.groups);
    if (groups.length === 0) {
      await finishUnwanted(channelId, message);
      return 'unasked';
    }
    const alerts = groups.flatMap((group) => group.alerts);
    const rendered =
      isAsDecided && decided?.alerts === alerts.length ? decided : deps.render(channelId, groups);
    // With the time that has passed in its words, what was one message may be too long for one now.
    const isTooLong = rendered.included < groups.length;
    const divide = async () => {
      await prepare(channelId, groups, channelQueues.get(channelId).carriedOver);
    };
    const sentAtMs = nowMs();
    return deps.post.attempt(channelId, {
      references: idsOf(message),
      startedAtMs: message.startedAtMs,
      isUntried: decided !== undefined,
      withdraw: isTooLong ? divide : null,
      async send() {
        untried.delete(channelId);
        const { noise, nonce } = message;
        // Beside the attempt: neither waits for the other, and whoever presses at once finds it.
        const keeping = deps.keepDetails(channelId, groups);
        const messageId = await deps.send(channelId, { body: rendered.body, noise, nonce });
        await keeping;
        return messageId;
      },
      onFound: (messageId) => finishFound(channelId, { ...message, messageId }),
      async onSent(messageId) {
        logSent(channelId, groups, { messageId, sentAtMs });
        deps.onArrived(channelId, alerts);
        await finishSent(channelId, { ...message, messageId }, groups);
      },
    });
  };

  const logSent = (
    channelId: string,
    groups: readonly AlertGroup[],
    { messageId, sentAtMs }: { readonly messageId: string; readonly sentAtMs: number },
  ) => {
    const alerts = groups.flatMap((group) => group.alerts);
    log.info({
      event: 'alert.sent',
      channel: channelId,
      wallets: [...new Set(groups.map(walletOf))],
      items: alerts.length,
      alerts: alerts.slice(0, REFERENCES_LOGGED).map(({ id }) => id),
      waitedMs: Math.max(0, Math.round(sentAtMs - (alerts[0]?.seenAtMs ?? sentAtMs))),
      messageId,
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
    onDeleted: () =>
      finishSent(channelId, message, findGroups(message.groups, outbox.pending(channelId)), false),
    reject: (reason) => reject(channelId, message, reason),
  });

  return {
    name: 'alert',
    async next(channelId) {
      const { message } = channelQueues.get(channelId);
      if (message !== null) {
        if (message.messageId === null && groupsOf(channelId, message.groups).length > 0) {
          return stepOf(channelId, message);
        }
        await finishUnwanted(channelId, message);
      }
      await edits.finishDone(channelId);
      const carriedOver = groupsOf(channelId, channelQueues.get(channelId).carriedOver);
      if (carriedOver.length > 0) return prepare(channelId, carriedOver, []);
      const { waiting, heldMs } = withoutHeld(
        edits.withoutUnderWay(channelId, outbox.pending(channelId)),
        deps.holdMs,
      );
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
      if (groups.length > 0) return prepare(channelId, groups, null);
      const edit = await edits.next(channelId, joining);
      if (typeof edit !== 'number') return edit;
      const oldMs = await edits.forgetOld(channelId);
      // What is done is stored with that.
      const restMs = oldMs === FOR_EVER ? await channelQueues.storeRested(channelId) : FOR_EVER;
      const dueMs = Math.min(nextDueMs, oldMs) - deps.venueNowMs();
      return Math.min(edit, dueMs, restMs, ...heldMs);
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
      if (why !== 'blocked') deps.decisions.forget(channelId);
      return dropped.length;
    },
    channels: () => [...new Set([...outbox.channels(), ...channelQueues.channels()])],
  };
}

/**
 * Alerts that need not wait, and how long others are held: with later ones of the same wallet, to
 * keep the order.
 */
function withoutHeld(pending: readonly Alert[], holdMs: (alert: Alert) => number) {
  const heldMs = new Map<WalletAddress, number>();
  const waiting = pending.filter((alert) => {
    const { wallet } = alert;
    const delayMs = holdMs(alert);
    if (delayMs > 0) heldMs.set(wallet, Math.max(delayMs, heldMs.get(wallet) ?? 0));
    return !heldMs.has(wallet);
  });
  return { waiting, heldMs: [...heldMs.values()] };
}

/**
 * Groups of fills of the same trades, shown one by one: without the first ones the others would do
 * something else.
 */
function decidedWith(taken: readonly AlertGroup[], others: readonly AlertGroup[]): AlertGroup[] {
  const keys = new Set(taken.flatMap(({ alerts }) => alerts).map(groupKey));
  return others.filter(({ alerts: [first] }) => keys.has(groupKey(first)));
}

/** Ids of the alerts of a message: by each of them it is known in the channel's history. */
function idsOf({ groups }: OutgoingMessage): string[] {
  return groups.flatMap(({ ids }) => ids);
}

/** Alerts of stored groups that still wait. */
function stillWaiting(stored: readonly StoredAlertGroup[], waiting: readonly Alert[]) {
  return findGroups(stored, waiting).flatMap(({ alerts }) => alerts);
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
  return [[first], next === undefined ? [] : [{ ...group, alerts: [next, ...last], earlierUsdc }]];
}
