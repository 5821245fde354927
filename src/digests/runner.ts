import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { ArrivalCheck } from '../delivery/arrival-check.ts';
import { classifyFailure } from '../delivery/failures.ts';
import type { MessageSource, RestStep, SendStep, Undelivered } from '../delivery/message-source.ts';
import { mayBeFiles, withNote } from '../discord/attachments.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import type { Registry } from '../watches/registry.ts';
import type { ComposeDigest, DigestMessage } from './compose.ts';
import type { Digest, DigestDocuments, UnderWay } from './documents.ts';
import { lastDue, nextDue } from './schedule.ts';
import { periodBetween } from './stats.ts';
import { createZone, type Zone } from './zone.ts';

const MINUTE_MS = 60_000;
/** Wallets are polled once more after a digest is due, but not waited for longer than this. */
const READ_WAIT_MS = 3 * MINUTE_MS;
const READ_LOOK_MS = 1_000;
/** After so long it is looked again whether one is due, for a clock that was set. */
const LONGEST_REST_MS = 3_600_000;
/** A clock that was this far ahead was plainly wrong. */
const CLOCK_LIMIT_MS = 3 * 3_600_000;

export interface OutgoingDigest {
  readonly message: DigestMessage;
  readonly nonce: string;
}

/** @returns the message's id; rejects with discord.js's error */
export type SendDigest = (channelId: string, digest: OutgoingDigest) => Promise<string>;

export interface DigestRunnerDeps {
  readonly documents: DigestDocuments;
  readonly registry: Pick<Registry, 'ofChannel'>;
  readonly compose: ComposeDigest;
  /** Whether all wallets of the channel have been polled since, by the venue's clock, epoch ms. */
  readonly isRead: (channelId: string, sinceMs: number) => boolean;
  readonly send: SendDigest;
  readonly arrivalCheck: ArrivalCheck;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly onFailpoint: OnFailpoint;
}

/**
 * The digests of channels as messages, once for each time that one is due: from where the last one that came ended until now.
 * Of several that are due only the latest is sent.
 */
