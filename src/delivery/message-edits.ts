import { RateLimitError } from 'discord.js';
import { type Alert, purchaseKey } from '../alerts/alert.ts';
import type { Decisions } from '../alerts/decisions.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { Machine } from '../lib/machine.ts';
import type { ChannelQueueStore, MessageEdit } from './channel-queue.ts';
import type { Composer } from './compose.ts';
import { NotAsked, type SendResult } from './failures.ts';
import type { SendStep } from './message-source.ts';
import {
  type GrowingMessage,
  groupsWith,
  isEditable,
  type Joining,
  stillNeeded,
  withFills,
} from './plan/announced.ts';
import type { Post } from './post.ts';
import { ChannelClosed } from './reach.ts';
import { retryDelayMs } from './retries.ts';
import type { Sender } from './sender.ts';

/**
 * Discord's clock goes on by more than this between two edits of a message, and its times may be
 * rounded by less.
 */
const EDITED_APART_MS = 1_000;

export type AlertMessagesDeps = Omit<Composer, 'heldAlone'> &
  Pick<Sender, 'send' | 'edit' | 'editedAtMs'> & {
    readonly post: Post;
    readonly outbox: Outbox;
    /** Time that an alert waits for what it means for a position, ms; 0 if it does not. */
    readonly holdMs: (alert: Alert) => number;
    readonly channelQueues: ChannelQueueStore;
    readonly decisions: Pick<Decisions, 'held' | 'posted' | 'forget'>;
    readonly venueNowMs: () => number;
    /** Discord has the message with these alerts. */
    readonly onArrived: (channelId: string, alerts: readonly Alert[]) => void;
  };

/** State that this process has of the edit that is stored for a channel. */
interface Attempts {
  /**
   * No attempt has had an effect: none was made, or Discord has refused it. Of an edit of an
   * earlier run nobody knows.
   */
  isUntried: boolean;
  /** Failures in a row. */
  failures: number;
  /** Time at which the next attempt is due, by the monotonic clock. */
  dueMs: number;
}

/**
 * Adds fills to messages of their purchases. What an edit adds is stored before the first attempt.
 * Where an attempt may have had an effect, the message is read before the next one: if it was
 * changed, that is done. What Discord refuses or holds back for long is given up: the fills wait
 * again and get a message of their own.
 */
