import * as z from 'zod';
import { handedOnAlertSchema, handedOnKey } from '../alerts/handed-on.ts';
import { walletSchema } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import { defineKind } from '../store/collection.ts';
import type { Store } from '../store/store.ts';
import { ownerIdSchema } from '../watches/owner.ts';

/** Alerts in a document: one is written with every move and every delivery. */
const DOCUMENT_ALERTS = 50;

const roomAlertSchema = handedOnAlertSchema.extend({
  wallet: walletSchema,
  /** Wall clock of the first attempt that failed, epoch ms; left out: none has. */
  failedAtMs: z.number().optional(),
});
/** An alert that waits to go out of Discord. */
export type RoomAlert = Readonly<z.infer<typeof roomAlertSchema>>;

const roomSchema = z.object({
  ownerId: ownerIdSchema,
  alerts: z.array(roomAlertSchema).min(1).readonly(),
});
type RoomDocument = Readonly<z.infer<typeof roomSchema>>;

/** Bounds of what waits for one destination; beyond them its oldest documents go. */
export interface RoomBounds {
  readonly alerts: number;
  readonly bytes: number;
}
const BOUNDS: RoomBounds = { alerts: 5_000, bytes: 10_000_000 };

/** The end of an id, behind its destination: documents are numbered in the order of their alerts. */
const ID = /^(alerts-@?\d{17,20}):(\d{1,15})$/;

function destinationOf(ownerId: string): string {
  return `alerts-${ownerId}`;
}

const kind = defineKind({
  prefix: 'later:',
  schema: roomSchema,
  belongs: ({ ownerId }, id) => ID.exec(id)?.[1] === destinationOf(ownerId),
  placeOf: ({ ownerId }) => ({ ownerId }),
});

/** Documents of alerts that go out later, by destination and number. */
export const waitingRoomKind = {
  ...kind,
  open: (machine: Pick<Machine, 'log'>, store: DocumentStore) => createWaitingRoom(machine, store),
};

type DocumentStore = Pick<Store, 'get' | 'set' | 'delete'>;

/** An alert of the room in memory: what it says is in the store. */
export interface Entry {
  readonly key: string;
  readonly wallet: string;
  /** Name among what is handed on of the wallet. */
  readonly name: string;
  readonly number: number;
  readonly seenAtMs: number;
  readonly failedAtMs: number | undefined;
}

interface Kept {
  readonly number: number;
  readonly bytes: number;
  readonly entries: readonly Entry[];
}

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/** Names an alert among those of its destination. */
export function roomKey(alert: Pick<RoomAlert, 'wallet' | 'id' | 'ownerId' | 'channelId'>): string {
  return `${alert.wallet}:${handedOnKey(alert)}`;
}

/** The documents of all destinations, and in memory what each holds. */
function createDestinations(store: DocumentStore) {
  /** By owner, the oldest first; none without a document. */
  const documentsOf = new Map<string, readonly Kept[]>();

  const keyOf = (ownerId: string, number: number) =>
    `${kind.prefix}${destinationOf(ownerId)}:${number}`;

  const describe = (number: number, { alerts }: RoomDocument, bytes: number): Kept => ({
    number,
    bytes,
    entries: alerts.map((alert) => ({
      key: roomKey(alert),
      wallet: alert.wallet,
      name: handedOnKey(alert),
      number,
      seenAtMs: alert.seenAtMs,
      failedAtMs: alert.failedAtMs,
    })),
  });

  /** Notes what a document holds now; null: it is gone. */
  const note = (ownerId: string, number: number, document: RoomDocument | null): void => {
    const documents = (documentsOf.get(ownerId) ?? []).filter((kept) => kept.number !== number);
    if (document !== null) {
      const bytes = Buffer.byteLength(JSON.stringify(document));
      documents.push(describe(number, document, bytes));
    }
    documents.sort((a, b) => a.number - b.number);
    if (documents.length === 0) documentsOf.delete(ownerId);
    else documentsOf.set(ownerId, documents);
  };

  const read = async (ownerId: string, number: number): Promise<readonly RoomAlert[]> => {
    const key = keyOf(ownerId, number);
    return kind.read(key, await store.get(key))?.alerts ?? [];
  };

  const write = async (
    ownerId: string,
    number: number,
    alerts: readonly RoomAlert[],
  ): Promise<void> => {
    const key = keyOf(ownerId, number);
    if (alerts.length === 0) {
      await store.delete(key);
      return note(ownerId, number, null);
    }
    const document = { ownerId, alerts };
    await store.set(key, document);
    note(ownerId, number, document);
  };

  const entriesOf = (ownerId: string): readonly Entry[] =>
    documentsOf.get(ownerId)?.flatMap(({ entries }) => entries) ?? [];

  return { documentsOf, note, read, write, entriesOf };
}

