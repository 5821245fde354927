import type { Machine } from '../../lib/machine.ts';
import type { Outbox } from '../outbox.ts';
import type { WalletIndex } from '../wallets/wallet-index.ts';

/** Pause between two looks whether a market has matured; time to make records anew at each. */
const LOOK_EVERY_MS = 1_000;
const WORK_MS = 20;
/** Counted of one wallet at the most: a machine may sleep meanwhile, and a store be away. */
const COUNTED_MS = 1_000;

/**
 * Makes records anew that are in memory and not true any more, because a market has matured since:
 * those first that have waited for longest. It takes 20 ms of each second at the most, the time
 * included that the store takes; what is over that is made up for in the next. Runs until `signal`
 * is aborted; never rejects.
 */
export async function remakeRecords(
  { sleep, monotonicMs, log }: Machine,
  parts: {
    readonly walletIndex: Pick<WalletIndex, 'staleRecords' | 'noteRecord'>;
    readonly outbox: Pick<Outbox, 'stateOf'>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { walletIndex, outbox, signal } = parts;
  let leftMs = 0;
  while (!signal.aborted) {
    leftMs = Math.min(WORK_MS, leftMs + WORK_MS);
    try {
      for (const wallet of leftMs > 0 ? walletIndex.staleRecords() : []) {
        if (leftMs <= 0 || signal.aborted) break;
        const startMs = monotonicMs();
        walletIndex.noteRecord(wallet, await outbox.stateOf(wallet));
        leftMs -= Math.min(COUNTED_MS, monotonicMs() - startMs);
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ event: 'records.not_remade', err: error });
    }
    await sleep(LOOK_EVERY_MS, signal);
  }
}
