import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { defineCollection, ownPlace } from '../store/collection.ts';
import { ownerIdSchema, snowflake } from '../watches/owner.ts';
import { type Schedule, scheduleSchema } from './schedule.ts';

const digestSchema = z.object({
  ownerId: ownerIdSchema,
  channelId: snowflake,
  schedule: scheduleSchema,
  /** Time at which it was switched off, in epoch ms; nothing is due then. Null: it is on. */
  offSinceMs: z.number().nullable(),
  /** Everything due before this time is done, sent or not. Epoch ms. */
  doneUntilMs: z.number(),
  /**
   * Everything before this time was reported, or happened while it was off. Epoch ms; null if no
   * digest has arrived.
   */
  coveredMs: z.number().nullable(),
  /** The digest being sent; fixed before the first attempt, and kept over a restart. */
  underWay: z
    .object({
      dueMs: z.number(),
      fromMs: z.number(),
      /** Time of the first attempt, in epoch ms. */
      startedAtMs: z.number(),
      /** End of the digest's period if the channel is delayed; default: the first attempt. */
      toMs: z.number().optional(),
    })
    .nullable(),
});

export type Digest = z.infer<typeof digestSchema>;
export type UnderWay = NonNullable<Digest['underWay']>;

export const digestKind = defineCollection({
  prefix: 'digest:',
  schema: digestSchema,
  belongs: ({ channelId }, id) => channelId === id,
  placeOf: ownPlace,
});

/**
 * Returns a channel's digest with a new schedule. It applies from now on. The reported time stays
 * reported, and a digest being sent stays known, because it may have arrived. Events before it is
 * switched on again are not reported.
 */
export function withSchedule(
  before: Digest | undefined,
  { ownerId, channelId }: Pick<Digest, 'ownerId' | 'channelId'>,
  schedule: Schedule,
  nowMs: number,
): Digest {
  const offSinceMs = before?.offSinceMs ?? null;
  if (before !== undefined && offSinceMs === null && isDeepStrictEqual(before.schedule, schedule)) {
    return before;
  }
  const coveredMs = offSinceMs === null ? (before?.coveredMs ?? null) : nowMs;
  const underWay = before?.underWay ?? null;
  return {
    ownerId,
    channelId,
    schedule,
    offSinceMs: null,
    doneUntilMs: nowMs,
    coveredMs,
    underWay,
  };
}