/**
 * Alerts that go out later than the hold of those for Discord, in documents of their own, so that a
 * wallet's document is not written with them. Each change is stored first. In memory is only which
 * there are.
 *
 * @param bounds of each destination
 */
export function createWaitingRoom(
  { log }: Pick<Machine, 'log'>,
  store: DocumentStore,
  bounds: RoomBounds = BOUNDS,
) {
  const { documentsOf, note, read, write, entriesOf } = createDestinations(store);
  const mutex = createKeyedMutex();
  let dropped = 0;

  /** Drops the oldest documents of a destination that has too much. */
  const bound = async (ownerId: string): Promise<void> => {
    for (;;) {
      const documents = documentsOf.get(ownerId) ?? [];
      const [oldest, ...newer] = documents;
      const bytes = documents.reduce((sum, kept) => sum + kept.bytes, 0);
      const isWithin = entriesOf(ownerId).length <= bounds.alerts && bytes <= bounds.bytes;
      if (oldest === undefined || newer.length === 0 || isWithin) return;
      await write(ownerId, oldest.number, []);
      dropped += oldest.entries.length;
      const alerts = oldest.entries.length;
      log.warn({ event: 'alerts_out.dropped', guild: ownerId, alerts });
    }
  };

  const forgetOwner = (ownerId: string): Promise<void> =>
    mutex.run(ownerId, async () => {
      for (const { number } of documentsOf.get(ownerId) ?? []) await write(ownerId, number, []);
    });

  return {
    holds: kind.holds,
    /** Takes a document that was read at the start. */
    load(key: string, stored: unknown): 'kept' | 'damaged' {
      const document = kind.read(key, stored);
      const number = ID.exec(kind.idOf(key))?.[2];
      if (document === null || number === undefined) return 'damaged';
      note(document.ownerId, Number(number), document);
      return 'kept';
    },
    /** Owners of whom something waits. */
    owners: (): readonly string[] => [...documentsOf.keys()],
    channelsOf: (): readonly string[] => [],
    /** Deletes what waits of an owner; of a channel nothing does. */
    forget: async (whose: { readonly ownerId: string } | { readonly channelId: string }) => {
      if ('ownerId' in whose) await forgetOwner(whose.ownerId);
    },
    /** All that waits of an owner, in the order in which it came. */
    entries: entriesOf,
    /** Number of alerts that wait, and that were dropped because too many did. */
    counts: () => ({
      waiting: [...documentsOf.keys()].flatMap(entriesOf).length,
      dropped,
    }),
    /** Stores alerts of an owner behind those that wait; what is there already is left out. */
    add: (ownerId: string, alerts: readonly RoomAlert[]): Promise<void> =>
      mutex.run(ownerId, async () => {
        const there = new Set(entriesOf(ownerId).map(({ key }) => key));
        let left = alerts.filter((alert) => !there.has(roomKey(alert)));
        while (left.length > 0) {
          const newest = documentsOf.get(ownerId)?.at(-1);
          const hasRoom = newest !== undefined && newest.entries.length < DOCUMENT_ALERTS;
          const number = hasRoom ? newest.number : (newest?.number ?? -1) + 1;
          const before = hasRoom ? await read(ownerId, number) : [];
          const free = DOCUMENT_ALERTS - before.length;
          await write(ownerId, number, [...before, ...left.slice(0, free)]);
          left = left.slice(free);
          await bound(ownerId);
        }
      }),
    /** An alert of an owner as it is stored; undefined if it waits no longer. */
    async get(ownerId: string, { number, key }: Entry): Promise<RoomAlert | undefined> {
      return (await read(ownerId, number)).find((alert) => roomKey(alert) === key);
    },
    /** Takes an alert out: it has arrived, or never will. */
    remove: (ownerId: string, { number, key }: Entry): Promise<void> =>
      mutex.run(ownerId, async () => {
        const before = await read(ownerId, number);
        const left = before.filter((alert) => roomKey(alert) !== key);
        if (left.length < before.length) return write(ownerId, number, left);
        // The store has it no longer, and maybe nothing of its document.
        note(ownerId, number, left.length === 0 ? null : { ownerId, alerts: left });
      }),
    /** Remembers since when an alert is refused. */
    noteFailed: (ownerId: string, { number, key }: Entry, atMs: number): Promise<void> =>
      mutex.run(ownerId, async () => {
        const before = await read(ownerId, number);
        const isNoted = ({ failedAtMs, ...alert }: RoomAlert) =>
          roomKey(alert) === key && failedAtMs === undefined;
        if (!before.some(isNoted)) return;
        const after = before.map((alert) =>
          isNoted(alert) ? { ...alert, failedAtMs: atMs } : alert,
        );
        await write(ownerId, number, after);
      }),
    /** Resolves when no write is under way. */
    idle: mutex.idle,
  };
}
