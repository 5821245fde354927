import { z } from 'zod';
import { createKeyedSerial } from '../alert/serial.ts';
import type { Store } from '../store/store.ts';
import { snowflake } from '../watch/watch.ts';
import { scheduleSchema } from './schedule.ts';

export const DIGEST_PREFIX = 'digest:';

const digestSchema = z.object({
  version: z.literal(1),
  guildId: snowflake,
  channelId: snowflake,
  schedule: scheduleSchema,
  /** Epoch milliseconds: what was due before is settled, sent or not. */
  settledMs: z.number(),
  /** The digest that is on its way: fixed before the first attempt, also over a restart. */
  underWay: z
    .object({
      dueMs: z.number(),
      /** Of the first attempt. */
      startedAtMs: z.number(),
      /** Digests before it that were due and never came. */
      missed: z.number(),
      /** Whether no bot ran when it was due. */
      wasAway: z.boolean(),
    })
    .nullable(),
});

/** The summary of a channel, as it is stored. */
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

export function createDigestDocuments(store: Pick<Store, 'set' | 'delete'>): DigestDocuments {
  const byChannel = new Map<string, Digest>();
  const serial = createKeyedSerial();
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
      serial.run(channelId, async () => {
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
