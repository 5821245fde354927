import * as z from 'zod';
import { beganSecondsOf, type Watch } from '../../watches/watch.ts';
import type { WalletRecord } from './record.ts';
import { standingOf, standingSchema } from './standing.ts';
import { luckCentsOf } from './verdict.ts';

/** A channel's verdict on a wallet, as it is kept if the wallet was ever better than luck. */
const verdictSchema = z.enum(['better', 'moreCompared', 'none']);
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * A wallet's track record for a channel: results since the channel began to watch, and separately
 * those before.
 */
export const channelRecordSchema = z.object({
  since: standingSchema,
  /**
   * Null if none of its markets is mature. Wallets are watched because they did well, so what they
   * did before is no evidence.
   */
  before: standingSchema.nullable(),
  verdict: verdictSchema,
  /**
   * Edge in cents per share that luck alone explains among the channel's wallets; null without a
   * market.
   */
  luckCents: z.number().nullable(),
});
export type ChannelRecord = z.infer<typeof channelRecordSchema>;
/** The track record since the channel began to watch. */
export type RecordSince = Omit<ChannelRecord, 'before'>;

/**
 * Returns the track record for a channel, without what was seen for other owners before it began to
 * watch.
 * @param nowSeconds the venue's clock, in Unix seconds
 * @param channel its verdict, and how many wallets it has ever ranked; the more, the luckier the
 *   best of them is
 */
export function channelRecordOf(
  record: WalletRecord,
  watch: Pick<Watch, 'beganSeconds' | 'sinceSeconds' | 'joined'>,
  nowSeconds: number,
  { verdict, among }: { readonly verdict: Verdict; readonly among: number },
): ChannelRecord {
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
