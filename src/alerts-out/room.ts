import * as z from 'zod';
import { handedOnAlertSchema, handedOnKey } from '../alerts/wallets/handed-on.ts';
import { walletSchema } from '../domain/address.ts';
import { defineRoom, ROOM_BOUNDS, type RoomSize } from '../later/room.ts';
import type { Machine } from '../lib/machine.ts';
import type { DocumentStore } from '../store/collection.ts';

const roomAlertSchema = handedOnAlertSchema.extend({
  wallet: walletSchema,
  /** Wall clock of the first failed attempt, in epoch ms; left out if none has failed. */
  failedAtMs: z.number().optional(),
});
/** An alert that waits for delivery outside Discord. */
export type RoomAlert = Readonly<z.infer<typeof roomAlertSchema>>;

const roomKind = defineRoom({
  prefix: 'later:alerts-',
  itemSchema: roomAlertSchema,
  destinationOf: ({ ownerId }) => ownerId,
  keyOf: roomKey,
  note: (alert) => ({
    wallet: alert.wallet,
    /** Name of the alert among those of the wallet that are for receivers. */
    name: handedOnKey(alert),
    seenAtMs: alert.seenAtMs,
    failedAtMs: alert.failedAtMs,
  }),
});

/** Documents of alerts for receivers, by owner and number. */
export const waitingRoomKind = {
  ...roomKind,
  open: (machine: Machine, store: DocumentStore) => createWaitingRoom(machine, store),
};

/** A waiting alert in memory; its content is in the store. */
export type Entry = ReturnType<ReturnType<typeof roomKind.open>['entries']>[number];

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/** Names an alert among those of its owner. */
function roomKey(alert: RoomAlert): string {
  return `${alert.wallet}:${handedOnKey(alert)}`;
}

/**
 * Stores alerts for receivers in documents of their own. Only an index is kept in memory.
 *
 * @param bounds per owner; beyond them the oldest documents are deleted
 */
export function createWaitingRoom(
  { log }: Machine,
  store: DocumentStore,
  bounds: RoomSize = ROOM_BOUNDS,
) {
  const room = roomKind.open(store);
  let dropped = 0;

  /** Deletes the oldest documents of an owner above its bounds. */
  const bound = async (ownerId: string): Promise<void> => {
    for (;;) {
      const { items, bytes } = room.sizeOf(ownerId);
      if (items <= bounds.items && bytes <= bounds.bytes) return;
      const alerts = await room.dropOldest(ownerId);
      if (alerts === 0) return;
      dropped += alerts;
      log.warn({ event: 'alerts_out.dropped', guild: ownerId, alerts });
    }
  };

  return {
    ...room,
    /** Number of waiting alerts, and of alerts dropped because too many waited. */
    counts: () => ({
      waiting: room.destinations().flatMap(room.entries).length,
      dropped,
    }),
    /** Stores alerts of an owner behind those that wait, ignoring duplicates. */
    async add(ownerId: string, alerts: readonly RoomAlert[]): Promise<void> {
      await room.add({ ownerId }, alerts);
      await bound(ownerId);
    },
    /** Removes an alert that was delivered or never will be. */
    remove: (ownerId: string, { key }: Entry) => room.remove(ownerId, new Set([key])),
    /** Records since when an alert has failed. */
    noteFailed: (ownerId: string, entry: Entry, atMs: number) =>
      room.change(ownerId, entry, (alert) =>
        alert.failedAtMs === undefined ? { ...alert, failedAtMs: atMs } : alert,
      ),
  };
}
