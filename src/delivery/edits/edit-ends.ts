import { type Alert, alertKey } from '../../alerts/alert.ts';
import type { Machine } from '../../lib/machine.ts';
import type { AlertMessagesDeps } from '../alert-messages-deps.ts';
import type { MessageEdit } from '../channel-queue.ts';
import { type GrowingMessage, withFills } from '../plan/announced.ts';

/**
 * Ends edits of messages: stores that Discord has accepted one and removes its fills from the
 * waiting alerts, or gives it up. After a crash in between, the next start completes it.
 * @param onEnded called with the channel when its edit is no longer attempted
 */
export function createEditEnds(
  { log, onFailpoint }: Machine,
  deps: AlertMessagesDeps,
  onEnded: (channelId: string) => void,
) {
  const { outbox, channelQueues } = deps;

  /** Gives up editing the message. The fills that were to be added continue to wait. */
  const abandon = async (channelId: string, { messageId }: MessageEdit) => {
    onEnded(channelId);
    const growing = channelQueues.get(channelId).growing.filter(({ id }) => id !== messageId);
    await channelQueues.update(channelId, { growing, edit: null });
  };

  /** Returns the fills of an edit that are still waiting. */
  const waitingOf = (channelId: string, edit: MessageEdit): readonly Alert[] => {
    const keys = new Set(edit.alerts.map(alertKey));
    return outbox.pending(channelId).filter((alert) => keys.has(alertKey(alert)));
  };

  /** Acknowledges the fills of an edit that Discord has accepted, if there is one. */
  const finishDone = async (channelId: string) => {
    const { edit } = channelQueues.get(channelId);
    if (edit?.isDone !== true) return;
    const { messageId } = edit;
    const alerts = waitingOf(channelId, edit);
    const { growing } = channelQueues.get(channelId);
    const isAmongOthers = growing.some(({ id, groups }) => id === messageId && groups.length > 1);
    const delivered = { messageId, isAmongOthers };
    if (alerts.length > 0) await outbox.acknowledge(channelId, alerts, delivered);
    channelQueues.finish(channelId, 'edit');
    onFailpoint('outbox.cleared');
  };

  /** Stores that the message shows the fills, and finishes the edit. */
  const finish = async (
    channelId: string,
    message: GrowingMessage,
    added: readonly Alert[],
    editedAtMs: number | null,
  ): Promise<void> => {
    const { id: messageId } = message;
    onEnded(channelId);
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
    const changed = { changedAtMs: deps.clock.nowMs(channelId), editedAtMs };
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

  /** Returns the fills of an edit that are still waiting and wanted, and drops the others. */
  const stillWanted = async (channelId: string, edit: MessageEdit): Promise<readonly Alert[]> => {
    const waiting = waitingOf(channelId, edit);
    const added = waiting.filter(({ wallet }) => deps.isWanted(channelId, wallet));
    const unwanted = waiting.filter((alert) => !added.includes(alert));
    if (unwanted.length > 0) {
      await outbox.acknowledge(channelId, unwanted, null);
      const reason = { by: 'pause' } as const;
      deps.decisions.filtered(unwanted.map((alert) => ({ alert, channelId, reason })));
    }
    return added;
  };

  return { abandon, finish, finishDone, stillWanted };
}
