import type { Machine } from '../lib/machine.ts';
import type { Store } from './store.ts';

/** A proof that is older than this, ms, is asked for anew. Redis gives the store to another process after six seconds. */
const PROOF_LIMIT_MS = 3_000;

/**
 * Keeps a process that was paused or cut off from sending what another one, which has taken over meanwhile, sends as well.
 *
 * @returns resolves while a proof of ownership is fresh; rejects if the store belongs to another process or does not answer
 */
export function createFence(
  { nowMs, monotonicMs }: Pick<Machine, 'nowMs' | 'monotonicMs'>,
  prove: Store['prove'],
): () => Promise<void> {
  // The one goes on while the machine is suspended, the other while the process is stopped.
  const moment = () => ({ wallMs: nowMs(), monotonicMs: monotonicMs() });
  /** When the last proof was asked for; null before the first one. */
  let proved: ReturnType<typeof moment> | null = null;
  let proving: Promise<void> | null = null;

  const renew = async () => {
    const requested = moment();
    await prove();
    proved = requested;
  };

  const isFresh = () => {
    if (proved === null) return false;
    const now = moment();
    const ageMs = Math.max(now.monotonicMs - proved.monotonicMs, Math.abs(now.wallMs - proved.wallMs));
    return ageMs <= PROOF_LIMIT_MS;
  };

  return async () => {
    // An answer may itself come after a pause.
    while (!isFresh()) {
      proving ??= renew().finally(() => {
        proving = null;
      });
      await proving;
    }
  };
}
