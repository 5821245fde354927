import type { WalletAddress } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';

/** Delay before retrying a move after the store has failed, in ms. */
const RETRY_MS = 5_000;

/**
 * Moves alerts out of the wallets' documents, one move per wallet at a time, repeated while
 * something is left.
 *
 * @param parts `move`: moves what need not wait, and returns the delay before the rest is checked,
 *   in ms; null if nothing is left
 */
export function createMoves(
  { sleep }: Machine,
  parts: {
    readonly move: (wallet: WalletAddress) => Promise<number | null>;
    readonly onFailure: (wallet: WalletAddress, error: unknown) => void;
    readonly signal: AbortSignal;
  },
) {
  const { move, onFailure, signal } = parts;
  /** Wallets with something to move. */
  const waiting = new Set<WalletAddress>();
  const running = new Map<WalletAddress, Promise<void>>();
  const oneByOne = createKeyedMutex();
  let hasStarted = false;

  const moveNow = (wallet: WalletAddress): Promise<number | null> =>
    oneByOne.run(wallet, () => move(wallet));

  const run = async (wallet: WalletAddress): Promise<void> => {
    while (waiting.has(wallet) && !signal.aborted) {
      waiting.delete(wallet);
      let againMs: number | null = RETRY_MS;
      try {
        againMs = await moveNow(wallet);
      } catch (error) {
        onFailure(wallet, error);
      }
      if (againMs === null) continue;
      waiting.add(wallet);
      await sleep(againMs, signal);
    }
  };

  const look = (wallet: WalletAddress): void => {
    waiting.add(wallet);
    if (!hasStarted || running.has(wallet)) return;
    const done = run(wallet).finally(() => {
      running.delete(wallet);
      if (waiting.has(wallet) && !signal.aborted) look(wallet);
    });
    running.set(wallet, done);
  };

  return {
    /** Moves what a wallet has, once moves have begun. */
    look,
    /** Starts moving, beginning with the wallets found at startup. */
    start(): void {
      hasStarted = true;
      for (const wallet of [...waiting]) look(wallet);
    },
    /**
     * Resolves once everything that the wallet has now is moved, except for what must wait; at once
     * before moves have begun. Rejects if the store does.
     */
    async moved(wallet: WalletAddress): Promise<void> {
      if (running.has(wallet)) await moveNow(wallet);
    },
    /** True once moves have begun. */
    hasStarted: () => hasStarted,
    /** Resolves when nothing is being moved. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
