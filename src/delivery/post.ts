import { createHash } from 'node:crypto';
import type { Machine } from '../lib/machine.ts';
import { classifyFailure } from './failures.ts';
import type { Undelivered } from './message-source.ts';
import type { Sender } from './sender.ts';

/** Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the history is read. */
const NONCE_TRUST_MS = 60_000;

/** A message that was stored before its first attempt. */
export interface Intent {
  /** One of them in the channel's history is proof of the whole message. */
  readonly references: readonly string[];
  /** Epoch milliseconds of the first attempt. */
  readonly startedAtMs: number;
}

/**
 * What every message does that must come once: its intent is stored; it carries a nonce, by which Discord knows a repeat for a
 * while; before a later repeat the channel's history is looked at; once it is there that is stored, and it is finished.
 */
export function createPost({ nowMs, log }: Machine, { findReferences }: Pick<Sender, 'findReferences'>) {
  const look = async (channelId: string, { references, startedAtMs }: Intent): Promise<string | null> => {
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
  };

  return {
    /**
     * Looks into the channel's history. Where that cannot be read to its end the log says that a double is possible.
     *
     * @returns the id of the message; null if it has not arrived
     * @throws what stands in the way for the moment: discord.js's error
     */
    look,
    /** The same, unless Discord knows a repeat by its nonce. */
    lookIfLate: async (channelId: string, intent: Intent): Promise<string | null> =>
      isNonceTrusted(intent.startedAtMs, nowMs()) ? null : look(channelId, intent),
  };
}
export type Post = ReturnType<typeof createPost>;

/** Whether Discord itself would answer a repeat with the message that it has, because the first attempt was lately. Epoch ms. */
export function isNonceTrusted(startedAtMs: number, nowMs: number): boolean {
  const passedMs = nowMs - startedAtMs;
  // A clock that has been set back says nothing of the time that has passed.
  return passedMs >= 0 && passedMs <= NONCE_TRUST_MS;
}

/**
 * Makes one attempt.
 *
 * @param onDeleted the message was there, and somebody has deleted it
 * @returns why it failed; null if it did not
 */
export async function attempt(work: () => Promise<void>, onDeleted: () => Promise<void>): Promise<Undelivered | null> {
  try {
    await work();
  } catch (error) {
    const failure = classifyFailure(error);
    if (failure.kind !== 'delivered') return failure;
    await onDeleted();
  }
  return null;
}

/** A nonce that the same parts always get: 22 characters of 25 that Discord takes. */
export function nonceOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
