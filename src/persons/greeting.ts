import { classifyFailure } from '../delivery/failures.ts';
import { HEARD } from '../delivery/plan/mentions.ts';
import { nonceOf } from '../delivery/post.ts';
import type { Sender } from '../delivery/sender.ts';
import { inTime } from '../discord/explain.ts';
import { createTokenBuckets } from '../discord/quotas/buckets.ts';
import type { Language } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';
import type { Machine } from '../lib/machine.ts';

/** Discord flags bots that write to many people for the first time: so many at once, then one each few seconds. */
const FIRST_MESSAGES = 10;
const FIRST_MESSAGE_EVERY_MS = 6_000;
/** Attempts of one person, to whom it may be refused again and again: so many at once, then one each few minutes. */
const ATTEMPTS = 3;
const ATTEMPT_EVERY_MS = 300_000;
const NO_SHARED_SERVER = 50_278;

/** A first message to a person, in the direct message in which they have typed. */
export interface FirstMessage {
  readonly channelId: string;
  /** What it answers: repeated, it is the same message. */
  readonly attempt: string;
  readonly language: Language;
}

/**
 * Sends a person a first message, at a measured pace: that it arrives is the proof that alerts will.
 *
 * @throws {UserError} that says why it cannot be sent, and what to do
 */
export function createGreeting(machine: Machine, sender: Pick<Sender, 'send'>) {
  const { nowMs, log } = machine;
  const pace = createTokenBuckets(machine, { capacity: FIRST_MESSAGES, everyMs: FIRST_MESSAGE_EVERY_MS });
  const paceOfOne = createTokenBuckets(machine, { capacity: ATTEMPTS, everyMs: ATTEMPT_EVERY_MS });
  return async ({ channelId, attempt, language }: FirstMessage): Promise<void> => {
    const ownWaitMs = paceOfOne.waitMs(channelId);
    if (ownWaitMs > 0) {
      const when = inTime(nowMs() + ownWaitMs);
      throw new UserError(({ texts }) => texts.errors.quota.user(when));
    }
    const waitMs = pace.waitMs('all');
    if (waitMs > 0) {
      const when = inTime(nowMs() + waitMs);
      throw new UserError(({ texts }) => texts.personal.refused.tooFast(when));
    }
    paceOfOne.take(channelId);
    pace.take('all');
    const body = { content: language.texts.personal.welcome };
    try {
      await sender.send(channelId, { body, noise: HEARD, nonce: nonceOf('first', channelId, attempt) });
    } catch (error) {
      log.warn({ event: 'person.not_greeted', channel: channelId, err: error });
      throw refusalOf(error);
    }
  };
}

function refusalOf(error: unknown): UserError {
  const isRefused = classifyFailure(error).kind === 'blocked';
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return new UserError(
    ({ texts: { personal } }) => {
      if (!isRefused) return personal.refused.later;
      return code === NO_SHARED_SERVER ? personal.refused.noSharedServer : personal.refused.closed;
    },
    { cause: error },
  );
}
