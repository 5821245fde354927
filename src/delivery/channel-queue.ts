import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Alert, type AlertGroup, alertKey } from '../alerts/alert.ts';
import { storedAlertSchema } from '../alerts/wallets/wallet-document.ts';
import { walletSchema } from '../domain/address.ts';
import type { Machine } from '../lib/machine.ts';
import { type Collection, defineCollection } from '../store/collection.ts';
import { BLOCK_CAUSES } from './failures.ts';
import { announcedPurchaseSchema, groupSchema, growingMessageSchema } from './plan/announced.ts';
import { cooldownsSchema, cooldownUpdateSchema, NO_COOLDOWNS } from './plan/cooldowns.ts';
import { noiseSchema } from './plan/mentions.ts';

/** Lifetime of a dead letter, in ms: long enough for someone to look at it. */
const DEAD_LIFE_MS = 30 * 86_400_000;
/**
 * Maximum number of dead letters kept for a channel, the newest. A channel whose rules reject
 * everything must not fill the store.
 */
const DEAD_LIMIT = 100;
/**
 * Delay before a finished message is stored as such if nothing else in the queue changes, in ms.
 */
const FINISHED_STORED_MS = 60_000;

const storedGroupSchema = groupSchema.extend({ ids: z.array(z.string()).min(1) });
const outgoingMessageSchema = z.object({
  nonce: z.string(),
  groups: z.array(storedGroupSchema),
  /** Time of the first attempt, in epoch milliseconds. */
  startedAtMs: z.number(),
  /** Set once Discord has accepted the message. Only the acknowledgement is missing then. */
  messageId: z.string().nullable(),
  /** Decided once, so that a repeated attempt sends the same message. */
  noise: noiseSchema,
  cooldownUpdate: cooldownUpdateSchema,
});
/** Fills that are being added to a message. */
const messageEditSchema = z.object({
  messageId: z.string(),
  alerts: z.array(z.object({ wallet: walletSchema, id: z.string() })).min(1),
  /** True once Discord has accepted it. Only the acknowledgement is missing then. */
  isDone: z.boolean(),
});
const blockSchema = z.object({
  reason: z.string(),
  cause: z.enum(BLOCK_CAUSES),
  /** True if the channel no longer exists. */
  isGone: z.boolean(),
  sinceMs: z.number(),
});
const channelQueueSchema = z.object({
  message: outgoingMessageSchema.nullable(),
  block: blockSchema.nullable(),
  /** Decided groups that did not fit in a message. They are sent next, whatever has changed. */
  carriedOver: z.array(storedGroupSchema),
  cooldowns: cooldownsSchema,
  /** Recent purchases that may still grow, oldest first. */
  announced: z.array(announcedPurchaseSchema),
  /** Messages in which these purchases may grow, oldest first. */
  growing: z.array(growingMessageSchema),
  /**
   * An edit that has been decided. Its additions are fixed before the first attempt, including
   * across a restart.
   */
  edit: messageEditSchema.nullable(),
});

/** A group in its stored form. The alerts themselves are in the outbox. */
export type StoredAlertGroup = z.infer<typeof storedGroupSchema>;
/**
 * The message being sent to a channel. Its content is fixed before the first attempt, including
 * across a restart.
 */
export type OutgoingMessage = z.infer<typeof outgoingMessageSchema>;
export type MessageEdit = z.infer<typeof messageEditSchema>;
/** Reason why Discord currently rejects messages to a channel. */
export type Block = z.infer<typeof blockSchema>;
export type ChannelQueue = z.infer<typeof channelQueueSchema>;

export const EMPTY_CHANNEL_QUEUE: ChannelQueue = {
  message: null,
  block: null,
  carriedOver: [],
  cooldowns: NO_COOLDOWNS,
  announced: [],
  growing: [],
  edit: null,
};

const deadLetterSchema = z.object({
  alert: storedAlertSchema
    .omit({ channels: true, delayed: true })
    .extend({ wallet: walletSchema, channelId: z.string() }),
  reason: z.string(),
  atMs: z.number(),
});

/** An alert that Discord will never accept, with the reason. */
export type DeadLetter = z.infer<typeof deadLetterSchema>;

export const channelQueueKind = defineCollection({
  prefix: 'queue:',
  schema: channelQueueSchema,
  placeOf: (_, channelId) => ({ channelId }),
});
/** Messages that will never be sent, by alert: `CHANNEL:WALLET:ALERT`. */
export const deadLetterKind = defineCollection({
  prefix: 'dead:',
  schema: deadLetterSchema,
  placeOf: ({ alert: { channelId } }) => ({ channelId }),
  expiresAtMs: ({ atMs }) => atMs + DEAD_LIFE_MS,
});

export type ChannelQueueStore = ReturnType<typeof createChannelQueueStore>;

