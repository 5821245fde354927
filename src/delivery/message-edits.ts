import type { Logger } from 'pino';
import type { Alert } from '../alerts/alert.ts';
import type { AlertGroup } from '../alerts/alert-group.ts';
import { type NonEmptyAlerts, purchaseKey } from '../alerts/group.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import type { ChannelQueueStore, MessageEdit } from './channel-queue.ts';
import { classifyFailure } from './failures.ts';
import type { SendStep, Undelivered } from './message-source.ts';
import {
  fillAlerts,
  type GrowingMessage,
  growingIn,
  isEditable,
  type Joining,
  stillNeeded,
  withFills,
  withoutMessage,
} from './plan/announced.ts';
import type { Noise } from './plan/mentions.ts';

/** A message as it is after an edit: all of it. */
export interface EditedMessage<Body> {
  readonly body: Body;
  /** As it was sent: nothing sounds again. */
  readonly noise: Noise;
}

export interface MessageEditsDeps<Body> {
  /** Replaces all that a message shows; rejects with discord.js's error */
  readonly edit: (channelId: string, messageId: string, message: EditedMessage<Body>) => Promise<void>;
  readonly render: (channelId: string, groups: readonly AlertGroup[]) => { readonly body: Body };
  /** Notes what is known of the alerts, for their Details; a failure is its own affair. */
  readonly keepDetails?: ((channelId: string, groups: readonly AlertGroup[]) => Promise<void>) | undefined;
  readonly isWanted: (channelId: string, wallet: WalletAddress) => boolean;
  readonly outbox: Pick<Outbox, 'pending' | 'acknowledge'>;
  readonly channelQueues: ChannelQueueStore;
  /** The venue's clock, epoch milliseconds. */
  readonly venueNowMs: () => number;
  readonly log: Logger;
  readonly onFailpoint: OnFailpoint;
  /** Discord shows these alerts now. */
  readonly onArrived?: ((channelId: string, alerts: readonly Alert[]) => void) | undefined;
}

/**
 * Adds fills to the message of their purchase. What an edit adds is stored before the first attempt. An edit whose outcome is
 * not known is repeated until it is, which changes nothing if Discord had taken it; new fills wait for that. Where the message
 * cannot be changed any more, the fills wait again and get a message of their own.
 */
export interface MessageEdits {
  /** Whether the alert belongs to the purchase whose message is being changed: it waits for that. */
  isUnderWay(channelId: string, alert: Alert): boolean;
  /** Acknowledges what an edit has brought that Discord has taken, if there is one. */
  finishDone(channelId: string): Promise<void>;
  /** Goes on with the edit that is stored, or decides and stores the first of these; null if there is nothing to do. */
  next(channelId: string, joining: readonly Joining[]): Promise<SendStep | null>;
  /** Forgets purchases of which there will be no more. @returns when the next one is to be, by the venue's clock; null if none is */
  forgetOld(channelId: string): Promise<number | null>;
}

