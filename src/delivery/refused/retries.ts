import { backOffMs } from '../../lib/async/backoff.ts';
import type { Machine } from '../../lib/machine.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** Pause between two blocked channels that are tried again together: ten a second. */
const SPACING_MS = 100;

/**
 * Pause before the next attempt after so many failures in a row, ms.
 *
 * @param failures at least 1
 */
export function retryDelayMs(failures: number, random: () => number): number {
  return backOffMs(failures - 1, RETRY_FIRST_MS, RETRY_LIMIT_MS, random);
}

/** Tries blocked channels again, one after the other: each of these requests may be refused. */
export function createRetries(
  { sleep }: Machine,
  parts: {
    /** Tells whether the channel is still to be tried when its turn has come. */
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
