import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Alert } from '../alerts/alert.ts';
import { type Unit, walletOf } from '../alerts/alert-group.ts';
import { eventSchema } from '../alerts/outbox.ts';
import type { Loaded, Store } from '../store/store.ts';
import { walletSchema } from '../watches/watch.ts';
import { EMPTY_MEMORY, memorySchema, NO_TRACES, tracesSchema } from './cooldowns.ts';

export const LANE_PREFIX = 'lane:';
export const DEAD_PREFIX = 'dead:';
/** Long enough for somebody to look; then it goes. */
const DEAD_LIFE_MS = 30 * 86_400_000;
/** Newest letters that are kept of a channel: one whose rules reject everything must not fill the store. */
const DEAD_LIMIT = 100;

const unitSchema = z.object({
  kind: z.enum(['alert', 'late']),
  wallet: walletSchema,
  ids: z.array(z.string()).min(1),
});
const batchSchema = z.object({
  nonce: z.string(),
  units: z.array(unitSchema),
  /** Epoch milliseconds of the first attempt. */
  startedAtMs: z.number(),
  /** Set once Discord has the message: from then on only the acknowledgement is missing. */
  messageId: z.string().nullable(),
  /** Decided once, so that a repeat is the same message. */
  attention: z.object({ roleIds: z.array(z.string()), isSilent: z.boolean() }),
  traces: tracesSchema,
});
/** As it was stored before alerts were put together. */
const plainBatchSchema = batchSchema
  .pick({ nonce: true, startedAtMs: true, messageId: true })
  .extend({ alerts: z.array(z.object({ wallet: walletSchema, id: z.string() })) })
  .transform(
    ({ alerts, ...batch }): z.infer<typeof batchSchema> => ({
      ...batch,
      units: alerts.map(({ wallet, id }) => ({ kind: 'alert', wallet, ids: [id] })),
      attention: { roleIds: [], isSilent: false },
      traces: NO_TRACES,
    }),
  );
const blockSchema = z.object({ reason: z.string(), gone: z.boolean(), sinceMs: z.number() });
const laneSchema = z.object({
  version: z.literal(1),
  batch: z.union([batchSchema, plainBatchSchema]).nullable(),
  block: blockSchema.nullable(),
  /** What has been decided to be told and was cut off from a message: it goes next, whatever has changed. */
  owed: z.array(unitSchema).default([]),
  memory: memorySchema.default(EMPTY_MEMORY),
});

/** A unit as it is stored: the alerts themselves are in the outbox. */
export type StoredUnit = z.infer<typeof unitSchema>;
/** The message that is on its way to a channel: what it holds is fixed before the first attempt, also over a restart. */
export type Batch = z.infer<typeof batchSchema>;
/** Why a channel gets nothing at present. */
export type Block = z.infer<typeof blockSchema>;
/** What is stored of a channel. */
export type LaneDocument = z.infer<typeof laneSchema>;

export const EMPTY_LANE: LaneDocument = { version: 1, batch: null, block: null, owed: [], memory: EMPTY_MEMORY };

const deadLetterSchema = z.object({
  version: z.literal(1),
  alert: z.object({
    id: z.string(),
    wallet: walletSchema,
    channelId: z.string(),
    event: eventSchema,
    seenAtMs: z.number(),
  }),
  reason: z.string(),
  atMs: z.number(),
});

/** An alert that Discord will never take, and why. */
export type DeadLetter = Omit<z.infer<typeof deadLetterSchema>, 'version'>;

/** The documents of the channels. */
export interface LaneStore {
  /** False if the document is not a lane's. */
  load(key: string, document: unknown): boolean;
  /** Takes a dead letter that was read at the start. */
  loadDead(document: unknown): Loaded;
  get(channelId: string): LaneDocument;
  /** Nothing is kept of a channel to which nothing is on its way, that can be written and has no cooldown to remember. */
  set(channelId: string, document: LaneDocument): Promise<void>;
  delete(channelId: string): Promise<void>;
  bury(letter: DeadLetter): Promise<void>;
  /** What a channel will never get, oldest first. */
  deadLetters(channelId: string): readonly DeadLetter[];
  channels(): readonly string[];
}

