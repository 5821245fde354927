import type { Account } from '../../lib/fair-shares/account.ts';
import { createTurns, type Waiter } from '../../lib/fair-shares/turns.ts';
import type { Machine } from '../../lib/machine.ts';

/**
 * Maximum number of tries of rejected channels in any ten minutes, for all processes with the same
 * token together. It is a twentieth of the rejections for which Discord bans an address.
 */
const TRIES = 500;
const WINDOW_MS = 10 * 60_000;
/** Share of the tries that a process which has just ended may have used. */
const USED_AT_START = 0.5;

/** One attempt to send to a channel that Discord last rejected. */
export interface Try {
  /** Called when a request to Discord was made. The try counts for ten minutes from now. */
  spend(): void;
  /** Gives back an unspent try, because there was nothing to send. */
  release(): void;
}

interface Waiting extends Waiter {
  /** @param granted null if the wait was ended */
  readonly end: (granted: Try | null) => void;
}

export type RetryBudget = ReturnType<typeof createRetryBudget>;

/**
 * Limits the tries of channels that Discord last rejected to 500 in any ten minutes, in which
 * payers take turns. Discord bans an address, and with it all alerts, for 10,000 rejections in ten
 * minutes. A channel in which Discord last accepted a message is not limited.
 * @param parts `share`: this process's share of the address's tries, above 0 and up to 1
 */
export function createRetryBudget(
  { monotonicMs, sleep }: Machine,
  parts: { readonly share: number; readonly accountIn: (channelId: string) => Account },
) {
  const { share, accountIn } = parts;
  const limit = Math.max(1, Math.floor(TRIES * share));
  const turns = createTurns<Waiting>();
  const refused = new Set<string>();
  /** Current tries and those of the last ten minutes, with the time when each no longer counts. */
  const untilMs = new Map<Try, number>();
  const startEndsMs = monotonicMs() + WINDOW_MS;
  /** Ends the wait for the next try, because its duration has changed. */
  let changed = new AbortController();
  let isServing = false;

  const callAll = () => {
    changed.abort();
    changed = new AbortController();
  };

  /** Returns the time until another try may begin, in ms; 0: now. */
  const freeInMs = (): number => {
    const nowMs = monotonicMs();
    let firstMs = startEndsMs > nowMs ? startEndsMs : Number.POSITIVE_INFINITY;
    for (const [one, endMs] of untilMs) {
      // Spent tries are in the order in which they were spent; current ones have no end yet.
      if (endMs <= nowMs) untilMs.delete(one);
      else if (endMs < Number.POSITIVE_INFINITY) {
        firstMs = Math.min(firstMs, endMs);
        break;
      }
    }
    const atStart = startEndsMs > nowMs ? Math.ceil(limit * USED_AT_START) : 0;
    return untilMs.size + atStart < limit ? 0 : firstMs - nowMs;
  };

  const grant = (): Try => {
    const granted: Try = {
      spend() {
        // Added again with its new time, after all that were spent earlier.
        if (untilMs.delete(granted)) untilMs.set(granted, monotonicMs() + WINDOW_MS);
      },
      release() {
        if (untilMs.get(granted) !== Number.POSITIVE_INFINITY) return;
        untilMs.delete(granted);
        callAll();
      },
    };
    untilMs.set(granted, Number.POSITIVE_INFINITY);
    return granted;
  };

  /** Grants tries until no channel is waiting. */
  const serve = async (): Promise<void> => {
    isServing = true;
    while (turns.size > 0) {
      const waitMs = freeInMs();
      if (waitMs === 0) turns.take()?.end(grant());
      else await sleep(Math.min(waitMs, WINDOW_MS), changed.signal);
    }
    isServing = false;
  };

  return {
    /** Notes that Discord has rejected the channel. */
    refused: (channelId: string): void => void refused.add(channelId),
    /** Notes that Discord has accepted a message there, or that nothing is sent there any more. */
    forget: (channelId: string): void => void refused.delete(channelId),
    isRefused: (channelId: string): boolean => refused.has(channelId),
    /** Returns a try if one is available and no channel is waiting; null otherwise. */
    tryNow: (): Try | null => (turns.size === 0 && freeInMs() === 0 ? grant() : null),
    /**
     * Waits for a try of the channel.
     * @returns null if the signal is aborted
     */
    waitForTry: (channelId: string, signal: AbortSignal): Promise<Try | null> =>
      new Promise((resolve) => {
        const onAbort = () => {
          turns.remove(waiting);
          callAll();
          waiting.end(null);
        };
        const waiting: Waiting = {
          account: accountIn(channelId),
          lane: channelId,
          end(granted) {
            signal.removeEventListener('abort', onAbort);
            resolve(granted);
          },
        };
        if (signal.aborted) return resolve(null);
        signal.addEventListener('abort', onAbort, { once: true });
        turns.add(waiting);
        if (!isServing) void serve();
      }),
    /** Number of waiting tries. */
    get waiting(): number {
      return turns.size;
    },
  };
}
