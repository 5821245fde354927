import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { createFairLru } from '../lookups/fair-lru.ts';
import { resultNewsSchema } from '../portfolio/news.ts';
import { roomRecordSchema } from '../portfolio/record/room-record.ts';
import { tradeContextSchema, tradeSizeSchema } from '../portfolio/trade-context.ts';
import type { Loaded, Store } from '../store/store.ts';
import { ownerIdSchema, snowflake } from '../watches/owner.ts';

export const DETAILS_PREFIX = 'details:';
const LIFE_MS = 30 * 86_400_000;
/** Estimated bytes of all records, at most 60,000: beyond, the oldest of the owner with the most bytes go early. */
const KEPT_LIMIT_BYTES = 48_000_000;
const RECORD_BYTES = 800;
const IDENTITY_BYTES = 15;
/** How often what has expired is looked for. */
const PRUNE_MS = 3_600_000;

export const recordSchema = z.object({
  version: z.literal(1),
  ownerId: ownerIdSchema,
  channelId: snowflake,
  wallet: walletSchema,
  /** Of the alert; of several fills that of the first. */
  reference: z.string(),
  /** Epoch ms: when the alert was about to be sent. */
  createdAtMs: z.number(),
  /** Epoch ms by the venue's clock: when the bot saw the first of its records. */
  seenAtMs: z.number(),
  target: z.object({
    marketId: z.string(),
    action: z.string(),
    outcomeIndex: z.number(),
    fromSeconds: z.number(),
    toSeconds: z.number(),
  }),
  /** From `activityIdentity`, one a record of the alert; null of more than 1,000. */
  identities: z.array(z.string()).nullable(),
  /** Of all its records together; null where it was not known exactly, or not by this owner. */
  position: tradeContextSchema.nullable(),
  /** Of its largest trade; null where too few trades before it were known, or are not to be known by this owner. */
  size: tradeSizeSchema.nullable(),
  /** What came of the positions that it closed. */
  results: z.array(resultNewsSchema),
  /** The wallet's record for this channel; null if nothing was known. */
  record: roomRecordSchema.nullable(),
});

/** What was known when an alert was sent, beside what the venue lists. */
export type DetailsRecord = z.infer<typeof recordSchema>;

/** Names an alert, as its channel's people see it. */
export interface AlertKey {
  readonly ownerId: string;
  readonly channelId: string;
  readonly wallet: WalletAddress;
  readonly reference: string;
}

/** What was known at each alert, for 30 days: a document an alert, `details:CHANNEL:WALLET:REFERENCE`. Nothing of it is in memory but its size. */
export interface DetailsRecords {
  /** @returns undefined if there is none, it has expired, or it is another owner's */
  get(alert: AlertKey): Promise<DetailsRecord | undefined>;
  /** Stores a record in the place of an earlier one of the same alert. */
  set(record: DetailsRecord): Promise<void>;
  /** Deletes the records of a channel that is gone, or of all channels of an owner. */
  forget(where: { readonly channelId: string } | { readonly ownerId: string }): Promise<void>;
  /** Takes a document that was read at the start. */
  load(key: string, document: unknown): Loaded;
}

/** @param nowMs this machine's clock, epoch ms */
export function createDetailsRecords(
  store: Pick<Store, 'get' | 'set' | 'delete'>,
  nowMs: () => number,
): DetailsRecords {
  const kept = new Map<string, Pick<DetailsRecord, 'ownerId' | 'channelId' | 'createdAtMs'>>();
  const lru = createFairLru(KEPT_LIMIT_BYTES);
  const leaving = new Set<string>();
  let prunedAtMs = nowMs();

  const isExpired = ({ createdAtMs }: Pick<DetailsRecord, 'createdAtMs'>) => nowMs() - createdAtMs >= LIFE_MS;

  const keep = (key: string, { ownerId, channelId, createdAtMs, identities }: DetailsRecord) => {
    kept.set(key, { ownerId, channelId, createdAtMs });
    leaving.delete(key);
    const bytes = RECORD_BYTES + IDENTITY_BYTES * (identities?.length ?? 0);
    for (const gone of lru.put(ownerId, key, bytes)) leaving.add(gone);
  };

  const markExpired = () => {
    if (Math.abs(nowMs() - prunedAtMs) < PRUNE_MS) return;
    prunedAtMs = nowMs();
    for (const [key, record] of kept) if (isExpired(record)) leaving.add(key);
  };

  /** Deletes what is to go. What the store does not let go of stays marked, and is tried again with the next. */
  const deleteLeaving = async () => {
    for (const key of [...leaving]) {
      // It may have been set again meanwhile.
      if (!leaving.has(key)) continue;
      await store.delete(key);
      leaving.delete(key);
      kept.delete(key);
      lru.drop(key);
    }
  };

  return {
    async get(alert) {
      const parsed = recordSchema.safeParse(await store.get(keyOf(alert)));
      if (!parsed.success || isExpired(parsed.data)) return undefined;
      return parsed.data.ownerId === alert.ownerId ? parsed.data : undefined;
    },
    async set(record) {
      const key = keyOf(record);
      await store.set(key, record);
      keep(key, record);
      markExpired();
      await deleteLeaving();
    },
    async forget(where) {
      const isMeant = (record: Pick<DetailsRecord, 'ownerId' | 'channelId'>) =>
        'channelId' in where ? record.channelId === where.channelId : record.ownerId === where.ownerId;
      for (const [key, record] of kept) if (isMeant(record)) leaving.add(key);
      await deleteLeaving();
    },
    load(key, document) {
      const parsed = recordSchema.safeParse(document);
      if (!parsed.success) return 'unreadable';
      if (isExpired(parsed.data)) return 'expired';
      keep(key, parsed.data);
      return 'kept';
    },
  };
}

function keyOf({ channelId, wallet, reference }: Omit<AlertKey, 'ownerId'>): string {
  return `${DETAILS_PREFIX}${channelId}:${wallet}:${reference}`;
}
