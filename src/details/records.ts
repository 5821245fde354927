import * as z from 'zod';
import type { AlertGroup } from '../alerts/alert.ts';
import { fillEvents, fillsOf } from '../alerts/kinds/activity.ts';
import { resultsOf } from '../alerts/kinds/result.ts';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import {
  type ActivityItem,
  activityIdentity,
  activityKey,
  activityVersion,
} from '../domain/records.ts';
import type { Machine } from '../lib/machine.ts';
import { DAY_MS } from '../lib/time.ts';
import { type ChannelRecord, channelRecordSchema } from '../portfolio/record/channel-record.ts';
import { resultNewsSchema } from '../portfolio/results/alerted-positions.ts';
import { tradeContextSchema, tradeSizeSchema } from '../portfolio/trade-context.ts';
import { combineContexts, largestSize } from '../portfolio/trades/combined.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import { type Archive, defineArchive, ownPlace } from '../store/collection.ts';
import { ownerIdSchema, snowflake } from '../watches/owner.ts';
import type { Registry } from '../watches/registry.ts';
import type { Watch } from '../watches/watch.ts';
import { fillsTargetSchema, groupsWithDetails, isInTarget, targetOf } from './target.ts';

const LIFE_MS = 30 * DAY_MS;
/**
 * Maximum estimated size of all records in bytes, at most 60,000 records; above it, the oldest
 * records of the owner with the most bytes are deleted early.
 */
const KEPT_LIMIT_BYTES = 48_000_000;
const RECORD_BYTES = 800;
const IDENTITY_BYTES = 26;
/** Maximum records of an alert that are stored individually. */
const IDENTITIES_LIMIT = 1_000;
/** Maximum newest records of a wallet and channel that are searched for a trade. */
const SEARCHED_LIMIT = 500;

const recordSchema = z.object({
  ownerId: ownerIdSchema,
  channelId: snowflake,
  wallet: walletSchema,
  /** The alert's id; for several fills, that of the first. */
  reference: z.string(),
  /** Time at which the alert was about to be sent, in epoch ms. */
  createdAtMs: z.number(),
  /** The message that shows it; omitted by releases before format 10. */
  messageId: snowflake.optional(),
  /** Time at which the bot detected its first record, in epoch ms of the venue's clock. */
  seenAtMs: z.number(),
  target: fillsTargetSchema,
  /**
   * From `activityIdentity`, one per record of the alert; null if there are more than 1,000. Up to
   * format 10 from `activityVersion`.
   */
  identities: z.array(z.string()).nullable(),
  /** From `activityKey`, in the same order; omitted up to format 10. */
  keys: z.array(z.string()).optional(),
  /**
   * Context of all its records together; null if not known exactly, or not visible to this owner.
   */
  position: tradeContextSchema.nullable(),
  /**
   * Size of its largest trade; null if too few earlier trades were known, or if they are not
   * visible to this owner.
   */
  size: tradeSizeSchema.nullable(),
  /** Results of the positions that it closed. */
  results: z.array(resultNewsSchema),
  /** The wallet's track record for this channel; null if nothing was known. */
  record: channelRecordSchema.nullable(),
});

/**
 * Knowledge at the time when an alert was sent, in addition to the records that the venue lists.
 */
export type DetailsRecord = z.infer<typeof recordSchema>;

/** Key by alert: `CHANNEL:WALLET:REFERENCE`. */
export const detailsKind = defineArchive({
  prefix: 'details:',
  schema: recordSchema,
  placeOf: ownPlace,
  expiresAtMs: ({ createdAtMs }) => createdAtMs + LIFE_MS,
  bound: {
    limit: KEPT_LIMIT_BYTES,
    sizeOf: ({ identities }) => RECORD_BYTES + IDENTITY_BYTES * (identities?.length ?? 0),
  },
});

