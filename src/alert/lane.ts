import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { walletSchema } from '../watch/watch.ts';
import type { Alert } from './alert.ts';
import { eventSchema } from './outbox.ts';

export const LANE_PREFIX = 'lane:';
export const DEAD_PREFIX = 'dead:';
/** Long enough for somebody to look; then it goes. */
const DEAD_LIFE_MS = 30 * 86_400_000;
/** Newest letters that are kept of a channel: one whose rules reject everything must not fill the store. */
const DEAD_LIMIT = 100;

const batchSchema = z.object({
  nonce: z.string(),
  alerts: z.array(z.object({ wallet: walletSchema, id: z.string() })),
  /** Epoch milliseconds of the first attempt. */
  startedAtMs: z.number(),
  /** Set once Discord has the message: from then on only the acknowledgement is missing. */
  messageId: z.string().nullable(),
});
const blockSchema = z.object({ reason: z.string(), gone: z.boolean(), sinceMs: z.number() });
const laneSchema = z.object({ version: z.literal(1), batch: batchSchema.nullable(), block: blockSchema.nullable() });

/** The message that is on its way to a channel: what it holds is fixed before the first attempt, also over a restart. */
export type Batch = z.infer<typeof batchSchema>;
/** Why a channel gets nothing at present. */
export type Block = z.infer<typeof blockSchema>;
/** What is stored of a channel. */
export type LaneDocument = z.infer<typeof laneSchema>;

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
  /** Takes a dead letter that was read at the start. @returns `outlived` if nobody need keep it any longer */
  loadDead(document: unknown): 'kept' | 'outlived' | 'unreadable';
  get(channelId: string): LaneDocument;
  /** Nothing is kept of a channel that has neither a batch nor a block. */
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
    get: (channelId) => lanes.get(channelId) ?? { version: 1, batch: null, block: null },
    async set(channelId, document) {
      if (document.batch === null && document.block === null) {
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

function deadKey({ alert }: Pick<DeadLetter, 'alert'>): string {
  return `${DEAD_PREFIX}${alert.channelId}:${alert.wallet}:${alert.id}`;
}

/**
 * A nonce that the same alerts for the same channel always get: Discord answers a repeat with the message it has
 * already made. 22 characters of 25 that Discord takes.
 */
export function nonceOf(channelId: string, alerts: readonly Pick<Alert, 'wallet' | 'id'>[]): string {
  const content = JSON.stringify([channelId, ...alerts.map(({ wallet, id }) => `${wallet}:${id}`)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
