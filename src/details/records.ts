import * as z from 'zod';
import { walletSchema } from '../domain/address.ts';
import { roomRecordSchema } from '../portfolio/record/room-record.ts';
import { resultNewsSchema } from '../portfolio/results/alerted-positions.ts';
import { tradeContextSchema, tradeSizeSchema } from '../portfolio/trade-context.ts';
import { type Archive, defineArchive } from '../store/collection.ts';
import { ownerIdSchema, snowflake } from '../watches/owner.ts';

const LIFE_MS = 30 * 86_400_000;
/** Estimated bytes of all records, at most 60,000: beyond, the oldest of the owner with the most bytes go early. */
const KEPT_LIMIT_BYTES = 48_000_000;
const RECORD_BYTES = 800;
const IDENTITY_BYTES = 15;

const recordSchema = z.object({
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

/** By alert: `CHANNEL:WALLET:REFERENCE`. */
export const detailsKind = defineArchive({
  prefix: 'details:',
  schema: recordSchema,
  placeOf: ({ ownerId, channelId }) => ({ ownerId, channelId }),
  expiresAtMs: ({ createdAtMs }) => createdAtMs + LIFE_MS,
  bound: {
    limit: KEPT_LIMIT_BYTES,
    sizeOf: ({ identities }) => RECORD_BYTES + IDENTITY_BYTES * (identities?.length ?? 0),
  },
});

/** Names an alert, as its channel's people see it. */
export type AlertKey = Pick<DetailsRecord, 'ownerId' | 'channelId' | 'wallet' | 'reference'>;

/** What was known at each alert. */
export function createDetailsRecords(records: Archive<DetailsRecord>) {
  const idOf = ({ channelId, wallet, reference }: AlertKey) => `${channelId}:${wallet}:${reference}`;
  return {
    /** @returns undefined if there is none, it has expired, or it is another owner's */
    async get(alert: AlertKey): Promise<DetailsRecord | undefined> {
      const record = await records.get(idOf(alert));
      return record?.ownerId === alert.ownerId ? record : undefined;
    },
    /** Stores a record in the place of an earlier one of the same alert. */
    set: (record: DetailsRecord) => records.set(idOf(record), record),
  };
}
export type DetailsRecords = ReturnType<typeof createDetailsRecords>;
