import type { Machine } from '../lib/machine.ts';
import type { Registry } from './registry.ts';

/** So long a removal can be undone: the watch goes on, unseen, and its alerts wait. */
export const UNDO_MS = 600_000;
const LOOK_MS = 5_000;

type Leaving = Pick<Registry, 'leaving' | 'remove'>;

/** Deletes the watches whose removal cannot be undone any more. */
export async function endLeavingWatches({ nowMs }: Pick<Machine, 'nowMs'>, registry: Leaving): Promise<void> {
  for (const { channelId, wallet, leavesAtMs = 0 } of registry.leaving()) {
    const leftMs = leavesAtMs - nowMs();
    // Much further away than it was ever meant to be: the clock was set back.
    const isOver = leftMs <= 0 || leftMs > 2 * UNDO_MS;
    // The removal may be undone meanwhile.
    if (isOver) await registry.remove(channelId, wallet, (watch) => watch.leavesAtMs === leavesAtMs);
  }
}

/** Does so at once and every few seconds. @returns stops it */
export function keepEndingLeaving(machine: Pick<Machine, 'nowMs' | 'log'>, registry: Leaving): () => void {
  const attempt = () => {
    endLeavingWatches(machine, registry).catch((error: unknown) =>
      machine.log.error({ event: 'watch.not_removed', err: error }),
    );
  };
  attempt();
  const timer = setInterval(attempt, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