/** Creates access to the records of alerts, identified by owner, channel, wallet and reference. */
export function createDetailsRecords(records: Archive<DetailsRecord>) {
  type AlertKey = Pick<DetailsRecord, 'ownerId' | 'channelId' | 'wallet' | 'reference'>;
  const idOf = ({ channelId, wallet, reference }: AlertKey) =>
    `${channelId}:${wallet}:${reference}`;
  /** Records of messages that are being sent, by id; stored once they have arrived. */
  const held = new Map<string, DetailsRecord>();
  const read = async (id: string) => held.get(id) ?? (await records.get(id));
  /** Returns the ids of the records of a wallet and channel to search, newest first. */
  const newestOf = (channelId: string, wallet: WalletAddress): string[] => {
    const own = records.ids().filter((id) => id.startsWith(`${channelId}:${wallet}:`));
    return own.toReversed().slice(0, SEARCHED_LIMIT);
  };
  return {
    /** @returns undefined if there is none, it has expired, or it belongs to another owner */
    async get(alert: AlertKey): Promise<DetailsRecord | undefined> {
      const id = idOf(alert);
      const record = await read(id);
      if (record?.ownerId === alert.ownerId) return record;
      return undefined;
    },
    /**
     * Finds the record of the alert, in a watch's channel, that contained a trade or redemption.
     *
     * @returns undefined if there is none, or it is no longer known
     */
    async find(
      { ownerId, channelId, wallet }: Omit<AlertKey, 'reference'>,
      item: ActivityItem,
    ): Promise<DetailsRecord | undefined> {
      const names = [activityIdentity(item), activityVersion(item)];
      const key = activityKey(item);
      let changed: DetailsRecord | undefined;
      for (const id of newestOf(channelId, wallet)) {
        const record = await records.get(id);
        if (record?.ownerId !== ownerId) continue;
        if (isOf(record, names, item)) return record;
        // A changed version of the record.
        if (record.keys?.includes(key)) changed ??= record;
      }
      return changed;
    },
    /**
     * Returns which records were shown in alerts of a channel.
     *
     * @param searched each with its identities
     */
    async shown(
      channelId: string,
      wallet: WalletAddress,
      searched: readonly { readonly identities: readonly string[]; readonly item: ActivityItem }[],
    ): Promise<boolean[]> {
      const open = new Set(searched);
      for (const id of newestOf(channelId, wallet)) {
        if (open.size === 0) break;
        const record = await read(id);
        if (record === undefined) continue;
        for (const each of open) if (isOf(record, each.identities, each.item)) open.delete(each);
      }
      return searched.map((each) => !open.has(each));
    },
    /** Makes a record available before it is stored. */
    hold: (record: DetailsRecord): void => void held.set(idOf(record), record),
    /** Stops using an unstored record; the stored one, if any, applies again. */
    release: (record: DetailsRecord): void => void held.delete(idOf(record)),
    /** Stores a record in place of an earlier one of the same alert. */
    set: (record: DetailsRecord) => records.set(idOf(record), record),
  };
}
/**
 * Whether an alert has shown a record.
 *
 * @param names identities under which the record may be stored
 */
function isOf(
  { identities, target }: DetailsRecord,
  names: readonly string[],
  item: ActivityItem,
): boolean {
  return identities?.some((identity) => names.includes(identity)) ?? isInTarget(item, target);
}

export type DetailsRecords = ReturnType<typeof createDetailsRecords>;

export type KeepDetails = ReturnType<typeof createDetailsKeeper>;

/**
 * Creates a function that records the present knowledge about the alerts of a message that is about
 * to be sent or edited. It is stored once the message exists, with its id. It never rejects,
 * because an alert matters more than its details; without a record, details use the knowledge at
 * the time of the request.
 */
export function createDetailsKeeper({
  records,
  registry,
  knowledgeOf,
  recordFor,
  nowMs,
  log,
}: Pick<Machine, 'log' | 'nowMs'> & {
  readonly records: Pick<DetailsRecords, 'hold' | 'release' | 'set'>;
  readonly registry: Pick<Registry, 'get'>;
  /** Reads the stored knowledge about a wallet; undefined if there is none. */
  readonly knowledgeOf: (wallet: WalletAddress) => Promise<WalletKnowledge | undefined>;
  /** Returns the wallet's track record as the watch's channel may see it now. */
  readonly recordFor: (known: WalletKnowledge, watch: Watch) => ChannelRecord;
}) {
  const note = async (
    channelId: string,
    groups: readonly AlertGroup[],
  ): Promise<readonly DetailsRecord[]> => {
    const walletRecords = new Map<WalletAddress, ChannelRecord>();
    const noted: DetailsRecord[] = [];
    for (const alerts of groupsWithDetails(groups)) {
      const [{ wallet, id }] = alerts;
      const target = targetOf(alerts);
      const watch = registry.get(channelId, wallet);
      if (target === null || watch === undefined) continue;
      const known = walletRecords.has(wallet) ? undefined : await knowledgeOf(wallet);
      if (known !== undefined) walletRecords.set(wallet, recordFor(known, watch));
      const fills = fillsOf(alerts);
      const isNamed = fills.length <= IDENTITIES_LIMIT;
      const record: DetailsRecord = {
        ownerId: watch.ownerId,
        channelId,
        wallet,
        reference: id,
        createdAtMs: nowMs(),
        seenAtMs: Math.min(...alerts.map(({ seenAtMs }) => seenAtMs)),
        target,
        identities: isNamed ? fills.map(activityIdentity) : null,
        keys: isNamed ? fills.map(activityKey) : [],
        position: combineContexts(fillEvents(alerts))?.context ?? null,
        size: largestSize(fillEvents(alerts)),
        results: resultsOf(alerts),
        record: walletRecords.get(wallet) ?? null,
      };
      records.hold(record);
      noted.push(record);
    }
    return noted;
  };

  /**
   * @param groups of the message, with contexts that the channel's owner may know
   * @returns a function that stores it, given the id of the message; null if there is no message
   */
  return (channelId: string, groups: readonly AlertGroup[]) => {
    const notKept = (error: unknown) => {
      log.error({ event: 'details.not_kept', channel: channelId, err: error });
      return [];
    };
    const noting = note(channelId, groups).catch(notKept);
    return async (messageId: string | null): Promise<void> => {
      const noted = await noting;
      try {
        if (messageId !== null) {
          for (const record of noted) await records.set({ ...record, messageId });
        }
      } catch (error) {
        notKept(error);
      }
      for (const record of noted) records.release(record);
    };
  };
}
