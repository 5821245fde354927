import type { Logger } from 'pino';
import type { Alert } from '../alerts/alert.ts';
import { type AlertGroup, totalUsdc, walletOf } from '../alerts/alert-group.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { WalletAddress } from '../domain/address.ts';
import { stored } from '../lib/exact.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import type { ArrivalCheck } from './arrival-check.ts';
import {
  type ChannelQueue,
  type ChannelQueueStore,
  findGroups,
  nonceOf,
  type OutgoingMessage,
  type StoredAlertGroup,
  storedGroups,
} from './channel-queue.ts';
import { classifyFailure } from './failures.ts';
import { createMessageEdits, type EditedMessage } from './message-edits.ts';
import type { MessageSource, RestStep, SendStep, Undelivered } from './message-source.ts';
import { type AnnouncedPurchase, stillNeeded, withSent } from './plan/announced.ts';
import { addCooldowns, type Cooldowns, type CooldownUpdate } from './plan/cooldowns.ts';
import type { Noise } from './plan/mentions.ts';
import type { Plan } from './plan/plan.ts';

/** A message that is sent this soon after it was decided need not be stored again with the time of its first attempt. */
const FIRST_ATTEMPT_MS = 1_000;
/** What has piled up in an outage may be one message. */
const REFERENCES_LOGGED = 20;

/** A message for a channel; the nonce makes Discord answer a repeat with the message it has. */
export interface RenderedMessage<Body> extends EditedMessage<Body> {
  readonly nonce: string;
}

/** What is decided about alerts, and how they look. */
export interface Composer<Body> {
  /** What of all that waits is announced now, by messages or in those that are there, and what waits on or is dropped. */
  plan(
    channelId: string,
    waiting: readonly Alert[],
    memory: { readonly cooldowns: Cooldowns; readonly announced: readonly AnnouncedPurchase[] },
  ): Plan;
  /** The first of the groups as one message: as many as it holds, at least one. Decides nothing else. */
  render(channelId: string, groups: readonly AlertGroup[]): { readonly body: Body; readonly included: number };
  /** How much noise a message makes, and which cooldowns begin once it has been sent. */
  decideMentions(
    channelId: string,
    included: readonly AlertGroup[],
    ready: readonly AlertGroup[],
    cooldowns: Cooldowns,
  ): { readonly noise: Noise; readonly cooldownUpdate: CooldownUpdate };
  /** Whether the channel wants alerts of the wallet at this moment. */
  isWanted(channelId: string, wallet: WalletAddress): boolean;
  /** Keeps what is known at this moment of alerts that are about to be sent, for their details. Never rejects. */
  keepDetails?(channelId: string, groups: readonly AlertGroup[]): Promise<void>;
}

export interface AlertMessagesDeps<Body> extends Composer<Body> {
  /** @returns the message's id; rejects with discord.js's error */
  readonly send: (channelId: string, message: RenderedMessage<Body>) => Promise<string>;
  /** Replaces all that a message shows; rejects with discord.js's error */
  readonly edit: (channelId: string, messageId: string, message: EditedMessage<Body>) => Promise<void>;
  readonly arrivalCheck: ArrivalCheck;
  readonly outbox: Outbox;
  /** How long an alert waits for what it means for a position, ms; 0 if it does not. */
  readonly holdMs?: (alertId: string) => number;
  readonly channelQueues: ChannelQueueStore;
  readonly nowMs: () => number;
  /** The venue's clock, epoch milliseconds. */
  readonly venueNowMs: () => number;
  readonly log: Logger;
  readonly onFailpoint: OnFailpoint;
  /** Discord has the message with these alerts. */
  readonly onArrived?: (channelId: string, alerts: readonly Alert[]) => void;
}

