import * as z from 'zod';
import type { Store } from '../store/store.ts';
import { type Outage, outageSchema } from './outage.ts';

export const OUTAGE_KEY = 'outage';
export const NOTICE_PREFIX = 'notice:';

export const noticeSchema = z.object({
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

/** The latest outage and what each channel has been sent of it: in memory, and in the store a document each. */
export interface NoticeDocuments {
  /** Takes a document that was read at the start. False if it cannot be read. */
  load(key: string, document: unknown): boolean;
  /** Null if the latest is long over. */
  outage(): Outage | null;
  setOutage(outage: Outage | null): Promise<void>;
  get(channelId: string): Notice | undefined;
  set(channelId: string, notice: Notice): Promise<void>;
  delete(channelId: string): Promise<void>;
  /** Channels that have been sent something. */
  channels(): readonly string[];
}

export function createNoticeDocuments(store: Pick<Store, 'set' | 'delete'>): NoticeDocuments {
  let latest: Outage | null = null;
  const notices = new Map<string, Notice>();
  return {
    load(key, document) {
      if (key === OUTAGE_KEY) {
        const parsed = outageSchema.safeParse(document);
        if (parsed.success) latest = parsed.data;
        return parsed.success;
      }
      const parsed = noticeSchema.safeParse(document);
      if (parsed.success) notices.set(key.slice(NOTICE_PREFIX.length), parsed.data);
      return parsed.success;
    },
    outage: () => latest,
    async setOutage(outage) {
      if (outage === null) await store.delete(OUTAGE_KEY);
      else await store.set(OUTAGE_KEY, outage);
      latest = outage;
    },
    get: (channelId) => notices.get(channelId),
    async set(channelId, notice) {
      await store.set(NOTICE_PREFIX + channelId, notice);
      notices.set(channelId, notice);
    },
    async delete(channelId) {
      if (!notices.has(channelId)) return;
      await store.delete(NOTICE_PREFIX + channelId);
      notices.delete(channelId);
    },
    channels: () => [...notices.keys()],
  };
}
