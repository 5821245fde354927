import * as z from 'zod';
import { classifyFailure, shapeOf } from '../delivery/failures.ts';
import { AUDIBLE } from '../delivery/plan/mentions.ts';
import { nonceOf } from '../delivery/post.ts';
import type { Sender } from '../delivery/sender.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import { clockTime } from '../discord/explain.ts';
import { createSuspension, type SuspensionParts } from '../discord/guilds/suspension.ts';
import { createTokenBuckets } from '../discord/quotas/buckets.ts';
import type { Admission } from '../discord/quotas/exceptions.ts';
import type { Language, LanguageTag } from '../language/language.ts';
import { storedLanguage } from '../language/stored-language.ts';
import { UserError } from '../language/user-error.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import type { PagerStore } from '../lookups/pager-store.ts';
import { type Collection, defineCollection } from '../store/collection.ts';
import { personOf, personOwner, snowflake } from '../watches/owner.ts';
import type { Imports } from '../watches/transfer/imports.ts';

/**
 * Rate of first messages: this many at once, then one every few seconds. Discord flags bots that
 * write to many people for the first time.
 */
const FIRST_MESSAGES = 10;
const FIRST_MESSAGE_EVERY_MS = 6_000;
/**
 * Rate of attempts per person, who may refuse them repeatedly: this many at once, then one every
 * few minutes.
 */
const ATTEMPTS = 3;
const ATTEMPT_EVERY_MS = 300_000;
const NO_SHARED_SERVER = 50_278;
/** Discord has had enough of direct messages for now, with this code: it would flag the bot next. */
const OPENED_TOO_FAST = 40_003;
const THROTTLED_MS = 60_000;
/** Discord's code for a person with whom no direct message can be opened. */
const INVALID_RECIPIENT = 50_033;

const personSchema = z.object({
  personId: snowflake,
  /** The person's direct message with the bot. */
  channelId: snowflake,
  /**
   * Language of the person's Discord, used for alerts and digests unless `/watch channel` has set
   * another one.
   */
  language: storedLanguage('en-US'),
});

/** A person who has accepted a first message. */
export type Person = z.infer<typeof personSchema>;

export const personKind = defineCollection({
  prefix: 'person:',
  schema: personSchema,
  belongs: ({ personId }, id) => personId === id,
  placeOf: ({ personId, channelId }) => ({ ownerId: personOwner(personId), channelId }),
});

/**
 * Creates the documents of people who have accepted a first message, and tracks whether they still
 * accept messages.
 */
export function createPersonDocuments(persons: Collection<Person>) {
  const suspected = new Set<string>();
  return {
    ...persons,
    /** Returns the person of a direct message; undefined for a server's channel. */
    ofChannel: (channelId: string): Person | undefined => persons.ofChannel(channelId).at(-1),
    /**
     * Marks a direct message whose refusal is being retried: until a message arrives, it is unknown
     * whether the person accepts any. Kept in memory only.
     */
    suspect: (channelId: string) => void suspected.add(channelId),
    /** Records that a message has arrived. */
    trust: (channelId: string) => void suspected.delete(channelId),
    isSuspected: (channelId: string) => suspected.has(channelId),
  };
}
export type PersonDocuments = ReturnType<typeof createPersonDocuments>;

/** A first message to a person. */
export interface FirstMessage {
  readonly personId: string;
  /** Their direct message with the bot; null if it is not known yet, and is to be opened. */
  readonly channelId: string | null;
  /** Id of the interaction that it answers; repeated with the same id, it is the same message. */
  readonly attempt: string;
  readonly language: Language;
}

/**
 * Creates the function that sends a first message, at a limited rate. If the message arrives,
 * alerts will arrive too.
 *
 * @returns a function that returns the direct message channel of the first message, and throws a
 *   UserError with the reason if it cannot be sent
 */
export function createGreeting(machine: Machine, sender: Pick<Sender, 'send' | 'openDm'>) {
  const { nowMs, monotonicMs, log } = machine;
  const pace = createTokenBuckets(machine, () => ({
    capacity: FIRST_MESSAGES,
    everyMs: FIRST_MESSAGE_EVERY_MS,
  }));
  const paceOfOne = createTokenBuckets(machine, () => ({
    capacity: ATTEMPTS,
    everyMs: ATTEMPT_EVERY_MS,
  }));
  let throttledUntilMs = Number.NEGATIVE_INFINITY;

  const checkPace = (personId: string): void => {
    const ownWaitMs = paceOfOne.waitMs(personId);
    const waitMs = Math.max(pace.waitMs('all'), throttledUntilMs - monotonicMs());
    const when = (given: Language) => clockTime(nowMs() + (ownWaitMs || waitMs), given);
    if (ownWaitMs > 0) {
      throw new UserError((given) => given.texts.errors.quota.user(when(given)));
    }
    if (waitMs > 0) {
      throw new UserError((given) => given.texts.personal.refused.tooFast(when(given)));
    }
    paceOfOne.take(personId);
    pace.take('all');
  };

  return async ({ personId, channelId, attempt, language }: FirstMessage): Promise<string> => {
    checkPace(personId);
    const body = { content: language.texts.personal.welcome };
    let channel = channelId;
    try {
      channel ??= await sender.openDm(personId);
      const nonce = nonceOf('first', channel, attempt);
      await sender.send(channel, { body, noise: AUDIBLE, nonce });
      return channel;
    } catch (error) {
      log.warn({ event: 'person.not_greeted', channel, err: error });
      const why = refusalOf(error);
      if (why === 'openedTooFast') throttledUntilMs = monotonicMs() + THROTTLED_MS;
      throw new UserError(({ texts }) => texts.personal.refused[why], { cause: error });
    }
  };
}