export function createLaneStore(store: Pick<Store, 'set' | 'delete'>, nowMs: () => number): LaneStore {
  const lanes = new Map<string, LaneDocument>();
  const dead = new Map<string, DeadLetter[]>();
  const remember = ({ alert, reason, atMs }: DeadLetter) => {
    // A crash may have it buried a second time.
    const others = (dead.get(alert.channelId) ?? []).filter((other) => deadKey(other) !== deadKey({ alert }));
    dead.set(alert.channelId, [...others, { alert, reason, atMs }]);
  };
  const isOutlived = ({ atMs }: Pick<DeadLetter, 'atMs'>) => nowMs() - atMs > DEAD_LIFE_MS;
  const prune = async () => {
    for (const [channelId, letters] of dead) {
      const outlived = letters.filter((letter, index) => index < letters.length - DEAD_LIMIT || isOutlived(letter));
      if (outlived.length === 0) continue;
      const kept = letters.filter((letter) => !outlived.includes(letter));
      if (kept.length > 0) dead.set(channelId, kept);
      else dead.delete(channelId);
      for (const letter of outlived) await store.delete(deadKey(letter));
    }
  };
  return {
    load(key, document) {
      const parsed = laneSchema.safeParse(document);
      if (parsed.success) lanes.set(key.slice(LANE_PREFIX.length), parsed.data);
      return parsed.success;
    },
    get: (channelId) => lanes.get(channelId) ?? EMPTY_LANE,
    async set(channelId, document) {
      if (isEmpty(document)) {
        await store.delete(LANE_PREFIX + channelId);
        lanes.delete(channelId);
      } else {
        await store.set(LANE_PREFIX + channelId, document);
        lanes.set(channelId, document);
      }
    },
    async delete(channelId) {
      await store.delete(LANE_PREFIX + channelId);
      lanes.delete(channelId);
      for (const letter of dead.get(channelId) ?? []) await store.delete(deadKey(letter));
      dead.delete(channelId);
    },
    loadDead(document) {
      const parsed = deadLetterSchema.safeParse(document);
      if (!parsed.success) return 'unreadable';
      if (isOutlived(parsed.data)) return 'outlived';
      remember(parsed.data);
      return 'kept';
    },
    async bury(letter) {
      await store.set(deadKey(letter), { version: 1, ...letter });
      remember(letter);
      await prune();
    },
    deadLetters: (channelId) => dead.get(channelId) ?? [],
    channels: () => [...lanes.keys()],
  };
}

function isEmpty({ batch, block, owed, memory }: LaneDocument): boolean {
  const isForgetful = Object.keys(memory.markets).length + Object.keys(memory.mentions).length === 0;
  return batch === null && block === null && owed.length === 0 && isForgetful;
}

function deadKey({ alert }: Pick<DeadLetter, 'alert'>): string {
  return `${DEAD_PREFIX}${alert.channelId}:${alert.wallet}:${alert.id}`;
}

export function storedUnits(units: readonly Unit[]): StoredUnit[] {
  return units.map((unit) => ({ kind: unit.kind, wallet: walletOf(unit), ids: unit.alerts.map(({ id }) => id) }));
}

/** The units with those of their alerts that still wait. */
export function findUnits(stored: readonly StoredUnit[], waiting: readonly Alert[]): Unit[] {
  const byKey = new Map(waiting.map((alert) => [`${alert.wallet}:${alert.id}`, alert]));
  return stored.flatMap(({ kind, wallet, ids }): Unit[] => {
    const [first, ...rest] = ids.flatMap((id) => byKey.get(`${wallet}:${id}`) ?? []);
    return first === undefined ? [] : [{ kind, alerts: [first, ...rest] }];
  });
}

/**
 * A nonce that the same alerts for the same channel always get: Discord answers a repeat with the message it has
 * already made. 22 characters of 25 that Discord takes.
 */
export function nonceOf(channelId: string, alerts: readonly Pick<Alert, 'wallet' | 'id'>[]): string {
  const content = JSON.stringify([channelId, ...alerts.map(({ wallet, id }) => `${wallet}:${id}`)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
