import { type Alert, purchaseKey } from '../alerts/alert.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { Machine } from '../lib/machine.ts';
import type { ChannelQueueStore, MessageEdit } from './channel-queue.ts';
import type { Composer } from './compose.ts';
import { type GrowingMessage, groupsWith, isEditable, type Joining, stillNeeded, withFills } from './plan/announced.ts';
import type { Post, Sender } from './sender.ts';
import type { SendStep } from './worker.ts';

export type AlertMessagesDeps = Composer &
  Pick<Sender, 'send' | 'edit'> & {
    readonly post: Post;
    readonly outbox: Outbox;
    /** How long an alert waits for what it means for a position, ms; 0 if it does not. */
    readonly holdMs: (alert: Alert) => number;
    readonly channelQueues: ChannelQueueStore;
    readonly venueNowMs: () => number;
    /** Discord has the message with these alerts. */
    readonly onArrived: (channelId: string, alerts: readonly Alert[]) => void;
  };

/**
 * Adds fills to messages of their purchases. What an edit adds is stored before the first attempt. An edit whose
 * outcome is not known is repeated until it is, which changes nothing if Discord had taken it; new fills wait for that.
 * Where the message cannot be changed any more, the fills wait again and get a message of their own.
 */
export function createMessageEdits({ log, onFailpoint }: Machine, deps: AlertMessagesDeps) {
  const { outbox, channelQueues } = deps;

  const messageOf = (channelId: string, { messageId }: Pick<MessageEdit, 'messageId'>) =>
    channelQueues.get(channelId).growing.find(({ id }) => id === messageId);

  /** The message is not changed any more. What was to be added to it waits as before. */
  const abandon = async (channelId: string, { messageId }: MessageEdit) => {
    const growing = channelQueues.get(channelId).growing.filter(({ id }) => id !== messageId);
    await channelQueues.update(channelId, { growing, edit: null });
  };

  /** Acknowledges what an edit has brought that Discord has taken, if there is one. */
  const finishDone = async (channelId: string) => {
    const { edit } = channelQueues.get(channelId);
    if (edit?.isDone !== true) return;
    await outbox.acknowledge(channelId, edit.alerts, { messageId: edit.messageId });
    onFailpoint('outbox.cleared');
    await channelQueues.update(channelId, { edit: null });
    onFailpoint('edit.cleared');
  };

  /** @returns false if it has no room for all of that: it is left as it is then */
  const show = async (channelId: string, message: GrowingMessage, added: readonly Alert[]): Promise<boolean> => {
    const groups = groupsWith(channelId, message, added);
    const { body, included } = deps.render(channelId, groups, message.sentAtMs);
    if (included < groups.length) return false;
    const keeping = deps.keepDetails(channelId, groups);
    await deps.edit(channelId, message.id, { body, noise: message.noise });
    await keeping;
    return true;
  };

  const tryEditing = async (channelId: string, edit: MessageEdit): Promise<void> => {
    const message = messageOf(channelId, edit);
    if (message === undefined) return abandon(channelId, edit);
    const { messageId } = edit;
    const ids = new Set(edit.alerts.map(({ wallet, id }) => `${wallet}:${id}`));
    const waiting = outbox.pending(channelId).filter(({ wallet, id }) => ids.has(`${wallet}:${id}`));
    const added = waiting.filter(({ wallet }) => deps.isWanted(channelId, wallet));
    const unwanted = waiting.filter((alert) => !added.includes(alert));
    if (unwanted.length > 0) await outbox.acknowledge(channelId, unwanted, null);
    if (added.length === 0) return abandon(channelId, edit);
    if (!isEditable(message, deps.venueNowMs()) || !(await show(channelId, message, added))) {
      // An earlier attempt may have been taken: the message gets back what it showed before the fills get their own.
      await show(channelId, message, []);
      log.info({ event: 'alert.edit_taken_back', channel: channelId, items: added.length, messageId });
      return abandon(channelId, edit);
    }
    onFailpoint('edit.answered');
    log.info({
      event: 'alert.edited',
      channel: channelId,
      wallets: [...new Set(added.map(({ wallet }) => wallet))],
      items: added.length,
      alerts: added.map(({ id }) => id),
      messageId,
    });
    deps.onArrived(channelId, added);
    const { announced, growing } = withFills(channelQueues.get(channelId), message, added, deps.venueNowMs());
    const done = { messageId, alerts: added.map(({ wallet, id }) => ({ wallet, id })), isDone: true };
    await channelQueues.update(channelId, { announced, growing, edit: done });
    onFailpoint('edit.recorded');
    await finishDone(channelId);
  };

  const stepOf = (channelId: string, edit: MessageEdit): SendStep => {
    const reject = async (reason: string) => {
      log.info({ event: 'alert.not_edited', channel: channelId, messageId: edit.messageId, reason });
      await abandon(channelId, edit);
    };
    return { send: () => tryEditing(channelId, edit), onDeleted: () => reject('It is deleted.'), reject };
  };

  return {
    /** Those that are not of purchases whose message is being changed: these wait for that. */
    withoutUnderWay(channelId: string, alerts: readonly Alert[]): readonly Alert[] {
      const { edit, announced } = channelQueues.get(channelId);
      if (edit === null || messageOf(channelId, edit) === undefined) return alerts;
      const own = announced.filter(({ messageId }) => messageId === edit.messageId);
      const keys = new Set<string | null>(own.map(({ key }) => key));
      return alerts.filter((alert) => !keys.has(purchaseKey(alert)));
    },
    finishDone,
    /** Goes on with the stored edit, or decides and stores the first of these; null if there is nothing to do. */
    async next(channelId: string, [joining]: readonly Joining[]): Promise<SendStep | null> {
      const { edit } = channelQueues.get(channelId);
      if (edit !== null) return stepOf(channelId, edit);
      if (joining === undefined) return null;
      const { messageId, alerts } = joining;
      const begun = { messageId, alerts: alerts.map(({ wallet, id }) => ({ wallet, id })), isDone: false };
      await channelQueues.update(channelId, { edit: begun });
      onFailpoint('edit.stored');
      return stepOf(channelId, begun);
    },
    /** Forgets purchases that can no longer go on. @returns when to do so next, by the venue's clock; else Infinity */
    async forgetOld(channelId: string): Promise<number> {
      const channelQueue = channelQueues.get(channelId);
      const { edit } = channelQueue;
      const waiting = outbox.pending(channelId);
      const { nextDueMs, announced, growing } = stillNeeded(channelQueue, { nowMs: deps.venueNowMs(), edit, waiting });
      const isLess = announced.length < channelQueue.announced.length;
      if (isLess) await channelQueues.update(channelId, { announced, growing });
      return nextDueMs;
    },
  };
}
