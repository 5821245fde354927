import type { Logger } from 'pino';
import { classifyFailure } from './failures.ts';

/** Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the history is read. */
const NONCE_TRUST_MS = 60_000;

/** The ids of the bot's messages in the channel since then (epoch ms), by which of these references they carry; null if that cannot be known. */
export type FindReferences = (
  channelId: string,
  references: readonly string[],
  sinceMs: number,
) => Promise<ReadonlyMap<string, string> | null>;

export interface ArrivalCheckDeps {
  readonly findReferences: FindReferences;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** Tells before a message is repeated whether an earlier attempt has arrived after all. */
export interface ArrivalCheck {
  /** Whether Discord itself would answer a repeat with the message that it has, because the first attempt was lately. */
  isNonceTrusted(firstAttemptMs: number): boolean;
  /**
   * Looks into the channel's history. Where that cannot be read to its end the log says that a double is possible.
   *
   * @param references one of them is proof of the whole message
   * @returns the id of the message; null if it has not arrived
   * @throws what stands in the way for the moment: discord.js's error
   */
  findArrived(channelId: string, references: readonly string[], firstAttemptMs: number): Promise<string | null>;
}

export function createArrivalCheck({ findReferences, nowMs, log }: ArrivalCheckDeps): ArrivalCheck {
  return {
    isNonceTrusted(firstAttemptMs) {
      const passedMs = nowMs() - firstAttemptMs;
      // A clock that has been set back says nothing of the time that has passed.
      return passedMs >= 0 && passedMs <= NONCE_TRUST_MS;
    },
    async findArrived(channelId, references, firstAttemptMs) {
      const found = await findReferences(channelId, references, firstAttemptMs).catch((error: unknown) => {
        const { kind } = classifyFailure(error);
        // That is about the history, not about the message.
        if (kind === 'delivered' || kind === 'rejected') return null;
        throw error;
      });
      if (found !== null) {
        return references.map((reference) => found.get(reference)).find((id) => id !== undefined) ?? null;
      }
      log.warn({
        event: 'message.repeated_unchecked',
        channel: channelId,
        items: references.length,
        reason: 'The history of the channel could not be read to its end: a message that had arrived may appear twice.',
      });
      return null;
    },
  };
}
