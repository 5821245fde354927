import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import type { Store } from '../store/store.ts';
import { ownerIdSchema, snowflake } from '../watches/owner.ts';
import { type Schedule, scheduleSchema } from './schedule.ts';

export const DIGEST_PREFIX = 'digest:';

/** The summary of a channel, as it is stored. */
export const digestSchema = z.object({
  version: z.literal(1),
  ownerId: ownerIdSchema,
  channelId: snowflake,
  schedule: scheduleSchema,
  /** When it was switched off, epoch milliseconds: nothing is due. */
  offSinceMs: z.number().nullable(),
  /** Epoch milliseconds: what was due before is settled, sent or not. */
  doneUntilMs: z.number(),
  /** Epoch milliseconds: what was before has been reported, or happened while it was off. Null: none has come. */
  coveredMs: z.number().nullable(),
  /** The digest that is on its way: fixed before the first attempt, also over a restart. */
  underWay: z
    .object({
      dueMs: z.number(),
      /** Where its time begins. */
      fromMs: z.number(),
      /** Of the first attempt: where its time ends. */
      startedAtMs: z.number(),
    })
    .nullable(),
});

export type Digest = z.infer<typeof digestSchema>;
export type UnderWay = NonNullable<Digest['underWay']>;

/** The digests of channels: in memory, each in the store as a document of its own. */
export interface DigestDocuments {
  /** Takes a document that was read at the start. False if it is not a digest. */
  load(key: string, document: unknown): boolean;
  get(channelId: string): Digest | undefined;
  all(): readonly Digest[];
  /** Stores what becomes of a channel's digest, from what it is at that moment; undefined: it is forgotten. */
  change(channelId: string, change: (before: Digest | undefined) => Digest | undefined): Promise<void>;
}

/**
 * A channel's digest by another schedule, or by its first. What is due from now on is due by it; the time that has been
 * reported stays reported, and one on its way stays known, for it may have come. What happened before it is switched on again
 * is not told.
 */
export function withSchedule(
  before: Digest | undefined,
  { ownerId, channelId }: Pick<Digest, 'ownerId' | 'channelId'>,
  schedule: Schedule,
  nowMs: number,
): Digest {
  const offSinceMs = before?.offSinceMs ?? null;
  if (before !== undefined && offSinceMs === null && isDeepStrictEqual(before.schedule, schedule)) return before;
  const coveredMs = offSinceMs === null ? (before?.coveredMs ?? null) : nowMs;
  const underWay = before?.underWay ?? null;
  return { version: 1, ownerId, channelId, schedule, offSinceMs: null, doneUntilMs: nowMs, coveredMs, underWay };
}

export function createDigestDocuments(store: Pick<Store, 'set' | 'delete'>): DigestDocuments {
  const byChannel = new Map<string, Digest>();
  const mutex = createKeyedMutex();
  return {
    load(key, document) {
      const parsed = digestSchema.safeParse(document);
      if (!parsed.success || DIGEST_PREFIX + parsed.data.channelId !== key) return false;
      byChannel.set(parsed.data.channelId, parsed.data);
      return true;
    },
    get: (channelId) => byChannel.get(channelId),
    all: () => [...byChannel.values()],
    change: (channelId, change) =>
      mutex.run(channelId, async () => {
        const before = byChannel.get(channelId);
        const after = change(before);
        if (after === before) return;
        if (after === undefined) {
          await store.delete(DIGEST_PREFIX + channelId);
          byChannel.delete(channelId);
        } else {
          await store.set(DIGEST_PREFIX + channelId, after);
          byChannel.set(channelId, after);
        }
      }),
  };
}