/**
 * Manages the channels' queues and dead letters. A finished message or edit is recorded with the
 * queue's next change. If a start finds it unrecorded, it only records it.
 */
export function createChannelQueueStore(
  { monotonicMs }: Machine,
  queues: Collection<ChannelQueue>,
  dead: Collection<DeadLetter>,
) {
  /** Monotonic time at which a message or edit that is still stored was finished. */
  const doneAtMs = new WeakMap<OutgoingMessage | MessageEdit, number>();
  const unlessDone = <Part extends OutgoingMessage | MessageEdit>(part: Part | null) =>
    part === null || doneAtMs.has(part) ? null : part;

  const get = (channelId: string): ChannelQueue => {
    const queue = queues.get(channelId) ?? EMPTY_CHANNEL_QUEUE;
    return { ...queue, message: unlessDone(queue.message), edit: unlessDone(queue.edit) };
  };

  /**
   * Changes parts of a queue. Deletes an empty queue: one with no message in progress, no block,
   * and nothing to remember.
   */
  const update = (channelId: string, changes: Partial<ChannelQueue>): Promise<void> =>
    queues.change(channelId, () => {
      const queue = { ...get(channelId), ...changes };
      return isDeepStrictEqual(queue, EMPTY_CHANNEL_QUEUE) ? undefined : queue;
    });

  /**
   * Returns the monotonic time since which a finished message or edit is still stored, or Infinity
   * if there is none.
   */
  const unstoredSinceMs = (channelId: string): number => {
    const { message, edit } = queues.get(channelId) ?? EMPTY_CHANNEL_QUEUE;
    const times = [message, edit].map((part) => part && doneAtMs.get(part));
    return Math.min(...times.map((atMs) => atMs ?? Number.POSITIVE_INFINITY));
  };

  const idOf = ({ alert: { channelId, wallet, id } }: Pick<DeadLetter, 'alert'>) =>
    `${channelId}:${wallet}:${id}`;
  return {
    get,
    update,
    /** Marks the message or edit as finished, which is stored with the next change. */
    finish(channelId: string, part: 'message' | 'edit'): void {
      const stored = queues.get(channelId)?.[part] ?? null;
      if (stored !== null) doneAtMs.set(stored, monotonicMs());
    },
    /**
     * Stores finished parts after a minute without another change.
     * @returns ms until then, or Infinity if everything is stored
     */
    async storeFinished(channelId: string): Promise<number> {
      const leftMs = unstoredSinceMs(channelId) + FINISHED_STORED_MS - monotonicMs();
      if (leftMs > 0) return leftMs;
      await update(channelId, {});
      return Number.POSITIVE_INFINITY;
    },
    /** Stores all finished parts. */
    async storeDone(): Promise<void> {
      const unstored = queues.ids().filter((id) => unstoredSinceMs(id) < Number.POSITIVE_INFINITY);
      await Promise.all(unstored.map((channelId) => update(channelId, {})));
    },
    async delete(channelId: string): Promise<void> {
      await queues.delete(channelId);
      await dead.forget({ channelId });
    },
    /** Adds a dead letter. After a crash, the same letter may be added again. */
    async addDeadLetter(letter: DeadLetter): Promise<void> {
      await dead.set(idOf(letter), letter);
      const letters = dead.ofChannel(letter.alert.channelId);
      for (const old of letters.slice(0, -DEAD_LIMIT)) await dead.delete(idOf(old));
      await dead.prune();
    },
    /** Returns the messages that a channel will never get, oldest first. */
    deadLetters: dead.ofChannel,
    channels: queues.ids,
  };
}

/** Returns the keys of all alerts in a queue that may be part of a message being sent. */
export function keysInQueue({ message, carriedOver, edit }: ChannelQueue): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { wallet, ids } of [...(message?.groups ?? []), ...carriedOver]) {
    for (const id of ids) keys.add(alertKey({ wallet, id }));
  }
  for (const alert of edit?.alerts ?? []) keys.add(alertKey(alert));
  return keys;
}

export function storedGroups(groups: readonly AlertGroup[]): StoredAlertGroup[] {
  return groups.map(({ alerts, ...rest }) => ({
    ...rest,
    wallet: alerts[0].wallet,
    ids: alerts.map(({ id }) => id),
  }));
}

/** Returns the groups with only the alerts that are still waiting. */
export function findGroups(
  stored: readonly StoredAlertGroup[],
  waiting: readonly Alert[],
): AlertGroup[] {
  const byKey = new Map(waiting.map((alert) => [alertKey(alert), alert]));
  const groups: AlertGroup[] = [];
  for (const { kind, wallet, ids, ...rest } of stored) {
    const [first, ...others] = ids.flatMap((id) => byKey.get(alertKey({ wallet, id })) ?? []);
    if (first !== undefined) groups.push({ kind, alerts: [first, ...others], ...rest });
  }
  return groups;
}
