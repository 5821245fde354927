import type { Account } from '../../lib/fair-shares/account.ts';
import { createTurns, type Waiter } from '../../lib/fair-shares/turns.ts';
import type { Machine } from '../../lib/machine.ts';

/**
 * Tries of refused channels in any ten minutes, of all processes of a token together: a twentieth
 * of the refusals for which Discord bans an address.
 */
const TRIES = 500;
const WINDOW_MS = 10 * 60_000;
/** A process that ended just now may have used so much of them. */
const USED_AT_START = 0.5;

/** One try of a channel that Discord last refused. */
export interface Try {
  /** Discord was asked: the try counts for ten minutes from now. */
  spend(): void;
  /** Gives the try back, unless it is spent: there was nothing to send. */
  release(): void;
}

interface Waiting extends Waiter {
  /** @param granted null: nobody waits for it any more */
  readonly end: (granted: Try | null) => void;
}

export type RetryBudget = ReturnType<typeof createRetryBudget>;

/**
 * Limits the tries of channels that Discord last refused to 500 in any ten minutes, in which payers
 * take turns: Discord bans an address, and with it everybody's alerts, for 10,000 refusals in ten
 * minutes. A channel in which Discord last took a message is not held back.
 *
 * @param parts `share`: the process's part of what the address may have, above 0 and up to 1
 */
export function createRetryBudget(
  { monotonicMs, sleep }: Machine,
  parts: { readonly share: number; readonly accountIn: (channelId: string) => Account },
) {
  const { share, accountIn } = parts;
  const limit = Math.max(1, Math.floor(TRIES * share));
  const turns = createTurns<Waiting>();
  const refused = new Set<string>();
  /** Tries under way, and those of the last ten minutes, with when each ends to count. */
  const untilMs = new Map<Try, number>();
  const startEndsMs = monotonicMs() + WINDOW_MS;
  /** Ends the wait for the next try: how long it takes has changed. */
  let changed = new AbortController();
  let isServing = false;

  const callAll = () => {
    changed.abort();
    changed = new AbortController();
  };

  /** Time until one more try may begin, ms; 0: now. */
  const freeInMs = (): number => {
    const nowMs = monotonicMs();
    let firstMs = startEndsMs > nowMs ? startEndsMs : Number.POSITIVE_INFINITY;
    for (const [one, endMs] of untilMs) {
      // Spent ones are in the order in which they were spent; those under way have no end yet.
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
        // Dated anew, behind all that were spent before.
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

  /** Gives tries until nobody waits. */
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
    /** Notes that Discord has refused the channel. */
    refused: (channelId: string): void => void refused.add(channelId),
    /** Notes that Discord has taken a message there, or that nobody sends there any more. */
    forget: (channelId: string): void => void refused.delete(channelId),
    isRefused: (channelId: string): boolean => refused.has(channelId),
    /** A try of the channel, where none has to wait for one; else null. */
    tryNow: (): Try | null => (turns.size === 0 && freeInMs() === 0 ? grant() : null),
    /**
     * Waits for a try of the channel.
     *
     * @returns null when the signal aborts
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
    /** Tries that wait. */
    get waiting(): number {
      return turns.size;
    },
  };
}
