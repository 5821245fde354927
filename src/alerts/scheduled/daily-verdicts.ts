import type { Feed } from '../../feed/interface.ts';
import type { Machine } from '../../lib/machine.ts';
import { dayOf } from '../../portfolio/record/days.ts';
import type { Registry } from '../../watches/registry.ts';
import type { Outbox } from '../outbox.ts';
import type { WalletIndex } from '../wallets/wallet-index.ts';
import { onceATurn } from './once-a-turn.ts';

/**
 * Reassesses all wallets in every channel that watches them, at the start and once a day (UTC),
 * because markets mature even if nothing happens. All track records are computed first, so that it
 * is known how many wallets each channel compares. Runs until `signal` is aborted; never rejects.
 */
export async function judgeDaily(
  machine: Machine,
  parts: {
    readonly feed: { readonly budget: Pick<Feed['budget'], 'venueNowMs'> };
    readonly registry: Registry;
    readonly walletIndex: WalletIndex;
    readonly outbox: Outbox;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { log } = machine;
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

  await onceATurn(machine, today, judgeAll, { event: 'verdicts.not_judged' }, signal);
}
