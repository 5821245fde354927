import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Alert } from '../alerts/alert.ts';
import type { Outbox } from '../alerts/outbox.ts';
import {
  messagesOf,
  onlyMessages,
  type ReceiverAlert,
  receiverAlertKey,
} from '../alerts/wallets/receiver-alerts.ts';
import type { WalletAddress } from '../domain/address.ts';
import { createMoves } from '../later/moves.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { Entry, QueuedAlert, ReceiverQueue } from './receiver-queue.ts';

/**
 * Moves alerts for receivers from their wallet's document to the waiting queue, once the venue's
 * answers about them have arrived. A move is not a delivery. The queue is written first, then the
 * wallet's document; after a crash between the two the move is repeated, and the queue ignores
 * duplicates. Nothing is posted before it has left the wallet's document, because a duplicate could
 * not be recognized afterwards.
 *
 * @param parts `isMeant`: whether an owner still watches a wallet and its alerts are delivered;
 *   `awaitingAnswerMs`: remaining time for which an alert waits for its effect on the position;
 *   `isFilteredAlone`: whether a channel's settings would filter the alert on its own
 */
export function createMover(
  machine: Machine,
  parts: {
    readonly queue: ReceiverQueue;
    readonly outbox: Outbox;
    readonly isMeant: (ownerId: string, wallet: WalletAddress) => boolean;
    readonly awaitingAnswerMs: (alert: Alert) => number;
    readonly isFilteredAlone: (alert: Alert) => boolean;
    /** Whether a wallet's document has been read since the start. */
    readonly isWalletKnown: (wallet: WalletAddress) => boolean;
    readonly signal: AbortSignal;
  },
) {
  const { log, onFailpoint } = machine;
  const { queue, outbox, isMeant, awaitingAnswerMs, isFilteredAlone, isWalletKnown, signal } =
    parts;
  /**
   * Names of alerts in their wallet's document that may be in the queue too, by wallet; null: any
   * of the wallet's alerts may be.
   */
  const unsure = new Map<string, ReadonlySet<string> | null>();
  let onMoved = (): void => {};

  /**
   * Returns the watches of a message. Now that the effect of a trade on the position is known, each
   * wants it only if the channel's settings would let it pass on its own.
   */
  const wantedBy = (wallet: WalletAddress, alert: ReceiverAlert): ReceiverAlert['watches'] =>
    alert.watches.map((watch) => ({
      ...watch,
      wanted: watch.wanted && !isFilteredAlone({ ...alert, wallet, channelId: watch.channel }),
    }));

  /**
   * Moves alerts that need not wait.
   *
   * @returns delay before the others are checked, in ms; null if there are none
   */
  const move = async (wallet: WalletAddress): Promise<number | null> => {
    const { forReceivers } = await outbox.stateOf(wallet);
    const waiting = messagesOf(forReceivers?.waiting ?? []);
    const waitMs = (alert: ReceiverAlert) => awaitingAnswerMs({ ...alert, wallet, channelId: '' });
    const ready = waiting.filter((alert) => waitMs(alert) <= 0);
    const meant = ready.filter(({ ownerId }) => isMeant(ownerId, wallet));
    const moved = new Set(ready.map(receiverAlertKey));
    unsure.set(wallet, new Set(waiting.map(receiverAlertKey)));
    for (const [ownerId, own] of groupBy(meant, (alert) => alert.ownerId)) {
      const items: QueuedAlert[] = [];
      for (const alert of own) {
        // Yields the event loop, because a server may watch the wallet in hundreds of channels,
        // each of which is checked.
        await nextTurn();
        items.push({ ...alert, wallet, watches: wantedBy(wallet, alert) });
      }
      await queue.add(ownerId, items);
    }
    onFailpoint('room.stored');
    await outbox.commit(wallet, ({ forReceivers: now }) => {
      if (now === undefined || moved.size === 0) return null;
      const left = onlyMessages(now.waiting, (message) => !moved.has(receiverAlertKey(message)));
      return { state: { forReceivers: { ...now, waiting: left } }, alerts: [] };
    });
    const left = waiting.filter((alert) => !moved.has(receiverAlertKey(alert)));
    unsure.set(wallet, new Set(left.map(receiverAlertKey)));
    if (left.length === 0) unsure.delete(wallet);
    onFailpoint('room.taken_out');
    onMoved();
    return left.length === 0 ? null : Math.max(1, ...left.map(waitMs));
  };

  const moves = createMoves(machine, {
    move,
    onFailure: (wallet, error) => log.error({ event: 'alerts_out.not_moved', wallet, err: error }),
    signal,
  });
  outbox.listenForReceivers((wallet) => {
    // At startup, or before the document has been read, a move may have been interrupted.
    if (!moves.hasStarted() || !isWalletKnown(wallet)) unsure.set(wallet, null);
    moves.look(wallet);
  });

  return {
    /** Starts moving, beginning with the wallets found at startup. */
    start: moves.start,
    /** True if an alert in the queue may also be in its wallet's document. */
    isUnsure: ({ wallet, name }: Entry): boolean => {
      if (!isWalletKnown(wallet)) return true;
      const names = unsure.get(wallet);
      return names === null || names?.has(name) === true;
    },
    /** Sets the listener that is called after alerts have been moved or need no move. */
    listen(listener: () => void): void {
      onMoved = listener;
    },
    /** Resolves when nothing is being moved. */
    idle: moves.idle,
  };
}
