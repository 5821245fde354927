import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { defineCollection } from '../store/collection.ts';
import { ownerIdSchema, snowflake } from '../watches/owner.ts';
import { type Schedule, scheduleSchema } from './schedule.ts';

const digestSchema = z.object({
  ownerId: ownerIdSchema,
  channelId: snowflake,
  schedule: scheduleSchema,
  /** Time at which it was switched off, epoch milliseconds: nothing is due. Null: it is on. */
  offSinceMs: z.number().nullable(),
  /** Epoch milliseconds: what was due before is settled, sent or not. */
  doneUntilMs: z.number(),
  /**
   * Epoch milliseconds: what was before has been reported, or happened while it was off. Null: none
   * has come.
   */
  coveredMs: z.number().nullable(),
  /** The digest that is on its way: fixed before the first attempt, also over a restart. */
  underWay: z
    .object({
      dueMs: z.number(),
      fromMs: z.number(),
      /** Time of the first attempt. */
      startedAtMs: z.number(),
      /**
       * End of the time that it tells of, of a channel that hears later; else the first attempt.
       */
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
  placeOf: ({ ownerId, channelId }) => ({ ownerId, channelId }),
});

/**
 * A channel's digest by another schedule, or by its first. What is due from now on is due by it;
 * the time that has been reported stays reported, and one on its way stays known, for it may have
 * come. What happened before it is switched on again is not told.
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
