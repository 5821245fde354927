import type { Machine } from '../../lib/machine.ts';
import type { Outbox } from '../outbox.ts';
import type { WalletIndex } from '../wallets/wallet-index.ts';

/**
 * Interval between checks for matured markets, and time for recomputing track records at each, in
 * ms.
 */
const LOOK_EVERY_MS = 1_000;
const WORK_MS = 20;
/**
 * Maximum time counted for one wallet, in ms, because a machine may sleep or a store be unavailable
 * in the meantime.
 */
const COUNTED_MS = 1_000;

/**
 * Recomputes track records in memory that are outdated because a market has matured, the longest
 * outdated first. Uses at most 20 ms of each second, including the store's time; any excess is
 * subtracted from the next seconds. Runs until `signal` is aborted; never rejects.
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
