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

/** Long enough for somebody to look; then it goes. */
const DEAD_LIFE_MS = 30 * 86_400_000;
/**
 * Newest letters that are kept of a channel: one whose rules reject everything must not fill the
 * store.
 */
const DEAD_LIMIT = 100;
/** Time until it is stored that nothing is on its way, if nothing else of the queue changes. */
const REST_MS = 60_000;

const storedGroupSchema = groupSchema.extend({ ids: z.array(z.string()).min(1) });
const outgoingMessageSchema = z.object({
  nonce: z.string(),
  groups: z.array(storedGroupSchema),
  /** Epoch milliseconds of the first attempt. */
  startedAtMs: z.number(),
  /** Set once Discord has the message: from then on only the acknowledgement is missing. */
  messageId: z.string().nullable(),
  /** Decided once, so that a repeat is the same message. */
  noise: noiseSchema,
  cooldownUpdate: cooldownUpdateSchema,
});
/** Fills that are being added to a message. */
const messageEditSchema = z.object({
  messageId: z.string(),
  alerts: z.array(z.object({ wallet: walletSchema, id: z.string() })).min(1),
  /** Discord has taken it: from then on only the acknowledgement is missing. */
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
  /**
   * Groups that were decided on and found no room in a message: it goes next, whatever has changed.
   */
  carriedOver: z.array(storedGroupSchema),
  cooldowns: cooldownsSchema,
  /** Purchases of the last minutes, of which there may be more, oldest first. */
  announced: z.array(announcedPurchaseSchema),
  /** The messages that they may grow in, oldest first. */
  growing: z.array(growingMessageSchema),
  /**
   * An edit that has been decided: what it adds is fixed before the first attempt, also over a
   * restart.
   */
  edit: messageEditSchema.nullable(),
});

/** A group as it is stored: the alerts themselves are in the outbox. */
export type StoredAlertGroup = z.infer<typeof storedGroupSchema>;
/**
 * The message on its way to a channel: what it holds is fixed before the first attempt, also over a
 * restart.
 */
export type OutgoingMessage = z.infer<typeof outgoingMessageSchema>;
export type MessageEdit = z.infer<typeof messageEditSchema>;
/** Why a channel gets nothing at present, by Discord's own refusal. */
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

/** An alert that Discord will never take, and why. */
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
 * The queues of the channels, and what they will never get. That a message or an edit is done is
 * stored with the queue's next change: a start that finds it done does nothing about it but this.
 */
export function createChannelQueueStore(
  { monotonicMs }: Machine,
  queues: Collection<ChannelQueue>,
  dead: Collection<DeadLetter>,
) {
  /** Time by the monotonic clock at which a message or an edit that is still stored was done. */
  const doneAtMs = new WeakMap<OutgoingMessage | MessageEdit, number>();
  const unlessDone = <Part extends OutgoingMessage | MessageEdit>(part: Part | null) =>
    part === null || doneAtMs.has(part) ? null : part;

  const get = (channelId: string): ChannelQueue => {
    const queue = queues.get(channelId) ?? EMPTY_CHANNEL_QUEUE;
    return { ...queue, message: unlessDone(queue.message), edit: unlessDone(queue.edit) };
  };

  /**
   * Changes parts. An empty queue is deleted: nothing on its way, no block, and nothing to
   * remember.
   */
  const update = (channelId: string, changes: Partial<ChannelQueue>): Promise<void> =>
    queues.change(channelId, () => {
      const queue = { ...get(channelId), ...changes };
      return isDeepStrictEqual(queue, EMPTY_CHANNEL_QUEUE) ? undefined : queue;
    });

  /** Time since which something is done and still stored, by the monotonic clock; else Infinity. */
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
    /** Nothing is left to do about the message, or the edit: stored with the next change. */
    finish(channelId: string, part: 'message' | 'edit'): void {
      const stored = queues.get(channelId)?.[part] ?? null;
      if (stored !== null) doneAtMs.set(stored, monotonicMs());
    },
    /**
     * Stores what is done, after a minute without another change.
     *
     * @returns ms until then; Infinity if all of it is stored
     */
    async storeRested(channelId: string): Promise<number> {
      const leftMs = unstoredSinceMs(channelId) + REST_MS - monotonicMs();
      if (leftMs > 0) return leftMs;
      await update(channelId, {});
      return Number.POSITIVE_INFINITY;
    },
    /** Stores all that is done. */
    async storeDone(): Promise<void> {
      const unstored = queues.ids().filter((id) => unstoredSinceMs(id) < Number.POSITIVE_INFINITY);
      await Promise.all(unstored.map((channelId) => update(channelId, {})));
    },
    async delete(channelId: string): Promise<void> {
      await queues.delete(channelId);
      await dead.forget({ channelId });
    },
    /** A crash may have it buried a second time. */
    async addDeadLetter(letter: DeadLetter): Promise<void> {
      await dead.set(idOf(letter), letter);
      const letters = dead.ofChannel(letter.alert.channelId);
      for (const old of letters.slice(0, -DEAD_LIMIT)) await dead.delete(idOf(old));
      await dead.prune();
    },
    /** Messages that a channel will never get, oldest first. */
    deadLetters: dead.ofChannel,
    channels: queues.ids,
  };
}

/** Keys of the alerts that a queue speaks of, of which a message may be on its way. */
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

/** The groups with those of their alerts that still wait. */
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
