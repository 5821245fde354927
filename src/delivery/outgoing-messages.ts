import type { Logger } from 'pino';
import type { Alert } from '../alerts/alert.ts';
import { type AlertGroup, walletOf } from '../alerts/alert-group.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import type { WalletAddress } from '../venue/address.ts';
import {
  type ChannelQueueStore,
  findGroups,
  nonceOf,
  type OutgoingMessage,
  type StoredAlertGroup,
  storedGroups,
} from './channel-queue.ts';
import { addCooldowns, type Cooldowns, type CooldownUpdate } from './cooldowns.ts';
import { classifyFailure, type Failure } from './failures.ts';
import type { Noise } from './mentions.ts';
import type { Plan } from './plan.ts';

/** Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the history is read. */
const NONCE_TRUST_MS = 60_000;
/** A message that is sent this soon after it was decided need not be stored again with the time of its first attempt. */
const FIRST_ATTEMPT_MS = 1_000;
/** What has piled up in an outage may be one message. */
const REFERENCES_LOGGED = 20;

/** A message for a channel; the nonce makes Discord answer a repeat with the message it has. */
export interface RenderedMessage<Body> {
  readonly body: Body;
  readonly noise: Noise;
  readonly nonce: string;
}

/** What is decided, and how it looks: the courier knows only when and how often. */
export interface Composer<Body> {
  /** What of all that waits is told now, and what waits on or is dropped. */
  plan(channelId: string, waiting: readonly Alert[], cooldowns: Cooldowns): Plan;
  /** The first of the units as one message: as many as it holds, at least one. Decides nothing else. */
  render(channelId: string, groups: readonly AlertGroup[]): { readonly body: Body; readonly included: number };
  /** How much noise a message makes, and what is to be remembered of it once it has been sent. */
  decideMentions(
    channelId: string,
    included: readonly AlertGroup[],
    ready: readonly AlertGroup[],
    cooldowns: Cooldowns,
  ): { readonly noise: Noise; readonly cooldownUpdate: CooldownUpdate };
  /** Whether the room wants to hear of the wallet at this moment. */
  isWanted(channelId: string, wallet: WalletAddress): boolean;
}

export interface OutgoingMessagesDeps<Body> extends Composer<Body> {
  /** @returns the message's id; rejects with discord.js's error */
  readonly send: (channelId: string, message: RenderedMessage<Body>) => Promise<string>;
  /** Which of these references a message of the bot in the channel carries since then, empty if none; null if that cannot be known. */
  readonly findReferences: (
    channelId: string,
    references: readonly string[],
    sinceMs: number,
  ) => Promise<ReadonlySet<string> | null>;
  readonly outbox: Outbox;
  readonly channelQueues: ChannelQueueStore;
  readonly nowMs: () => number;
  /** The venue's clock, epoch milliseconds. */
  readonly venueNowMs: () => number;
  readonly log: Logger;
  readonly onFailpoint: OnFailpoint;
  /** Discord has the message with these alerts. */
  readonly onArrived?: (channelId: string, alerts: readonly Alert[]) => void;
}

export type Undelivered = Exclude<Failure, { kind: 'delivered' }>;
/** What a channel does next: the message to send, or nothing before a time by the venue's clock; null: before something new comes. */
export type Next =
  | { readonly kind: 'send'; readonly message: OutgoingMessage }
  | { readonly kind: 'rest'; readonly untilMs: number | null };

/** Turns what waits for a channel into messages, one after the other, each stored before it is first sent. */
export interface OutgoingMessages {
  next(channelId: string): Promise<Next>;
  /** @returns null if the message exists, or another one must be tried */
  deliver(channelId: string, message: OutgoingMessage): Promise<Undelivered | null>;
  /** One bad alert must not take the others of its message along: halves of it are tried, and only it is buried. */
  reject(channelId: string, message: OutgoingMessage, reason: string): Promise<void>;
}

