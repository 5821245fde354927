import * as z from 'zod';
import { type Collection, defineCollection } from '../store/collection.ts';
import { type Outage, outageSchema } from './outage.ts';

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
/** The venue's latest outage alone. */
export const outageKind = defineCollection({ prefix: 'outage', schema: outageSchema, placeOf: () => ({}) });

/** The latest outage and what each channel has been sent of it. */
export function createNoticeDocuments(outages: Collection<Outage>, notices: Collection<Notice>) {
  return {
    ...notices,
    /** Null if the latest is long over. */
    outage: () => outages.get('') ?? null,
    setOutage: (outage: Outage | null) => outages.change('', () => outage ?? undefined),
    /** Channels that have been sent something. */
    channels: notices.ids,
  };
}
export type NoticeDocuments = ReturnType<typeof createNoticeDocuments>;
