import * as z from 'zod';
import { beganSecondsOf, type Watch } from '../../watches/watch.ts';
import { isBetterThanLuck, standingOf, standingSchema, type WalletRecord } from './record.ts';

/** The record of a wallet for a room: what came after it began to watch, and apart from it what was before. */
export const roomRecordSchema = z.object({
  since: standingSchema,
  /** Null if no market of it is mature. A wallet is watched because it did well: what it did before is no evidence. */
  before: standingSchema.nullable(),
  isBetterThanLuck: z.boolean(),
});
export type RoomRecord = z.infer<typeof roomRecordSchema>;

/**
 * The record for a room, with what was seen for other owners before it began to watch left out.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param ranked how many wallets the room has ever ranked: the more are looked at, the luckier is the best of them
 */
export function roomRecordOf(
  record: WalletRecord,
  watch: Pick<Watch, 'sinceSeconds' | 'beganSeconds' | 'joined'>,
  nowSeconds: number,
  ranked: number,
): RoomRecord {
  const beganSeconds = beganSecondsOf(watch);
  const since = standingOf(record, { fromSeconds: beganSeconds, nowSeconds });
  const before = standingOf(record, {
    fromSeconds: watch.joined?.knownSinceSeconds ?? 0,
    toSeconds: beganSeconds,
    nowSeconds,
  });
  return {
    since,
    before: before.markets === 0 ? null : before,
    isBetterThanLuck: isBetterThanLuck(since, ranked),
  };
}
