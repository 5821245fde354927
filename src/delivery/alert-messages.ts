import { type Alert, type AlertGroup, totalUsdc, walletOf } from '../alerts/alert.ts';
import type { WalletAddress } from '../domain/address.ts';
import { stored } from '../lib/exact.ts';
import type { Machine } from '../lib/machine.ts';
import { findGroups, type OutgoingMessage, type StoredAlertGroup, storedGroups } from './channel-queue.ts';
import { type AlertMessagesDeps, createMessageEdits } from './message-edits.ts';
import { stillNeeded, withSent } from './plan/announced.ts';
import { addCooldowns } from './plan/cooldowns.ts';
import { type MessageSource, nonceOf, type SendStep } from './post.ts';
import type { MessageBody } from './sender.ts';

/** A message that is sent this soon after it was decided is sent as it was rendered then, by the time that was stored. */
const FIRST_ATTEMPT_MS = 1_000;
/** What has piled up in an outage may be one message. */
const REFERENCES_LOGGED = 20;

/** The alerts that wait for channels, as messages: what goes together, one after the other, each stored before it is first sent. */
export function createAlertMessages(machine: Machine, deps: AlertMessagesDeps): MessageSource {
  const { log, nowMs, onFailpoint } = machine;
  const { outbox, channelQueues, holdMs } = deps;
  const edits = createMessageEdits(machine, deps);
  /** By channel, the message that this process has decided and never sent, as it was rendered then. */
  const untried = new Map<string, { readonly alerts: number; readonly body: MessageBody }>();

  const groupsOf = (channelId: string, stored: readonly StoredAlertGroup[]): AlertGroup[] => {
    const wanted = outbox.pending(channelId).filter(({ wallet }) => deps.isWanted(channelId, wallet));
    return findGroups(stored, wanted);
  };

  /** @param carriedOver what goes next; null: what finds no room in the message is planned anew */
  const prepare = async (
    channelId: string,
    groups: readonly AlertGroup[],
    carriedOver: readonly StoredAlertGroup[] | null,
  ) => {
    const { body, included } = deps.render(channelId, groups);
    const taken = groups.slice(0, included);
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
    await channelQueues.update(channelId, {
      message,
      block: null,
      carriedOver: carriedOver === null ? [] : [...storedGroups(groups.slice(included)), ...carriedOver],
    });
    untried.set(channelId, { alerts: alerts.length, body });
    onFailpoint('message.stored');
    return message;
  };

  /** What begins in the channel's queue once Discord has a message, which may grow if its id is given. */
  const begunBy = (channelId: string, message: OutgoingMessage, groups: readonly AlertGroup[]) => {
    const { cooldownUpdate, startedAtMs, noise, messageId } = message;
    const channelQueue = channelQueues.get(channelId);
    const venueNowMs = deps.venueNowMs();
    const sentAtMs = venueNowMs - Math.max(0, nowMs() - startedAtMs);
    const { announced, growing } = stillNeeded(withSent(channelQueue, groups, { messageId, sentAtMs, noise }), {
      nowMs: venueNowMs,
      edit: channelQueue.edit,
      waiting: outbox.pending(channelId),
    });
    const cooldowns = addCooldowns(channelQueue.cooldowns, cooldownUpdate, venueNowMs);
    return { cooldowns, announced, growing };
  };

  /** Stores that Discord has the message, and finishes it. @param groups of what it shows @param isAll whether that is all, so that it may grow */
  const finishSent = async (
    channelId: string,
    sent: OutgoingMessage,
    groups: readonly AlertGroup[],
    isAll: boolean,
  ) => {
    const begun = begunBy(channelId, isAll ? sent : { ...sent, messageId: null }, groups);
    await channelQueues.update(channelId, { ...begun, message: sent, block: null });
    onFailpoint('sent.stored');
    await finish(channelId, sent);
  };

  /** @param isGone Discord had the message, and it is deleted: that is not stored yet */
  const finish = async (channelId: string, message: OutgoingMessage, isGone = false) => {
    const alerts = message.groups.flatMap(({ wallet, ids }) => ids.map((id) => ({ wallet, id })));
    const { messageId } = message;
    const groups = findGroups(message.groups, outbox.pending(channelId));
    await outbox.acknowledge(channelId, alerts, messageId !== null || isGone ? { messageId } : null);
    onFailpoint('outbox.cleared');
    const begun = isGone ? begunBy(channelId, message, groups) : {};
    await channelQueues.update(channelId, { ...begun, message: null });
    untried.delete(channelId);
    onFailpoint('message.cleared');
  };

  /** Whether an earlier attempt shows in the channel's history: then all is done about the message. */
  const isSettledByHistory = async (channelId: string, message: OutgoingMessage, isInAnyCase = false) => {
    const references = message.groups.flatMap(({ ids }) => ids);
    const messageId = await deps.post.look(channelId, references, message.startedAtMs, isInAnyCase);
    if (messageId === null) return false;
    const groups = findGroups(message.groups, outbox.pending(channelId));
    const isAll = groups.flatMap(({ alerts }) => alerts).length === references.length;
    await finishSent(channelId, { ...message, messageId }, groups, isAll);
    return true;
  };

  const trySending = async (channelId: string, stored: OutgoingMessage): Promise<void> => {
    const first = untried.get(channelId);
    const isAtOnce = Math.abs(nowMs() - stored.startedAtMs) <= FIRST_ATTEMPT_MS;
    // Its first attempt may come long after it was decided, and counts from then.
    const message = first === undefined || isAtOnce ? stored : { ...stored, startedAtMs: nowMs() };
    if (message !== stored) await channelQueues.update(channelId, { message });
    const groups = groupsOf(channelId, message.groups);
    if (groups.length === 0) return finish(channelId, message);
    if (first === undefined && (await isSettledByHistory(channelId, message))) return;
    const alerts = groups.flatMap((group) => group.alerts);
    const sentAtMs = nowMs();
    const { body, included } =
      isAtOnce && first?.alerts === alerts.length
        ? { body: first.body, included: groups.length }
        : deps.render(channelId, groups);
    if (included < groups.length) {
      // With the time that has passed in its words, what was one message may be too long for one now.
      if (first === undefined && (await isSettledByHistory(channelId, message, true))) return;
      return void (await prepare(channelId, groups, channelQueues.get(channelId).carriedOver));
    }
    untried.delete(channelId);
    onFailpoint('post.begun');
    const { noise, nonce } = message;
    // Beside the attempt: neither waits for the other, and whoever presses at once finds it.
    const keeping = deps.keepDetails(channelId, groups);
    const messageId = await deps.send(channelId, { body, noise, nonce });
    onFailpoint('post.answered');
    await keeping;
    log.info({
      event: 'alert.sent',
      channel: channelId,
      wallets: [...new Set(groups.map(walletOf))],
      items: alerts.length,
      alerts: alerts.slice(0, REFERENCES_LOGGED).map(({ id }) => id),
      waitedMs: Math.max(0, Math.round(sentAtMs - (alerts[0]?.seenAtMs ?? sentAtMs))),
      messageId,
    });
    deps.onArrived(channelId, alerts);
    await finishSent(channelId, { ...message, messageId }, groups, true);
  };

  /** One bad alert must not take the others of its message along: halves of it are tried, until it is left alone. */
  const reject = async (channelId: string, message: OutgoingMessage, reason: string): Promise<void> => {
    const groups = groupsOf(channelId, message.groups);
    const [group] = groups;
    if (group === undefined) return finish(channelId, message);
    const [alert, ...others] = group.alerts;
    if (groups.length > 1 || others.length > 0) {
      const [first, second] = halves(groups);
      const { carriedOver } = channelQueues.get(channelId);
      return void (await prepare(channelId, first, [...storedGroups(second), ...carriedOver]));
    }
    log.error({ event: 'alert.rejected', channel: channelId, wallet: alert.wallet, alert: alert.id, reason });
    await channelQueues.addDeadLetter({ alert, reason, atMs: nowMs() });
    await finish(channelId, message);
  };

  const stepOf = (channelId: string, message: OutgoingMessage): SendStep => ({
    send: () => trySending(channelId, message),
    onDeleted: () => finish(channelId, message, true),
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
        await finish(channelId, message);
      }
      await edits.finishDone(channelId);
      const carriedOver = groupsOf(channelId, channelQueues.get(channelId).carriedOver);
      if (carriedOver.length > 0) return stepOf(channelId, await prepare(channelId, carriedOver, []));
      const { waiting, heldMs } = withoutHeld(edits.withoutUnderWay(channelId, outbox.pending(channelId)), holdMs);
      const { drop, groups, joining, nextDueMs } = deps.plan(channelId, waiting, channelQueues.get(channelId));
      if (drop.length > 0) await outbox.acknowledge(channelId, drop, null);
      // What is heard goes first.
      if (groups.length > 0) return stepOf(channelId, await prepare(channelId, groups, null));
      const edit = await edits.next(channelId, joining);
      if (edit !== null) return edit;
      const dueMs = Math.min(nextDueMs, await edits.forgetOld(channelId));
      return Math.min(dueMs - deps.venueNowMs(), ...heldMs);
    },
    /** Unless the channel is gone what is of a watch that has begun since stays. */
    async drop(channelId, why) {
      const pending = outbox.pending(channelId);
      const dropped = pending.filter(({ wallet }) => why === 'gone' || !deps.isWanted(channelId, wallet));
      if (dropped.length > 0) await outbox.acknowledge(channelId, dropped, null);
      return dropped.length;
    },
    channels: () => [...new Set([...outbox.channels(), ...channelQueues.channels()])],
  };
}

/** Alerts that need not wait, and how long others are held back: with them what came later of the same wallet, to keep the order. */
function withoutHeld(pending: readonly Alert[], holdMs: (alertId: string) => number) {
  const heldMs = new Map<WalletAddress, number>();
  const waiting = pending.filter(({ id, wallet }) => {
    const delayMs = holdMs(id);
    if (delayMs > 0) heldMs.set(wallet, Math.max(delayMs, heldMs.get(wallet) ?? 0));
    return !heldMs.has(wallet);
  });
  return { waiting, heldMs: [...heldMs.values()] };
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
  const earlierUsdc = shown === null ? undefined : stored(shown);
  const [next, ...last] = rest.slice(middle - 1);
  return [[first], next === undefined ? [] : [{ ...group, alerts: [next, ...last], earlierUsdc }]];
}
