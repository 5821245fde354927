import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Alert, AlertGroup } from '../alerts/alert.ts';
import { storedAlertSchema } from '../alerts/wallet-document.ts';
import { walletSchema } from '../domain/address.ts';
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
  gone: z.boolean(),
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
    .omit({ channels: true })
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

/** The queues of the channels, and what they will never get. */
export function createChannelQueueStore(
  queues: Collection<ChannelQueue>,
  dead: Collection<DeadLetter>,
) {
  const idOf = ({ alert: { channelId, wallet, id } }: Pick<DeadLetter, 'alert'>) =>
    `${channelId}:${wallet}:${id}`;
  return {
    get: (channelId: string) => queues.get(channelId) ?? EMPTY_CHANNEL_QUEUE,
    /**
     * Changes parts. An empty queue is deleted: nothing on its way, no block, and nothing to
     * remember.
     */
    update: (channelId: string, changes: Partial<ChannelQueue>) =>
      queues.change(channelId, (before = EMPTY_CHANNEL_QUEUE) => {
        const queue = { ...before, ...changes };
        return isDeepStrictEqual(queue, EMPTY_CHANNEL_QUEUE) ? undefined : queue;
      }),
    async delete(channelId: string): Promise<void> {
      await queues.delete(channelId);
      await dead.forget({ channelId });
    },
    /** A crash may have it buried a second time. */
    async addDeadLetter(letter: DeadLetter): Promise<void> {
      await dead.set(idOf(letter), letter);
      for (const old of dead.ofChannel(letter.alert.channelId).slice(0, -DEAD_LIMIT))
        await dead.delete(idOf(old));
      await dead.prune();
    },
    /** Messages that a channel will never get, oldest first. */
    deadLetters: dead.ofChannel,
    channels: queues.ids,
  };
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
  const byKey = new Map(waiting.map((alert) => [`${alert.wallet}:${alert.id}`, alert]));
  return stored.flatMap(({ kind, wallet, ids, ...rest }): AlertGroup[] => {
    const [first, ...others] = ids.flatMap((id) => byKey.get(`${wallet}:${id}`) ?? []);
    return first === undefined ? [] : [{ kind, alerts: [first, ...others], ...rest }];
  });
}
