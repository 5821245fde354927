import { classifyFailure, shapeOf } from '../delivery/failures.ts';
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
  const pace = createTokenBuckets(machine, () => ({ capacity: FIRST_MESSAGES, everyMs: FIRST_MESSAGE_EVERY_MS }));
  const paceOfOne = createTokenBuckets(machine, () => ({ capacity: ATTEMPTS, everyMs: ATTEMPT_EVERY_MS }));
  return async ({ channelId, attempt, language }: FirstMessage): Promise<void> => {
    const [ownWaitMs, waitMs] = [paceOfOne.waitMs(channelId), pace.waitMs('all')];
    const when = inTime(nowMs() + (ownWaitMs || waitMs));
    if (ownWaitMs > 0) throw new UserError(({ texts }) => texts.errors.quota.user(when));
    if (waitMs > 0) throw new UserError(({ texts }) => texts.personal.refused.tooFast(when));
    paceOfOne.take(channelId);
    pace.take('all');
    const body = { content: language.texts.personal.welcome };
    try {
      await sender.send(channelId, { body, noise: HEARD, nonce: nonceOf('first', channelId, attempt) });
    } catch (error) {
      log.warn({ event: 'person.not_greeted', channel: channelId, err: error });
      const why =
        classifyFailure(error).kind !== 'blocked'
          ? 'later'
          : shapeOf(error).code === NO_SHARED_SERVER
            ? 'noSharedServer'
            : 'closed';
      throw new UserError(({ texts }) => texts.personal.refused[why], { cause: error });
    }
  };
}