export function createMessageEdits<Body>(deps: MessageEditsDeps<Body>): MessageEdits {
  const { outbox, channelQueues, log } = deps;

  const purchaseIn = (channelId: string, { messageId }: Pick<MessageEdit, 'messageId'>) =>
    growingIn(channelQueues.get(channelId).announced, messageId);

  /** The message is not changed any more. What was to be added to it waits as before. */
  const abandon = async (channelId: string, { messageId }: MessageEdit) => {
    const channelQueue = channelQueues.get(channelId);
    const announced = withoutMessage(channelQueue.announced, messageId);
    await channelQueues.set(channelId, { ...channelQueue, announced, edit: null });
  };

  const finishDone = async (channelId: string) => {
    const { edit } = channelQueues.get(channelId);
    if (edit?.isDone !== true) return;
    const { messageId, wallet, ids } = edit;
    await outbox.acknowledge(
      channelId,
      ids.map((id) => ({ wallet, id })),
      { messageId },
    );
    deps.onFailpoint('outbox.cleared');
    await channelQueues.set(channelId, { ...channelQueues.get(channelId), edit: null });
    deps.onFailpoint('edit.cleared');
  };

  const show = async (channelId: string, message: GrowingMessage, added: readonly Alert[]) => {
    const { id, earlierUsdc, noise } = message;
    const [first, ...others] = [...fillAlerts(channelId, message), ...added];
    const groups: AlertGroup[] =
      first === undefined ? [] : [{ kind: 'alert', alerts: [first, ...others], earlierUsdc }];
    const { body } = deps.render(channelId, groups);
    const keeping = deps.keepDetails?.(channelId, groups);
    await deps.edit(channelId, id, { body, noise });
    await keeping;
  };

  const tryEditing = async (channelId: string, edit: MessageEdit): Promise<void> => {
    const purchase = purchaseIn(channelId, edit);
    if (purchase === undefined) return abandon(channelId, edit);
    const { messageId, wallet } = edit;
    const waiting = outbox.pending(channelId).filter((alert) => alert.wallet === wallet && edit.ids.includes(alert.id));
    const [first, ...others] = waiting;
    if (first === undefined || !deps.isWanted(channelId, wallet)) {
      await outbox.acknowledge(channelId, waiting, null);
      return abandon(channelId, edit);
    }
    const added: NonEmptyAlerts = [first, ...others];
    if (!isEditable(purchase.message, deps.venueNowMs())) {
      // An earlier attempt may have been taken: the message gets back what it showed, before the fills get one of their own.
      await show(channelId, purchase.message, []);
      log.info({ event: 'alert.edit_taken_back', channel: channelId, items: added.length, messageId });
      return abandon(channelId, edit);
    }
    await show(channelId, purchase.message, added);
    deps.onFailpoint('edit.answered');
    log.info({
      event: 'alert.edited',
      channel: channelId,
      wallet,
      items: added.length,
      alerts: added.map(({ id }) => id),
      messageId,
    });
    deps.onArrived?.(channelId, added);
    const channelQueue = channelQueues.get(channelId);
    const announced = channelQueue.announced.map((other) =>
      other.key === purchase.key ? withFills(purchase, added, deps.venueNowMs()) : other,
    );
    const done = { ...edit, ids: added.map(({ id }) => id), isDone: true };
    await channelQueues.set(channelId, { ...channelQueue, announced, edit: done, block: null });
    deps.onFailpoint('edit.recorded');
    await finishDone(channelId);
  };

  const deliver = async (channelId: string, edit: MessageEdit): Promise<Undelivered | null> => {
    try {
      await tryEditing(channelId, edit);
      return null;
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure.kind !== 'delivered') return failure;
      log.info({ event: 'alert.not_edited', channel: channelId, messageId: edit.messageId, reason: 'It is deleted.' });
      await abandon(channelId, edit);
      return null;
    }
  };

  const begin = async (channelId: string, { messageId, alerts }: Joining): Promise<MessageEdit> => {
    const [{ wallet }] = alerts;
    const edit: MessageEdit = { messageId, wallet, ids: alerts.map(({ id }) => id), isDone: false };
    await channelQueues.set(channelId, { ...channelQueues.get(channelId), edit });
    deps.onFailpoint('edit.stored');
    return edit;
  };

  const stepOf = (channelId: string, edit: MessageEdit): SendStep => ({
    kind: 'send',
    deliver: () => deliver(channelId, edit),
    async reject(reason) {
      log.info({ event: 'alert.not_edited', channel: channelId, messageId: edit.messageId, reason });
      await abandon(channelId, edit);
    },
  });

  return {
    isUnderWay(channelId, alert) {
      const { edit } = channelQueues.get(channelId);
      if (edit === null || alert.wallet !== edit.wallet) return false;
      const purchase = purchaseIn(channelId, edit);
      return purchase !== undefined && purchase.key === purchaseKey(alert);
    },
    finishDone,
    async next(channelId, [joining]) {
      const { edit } = channelQueues.get(channelId);
      if (edit !== null) return stepOf(channelId, edit);
      return joining === undefined ? null : stepOf(channelId, await begin(channelId, joining));
    },
    async forgetOld(channelId) {
      const channelQueue = channelQueues.get(channelId);
      const waiting = outbox.pending(channelId);
      const { announced, nextDueMs } = stillNeeded(channelQueue.announced, {
        nowMs: deps.venueNowMs(),
        edit: channelQueue.edit,
        waiting,
      });
      if (announced.length < channelQueue.announced.length) {
        await channelQueues.set(channelId, { ...channelQueue, announced: [...announced] });
      }
      return nextDueMs;
    },
  };
}
