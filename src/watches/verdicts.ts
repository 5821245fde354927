import * as z from 'zod';
import { walletSchema } from '../domain/address.ts';
import type { Machine } from '../lib/machine.ts';
import type { Verdict } from '../portfolio/record/channel-record.ts';
import type { Standing } from '../portfolio/record/standing.ts';
import { judge, type KeptVerdict, keptVerdictSchema } from '../portfolio/record/verdict.ts';
import { type Collection, defineCollection, ownPlace } from '../store/collection.ts';
import { ownerIdSchema, snowflake } from './owner.ts';
import { beganSecondsOf, type Watch, type WatchId } from './watch.ts';

const storedVerdictSchema = keptVerdictSchema.extend({
  ownerId: ownerIdSchema,
  channelId: snowflake,
  wallet: walletSchema,
  /**
   * Beginning of the watch, in Unix seconds. A watch that is added again begins without a verdict,
   * as its track record begins anew.
   */
  beganSeconds: z.number(),
});
type StoredVerdict = Readonly<z.infer<typeof storedVerdictSchema>>;

/** By channel and wallet, for wallets that were ever better than luck in the channel. */
export const verdictKind = defineCollection({
  prefix: 'verdict:',
  schema: storedVerdictSchema,
  belongs: (verdict, id) => idOf(verdict) === id,
  placeOf: ownPlace,
});

export type Verdicts = ReturnType<typeof createVerdicts>;

/** Each channel's verdicts on its wallets. They change only in `judge`; displays only read them. */
export function createVerdicts({ log }: Machine, documents: Collection<StoredVerdict>) {
  const keptOf = (watch: Watch): KeptVerdict | undefined =>
    ofWatch(documents.get(idOf(watch)), watch);

  const logFault = (channel: string, wallet: string) => (error: unknown) =>
    log.error({ event: 'verdict.not_stored', channel, wallet, err: error });

  return {
    of: (watch: Watch): Verdict => shown(keptOf(watch)),
    keptOf,
    /**
     * Judges a wallet anew for a channel and stores a changed verdict. If storing fails, the wallet
     * is judged again at its next write, or the next day.
     *
     * @param standing undefined if the wallet is not ranked
     * @param amongNow returns how many wallets the channel has ever ranked
     * @param nowSeconds the venue's clock, in Unix seconds
     */
    judge(
      watch: Watch,
      standing: Standing | undefined,
      amongNow: () => number,
      nowSeconds: number,
    ): void {
      const { ownerId, channelId, wallet } = watch;
      const now = keptOf(watch);
      if (standing === undefined && now === undefined) return;
      const among = amongNow();
      const judged = (kept: KeptVerdict | undefined) => judge(kept, standing, among, nowSeconds);
      if (judged(now) === now) return;
      let changed: KeptVerdict | undefined;
      const change = (before: StoredVerdict | undefined): StoredVerdict | undefined => {
        const kept = ofWatch(before, watch);
        const after = judged(kept);
        if (after === kept || after === undefined) return before;
        changed = after;
        return { ...after, ownerId, channelId, wallet, beganSeconds: beganSecondsOf(watch) };
      };
      documents.change(idOf(watch), change).then(
        () => {
          if (changed === undefined) return;
          log.info({
            event: 'verdict.changed',
            channel: channelId,
            wallet,
            verdict: changed.state,
          });
        },
        logFault(channelId, wallet),
      );
    },
    /** Deletes the verdict on a wallet that the channel no longer watches. */
    forget({ channelId, wallet }: WatchId): void {
      documents.delete(idOf({ channelId, wallet })).catch(logFault(channelId, wallet));
    },
  };
}

function idOf({ channelId, wallet }: WatchId): string {
  return `${channelId}:${wallet}`;
}

function ofWatch(stored: StoredVerdict | undefined, watch: Watch): StoredVerdict | undefined {
  if (stored?.beganSeconds === beganSecondsOf(watch)) return stored;
  return undefined;
}

function shown(kept: KeptVerdict | undefined): Verdict {
  if (kept === undefined || kept.state === 'ended') return 'none';
  return kept.state;
}
