import { createHash } from 'node:crypto';
import type { Machine } from '../lib/machine.ts';
import { classifyFailure, type SendResult } from './failures.ts';
import type { Sender } from './sender.ts';

/**
 * Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the
 * history is read.
 */
const NONCE_TRUST_MS = 60_000;

/** A message that must come once: decided and stored, with what its nonce follows from. */
export interface DurableMessage {
  /** Texts by which it is known in the channel's history: one of them is proof of all of it. */
  readonly references: readonly string[];
  /** Epoch milliseconds of the first attempt, as stored. */
  readonly startedAtMs: number;
  /** True if this process has decided it and makes the first attempt: it cannot have arrived. */
  readonly isUntried?: boolean;
  /** Called in place of `send`, unless an earlier attempt has arrived. Left out: it is sent. */
  readonly insteadOfSending?: (() => Promise<void>) | null;
  /**
   * Sends it.
   *
   * @returns its id
   * @throws discord.js's error
   */
  send(): Promise<string>;
  /** An earlier attempt has arrived: stores that, and acknowledges what the message is about. */
  onFound(messageId: string): Promise<void>;
  /** Discord has taken it: stores that, and acknowledges what the message is about. */
  onSent(messageId: string): Promise<void>;
}

/**
 * Posts messages that must come once, alerts, digests and notices alike. The caller has stored
 * each; it carries a nonce, by which Discord knows a repeat for a while; before a later repeat the
 * channel's history is looked at; once it is there the caller stores that, and finishes it.
 */
export function createPost(
  { nowMs, log, onFailpoint }: Machine,
  { findReferences }: Pick<Sender, 'findReferences'>,
) {
  /**
   * Looks into the channel's history for a message. Where it cannot be read to its end the log says
   * that a double is possible.
   *
   * @returns the id of the message; null if it has not arrived
   * @throws what stands in the way for the moment: discord.js's error
   */
  const find = async (
    channelId: string,
    { references, startedAtMs }: Pick<DurableMessage, 'references' | 'startedAtMs'>,
  ): Promise<string | null> => {
    const found = await findReferences(channelId, references, startedAtMs).catch(
      (error: unknown) => {
        const { kind } = classifyFailure(error);
        // That is about the history, not about the message.
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
     * Makes one attempt at a message, unless an earlier one has arrived. The history is looked at
     * where Discord would not know the repeat by its nonce, or nothing is sent that it could know.
     *
     * @throws discord.js's error: it may have arrived all the same
     */
    async attempt(channelId: string, message: DurableMessage): Promise<SendResult> {
      const { startedAtMs, isUntried = false, insteadOfSending = null } = message;
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
 * True if Discord would answer a repeat with the message it has, since the first attempt was
 * lately. Epoch ms.
 */
export function isNonceTrusted(startedAtMs: number, nowMs: number): boolean {
  const passedMs = nowMs - startedAtMs;
  // A clock that has been set back says nothing of the time that has passed.
  return passedMs >= 0 && passedMs <= NONCE_TRUST_MS;
}

/** A nonce that the same parts always get: 22 characters of 25 that Discord takes. */
export function nonceOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
