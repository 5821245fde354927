import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { walletSchema } from '../watch/watch.ts';
import type { Alert } from './alert.ts';

export const LANE_PREFIX = 'lane:';
const DEAD_PREFIX = 'dead:';

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

/** An alert that Discord will never take, and why. */
export interface DeadLetter {
  readonly alert: Alert;
  readonly reason: string;
  readonly atMs: number;
}

/** The documents of the channels. */
export interface LaneStore {
  /** False if the document is not a lane's. */
  load(key: string, document: unknown): boolean;
  get(channelId: string): LaneDocument;
  set(channelId: string, document: LaneDocument): Promise<void>;
  delete(channelId: string): Promise<void>;
  bury(letter: DeadLetter): Promise<void>;
  channels(): readonly string[];
}

export function createLaneStore(store: Pick<Store, 'set' | 'delete'>): LaneStore {
  const lanes = new Map<string, LaneDocument>();
  return {
    load(key, document) {
      const parsed = laneSchema.safeParse(document);
      if (parsed.success) lanes.set(key.slice(LANE_PREFIX.length), parsed.data);
      return parsed.success;
    },
    get: (channelId) => lanes.get(channelId) ?? { version: 1, batch: null, block: null },
    async set(channelId, document) {
      await store.set(LANE_PREFIX + channelId, document);
      lanes.set(channelId, document);
    },
    async delete(channelId) {
      await store.delete(LANE_PREFIX + channelId);
      lanes.delete(channelId);
    },
    bury: ({ alert, reason, atMs }) =>
      store.set(`${DEAD_PREFIX}${alert.channelId}:${alert.wallet}:${alert.id}`, { version: 1, alert, reason, atMs }),
    channels: () => [...lanes.keys()],
  };
}

/**
 * A nonce that the same alerts for the same channel always get: Discord answers a repeat with the message it has
 * already made. 22 characters of 25 that Discord takes.
 */
export function nonceOf(channelId: string, alerts: readonly Pick<Alert, 'wallet' | 'id'>[]): string {
  const content = JSON.stringify([channelId, ...alerts.map(({ wallet, id }) => `${wallet}:${id}`)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
