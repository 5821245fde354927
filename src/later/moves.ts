import type { WalletAddress } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';

/** Time until a move is tried again that the store has refused. */
const RETRY_MS = 5_000;

/**
 * Moves of alerts out of the wallets' documents, one of a wallet at a time, and again while
 * something is left of it.
 *
 * @param parts `move`: moves what need not wait, and says after how long the rest is to be looked
 *   at, ms; null: there is none
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
  /** Wallets of which something is to be moved. */
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
    /** Has what there is of a wallet moved, once moves have begun. */
    look,
    /** Begins to move, with what was found at the start. */
    start(): void {
      hasStarted = true;
      for (const wallet of [...waiting]) look(wallet);
    },
    /**
     * Resolves once what there is of a wallet now is moved, but for what must wait, and for anything
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
