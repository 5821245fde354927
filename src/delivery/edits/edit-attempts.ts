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
 * Discord's clock goes on by more than this between two edits of a message, and its times may be
 * rounded by less.
 */
const EDITED_APART_MS = 1_000;

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
export function createEditAttempts(
  { monotonicMs, random }: Machine,
  deps: Pick<AlertMessagesDeps, 'edit' | 'editedAtMs' | 'keepDetails'>,
) {
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
    /**
     * Changes the message on Discord.
     *
     * @returns when that was by Discord's clock; null if it does not say
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
        // It was refused, or never sent.
        const isUnmade = error instanceof ChannelClosed || error instanceof NotAsked;
        if (isUnmade || error instanceof RateLimitError) known.isUntried = isUntried;
        throw error;
      });
      await keeping;
      return editedAtMs;
    },
    /**
     * Looks whether an earlier attempt has changed the message, which nobody else can.
     *
     * @returns `isTaken`: null if that cannot be known; `editedAtMs` by Discord's clock
     */
    async look(channelId: string, message: GrowingMessage) {
      const { isUntried } = attemptsOf(channelId);
      if (isUntried) return { isTaken: false, editedAtMs: message.editedAtMs };
      const editedAtMs = await deps.editedAtMs(channelId, message.id);
      if (editedAtMs === null || message.editedAtMs === null) return { isTaken: null, editedAtMs };
      return { isTaken: editedAtMs - message.editedAtMs >= EDITED_APART_MS, editedAtMs };
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
