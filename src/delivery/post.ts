import { createHash } from 'node:crypto';
import type { Machine } from '../lib/machine.ts';
import { classifyFailure, type SendResult } from './failures.ts';
import type { Sender } from './sender.ts';

/**
 * Age up to which a nonce is relied on, in ms. Discord checks nonces "in the past few minutes".
 * After that, the history is read.
 */
const NONCE_TRUST_MS = 60_000;

/**
 * A message that must be posted exactly once. It is decided and stored, including what its nonce is
 * derived from.
 */
interface DurableMessage {
  /**
   * Texts that identify it in the channel's history. Finding one of them proves that the whole
   * message was posted.
   */
  readonly references: readonly string[];
  /** Time of the first attempt, in epoch milliseconds, as stored. */
  readonly startedAtMs: number;
  /**
   * True on the first attempt by the process that decided the message, so it cannot have been
   * posted before.
   */
  readonly isUntried?: boolean;
  /**
   * Called instead of `send`, unless an earlier attempt succeeded. Null: the message is sent.
   */
  readonly insteadOfSending: (() => Promise<unknown>) | null;
  /**
   * Sends the message.
   * @returns the message's id
   * @throws discord.js's error
   */
  send(): Promise<string>;
  /**
   * Called when an earlier attempt succeeded. Stores that and acknowledges the message's alerts.
   */
  onFound(messageId: string): Promise<void>;
  /**
   * Called when Discord has accepted the message. Stores that and acknowledges the message's
   * alerts.
   */
  onSent(messageId: string): Promise<void>;
}

/**
 * Posts messages that must be posted exactly once: alerts, digests and notices. The caller has
 * stored each message. Its nonce lets Discord recognize a repeat for some time; before a later
 * repeat, the channel's history is searched. Once the message is posted, the caller stores that and
 * finishes it.
 */
export function createPost(
  { nowMs, log, onFailpoint }: Machine,
  { findReferences }: Pick<Sender, 'findReferences'>,
) {
  /**
   * Searches the channel's history for a message. If the history cannot be read completely, logs
   * that a duplicate is possible.
   * @returns the id of the message, or null if it was not posted
   * @throws discord.js's error if the history cannot be read at the moment
   */
  const find = async (
    channelId: string,
    { references, startedAtMs }: DurableMessage,
  ): Promise<string | null> => {
    const found = await findReferences(channelId, references, startedAtMs).catch(
      (error: unknown) => {
        const { kind } = classifyFailure(error);
        // This concerns the history, not the message.
        if (kind === 'messageGone' || kind === 'rejected') return null;
        throw error;
      },
    );
    if (found === null) {
      log.warn({
        event: 'message.repeated_unchecked',
        channel: channelId,
        items: references.length,
        reason:
          'The history of the channel could not be read to its end: a message that ' +
          'had arrived may appear twice.',
      });
      return null;
    }
    const ids = references.map((reference) => found.get(reference));
    return ids.find((id) => id !== undefined) ?? null;
  };

  return {
    /**
     * Makes one attempt to send a message, unless an earlier one succeeded. The history is searched
     * if Discord would not recognize a repeat by its nonce, or if no request is sent by which it
     * could.
     * @throws discord.js's error; the message may have been posted anyway
     */
    async attempt(channelId: string, message: DurableMessage): Promise<SendResult> {
      const { startedAtMs, isUntried = false, insteadOfSending } = message;
      const isNonceEnough = insteadOfSending === null && isNonceTrusted(startedAtMs, nowMs());
      const mayHaveArrived = !isUntried && !isNonceEnough;
      const earlierId = mayHaveArrived ? await find(channelId, message) : null;
      if (earlierId !== null) {
        await message.onFound(earlierId);
        return 'answered';
      }
      if (insteadOfSending !== null) {
        await insteadOfSending();
        return 'unasked';
      }
      onFailpoint('post.begun');
      const messageId = await message.send();
      onFailpoint('post.answered');
      await message.onSent(messageId);
      return 'taken';
    },
  };
}
export type Post = ReturnType<typeof createPost>;

/**
 * True if the first attempt, in epoch ms, is recent enough that Discord would answer a repeat with
 * the existing message.
 */
export function isNonceTrusted(startedAtMs: number, nowMs: number): boolean {
  const passedMs = nowMs - startedAtMs;
  // If the clock was set back, the time that has passed is unknown.
  return passedMs >= 0 && passedMs <= NONCE_TRUST_MS;
}

/**
 * Returns a nonce that is always the same for the same parts. It has 22 characters; Discord accepts
 * 25.
 */
export function nonceOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