export function createDigestRunner(deps: DigestRunnerDeps): MessageSource {
  const { documents, registry, nowMs, log } = deps;
  const startedAtMs = nowMs();
  const zones = new Map<string, Zone>();
  /** By channel, when the digest was due that Discord failed at, with its picture. */
  const failedWithPicture = new Map<string, number>();
  /** Many digests are due at the same time, and their charts take their while. */
  const composing = createKeyedMutex();

  const zoneOf = (timeZone: string): Zone => {
    const zone = zones.get(timeZone) ?? createZone(timeZone);
    zones.set(timeZone, zone);
    return zone;
  };

  /** Nothing is left to do about what was due. @param coveredMs where the next one goes on */
  const markDone = (channelId: string, dueMs: number, coveredMs: number) =>
    documents.change(channelId, (before) => {
      if (before === undefined) return undefined;
      return {
        ...before,
        doneUntilMs: Math.max(before.doneUntilMs, dueMs),
        coveredMs: Math.max(before.coveredMs ?? coveredMs, coveredMs),
        underWay: null,
      };
    });

  /** Whether a digest that may have been sent is in the channel. */
  const hasArrived = async (channelId: string, { dueMs, startedAtMs: sinceMs }: UnderWay): Promise<boolean> => {
    const messageId = await deps.arrivalCheck.findArrived(channelId, [digestReference(channelId, dueMs)], sinceMs);
    if (messageId !== null) log.info({ event: 'digest.found', channel: channelId });
    return messageId !== null;
  };

  /** Forgets what was done by a clock that was plainly wrong. */
  const correctClock = (channelId: string, now: number) =>
    documents.change(channelId, (before) => {
      if (before === undefined) return undefined;
      const coveredMs = before.coveredMs === null ? null : Math.min(before.coveredMs, now);
      return { ...before, doneUntilMs: now, coveredMs, underWay: null };
    });

  /** What is due now and not done; null if nothing is. */
  const dueNow = (digest: Digest): number | null => {
    const dueMs = lastDue(digest.schedule, zoneOf(digest.schedule.timeZone), nowMs());
    return dueMs <= digest.doneUntilMs ? null : dueMs;
  };

  const isReadyAt = (channelId: string, dueMs: number): boolean => {
    const sinceMs = Math.max(dueMs, startedAtMs);
    return nowMs() >= sinceMs + READ_WAIT_MS || deps.isRead(channelId, sinceMs);
  };

  /** Stores the digest as under way before its first attempt. */
  const begin = async (channelId: string, digest: Digest, dueMs: number): Promise<UnderWay> => {
    const begun: UnderWay = { dueMs, fromMs: beginningOf(digest, dueMs), startedAtMs: nowMs() };
    await documents.change(channelId, (before) => before && { ...before, underWay: begun });
    deps.onFailpoint('digest.stored');
    return begun;
  };

  /** Whether a message with a picture is sent at once without it: where Discord itself fails, only when it does so again. */
  const isPictureDropped = (channelId: string, dueMs: number, error: unknown, failure: Undelivered): boolean => {
    if (!mayBeFiles(error)) return false;
    if (failure.kind !== 'retry' || failure.status < 500) return true;
    const isRepeated = failedWithPicture.get(channelId) === dueMs;
    failedWithPicture.set(channelId, dueMs);
    return isRepeated;
  };

  const attempt = async (channelId: string, dueMs: number, digest: OutgoingDigest): Promise<Undelivered | null> => {
    try {
      const messageId = await deps.send(channelId, digest);
      deps.onFailpoint('digest.answered');
      log.info({ event: 'digest.sent', channel: channelId, messageId });
      return null;
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure.kind === 'delivered') return null;
      const { plain, picture } = digest.message;
      if (picture === null || !isPictureDropped(channelId, dueMs, error, failure)) return failure;
      const noted = withNote(plain, picture.leftOut(error));
      return attempt(channelId, dueMs, { ...digest, message: { embed: noted, plain: noted, picture: null } });
    }
  };

  /** Marks a digest as done if it is in the channel. @returns null if it is, or why that is unknown for the moment */
  const lookFor = async (channelId: string, underWay: UnderWay): Promise<Undelivered | 'missing' | null> => {
    let isThere: boolean;
    try {
      isThere = await hasArrived(channelId, underWay);
    } catch (error) {
      const failure = classifyFailure(error);
      return failure.kind === 'delivered' ? 'missing' : failure;
    }
    if (!isThere) return 'missing';
    await markDone(channelId, underWay.dueMs, underWay.startedAtMs);
    return null;
  };

  /** @param isOvertaken whether another one is due meanwhile, which then covers the time of this one, unless it has come */
  const deliver = async (channelId: string, underWay: UnderWay, isOvertaken: boolean): Promise<Undelivered | null> => {
    const { dueMs } = underWay;
    if (isOvertaken || !deps.arrivalCheck.isNonceTrusted(underWay.startedAtMs)) {
      const found = await lookFor(channelId, underWay);
      if (found !== 'missing') return found;
    }
    if (isOvertaken) {
      await documents.change(channelId, (before) => before && { ...before, underWay: null });
      return null;
    }
    const digest = documents.get(channelId);
    if (digest === undefined) return null;
    const reference = digestReference(channelId, dueMs);
    const message = await composing.run('', () =>
      deps.compose(digest, underWay, zoneOf(digest.schedule.timeZone), reference),
    );
    const failure = await attempt(channelId, dueMs, { message, nonce: digestNonce(channelId, dueMs) });
    if (failure !== null) return failure;
    failedWithPicture.delete(channelId);
    await markDone(channelId, dueMs, underWay.startedAtMs);
    return null;
  };

  const stepOf = (channelId: string, underWay: UnderWay, isOvertaken: boolean): SendStep => ({
    kind: 'send',
    deliver: () => deliver(channelId, underWay, isOvertaken),
    async reject(reason) {
      log.error({ event: 'digest.rejected', channel: channelId, reason });
      await markDone(channelId, underWay.dueMs, underWay.fromMs);
    },
  });

  /** Until the next one is due; the clock may be set in between. */
  const untilDue = ({ schedule }: Digest): RestStep => {
    const delayMs = nextDue(schedule, zoneOf(schedule.timeZone), nowMs()) - nowMs();
    return { kind: 'rest', delayMs: Math.min(delayMs, LONGEST_REST_MS) };
  };

  /**
   * Where the time of a digest begins, epoch milliseconds: where that of the last one ended that came, however the schedule has
   * changed since, and however many never came. Of the first one, a day or a week before it is due.
   */
  const beginningOf = ({ schedule, coveredMs, doneUntilMs }: Digest, dueMs: number): number =>
    coveredMs ?? lastDue(schedule, zoneOf(schedule.timeZone), Math.min(doneUntilMs, dueMs - 1));

  /** @param digest has something due at `dueMs` that is not done */
  const dueStep = async (channelId: string, digest: Digest, dueMs: number): Promise<SendStep | RestStep> => {
    const { underWay } = digest;
    if (underWay !== null && underWay.dueMs !== dueMs) return stepOf(channelId, underWay, true);
    const fromMs = beginningOf(digest, dueMs);
    const { fromSeconds, toSeconds } = periodBetween(fromMs, nowMs());
    if (underWay === null && fromSeconds >= toSeconds) {
      // No full hour has passed since the last one.
      await markDone(channelId, dueMs, fromMs);
      return untilDue(digest);
    }
    if (!isReadyAt(channelId, dueMs)) return { kind: 'rest', delayMs: READ_LOOK_MS };
    return stepOf(channelId, underWay ?? (await begin(channelId, digest, dueMs)), false);
  };

  const next = async (channelId: string): Promise<SendStep | RestStep> => {
    const digest = documents.get(channelId);
    if (digest === undefined || digest.offSinceMs !== null) return { kind: 'rest', delayMs: null };
    if (digest.doneUntilMs > nowMs() + CLOCK_LIMIT_MS) await correctClock(channelId, nowMs());
    const dueMs = dueNow(documents.get(channelId) ?? digest);
    if (dueMs === null) return untilDue(digest);
    if (registry.ofChannel(channelId).length === 0) {
      await markDone(channelId, dueMs, nowMs());
      return untilDue(digest);
    }
    return dueStep(channelId, digest, dueMs);
  };

  return {
    name: 'digest',
    next,
    async drop(channelId, why) {
      failedWithPicture.delete(channelId);
      // A channel that watches nothing for a while keeps its digest.
      if (why === 'gone' && documents.get(channelId) !== undefined) await documents.change(channelId, () => undefined);
      return 0;
    },
    channels: () => documents.all().map(({ channelId }) => channelId),
  };
}

/** The same for the same digest whenever it is made: eight characters, as the references of alerts. */
function digestReference(channelId: string, dueMs: number): string {
  const bytes = digestHash(channelId, dueMs).subarray(0, 8);
  return Array.from(bytes, (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}

/** At most 25 characters, Discord's limit. */
function digestNonce(channelId: string, dueMs: number): string {
  return digestHash(channelId, dueMs).toString('base64url').slice(0, 24);
}

function digestHash(channelId: string, dueMs: number): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['digest', channelId, dueMs]))
    .digest();
}