/** The alerts that wait for channels, as messages: what goes together, one after the other, each stored before it is first sent. */
export function createAlertMessages<Body>(deps: AlertMessagesDeps<Body>): MessageSource {
  const { outbox, channelQueues, log, holdMs = () => 0 } = deps;
  const edits = createMessageEdits(deps);
  /** Channels whose message has been decided by this process, and never been sent. */
  const untried = new Set<string>();

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
    const channelQueue = channelQueues.get(channelId);
    const { included } = deps.render(channelId, groups);
    const taken = groups.slice(0, included);
    const { noise, cooldownUpdate } = deps.decideMentions(channelId, taken, groups, channelQueue.cooldowns);
    const message: OutgoingMessage = {
      nonce: nonceOf(
        channelId,
        taken.flatMap(({ alerts }) => alerts),
      ),
      groups: storedGroups(taken),
      startedAtMs: deps.nowMs(),
      messageId: null,
      noise: { roleIds: [...noise.roleIds], isSilent: noise.isSilent },
      cooldownUpdate,
    };
    await channelQueues.set(channelId, {
      ...channelQueue,
      message,
      block: null,
      carriedOver: carriedOver === null ? [] : [...storedGroups(groups.slice(included)), ...carriedOver],
    });
    untried.add(channelId);
    deps.onFailpoint('message.stored');
    return message;
  };

  /** The channel's queue once Discord has a message: what begins with it. @param messageId of one that may grow; null: it may not */
  const withBegun = (
    channelId: string,
    { cooldownUpdate, startedAtMs, noise }: OutgoingMessage,
    messageId: string | null,
    groups: readonly AlertGroup[],
  ): ChannelQueue => {
    const channelQueue = channelQueues.get(channelId);
    const nowMs = deps.venueNowMs();
    const sentAtMs = nowMs - Math.max(0, deps.nowMs() - startedAtMs);
    const announced = withSent(channelQueue.announced, groups, { messageId, sentAtMs, noise });
    const kept = stillNeeded(announced, { nowMs, edit: channelQueue.edit, waiting: outbox.pending(channelId) });
    return {
      ...channelQueue,
      cooldowns: addCooldowns(channelQueue.cooldowns, cooldownUpdate, nowMs),
      announced: [...kept.announced],
    };
  };

  /** Stores that Discord has the message. @param groups of what it shows @param isAll whether that is all, so that it may grow */
  const markSent = async (
    channelId: string,
    message: OutgoingMessage,
    messageId: string,
    { groups, isAll }: { readonly groups: readonly AlertGroup[]; readonly isAll: boolean },
  ): Promise<OutgoingMessage> => {
    const sent = { ...message, messageId };
    const channelQueue = withBegun(channelId, message, isAll ? messageId : null, groups);
    await channelQueues.set(channelId, { ...channelQueue, message: sent, block: null });
    deps.onFailpoint('sent.stored');
    return sent;
  };

  /** @param isGone Discord had the message, and it is deleted: that is not stored yet */
  const finish = async (channelId: string, message: OutgoingMessage, isGone = false) => {
    const alerts = message.groups.flatMap(({ wallet, ids }) => ids.map((id) => ({ wallet, id })));
    const { messageId } = message;
    const groups = findGroups(message.groups, outbox.pending(channelId));
    await outbox.acknowledge(channelId, alerts, messageId !== null || isGone ? { messageId } : null);
    deps.onFailpoint('outbox.cleared');
    const channelQueue = isGone ? withBegun(channelId, message, null, groups) : channelQueues.get(channelId);
    await channelQueues.set(channelId, { ...channelQueue, message: null });
    untried.delete(channelId);
    deps.onFailpoint('message.cleared');
  };

  /** Whether an earlier attempt shows in the channel's history: then all is done about the message. */
  const isSettledByHistory = async (channelId: string, message: OutgoingMessage): Promise<boolean> => {
    const ids = message.groups.flatMap((group) => group.ids);
    const messageId = await deps.arrivalCheck.findArrived(channelId, ids, message.startedAtMs);
    if (messageId === null) return false;
    const groups = findGroups(message.groups, outbox.pending(channelId));
    const isAll = groups.flatMap(({ alerts }) => alerts).length === ids.length;
    await finish(channelId, await markSent(channelId, message, messageId, { groups, isAll }));
    return true;
  };

  /** The message with the time of its first attempt, which may come long after it was decided. */
  const dated = async (channelId: string, message: OutgoingMessage): Promise<OutgoingMessage> => {
    if (Math.abs(deps.nowMs() - message.startedAtMs) <= FIRST_ATTEMPT_MS) return message;
    const again = { ...message, startedAtMs: deps.nowMs() };
    await channelQueues.set(channelId, { ...channelQueues.get(channelId), message: again });
    return again;
  };

  const trySending = async (channelId: string, stored: OutgoingMessage): Promise<void> => {
    const isFirst = untried.has(channelId);
    const message = isFirst ? await dated(channelId, stored) : stored;
    const groups = groupsOf(channelId, message.groups);
    if (groups.length === 0) return finish(channelId, message);
    const isNonceTrusted = isFirst || deps.arrivalCheck.isNonceTrusted(message.startedAtMs);
    if (!isNonceTrusted && (await isSettledByHistory(channelId, message))) return;
    const sentAtMs = deps.nowMs();
    const { body, included } = deps.render(channelId, groups);
    if (included < groups.length) {
      // With the time that has passed in its words, what was one message may be too long for one now.
      if (!isFirst && (await isSettledByHistory(channelId, message))) return;
      return void (await prepare(channelId, groups, channelQueues.get(channelId).carriedOver));
    }
    untried.delete(channelId);
    deps.onFailpoint('post.begun');
    const { noise, nonce } = message;
    // Beside the attempt: neither waits for the other, and whoever presses at once finds it.
    const keeping = deps.keepDetails?.(channelId, groups);
    const messageId = await deps.send(channelId, { body, noise, nonce });
    deps.onFailpoint('post.answered');
    await keeping;
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
    deps.onArrived?.(channelId, alerts);
    await finish(channelId, await markSent(channelId, message, messageId, { groups, isAll: true }));
  };

  const deliver = async (channelId: string, message: OutgoingMessage): Promise<Undelivered | null> => {
    try {
      await trySending(channelId, message);
      return null;
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure.kind !== 'delivered') return failure;
      await finish(channelId, message, true);
      return null;
    }
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
    await channelQueues.addDeadLetter({ alert, reason, atMs: deps.nowMs() });
    await finish(channelId, message);
  };

  const stepOf = (channelId: string, message: OutgoingMessage): SendStep => ({
    kind: 'send',
    deliver: () => deliver(channelId, message),
    reject: (reason) => reject(channelId, message, reason),
  });

  /** @param heldMs how long alerts are still held back */
  const rest = async (channelId: string, { nextDueMs }: Plan, heldMs: readonly number[]): Promise<RestStep> => {
    const dueMs = [nextDueMs, await edits.forgetOld(channelId)].filter((timeMs) => timeMs !== null);
    const delays = [...dueMs.map((timeMs) => timeMs - deps.venueNowMs()), ...heldMs];
    return { kind: 'rest', delayMs: delays.length > 0 ? Math.min(...delays) : null };
  };

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
      const pending = outbox.pending(channelId).filter((alert) => !edits.isUnderWay(channelId, alert));
      const { waiting, heldMs } = withoutHeld(pending, holdMs);
      const plan = deps.plan(channelId, waiting, channelQueues.get(channelId));
      if (plan.drop.length > 0) await outbox.acknowledge(channelId, plan.drop, null);
      // What is heard goes first.
      if (plan.groups.length > 0) return stepOf(channelId, await prepare(channelId, plan.groups, null));
      return (await edits.next(channelId, plan.joining)) ?? rest(channelId, plan, heldMs);
    },
    async drop(channelId) {
      const pending = outbox.pending(channelId);
      if (pending.length > 0) await outbox.acknowledge(channelId, pending, null);
      return pending.length;
    },
    async dropUnwanted(channelId) {
      const unwanted = outbox.pending(channelId).filter(({ wallet }) => !deps.isWanted(channelId, wallet));
      if (unwanted.length > 0) await outbox.acknowledge(channelId, unwanted, null);
    },
    channels: () => [...new Set([...outbox.channels(), ...channelQueues.channels()])],
  };
}

/** Alerts that need not wait, and how long others are held back: with them what came later of the same wallet, to keep the order. */
function withoutHeld(
  pending: readonly Alert[],
  holdMs: (alertId: string) => number,
): { readonly waiting: readonly Alert[]; readonly heldMs: readonly number[] } {
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
  const [group] = groups;
  if (groups.length !== 1 || group === undefined) {
    const middle = Math.ceil(groups.length / 2);
    return [groups.slice(0, middle), groups.slice(middle)];
  }
  const middle = Math.ceil(group.alerts.length / 2);
  const part = (alerts: readonly Alert[], earlierUsdc: string | undefined): AlertGroup[] => {
    const [first, ...rest] = alerts;
    return first === undefined ? [] : [{ kind: group.kind, alerts: [first, ...rest], earlierUsdc }];
  };
  const first = part(group.alerts.slice(0, middle), group.earlierUsdc);
  const shown = group.kind === 'alert' && first[0] !== undefined ? totalUsdc(first[0]) : null;
  return [first, part(group.alerts.slice(middle), shown === null ? undefined : stored(shown))];
}
