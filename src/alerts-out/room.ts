import * as z from 'zod';
import { handedOnAlertSchema, handedOnKey } from '../alerts/wallets/handed-on.ts';
import { walletSchema } from '../domain/address.ts';
import { defineRoom, type EntryOf, ROOM_BOUNDS, type RoomBounds } from '../later/room.ts';
import type { Machine } from '../lib/machine.ts';
import type { Store } from '../store/store.ts';

const roomAlertSchema = handedOnAlertSchema.extend({
  wallet: walletSchema,
  /** Wall clock of the first attempt that failed, epoch ms; left out: none has. */
  failedAtMs: z.number().optional(),
});
/** An alert that waits to go out of Discord. */
export type RoomAlert = Readonly<z.infer<typeof roomAlertSchema>>;

const roomKind = defineRoom({
  prefix: 'later:alerts-',
  itemSchema: roomAlertSchema,
  destinationOf: ({ ownerId }) => ownerId,
  keyOf: roomKey,
  note: (alert) => ({
    wallet: alert.wallet,
    /** Name among what is handed on of the wallet. */
    name: handedOnKey(alert),
    seenAtMs: alert.seenAtMs,
    failedAtMs: alert.failedAtMs,
  }),
});

/** Documents of alerts that go out of Discord, by owner and number. */
export const waitingRoomKind = {
  ...roomKind,
  open: (machine: Machine, store: DocumentStore) => createWaitingRoom(machine, store),
};

type DocumentStore = Pick<Store, 'get' | 'set' | 'delete'>;

/** An alert of the room in memory: what it says is in the store. */
export type Entry = EntryOf<
  Pick<RoomAlert, 'wallet' | 'seenAtMs' | 'failedAtMs'> & { readonly name: string }
>;

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/** Names an alert among those of its owner. */
export function roomKey(alert: Pick<RoomAlert, 'wallet' | 'id' | 'ownerId' | 'channelId'>): string {
  return `${alert.wallet}:${handedOnKey(alert)}`;
}

/**
 * Alerts that go out of Discord, in documents of their own. In memory is only which there are.
 *
 * @param bounds of each owner; beyond them whole documents go
 */
export function createWaitingRoom(
  { log }: Machine,
  store: DocumentStore,
  bounds: RoomBounds = ROOM_BOUNDS,
) {
  const room = roomKind.open(store);
  let dropped = 0;

  /** Drops the oldest documents of an owner who has too much. */
  const bound = async (ownerId: string): Promise<void> => {
    for (;;) {
      const { items, bytes } = room.sizeOf(ownerId);
      if (items <= bounds.alerts && bytes <= bounds.bytes) return;
      const alerts = await room.dropOldest(ownerId);
      if (alerts === 0) return;
      dropped += alerts;
      log.warn({ event: 'alerts_out.dropped', guild: ownerId, alerts });
    }
  };

  return {
    holds: room.holds,
    load: room.load,
    /** Owners of whom something waits. */
    owners: room.owners,
    channelsOf: room.channelsOf,
    /** Deletes what waits of an owner; of a channel nothing does. */
    forget: room.forget,
    /** All that waits of an owner, in the order in which it came: one list until it changes. */
    entries: (ownerId: string): readonly Entry[] => room.entries(ownerId),
    /** Number of alerts that wait, and that were dropped because too many did. */
    counts: () => ({
      waiting: room.destinations().flatMap(room.entries).length,
      dropped,
    }),
    /** Stores alerts of an owner behind those that wait; what is there already is left out. */
    async add(ownerId: string, alerts: readonly RoomAlert[]): Promise<void> {
      await room.add({ ownerId }, alerts);
      await bound(ownerId);
    },
    /** An alert of an owner as it is stored; undefined if it waits no longer. */
    get: (ownerId: string, entry: Entry) => room.get(ownerId, entry),
    /** Takes an alert out: it has arrived, or never will. */
    remove: (ownerId: string, { key }: Entry) => room.remove(ownerId, new Set([key])),
    /** Remembers since when an alert is refused. */
    noteFailed: (ownerId: string, entry: Entry, atMs: number) =>
      room.change(ownerId, entry, (alert) =>
        alert.failedAtMs === undefined ? { ...alert, failedAtMs: atMs } : alert,
      ),
    idle: room.idle,
  };
}
