import { type Alert, purchaseKey } from '../../alerts/alert.ts';
import type { Machine } from '../../lib/machine.ts';
import type { AlertMessagesDeps } from '../alert-messages-deps.ts';
import type { MessageEdit } from '../channel-queue.ts';
import type { SendResult } from '../failures.ts';
import type { SendStep } from '../message-source.ts';
import {
  type GrowingMessage,
  groupsWith,
  isEditable,
  type Joining,
  stillNeeded,
} from '../plan/announced.ts';
import { createEditAttempts } from './edit-attempts.ts';
import { createEditEnds } from './edit-ends.ts';

/**
 * Adds fills to messages of their purchases. An edit's additions are stored before the first
 * attempt. If an attempt may have had an effect, the message is read before the next one: if it was
 * edited, the edit is done. An edit that Discord rejects or delays too long is given up: its fills
 * wait again and get a message of their own.
 */
export function createMessageEdits(machine: Machine, deps: AlertMessagesDeps) {
  const { log, onFailpoint } = machine;
  const { outbox, channelQueues } = deps;
  const attempts = createEditAttempts(machine, deps);
  const { abandon, finish, finishDone, stillWanted } = createEditEnds(
    machine,
    deps,
    attempts.forget,
  );

  const messageOf = (channelId: string, { messageId }: Pick<MessageEdit, 'messageId'>) =>
    channelQueues.get(channelId).growing.find(({ id }) => id === messageId);

  /** Returns the message with further fills, or null if they do not all fit. */
  const withAdded = (channelId: string, message: GrowingMessage, added: readonly Alert[]) => {
    const groups = groupsWith(channelId, message, added);
    const { body, included } = deps.render(channelId, groups, message.sentAtMs);
    return included < groups.length ? null : { body, groups };
  };

  const tryEditing = async (channelId: string, edit: MessageEdit): Promise<SendResult> => {
    const message = messageOf(channelId, edit);
    const added = message === undefined ? [] : await stillWanted(channelId, edit);
    if (message === undefined || added.length === 0) {
      await abandon(channelId, edit);
      return 'unasked';
    }
    const { isTaken, editedAtMs } = await attempts.look(channelId, message);
    if (isTaken === true) {
      await finish(channelId, message, added, editedAtMs);
      return 'answered';
    }
    const changed = isEditable(message, deps.clock.nowMs(channelId))
      ? withAdded(channelId, message, added)
      : null;
    if (changed !== null) {
      const shownAtMs = await attempts.show(channelId, message, changed);
      onFailpoint('edit.answered');
      await finish(channelId, message, added, shownAtMs);
      return 'taken';
    }
    const before = isTaken === null ? withAdded(channelId, message, []) : null;
    if (before !== null) {
      // An earlier attempt may have been accepted, so the message's earlier content is restored
      // before the fills get their own.
      await attempts.show(channelId, message, before);
      log.info({
        event: 'alert.edit_taken_back',
        channel: channelId,
        items: added.length,
        messageId: message.id,
      });
    }
    await abandon(channelId, edit);
    return before === null ? 'unasked' : 'taken';
  };

  const stepOf = (channelId: string, edit: MessageEdit): SendStep => {
    const reject = async (reason: string) => {
      log.info({
        event: 'alert.not_edited',
        channel: channelId,
        messageId: edit.messageId,
        reason,
      });
      await abandon(channelId, edit);
    };
    return {
      send: () => tryEditing(channelId, edit),
      onMessageGone: () => reject('It is deleted.'),
      reject,
      postpone: (pauseMs) => attempts.postpone(channelId, pauseMs),
    };
  };

  return {
    /** Leaves out alerts of purchases whose message is being edited. They wait for that edit. */
    withoutUnderWay(channelId: string, alerts: readonly Alert[]): readonly Alert[] {
      const { edit, announced } = channelQueues.get(channelId);
      if (edit === null || messageOf(channelId, edit) === undefined) return alerts;
      const own = announced.filter(({ messageId }) => messageId === edit.messageId);
      const keys = new Set<string | null>(own.map(({ key }) => key));
      return alerts.filter((alert) => !keys.has(purchaseKey(alert)));
    },
    finishDone,
    /**
     * Continues the stored edit. Without one, stores the first of the given additions as the new
     * edit.
     * @returns the next step, or the time to wait in ms; Infinity if there is nothing to edit
     */
    async next(channelId: string, [joining]: readonly Joining[]): Promise<SendStep | number> {
      const { edit } = channelQueues.get(channelId);
      if (edit !== null) {
        const waitMs = attempts.waitMs(channelId);
        return waitMs > 0 ? waitMs : stepOf(channelId, edit);
      }
      attempts.forget(channelId);
      if (joining === undefined) return Number.POSITIVE_INFINITY;
      const { messageId, alerts } = joining;
      const begun = {
        messageId,
        alerts: alerts.map(({ wallet, id }) => ({ wallet, id })),
        isDone: false,
      };
      await channelQueues.update(channelId, { edit: begun });
      attempts.begin(channelId);
      onFailpoint('edit.stored');
      return stepOf(channelId, begun);
    },
    /**
     * Removes purchases that can no longer grow.
     * @returns when to do so next, by the venue's clock, or Infinity
     */
    async forgetOld(channelId: string): Promise<number> {
      const channelQueue = channelQueues.get(channelId);
      const { edit } = channelQueue;
      const waiting = outbox.pending(channelId);
      const { nextDueMs, announced, growing } = stillNeeded(channelQueue, {
        nowMs: deps.clock.nowMs(channelId),
        edit,
        waiting,
      });
      const isLess = announced.length < channelQueue.announced.length;
      if (isLess) await channelQueues.update(channelId, { announced, growing });
      return nextDueMs;
    },
  };
}
