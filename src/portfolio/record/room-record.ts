import * as z from 'zod';
import { beganSecondsOf, type Watch } from '../../watches/watch.ts';
import type { WalletRecord } from './record.ts';
import { standingOf, standingSchema } from './standing.ts';
import { luckCentsOf } from './verdict.ts';

/** Finding of a room about a wallet: as it is kept, where the wallet ever was better than luck. */
const verdictSchema = z.enum(['better', 'moreCompared', 'none']);
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * The record of a wallet for a room: what came after it began to watch, and apart from it what was
 * before.
 */
export const roomRecordSchema = z.object({
  since: standingSchema,
  /**
   * Null if no market of it is mature. A wallet is watched because it did well: what it did before
   * is no evidence.
   */
  before: standingSchema.nullable(),
  verdict: verdictSchema,
  /**
   * The edge that luck alone reaches among the room's wallets, cents a share; null without a
   * market.
   */
  luckCents: z.number().nullable(),
});
export type RoomRecord = z.infer<typeof roomRecordSchema>;
/** The record since the room began to watch. */
export type RecordSince = Omit<RoomRecord, 'before'>;

/**
 * The record for a room, with what was seen for other owners before it began to watch left out.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param room what it has found, and how many wallets it has ever ranked: the more, the luckier is
 *   the best of them
 */
export function roomRecordOf(
  record: WalletRecord,
  watch: Pick<Watch, 'beganSeconds' | 'sinceSeconds' | 'joined'>,
  nowSeconds: number,
  { verdict, among }: { readonly verdict: Verdict; readonly among: number },
): RoomRecord {
  const beganSeconds = beganSecondsOf(watch);
  const since = standingOf(record, { fromSeconds: beganSeconds, nowSeconds });
  const fromSeconds = watch.joined?.knownSinceSeconds ?? 0;
  const before = standingOf(record, { fromSeconds, toSeconds: beganSeconds, nowSeconds });
  return {
    since,
    before: before.markets === 0 ? null : before,
    verdict,
    luckCents: luckCentsOf(since, among),
  };
}
