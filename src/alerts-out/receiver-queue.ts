import * as z from 'zod';
import { receiverAlertKey, receiverAlertSchema } from '../alerts/wallets/receiver-alerts.ts';
import { walletSchema } from '../domain/address.ts';
import { defineWaitingItems, WAITING_BOUNDS, type WaitingSize } from '../later/waiting-items.ts';
import type { Machine } from '../lib/machine.ts';
import type { DocumentStore } from '../store/collection.ts';

const queuedAlertSchema = receiverAlertSchema.extend({
  wallet: walletSchema,
  /** Wall clock of the first failed attempt, in epoch ms; left out if none has failed. */
  failedAtMs: z.number().optional(),
});
/** An alert that waits for delivery outside Discord. */
export type QueuedAlert = Readonly<z.infer<typeof queuedAlertSchema>>;

const queueKind = defineWaitingItems({
  prefix: 'later:alerts-',
  itemSchema: queuedAlertSchema,
  destinationOf: ({ ownerId }) => ownerId,
  keyOf: queueKey,
  note: (alert) => ({
    wallet: alert.wallet,
    /** Name of the alert among those of the wallet that are for receivers. */
    name: receiverAlertKey(alert),
    seenAtMs: alert.seenAtMs,
    failedAtMs: alert.failedAtMs,
  }),
});

/** Documents of alerts for receivers, by owner and number. */
export const receiverQueueKind = {
  ...queueKind,
  open: (machine: Machine, store: DocumentStore) => createReceiverQueue(machine, store),
};

/** A waiting alert in memory; its content is in the store. */
export type Entry = ReturnType<ReturnType<typeof queueKind.open>['entries']>[number];

export type ReceiverQueue = ReturnType<typeof createReceiverQueue>;

/** Names an alert among those of its owner. */
function queueKey(alert: QueuedAlert): string {
  return `${alert.wallet}:${receiverAlertKey(alert)}`;
}

/**
 * Stores alerts for receivers in documents of their own. Only an index is kept in memory.
 *
 * @param bounds per owner; beyond them the oldest documents are deleted
 */
export function createReceiverQueue(
  { log }: Machine,
  store: DocumentStore,
  bounds: WaitingSize = WAITING_BOUNDS,
) {
  const stored = queueKind.open(store);
  let dropped = 0;

  /** Deletes the oldest documents of an owner above its bounds. */
  const bound = async (ownerId: string): Promise<void> => {
    for (;;) {
      const { items, bytes } = stored.sizeOf(ownerId);
      if (items <= bounds.items && bytes <= bounds.bytes) return;
      const alerts = await stored.dropOldest(ownerId);
      if (alerts === 0) return;
      dropped += alerts;
      log.warn({ event: 'alerts_out.dropped', guild: ownerId, alerts });
    }
  };

  return {
    ...stored,
    /** Number of waiting alerts, and of alerts dropped because too many waited. */
    counts: () => ({
      waiting: stored.destinations().flatMap(stored.entries).length,
      dropped,
    }),
    /** Stores alerts of an owner behind those that wait, ignoring duplicates. */
    async add(ownerId: string, alerts: readonly QueuedAlert[]): Promise<void> {
      await stored.add({ ownerId }, alerts);
      await bound(ownerId);
    },
    /** Removes an alert that was delivered or never will be. */
    remove: (ownerId: string, { key }: Entry) => stored.remove(ownerId, new Set([key])),
    /** Records since when an alert has failed. */
    noteFailed: (ownerId: string, entry: Entry, atMs: number) =>
      stored.change(ownerId, entry, (alert) =>
        alert.failedAtMs === undefined ? { ...alert, failedAtMs: atMs } : alert,
      ),
  };
}