export function createOutgoingMessages<Body>(deps: OutgoingMessagesDeps<Body>): OutgoingMessages {
  const { outbox, channelQueues, log } = deps;
  /** Channels whose message has been decided by this process, and never been sent. */
  const untried = new Set<string>();

  const groupsOf = (channelId: string, stored: readonly StoredAlertGroup[]): AlertGroup[] => {
    const wanted = outbox.pending(channelId).filter(({ wallet }) => deps.isWanted(channelId, wallet));
    return findGroups(stored, wanted);
  };

  /** @param owed what goes next; null: what finds no room in the message is planned anew */
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

  /** @param sentAtMs by the venue's clock, not too early; null if it was not sent, or that is stored already */
  const finish = async (channelId: string, message: OutgoingMessage, sentAtMs: number | null) => {
    const alerts = message.groups.flatMap(({ wallet, ids }) => ids.map((id) => ({ wallet, id })));
    const { messageId } = message;
    const hasRung = messageId !== null || sentAtMs !== null;
    await outbox.acknowledge(channelId, alerts, hasRung ? { messageId } : null);
    deps.onFailpoint('outbox.cleared');
    const channelQueue = channelQueues.get(channelId);
    const cooldowns =
      sentAtMs === null
        ? channelQueue.cooldowns
        : addCooldowns(channelQueue.cooldowns, message.cooldownUpdate, sentAtMs);
    await channelQueues.set(channelId, { ...channelQueue, message: null, cooldowns });
    untried.delete(channelId);
    deps.onFailpoint('message.cleared');
  };

  /** Whatever of the message has been acknowledged meanwhile: one of its references is proof of all of it. */
  const isInHistory = async (channelId: string, message: OutgoingMessage): Promise<boolean> => {
    const references = message.groups.flatMap(({ ids }) => ids);
    const found = await deps.findReferences(channelId, references, message.startedAtMs).catch((error: unknown) => {
      const { kind } = classifyFailure(error);
      // That is about the look, not about the message.
      if (kind === 'delivered' || kind === 'rejected') return null;
      throw error;
    });
    if (found === null) {
      log.warn({
        event: 'message.repeated_unchecked',
        channel: channelId,
        items: references.length,
        reason: 'The history of the channel could not be read to its end: an alert that had arrived may appear twice.',
      });
      return false;
    }
    return references.some((reference) => found.has(reference));
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
    if (groups.length === 0) return finish(channelId, message, null);
    const sinceFirstMs = deps.nowMs() - message.startedAtMs;
    // A clock that has been set back tells nothing of the time that has passed.
    const isNonceTrusted = isFirst || (sinceFirstMs >= 0 && sinceFirstMs <= NONCE_TRUST_MS);
    if (!isNonceTrusted && (await isInHistory(channelId, message))) {
      return finish(channelId, message, deps.venueNowMs());
    }
    const sentAtMs = deps.nowMs();
    const { body, included } = deps.render(channelId, groups);
    if (included < groups.length) {
      // With the time that has passed in its words, what was one message may be too long for one now.
      if (!isFirst && (await isInHistory(channelId, message))) return finish(channelId, message, deps.venueNowMs());
      return void (await prepare(channelId, groups, channelQueues.get(channelId).carriedOver));
    }
    untried.delete(channelId);
    deps.onFailpoint('post.begun');
    const { noise, nonce } = message;
    const messageId = await deps.send(channelId, { body, noise, nonce });
    deps.onFailpoint('post.answered');
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
    const channelQueue = channelQueues.get(channelId);
    const cooldowns = addCooldowns(channelQueue.cooldowns, message.cooldownUpdate, deps.venueNowMs());
    await channelQueues.set(channelId, { ...channelQueue, message: { ...message, messageId }, block: null, cooldowns });
    deps.onFailpoint('sent.stored');
    await finish(channelId, { ...message, messageId }, null);
  };

  return {
    async next(channelId) {
      const { message } = channelQueues.get(channelId);
      if (message !== null) {
        if (message.messageId === null && groupsOf(channelId, message.groups).length > 0)
          return { kind: 'send', message };
        await finish(channelId, message, null);
      }
      const carriedOver = groupsOf(channelId, channelQueues.get(channelId).carriedOver);
      if (carriedOver.length > 0) return { kind: 'send', message: await prepare(channelId, carriedOver, []) };
      const plan = deps.plan(channelId, outbox.pending(channelId), channelQueues.get(channelId).cooldowns);
      if (plan.drop.length > 0) await outbox.acknowledge(channelId, plan.drop, null);
      if (plan.groups.length === 0) return { kind: 'rest', untilMs: plan.nextDueMs };
      return { kind: 'send', message: await prepare(channelId, plan.groups, null) };
    },
    async deliver(channelId, message) {
      try {
        await trySending(channelId, message);
        return null;
      } catch (error) {
        const failure = classifyFailure(error);
        if (failure.kind !== 'delivered') return failure;
        await finish(channelId, message, deps.venueNowMs());
        return null;
      }
    },
    async reject(channelId, message, reason) {
      const groups = groupsOf(channelId, message.groups);
      const [group] = groups;
      if (group === undefined) return finish(channelId, message, null);
      const [alert, ...others] = group.alerts;
      if (groups.length > 1 || others.length > 0) {
        const [first, second] = halves(groups);
        return void (await prepare(channelId, first, [
          ...storedGroups(second),
          ...channelQueues.get(channelId).carriedOver,
        ]));
      }
      log.error({ event: 'alert.rejected', channel: channelId, wallet: alert.wallet, alert: alert.id, reason });
      await channelQueues.addDeadLetter({ alert, reason, atMs: deps.nowMs() });
      await finish(channelId, message, null);
    },
  };
}

/** Halves of several units, or of the alerts of one. */
function halves(groups: readonly AlertGroup[]): readonly [AlertGroup[], AlertGroup[]] {
  const [group] = groups;
  if (groups.length !== 1 || group === undefined) {
    const middle = Math.ceil(groups.length / 2);
    return [groups.slice(0, middle), groups.slice(middle)];
  }
  const middle = Math.ceil(group.alerts.length / 2);
  const part = (from: number, to?: number): AlertGroup[] => {
    const [first, ...rest] = group.alerts.slice(from, to);
    return first === undefined ? [] : [{ kind: group.kind, alerts: [first, ...rest] }];
  };
  return [part(0, middle), part(middle)];
}
