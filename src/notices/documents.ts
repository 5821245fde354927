import * as z from 'zod';
import { defineCollection } from '../store/collection.ts';
import { outageSchema } from './outage.ts';

const noticeSchema = z.object({
  version: z.literal(1),
  /** When the outage began that it is about, epoch ms. */
  outageSinceMs: z.number(),
  /** Epoch milliseconds of the first attempt. */
  startedAtMs: z.number(),
  /** Null until Discord has it. */
  messageId: z.string().nullable(),
  /** What of the outage it shows, see `stateOf`; null if that is not known. */
  shown: z.string().nullable(),
  /** It has been deleted, or Discord will never take it: the channel gets nothing more of this outage. */
  isGone: z.boolean(),
});

/** What a channel has been sent of the latest outage. */
export type Notice = z.infer<typeof noticeSchema>;

/** By channel. */
export const noticeKind = defineCollection({
  prefix: 'notice:',
  schema: noticeSchema,
  placeOf: (_, channelId) => ({ channelId }),
});
/** The venue's latest outage alone, with an empty id; none if it is long over. */
export const outageKind = defineCollection({ prefix: 'outage', schema: outageSchema, placeOf: () => ({}) });
