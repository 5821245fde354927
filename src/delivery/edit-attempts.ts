import { RateLimitError } from 'discord.js';
import type { Machine } from '../lib/machine.ts';
import { NotAsked } from './failures.ts';
import { ChannelClosed } from './reach.ts';
import { retryDelayMs } from './retries.ts';

/** State that this process has of the edit that is stored for a channel. */
interface Attempts {
  /**
   * No attempt has had an effect: none was made, or Discord has refused it. Of an edit of an
   * earlier run nobody knows.
   */
  isUntried: boolean;
  /** Failures in a row. */
  failures: number;
  /** Time at which the next attempt is due, by the monotonic clock. */
  dueMs: number;
}

/** Attempts to change messages, of one edit a channel. */
export function createEditAttempts({
  monotonicMs,
  random,
}: Pick<Machine, 'monotonicMs' | 'random'>) {
  /** Attempts by channel. */
  const attempts = new Map<string, Attempts>();

  const attemptsOf = (channelId: string): Attempts => {
    const known = attempts.get(channelId) ?? { isUntried: false, failures: 0, dueMs: 0 };
    attempts.set(channelId, known);
    return known;
  };

  return {
    /** Begins with an edit that has just been stored. */
    begin: (channelId: string) =>
      void attempts.set(channelId, { isUntried: true, failures: 0, dueMs: 0 }),
    /** Forgets the channel's edit. */
    forget: (channelId: string) => void attempts.delete(channelId),
    /** True if no attempt has had an effect; false if nobody knows. */
    isUntried: (channelId: string): boolean => attemptsOf(channelId).isUntried,
    /** Makes one attempt. */
    async make<Result>(channelId: string, attempt: () => Promise<Result>): Promise<Result> {
      const known = attemptsOf(channelId);
      const { isUntried } = known;
      known.isUntried = false;
      return attempt().catch((error: unknown) => {
        // It was refused, or never sent.
        const isUnmade = error instanceof ChannelClosed || error instanceof NotAsked;
        if (isUnmade || error instanceof RateLimitError) known.isUntried = isUntried;
        throw error;
      });
    },
    /** Time until the next attempt is due, ms; not above 0 if it is. */
    waitMs: (channelId: string): number => attemptsOf(channelId).dueMs - monotonicMs(),
    /**
     * Counts a further failure.
     *
     * @param pauseMs as Discord's rate limit asks; null if it does not
     * @returns when the next attempt is due, and how many have failed in a row
     */
    postpone(channelId: string, pauseMs: number | null) {
      const known = attemptsOf(channelId);
      known.failures += 1;
      const delayMs = pauseMs ?? retryDelayMs(known.failures, random);
      known.dueMs = monotonicMs() + delayMs;
      return { delayMs, attempt: known.failures };
    },
  };
}
