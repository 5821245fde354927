import type { Feed } from '../../feed/interface.ts';
import type { Machine } from '../../lib/machine.ts';
import { dayOf } from '../../portfolio/record/days.ts';
import type { Registry } from '../../watches/registry.ts';
import type { Outbox } from '../outbox.ts';
import type { WalletIndex } from '../wallets/wallet-index.ts';

/**
 * Interval at which the clock is read: it may be set, and a machine may sleep. A judgement that
 * failed is repeated then.
 */
const CLOCK_EVERY_MS = 60_000;

/**
 * Judges all wallets anew in every room that watches them, at the start and once a day (UTC):
 * markets mature while nothing happens. All records are made first, so that it is known how many
 * wallets each room compares. Runs until `signal` is aborted; never rejects.
 */
export async function judgeDaily(
  { sleep, log }: Machine,
  parts: {
    readonly feed: { readonly budget: Pick<Feed['budget'], 'venueNowMs'> };
    readonly registry: Pick<Registry, 'wallets'>;
    readonly walletIndex: Pick<WalletIndex, 'hasRecordOf' | 'noteRecord' | 'judgeAll'>;
    readonly outbox: Pick<Outbox, 'stateOf'>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { feed, registry, walletIndex, outbox, signal } = parts;
  const today = () => dayOf(feed.budget.venueNowMs() / 1000);

  const judgeAll = async (): Promise<void> => {
    const wallets = [...registry.wallets()];
    for (const wallet of wallets) {
      if (walletIndex.hasRecordOf(wallet)) continue;
      const state = await outbox.stateOf(wallet);
      if (signal.aborted) return;
      walletIndex.noteRecord(wallet, state);
    }
    walletIndex.judgeAll(wallets);
    log.info({ event: 'verdicts.judged', wallets: wallets.length });
  };

  let judgedDay: number | null = null;
  while (!signal.aborted) {
    const day = today();
    if (day !== judgedDay) {
      try {
        await judgeAll();
        judgedDay = day;
      } catch (error) {
        if (!signal.aborted) log.warn({ event: 'verdicts.not_judged', err: error });
      }
    }
    await sleep(CLOCK_EVERY_MS, signal);
  }
}
