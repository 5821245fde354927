import * as z from 'zod';
import { isBetterThanLuck, standingOf, standingSchema, type WalletRecord } from './record.ts';

/** The record of a wallet for a room: what came after it began to watch, and apart from it what was before. */
export const roomRecordSchema = z.object({
  since: standingSchema,
  /** Null if no market of it is mature. A wallet is watched because it did well: what it did before is no evidence. */
  before: standingSchema.nullable(),
  isBetterThanLuck: z.boolean(),
});
export type RoomRecord = z.infer<typeof roomRecordSchema>;

/** Since when a room watches a wallet, Unix seconds: it began then, or else announces since then; what is known before that may be another owner's. */
interface Watching {
  readonly beganSeconds?: number | undefined;
  readonly sinceSeconds: number;
  readonly joined?: { readonly knownSinceSeconds: number } | undefined;
}

/**
 * The record for a room, with what was seen for other owners before it began to watch left out.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param ranked how many wallets the room has ever ranked: the more are looked at, the luckier is the best of them
 */
export function roomRecordOf(
  record: WalletRecord,
  { beganSeconds: began, sinceSeconds, joined }: Watching,
  nowSeconds: number,
  ranked: number,
): RoomRecord {
  const beganSeconds = began ?? sinceSeconds;
  const since = standingOf(record, { fromSeconds: beganSeconds, nowSeconds });
  const before = standingOf(record, {
    fromSeconds: joined?.knownSinceSeconds ?? 0,
    toSeconds: beganSeconds,
    nowSeconds,
  });
  return {
    since,
    before: before.markets === 0 ? null : before,
    isBetterThanLuck: isBetterThanLuck(since, ranked),
  };
}
