import { RateLimitError } from 'discord.js';
import type { AlertGroup } from '../../alerts/alert.ts';
import type { Machine } from '../../lib/machine.ts';
import type { AlertMessagesDeps } from '../alert-messages-deps.ts';
import { NotAsked } from '../failures.ts';
import type { GrowingMessage } from '../plan/announced.ts';
import { ChannelClosed } from '../reach.ts';
import { retryDelayMs } from '../refused/retries.ts';
import type { MessageBody } from '../sender.ts';

/**
 * Minimum difference between two edits of a message by Discord's clock, in ms. Rounding of its
 * times is smaller.
 */
const EDITED_APART_MS = 1_000;

/** State of the channel's stored edit in this process. */
interface Attempts {
  /**
   * True if no attempt has had an effect, because none was made or Discord rejected it. Unknown for
   * an edit from an earlier run.
   */
  isUntried: boolean;
  /** Number of failures in a row. */
  failures: number;
  /** Monotonic time at which the next attempt is due. */
  dueMs: number;
}

/** Makes attempts to edit messages, with one edit per channel. */
export function createEditAttempts({ monotonicMs, random }: Machine, deps: AlertMessagesDeps) {
  /** Attempts by channel. */
  const attempts = new Map<string, Attempts>();

  const attemptsOf = (channelId: string): Attempts => {
    const known = attempts.get(channelId) ?? { isUntried: false, failures: 0, dueMs: 0 };
    attempts.set(channelId, known);
    return known;
  };

  return {
    /** Starts an edit that has just been stored. */
    begin: (channelId: string) =>
      void attempts.set(channelId, { isUntried: true, failures: 0, dueMs: 0 }),
    /** Forgets the channel's edit. */
    forget: (channelId: string) => void attempts.delete(channelId),
    /**
     * Edits the message on Discord.
     * @returns the time of the edit by Discord's clock, or null if it does not state it
     */
    async show(
      channelId: string,
      { id, noise }: GrowingMessage,
      { body, groups }: { readonly body: MessageBody; readonly groups: readonly AlertGroup[] },
    ): Promise<number | null> {
      const known = attemptsOf(channelId);
      const { isUntried } = known;
      known.isUntried = false;
      const keeping = deps.keepDetails(channelId, groups)(id);
      const editedAtMs = await deps.edit(channelId, id, { body, noise }).catch((error: unknown) => {
        // The edit was rejected, or never sent.
        const isUnmade = error instanceof ChannelClosed || error instanceof NotAsked;
        if (isUnmade || error instanceof RateLimitError) known.isUntried = isUntried;
        throw error;
      });
      await keeping;
      return editedAtMs;
    },
    /**
     * Checks whether an earlier attempt has edited the message. Nothing else can.
     * @returns `isTaken`: null if it cannot be determined; `editedAtMs` by Discord's clock
     */
    async look(channelId: string, message: GrowingMessage) {
      const { isUntried } = attemptsOf(channelId);
      if (isUntried) return { isTaken: false, editedAtMs: message.editedAtMs };
      const editedAtMs = await deps.editedAtMs(channelId, message.id);
      if (editedAtMs === null || message.editedAtMs === null) return { isTaken: null, editedAtMs };
      return { isTaken: editedAtMs - message.editedAtMs >= EDITED_APART_MS, editedAtMs };
    },
    /** Returns the time until the next attempt is due, in ms; 0 or less if it is due. */
    waitMs: (channelId: string): number => attemptsOf(channelId).dueMs - monotonicMs(),
    /**
     * Counts another failure.
     * @param pauseMs delay requested by Discord's rate limit; null if none
     * @returns the delay before the next attempt, and the number of failures in a row
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
