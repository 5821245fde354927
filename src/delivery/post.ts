import { createHash } from 'node:crypto';
import type { Machine } from '../lib/machine.ts';
import { classifyFailure } from './failures.ts';
import type { Sender } from './sender.ts';

/** Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the history is read. */
const NONCE_TRUST_MS = 60_000;

/** A message that is stored and may be sent, now or again. */
export interface SendStep {
  /** Makes one attempt: then the message is in the channel, or another one must be tried. @throws discord.js's error */
  send(): Promise<void>;
  /** The message was there, and somebody has deleted it. */
  onDeleted(): Promise<void>;
  /** Discord will never take the message as it is: it is given up, or tried in parts. */
  reject(reason: string): Promise<void>;
}

/** Where the messages of channels come from: alerts, digests, notices. Each decides what is sent; the delivery worker when and how often. */
export interface MessageSource {
  /** In log events: `alert.retry`. */
  readonly name: 'alert' | 'digest' | 'notice';
  /**
   * What a channel sends next: stored before it is returned, so that a restart sends the same. Or for how many ms there is
   * nothing to send; Infinity: until somebody asks again.
   */
  next(channelId: string): Promise<SendStep | number>;
  /**
   * Drops what waits for a channel that is gone for good, or in which nothing is watched any more; of a blocked one, where no
   * next step is asked for, only what it does not want any more.
   *
   * @returns how many alerts were dropped
   */
  drop(channelId: string, why: 'gone' | 'unwatched' | 'blocked'): Promise<number>;
  /** Channels that may have something to send. */
  channels(): readonly string[];
}

/**
 * What every message does that must come once: its intent is stored; it carries a nonce, by which Discord knows a repeat for a
 * while; before a later repeat the channel's history is looked at; once it is there that is stored, and it is finished.
 */
export function createPost({ nowMs, log }: Machine, { findReferences }: Pick<Sender, 'findReferences'>) {
  return {
    /**
     * Looks into the channel's history for what was stored before its first attempt, unless Discord knows a repeat by its nonce.
     * Where it cannot be read to its end the log says that a double is possible.
     *
     * @param references one of them in the history is proof of the whole message
     * @param startedAtMs of the first attempt, epoch milliseconds
     * @param isInAnyCase whether it is looked for even if Discord knows a repeat
     * @returns the id of the message; null if it has not arrived
     * @throws what stands in the way for the moment: discord.js's error
     */
    async look(channelId: string, references: readonly string[], startedAtMs: number, isInAnyCase = false) {
      if (!isInAnyCase && isNonceTrusted(startedAtMs, nowMs())) return null;
      const found = await findReferences(channelId, references, startedAtMs).catch((error: unknown) => {
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
export type Post = ReturnType<typeof createPost>;

/** Whether Discord itself would answer a repeat with the message that it has, because the first attempt was lately. Epoch ms. */
export function isNonceTrusted(startedAtMs: number, nowMs: number): boolean {
  const passedMs = nowMs - startedAtMs;
  // A clock that has been set back says nothing of the time that has passed.
  return passedMs >= 0 && passedMs <= NONCE_TRUST_MS;
}

/** A nonce that the same parts always get: 22 characters of 25 that Discord takes. */
export function nonceOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
