import { type AlertGroup, alertsIn, walletOf } from '../alerts/alert.ts';
import type { Machine } from '../lib/machine.ts';
import type { AlertMessagesDeps } from './alert-messages-deps.ts';
import { findGroups, type OutgoingMessage, type StoredAlertGroup } from './channel-queue.ts';
import { stillNeeded, withSent } from './plan/announced.ts';
import { addCooldowns } from './plan/cooldowns.ts';

/**
 * Maximum number of references in a log event, because alerts that piled up in an outage may be one
 * message.
 */
const REFERENCES_LOGGED = 20;

/**
 * Finishes the messages of alerts: stores that Discord has accepted one, with the cooldowns and
 * purchases this starts, and removes its alerts from the waiting ones. After a crash in between,
 * the next start completes it.
 * @param onFinished called with the channel when its message is finished
 */
export function createMessageEnds(
  { log, nowMs, onFailpoint }: Machine,
  deps: AlertMessagesDeps,
  onFinished: (channelId: string) => void,
) {
  const { outbox, channelQueues } = deps;

  /** Returns stored groups with the alerts that are still waiting. */
  const waitingOf = (channelId: string, stored: readonly StoredAlertGroup[]) =>
    findGroups(stored, outbox.pending(channelId));

  /**
   * Stores that Discord has, or had, the message, with the cooldowns and purchases this starts, and
   * finishes it.
   * @param groups groups that the message shows
   * @param isAll whether these are all its groups, so that it may grow in channels where messages
   *   are edited
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
    const channelNowMs = deps.clock.nowMs(channelId);
    const sentAtMs = channelNowMs - Math.max(0, nowMs() - sent.startedAtMs);
    const { announced, growing } = stillNeeded(
      withSent(channelQueue, groups, { messageId, sentAtMs, noise }),
      {
        nowMs: channelNowMs,
        edit: channelQueue.edit,
        waiting: outbox.pending(channelId),
      },
    );
    const cooldowns = addCooldowns(channelQueue.cooldowns, sent.cooldownUpdate, channelNowMs);
    await channelQueues.update(channelId, { cooldowns, announced, growing, message: sent });
    onFailpoint('sent.stored');
    for (const { alerts, earlierUsdc } of groups) {
      deps.decisions.posted(channelId, alerts, sent.messageId, earlierUsdc !== undefined);
    }
    await finish(channelId, sent, true);
  };

  /** Removes the message's alerts from the waiting ones, if that has not been done, and ends it. */
  const finish = async (
    channelId: string,
    { groups, messageId }: OutgoingMessage,
    isSent = messageId !== null,
  ) => {
    const alerts = alertsIn(waitingOf(channelId, groups));
    if (alerts.length > 0) {
      const isAmongOthers = groups.length > 1 || groups.some(({ kind }) => kind === 'late');
      await outbox.acknowledge(channelId, alerts, isSent ? { messageId, isAmongOthers } : null);
    }
    channelQueues.finish(channelId, 'message');
    onFinished(channelId);
    onFailpoint('outbox.cleared');
  };

  /** Finishes a message whose alerts are no longer wanted. */
  const finishUnwanted = async (channelId: string, message: OutgoingMessage) => {
    if (message.messageId === null) {
      const alerts = alertsIn(waitingOf(channelId, message.groups));
      const reason = { by: 'pause' } as const;
      deps.decisions.filtered(alerts.map((alert) => ({ alert, channelId, reason })));
    }
    await finish(channelId, message);
  };

  /**
   * Stores that an earlier attempt succeeded, whatever is wanted by now, and finishes the message.
   */
  const finishFound = async (channelId: string, found: OutgoingMessage) => {
    const groups = waitingOf(channelId, found.groups);
    const alerts = alertsIn(groups);
    const isAll = alerts.length === idsOf(found).length;
    await deps.keepDetails(channelId, groups)(found.messageId);
    await finishSent(channelId, found, groups, isAll);
  };

  return {
    finish,
    finishSent,
    finishUnwanted,
    finishFound,
    /**
     * Finishes a message that Discord has just accepted.
     * @param sentAtMs time of the attempt, in epoch ms
     */
    async finishTaken(
      channelId: string,
      sent: OutgoingMessage & { readonly messageId: string },
      groups: readonly AlertGroup[],
      sentAtMs: number,
    ): Promise<void> {
      const alerts = alertsIn(groups);
      const seenAtMs = alerts[0]?.seenAtMs ?? sentAtMs;
      log.info({
        event: 'alert.sent',
        channel: channelId,
        wallets: [...new Set(groups.map(walletOf))],
        items: alerts.length,
        alerts: alerts.slice(0, REFERENCES_LOGGED).map(({ id }) => id),
        waitedMs: Math.max(0, Math.round(sentAtMs - seenAtMs)),
        messageId: sent.messageId,
      });
      deps.onArrived(channelId, alerts);
      await finishSent(channelId, sent, groups);
    },
  };
}

/** Returns the ids of a message's alerts. Any of them identifies it in the channel's history. */
export function idsOf({ groups }: OutgoingMessage): string[] {
  return groups.flatMap(({ ids }) => ids);
}