/** Returns why a first message was refused, by the name of the sentence that says so. */
function refusalOf(error: unknown) {
  const { code } = shapeOf(error);
  if (code === OPENED_TOO_FAST) return 'openedTooFast';
  if (code === NO_SHARED_SERVER) return 'noSharedServer';
  const isClosed = code === INVALID_RECIPIENT || classifyFailure(error).kind === 'blocked';
  return isClosed ? 'closed' : 'later';
}

/** Time after which a person to whom the bot cannot write is forgotten, in ms. */
const BLOCKED_MS = 30 * DAY_MS;
const UPDATE_MS = HOUR_MS;

export type Persons = ReturnType<typeof createPersons>;

interface PersonsParts extends SuspensionParts {
  readonly documents: PersonDocuments;
  readonly deliveryWorker: Pick<DeliveryWorker, 'block' | 'forget' | 'onTaken' | 'unblock'>;
  readonly pagers: PagerStore;
  readonly imports: Imports;
  readonly admission: Pick<Admission, 'isServed' | 'listen'>;
  readonly sendFirst: ReturnType<typeof createGreeting>;
}

/** Creates the management of people who have watches for themselves. */
export function createPersons(machine: Machine, parts: PersonsParts) {
  const { nowMs, log } = machine;
  const { documents, ownerData, suspended, deliveryWorker, admission } = parts;
  const mutex = createKeyedMutex();
  const suspension = createSuspension(machine, parts);
  let isStopping = false;

  /** True if the person accepts direct messages, as far as is known. */
  const isReached = (channelId: string): boolean =>
    deliveryWorker.block(channelId) === null && !documents.isSuspected(channelId);

  const forget = async (personId: string): Promise<void> => {
    const ownerId = personOwner(personId);
    const person = documents.get(personId);
    const channelIds = new Set(ownerData.channelsOf(ownerId));
    if (person !== undefined) channelIds.add(person.channelId);
    await parts.imports.forget(ownerId);
    await parts.pagers.forget(ownerId);
    await ownerData.endOwner(ownerId, channelIds);
    await documents.delete(personId);
    for (const forgotten of channelIds) documents.trust(forgotten);
    log.info({ event: 'person.forgotten', channels: [...channelIds] });
  };

  /** Suspends a person who is not served, and resumes them when they are served again. */
  const admit = async (ownerId: string): Promise<void> => {
    const personId = personOf(ownerId);
    if (personId === null) return;
    await mutex.run(personId, async () => {
      const stored = suspended.get(ownerId);
      const isServed = admission.isServed(ownerId);
      if (isServed && stored !== undefined) {
        return suspension.end(stored, Math.floor(parts.venueNowSeconds()));
      }
      if (!isServed && stored === undefined) return suspension.begin(ownerId, false);
    });
  };

  /**
   * Forgets people who could not be written to for long, or have nothing left; resumes people who
   * are served again.
   */
  const update = async (): Promise<void> => {
    for (const { ownerId } of suspended.all()) {
      if (isStopping) return;
      await admit(ownerId);
    }
    for (const { personId, channelId } of documents.all()) {
      if (isStopping) return;
      await mutex.run(personId, async () => {
        const block = deliveryWorker.block(channelId);
        if (block !== null && nowMs() - block.sinceMs > BLOCKED_MS) return forget(personId);
        if (ownerData.channelsOf(personOwner(personId)).size === 0)
          await documents.delete(personId);
      });
    }
  };

  return {
    /** Runs a person's work after any other work for the same person. */
    alone: mutex.run,
    /**
     * Ensures that the bot can write to a person: sends a first message, unless one has arrived and
     * none was refused since.
     *
     * @returns the direct message
     * @throws {UserError} that says what to do if it cannot; nothing is stored then
     */
    async greet(message: FirstMessage): Promise<string> {
      const { personId, language } = message;
      const known = documents.get(personId)?.channelId ?? null;
      const channelId = message.channelId ?? known;
      if (channelId !== null && channelId === known && isReached(known)) return known;
      const reached = await parts.sendFirst({ ...message, channelId });
      documents.trust(reached);
      await documents.set(personId, { personId, channelId: reached, language: language.tag });
      await deliveryWorker.onTaken(reached);
      return reached;
    },
    /**
     * Returns the direct message in which a person got a first message, whether or not it still
     * accepts messages; null if there is none.
     */
    channelOf: (personId: string): string | null => documents.get(personId)?.channelId ?? null,
    /**
     * Records that a person uses the bot: stores their language, and retries messages that could
     * not be sent.
     */
    seen: (personId: string, language: LanguageTag): Promise<void> =>
      mutex.run(personId, async () => {
        const known = documents.get(personId);
        if (known === undefined) return;
        if (known.language !== language) await documents.set(personId, { ...known, language });
        if (deliveryWorker.block(known.channelId) !== null) documents.suspect(known.channelId);
        await deliveryWorker.unblock(known.channelId);
      }),
    forget,
    update,
    /**
     * Updates now and every hour, and also each person whose entry in LIMITS_FILE changes.
     *
     * @returns stops the updates, after the current person
     */
    start(): () => Promise<void> {
      const attempt = (work: () => Promise<void>) =>
        work().catch((error: unknown) => log.error({ event: 'persons.not_updated', err: error }));
      let underWay = attempt(update);
      const follow = (work: () => Promise<void>) => {
        underWay = underWay.then(() => (isStopping ? undefined : attempt(work)));
      };
      admission.listen((ownerIds) => {
        for (const ownerId of ownerIds) follow(() => admit(ownerId));
      });
      const timer = setInterval(() => follow(update), UPDATE_MS).unref();
      return async () => {
        isStopping = true;
        clearInterval(timer);
        await underWay;
      };
    },
  };
}
