import { backOffMs } from '../../lib/async/backoff.ts';
import type { Machine } from '../../lib/machine.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** Pause between two blocked channels that are retried together, in ms: ten per second. */
const SPACING_MS = 100;

/**
 * Returns the pause before the next attempt after several failures in a row, in ms.
 * @param failures at least 1
 */
export function retryDelayMs(failures: number, random: () => number): number {
  return backOffMs(failures - 1, RETRY_FIRST_MS, RETRY_LIMIT_MS, random);
}

/** Retries blocked channels one after another, because each of these requests may be rejected. */
export function createRetries(
  { sleep }: Machine,
  parts: {
    /** Whether the channel should still be retried when its turn comes. */
    readonly isWanted: (channelId: string) => boolean;
    readonly retry: (channelId: string) => Promise<void>;
  },
) {
  const { isWanted, retry } = parts;
  const waiting = new Set<string>();
  const stopping = new AbortController();
  let isRunning = false;

  const run = async () => {
    isRunning = true;
    for (const channelId of waiting) {
      waiting.delete(channelId);
      if (stopping.signal.aborted) break;
      if (!isWanted(channelId)) continue;
      await retry(channelId);
      await sleep(SPACING_MS, stopping.signal);
    }
    isRunning = false;
  };

  return {
    add(channelIds: Iterable<string>): void {
      for (const channelId of channelIds) waiting.add(channelId);
      if (!isRunning) void run();
    },
    stop: () => stopping.abort(),
  };
}
