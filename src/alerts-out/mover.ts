import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Alert } from '../alerts/alert.ts';
import type { Outbox } from '../alerts/outbox.ts';
import {
  type HandedOnAlert,
  handedOnKey,
  messagesOf,
  onlyMessages,
} from '../alerts/wallets/handed-on.ts';
import type { WalletAddress } from '../domain/address.ts';
import { createMoves } from '../later/moves.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { Entry, RoomAlert, WaitingRoom } from './room.ts';

/**
 * Moves alerts that go out of Discord from their wallet's document to the waiting room, once what
 * the venue is asked about them has been answered. A move is no delivery. First the room is
 * written, then the wallet's document; after a crash between the two the move is repeated, and the
 * room knows what it has. Nothing is posted before it is out of the wallet's document: it could not
 * be known again.
 *
 * @param parts `isMeant`: whether an owner still watches a wallet, and its alerts go out; `awaitingAnswerMs`:
 *   how long an alert waits for its meaning;
 *   `isHeldAlone`: whether a channel's settings hold an alert, were it the only one
 */
export function createMover(
  machine: Machine,
  parts: {
    readonly room: WaitingRoom;
    readonly outbox: Pick<Outbox, 'stateOf' | 'commit' | 'listenHandedOn'>;
    readonly isMeant: (ownerId: string, wallet: WalletAddress) => boolean;
    readonly awaitingAnswerMs: (alert: Alert) => number;
    readonly isHeldAlone: (alert: Alert) => boolean;
    /** Tells whether the start has read a wallet's document; left out: of all. */
    readonly isWalletKnown?: (wallet: WalletAddress) => boolean;
    readonly signal: AbortSignal;
  },
) {
  const { log, onFailpoint } = machine;
  const { room, outbox, isMeant, awaitingAnswerMs, isHeldAlone, signal } = parts;
  const { isWalletKnown = () => true } = parts;
  /**
   * Names of alerts that are in their wallet's document, and maybe in the room; null: any of the
   * wallet may be.
   */
  const unsure = new Map<string, ReadonlySet<string> | null>();
  const listeners: (() => void)[] = [];

  /**
   * The watches of a message. Now that it is known what a trade meant for the position, each wants
   * it only if the channel's settings would let it pass alone.
   */
  const wantedBy = (wallet: WalletAddress, alert: HandedOnAlert): HandedOnAlert['watches'] =>
    alert.watches.map((watch) => ({
      ...watch,
      wanted: watch.wanted && !isHeldAlone({ ...alert, wallet, channelId: watch.channel }),
    }));

  /**
   * Moves what need not wait.
   *
   * @returns after how long the rest is to be looked at, ms; null: none
   */
  const move = async (wallet: WalletAddress): Promise<number | null> => {
    const { forReceivers } = await outbox.stateOf(wallet);
    const waiting = messagesOf(forReceivers?.waiting ?? []);
    const waitMs = (alert: HandedOnAlert) => awaitingAnswerMs({ ...alert, wallet, channelId: '' });
    const ready = waiting.filter((alert) => waitMs(alert) <= 0);
    const meant = ready.filter(({ ownerId }) => isMeant(ownerId, wallet));
    const moved = new Set(ready.map(handedOnKey));
    unsure.set(wallet, new Set(waiting.map(handedOnKey)));
    for (const [ownerId, own] of groupBy(meant, (alert) => alert.ownerId)) {
      const items: RoomAlert[] = [];
      for (const alert of own) {
        // A server may watch the wallet in hundreds of channels, and each is looked at.
        await nextTurn();
        items.push({ ...alert, wallet, watches: wantedBy(wallet, alert) });
      }
      await room.add(ownerId, items);
    }
    onFailpoint('room.stored');
    await outbox.commit(wallet, ({ forReceivers: now }) => {
      if (now === undefined || moved.size === 0) return null;
      const left = onlyMessages(now.waiting, (message) => !moved.has(handedOnKey(message)));
      return { state: { forReceivers: { ...now, waiting: left } }, alerts: [] };
    });
    const left = waiting.filter((alert) => !moved.has(handedOnKey(alert)));
    unsure.set(wallet, new Set(left.map(handedOnKey)));
    if (left.length === 0) unsure.delete(wallet);
    onFailpoint('room.taken_out');
    for (const listener of listeners) listener();
    return left.length === 0 ? null : Math.max(1, ...left.map(waitMs));
  };

  const moves = createMoves(machine, {
    move,
    onFailure: (wallet, error) => log.error({ event: 'alerts_out.not_moved', wallet, err: error }),
    signal,
  });
  outbox.listenHandedOn((wallet) => {
    // At the start, or first read later: a move may have been broken off.
    if (!moves.hasStarted() || !isWalletKnown(wallet)) unsure.set(wallet, null);
    moves.look(wallet);
  });

  return {
    /** Begins to move, with what was found at the start. */
    start: moves.start,
    /** True if an alert of the room may be in its wallet's document as well. */
    isUnsure: ({ wallet, name }: Pick<Entry, 'wallet' | 'name'>): boolean => {
      if (!isWalletKnown(wallet)) return true;
      const names = unsure.get(wallet);
      return names === null || names?.has(name) === true;
    },
    /** Calls back when something has been moved, or need not be. */
    listen: (listener: () => void): void => void listeners.push(listener),
    /** Resolves when nothing is being moved. */
    idle: moves.idle,
  };
}