export function createMessageEdits(
  {
    monotonicMs,
    random,
    log,
    onFailpoint,
  }: Pick<Machine, 'monotonicMs' | 'random' | 'log' | 'onFailpoint'>,
  deps: AlertMessagesDeps,
) {
  const { outbox, channelQueues } = deps;
  /** Attempts by channel. */
  const attempts = new Map<string, Attempts>();

  const attemptsOf = (channelId: string): Attempts => {
    const known = attempts.get(channelId) ?? { isUntried: false, failures: 0, dueMs: 0 };
    attempts.set(channelId, known);
    return known;
  };

  const messageOf = (channelId: string, { messageId }: Pick<MessageEdit, 'messageId'>) =>
    channelQueues.get(channelId).growing.find(({ id }) => id === messageId);

  /** The message is not changed any more. What was to be added to it waits as before. */
  const abandon = async (channelId: string, { messageId }: MessageEdit) => {
    attempts.delete(channelId);
    const growing = channelQueues.get(channelId).growing.filter(({ id }) => id !== messageId);
    await channelQueues.update(channelId, { growing, edit: null });
  };

  /** The fills of an edit that still wait. */
  const waitingOf = (channelId: string, edit: MessageEdit): readonly Alert[] => {
    const ids = new Set(edit.alerts.map(({ wallet, id }) => `${wallet}:${id}`));
    return outbox.pending(channelId).filter(({ wallet, id }) => ids.has(`${wallet}:${id}`));
  };

  /** Acknowledges what an edit has brought that Discord has taken, if there is one. */
  const finishDone = async (channelId: string) => {
    const { edit } = channelQueues.get(channelId);
    if (edit?.isDone !== true) return;
    const { messageId } = edit;
    const alerts = waitingOf(channelId, edit);
    if (alerts.length > 0) await outbox.acknowledge(channelId, alerts, { messageId });
    channelQueues.finish(channelId, 'edit');
    onFailpoint('outbox.cleared');
  };

  /** The message with further fills; null if it has no room for all of that. */
  const withAdded = (channelId: string, message: GrowingMessage, added: readonly Alert[]) => {
    const groups = groupsWith(channelId, message, added);
    const { body, included } = deps.render(channelId, groups, message.sentAtMs);
    return included < groups.length ? null : { body, groups };
  };

  /**
   * Changes the message on Discord. @returns when that was by Discord's clock; null if it does not
   * say
   */
  const show = async (
    channelId: string,
    { id, noise }: GrowingMessage,
    { body, groups }: NonNullable<ReturnType<typeof withAdded>>,
  ): Promise<number | null> => {
    const known = attemptsOf(channelId);
    const { isUntried } = known;
    known.isUntried = false;
    const keeping = deps.keepDetails(channelId, groups);
    const editedAtMs = await deps.edit(channelId, id, { body, noise }).catch((error: unknown) => {
      // It was refused, or never sent.
      const isUnmade = error instanceof ChannelClosed || error instanceof NotAsked;
      if (isUnmade || error instanceof RateLimitError) known.isUntried = isUntried;
      throw error;
    });
    await keeping;
    return editedAtMs;
  };

  /**
   * Looks whether an earlier attempt has changed the message, which nobody else can.
   *
   * @returns `isTaken`: null if that cannot be known; `editedAtMs` by Discord's clock
   */
  const look = async (channelId: string, message: GrowingMessage) => {
    if (attemptsOf(channelId).isUntried) return { isTaken: false, editedAtMs: message.editedAtMs };
    const editedAtMs = await deps.editedAtMs(channelId, message.id);
    if (editedAtMs === null || message.editedAtMs === null) return { isTaken: null, editedAtMs };
    return { isTaken: editedAtMs - message.editedAtMs >= EDITED_APART_MS, editedAtMs };
  };

  /** Stores that the message shows the fills, and finishes the edit. */
  const finish = async (
    channelId: string,
    message: GrowingMessage,
    added: readonly Alert[],
    editedAtMs: number | null,
  ): Promise<void> => {
    const { id: messageId } = message;
    attempts.delete(channelId);
    log.info({
      event: 'alert.edited',
      channel: channelId,
      wallets: [...new Set(added.map(({ wallet }) => wallet))],
      items: added.length,
      alerts: added.map(({ id }) => id),
      messageId,
    });
    deps.onArrived(channelId, added);
    deps.decisions.posted(channelId, added, messageId, true);
    const changed = { changedAtMs: deps.venueNowMs(), editedAtMs };
    const { announced, growing } = withFills(channelQueues.get(channelId), message, added, changed);
    const done = {
      messageId,
      alerts: added.map(({ wallet, id }) => ({ wallet, id })),
      isDone: true,
    };
    await channelQueues.update(channelId, { announced, growing, edit: done });
    onFailpoint('edit.recorded');
    await finishDone(channelId);
  };

  /** The fills of an edit that still wait and are wanted; drops the others. */
  const stillWanted = async (channelId: string, edit: MessageEdit): Promise<readonly Alert[]> => {
    const waiting = waitingOf(channelId, edit);
    const added = waiting.filter(({ wallet }) => deps.isWanted(channelId, wallet));
    const unwanted = waiting.filter((alert) => !added.includes(alert));
    if (unwanted.length > 0) {
      await outbox.acknowledge(channelId, unwanted, null);
      const hold = { by: 'pause' } as const;
      deps.decisions.held(unwanted.map((alert) => ({ alert, channelId, hold })));
    }
    return added;
  };

  const tryEditing = async (channelId: string, edit: MessageEdit): Promise<SendResult> => {
    const message = messageOf(channelId, edit);
    const added = message === undefined ? [] : await stillWanted(channelId, edit);
    if (message === undefined || added.length === 0) {
      await abandon(channelId, edit);
      return 'unasked';
    }
    const { isTaken, editedAtMs } = await look(channelId, message);
    if (isTaken === true) {
      await finish(channelId, message, added, editedAtMs);
      return 'answered';
    }
    const changed = isEditable(message, deps.venueNowMs())
      ? withAdded(channelId, message, added)
      : null;
    if (changed !== null) {
      const shownAtMs = await show(channelId, message, changed);
      onFailpoint('edit.answered');
      await finish(channelId, message, added, shownAtMs);
      return 'taken';
    }
    const before = isTaken === null ? withAdded(channelId, message, []) : null;
    if (before !== null) {
      // An earlier attempt may have been taken: the message gets back what it showed before the
      // fills get their own.
      await show(channelId, message, before);
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
      onDeleted: () => reject('It is deleted.'),
      reject,
      postpone(pauseMs) {
        const known = attemptsOf(channelId);
        known.failures += 1;
        const delayMs = pauseMs ?? retryDelayMs(known.failures, random);
        known.dueMs = monotonicMs() + delayMs;
        return { delayMs, attempt: known.failures };
      },
    };
  };

  return {
    /** Leaves out alerts of purchases whose message is being changed: these wait for that. */
    withoutUnderWay(channelId: string, alerts: readonly Alert[]): readonly Alert[] {
      const { edit, announced } = channelQueues.get(channelId);
      if (edit === null || messageOf(channelId, edit) === undefined) return alerts;
      const own = announced.filter(({ messageId }) => messageId === edit.messageId);
      const keys = new Set<string | null>(own.map(({ key }) => key));
      return alerts.filter((alert) => !keys.has(purchaseKey(alert)));
    },
    finishDone,
    /**
     * Goes on with the stored edit, or decides and stores the first of these.
     *
     * @returns for how many ms there is nothing to do; Infinity: until something comes
     */
    async next(channelId: string, [joining]: readonly Joining[]): Promise<SendStep | number> {
      const { edit } = channelQueues.get(channelId);
      if (edit !== null) {
        const waitMs = attemptsOf(channelId).dueMs - monotonicMs();
        return waitMs > 0 ? waitMs : stepOf(channelId, edit);
      }
      attempts.delete(channelId);
      if (joining === undefined) return Number.POSITIVE_INFINITY;
      const { messageId, alerts } = joining;
      const begun = {
        messageId,
        alerts: alerts.map(({ wallet, id }) => ({ wallet, id })),
        isDone: false,
      };
      await channelQueues.update(channelId, { edit: begun });
      attempts.set(channelId, { isUntried: true, failures: 0, dueMs: 0 });
      onFailpoint('edit.stored');
      return stepOf(channelId, begun);
    },
    /**
     * Forgets purchases that can no longer go on. @returns when to do so next, by the venue's
     * clock; else Infinity
     */
    async forgetOld(channelId: string): Promise<number> {
      const channelQueue = channelQueues.get(channelId);
      const { edit } = channelQueue;
      const waiting = outbox.pending(channelId);
      const { nextDueMs, announced, growing } = stillNeeded(channelQueue, {
        nowMs: deps.venueNowMs(),
        edit,
        waiting,
      });
      const isLess = announced.length < channelQueue.announced.length;
      if (isLess) await channelQueues.update(channelId, { announced, growing });
      return nextDueMs;
    },
  };
}
