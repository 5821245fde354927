import { alertId } from '../alerts/alert.ts';
import { classifyFailure } from '../delivery/failures.ts';
import { HEARD } from '../delivery/plan/mentions.ts';
import { type MessageSource, nonceOf, type Post, type SendStep } from '../delivery/post.ts';
import type { Sender } from '../delivery/sender.ts';
import { mayBeFiles, withNote } from '../discord/attachments.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import type { Collection } from '../store/collection.ts';
import type { Registry } from '../watches/registry.ts';
import { isLeaving } from '../watches/watch.ts';
import type { ComposeDigest, DigestMessage } from './compose.ts';
import type { Digest, UnderWay } from './documents.ts';
import { createZone, lastDue, nextDue, type Schedule, type Zone } from './schedule.ts';
import { periodBetween } from './stats.ts';

const MINUTE_MS = 60_000;
/** Wallets are polled once more after a digest is due, but not waited for longer than this. */
const READ_WAIT_MS = 3 * MINUTE_MS;
const READ_LOOK_MS = 1_000;
/** After so long it is looked again whether one is due, for a clock that was set. */
const LONGEST_REST_MS = 3_600_000;
/** A clock that was this far ahead was plainly wrong. */
const CLOCK_LIMIT_MS = 3 * 3_600_000;

/**
 * The digests of channels as messages, once for each time that one is due: from where the last one that came ended until now.
 * Of several that are due only the latest is sent.
 */
export function createDigestRunner(
  { nowMs, log, onFailpoint }: Machine,
  parts: {
    readonly documents: Collection<Digest>;
    readonly registry: Pick<Registry, 'ofChannel'>;
    readonly compose: ComposeDigest;
    /** Whether all wallets of the channel have been polled since, by the venue's clock, epoch ms. */
    readonly isRead: (channelId: string, sinceMs: number) => boolean;
    readonly sender: Pick<Sender, 'send'>;
    /** Whether the bot may attach files in the channel; null if that is not known. */
    readonly canAttach: (channelId: string) => boolean | null;
    readonly post: Post;
  },
): MessageSource {
  const { documents, registry, compose, isRead, sender, canAttach, post } = parts;
  const beganMs = nowMs();
  const zones = new Map<string, Zone>();
  /** By channel, when the digest was due that Discord failed at, with its picture. */
  const failedWithPicture = new Map<string, number>();
  /** Many digests are due at the same time, and their charts take their while. */
  const composing = createKeyedMutex();

  const zoneOf = ({ timeZone }: Schedule): Zone => {
    const zone = zones.get(timeZone) ?? createZone(timeZone);
    zones.set(timeZone, zone);
    return zone;
  };

  const update = (channelId: string, change: (before: Digest) => Partial<Digest>) =>
    documents.change(channelId, (before) => before && { ...before, ...change(before) });

  /** Nothing is left to do about what was due. @param coveredMs where the next one goes on */
  const markDone = (channelId: string, dueMs: number, coveredMs: number) =>
    update(channelId, (before) => ({
      doneUntilMs: Math.max(before.doneUntilMs, dueMs),
      coveredMs: Math.max(before.coveredMs ?? coveredMs, coveredMs),
      underWay: null,
    }));

  /** Whether a message with a picture is sent at once without it: where Discord itself fails, only when it does so again. */
  const isPictureDropped = (channelId: string, dueMs: number, error: unknown): boolean => {
    if (!mayBeFiles(error)) return false;
    const failure = classifyFailure(error);
    if (failure.kind !== 'retry' || failure.status < 500) return true;
    const isRepeated = failedWithPicture.get(channelId) === dueMs;
    failedWithPicture.set(channelId, dueMs);
    return isRepeated;
  };

  /** With its picture where the bot may attach files. */
  const send = async (channelId: string, dueMs: number, { embed, plain, picture }: DigestMessage): Promise<string> => {
    const nonce = nonceOf('digest', channelId, dueMs);
    const sendBody = (body: Parameters<Sender['send']>[1]['body']) =>
      sender.send(channelId, { body, noise: HEARD, nonce });
    if (picture === null) return sendBody({ embeds: [plain] });
    const sendBare = (error: unknown) => sendBody({ embeds: [withNote(plain, picture.leftOut(error))] });
    if (canAttach(channelId) === false) return sendBare(null);
    return sendBody({ embeds: [embed], picture }).catch((error: unknown) => {
      if (!isPictureDropped(channelId, dueMs, error)) throw error;
      return sendBare(error);
    });
  };

  /** @param isOvertaken whether another one is due meanwhile, which then covers the time of this one, unless it has come */
  const tryDelivering = async (channelId: string, { dueMs, fromMs, startedAtMs }: UnderWay, isOvertaken: boolean) => {
    const reference = alertId(['digest', channelId, dueMs]);
    if ((await post.look(channelId, [reference], startedAtMs, isOvertaken)) !== null) {
      log.info({ event: 'digest.found', channel: channelId });
      return markDone(channelId, dueMs, startedAtMs);
    }
    if (isOvertaken) return update(channelId, () => ({ underWay: null }));
    const digest = documents.get(channelId);
    if (digest === undefined) return;
    const zone = zoneOf(digest.schedule);
    const message = await composing.run('', () => compose(digest, { dueMs, fromMs, startedAtMs }, zone, reference));
    const messageId = await send(channelId, dueMs, message);
    onFailpoint('digest.answered');
    log.info({ event: 'digest.sent', channel: channelId, messageId });
    failedWithPicture.delete(channelId);
    await markDone(channelId, dueMs, startedAtMs);
  };

  const stepOf = (channelId: string, underWay: UnderWay, isOvertaken = false): SendStep => ({
    send: () => tryDelivering(channelId, underWay, isOvertaken),
    onDeleted: () => markDone(channelId, underWay.dueMs, underWay.startedAtMs),
    async reject(reason) {
      log.error({ event: 'digest.rejected', channel: channelId, reason });
      await markDone(channelId, underWay.dueMs, underWay.fromMs);
    },
  });

  /** How long to rest until the next one is due, ms; the clock may be set in between. */
  const untilDue = ({ schedule }: Digest): number =>
    Math.min(nextDue(schedule, zoneOf(schedule), nowMs()) - nowMs(), LONGEST_REST_MS);

  /** @param digest has something due at `dueMs` that is not done */
  const dueStep = async (channelId: string, digest: Digest, dueMs: number): Promise<SendStep | number> => {
    const { underWay, schedule, coveredMs, doneUntilMs } = digest;
    if (underWay !== null && underWay.dueMs !== dueMs) return stepOf(channelId, underWay, true);
    // Where that of the last one ended that came, however the schedule has changed since, and however many never came.
    const fromMs = coveredMs ?? lastDue(schedule, zoneOf(schedule), Math.min(doneUntilMs, dueMs - 1));
    const { fromSeconds, toSeconds } = periodBetween(fromMs, nowMs());
    if (underWay === null && fromSeconds >= toSeconds) {
      // No full hour has passed since the last one.
      await markDone(channelId, dueMs, fromMs);
      return untilDue(digest);
    }
    const sinceMs = Math.max(dueMs, beganMs);
    const isReady = nowMs() >= sinceMs + READ_WAIT_MS || isRead(channelId, sinceMs);
    if (!isReady) return READ_LOOK_MS;
    if (underWay !== null) return stepOf(channelId, underWay);
    // Stored before its first attempt.
    const begun: UnderWay = { dueMs, fromMs, startedAtMs: nowMs() };
    await update(channelId, () => ({ underWay: begun }));
    onFailpoint('digest.stored');
    return stepOf(channelId, begun);
  };

  const next = async (channelId: string): Promise<SendStep | number> => {
    const digest = documents.get(channelId);
    if (digest === undefined || digest.offSinceMs !== null) return Number.POSITIVE_INFINITY;
    const { schedule, doneUntilMs } = digest;
    const now = nowMs();
    if (doneUntilMs > now + CLOCK_LIMIT_MS) {
      // What was done by a clock that was plainly wrong is forgotten.
      const known = ({ coveredMs }: Digest) => (coveredMs === null ? null : Math.min(coveredMs, now));
      await update(channelId, (before) => ({ doneUntilMs: now, coveredMs: known(before), underWay: null }));
      return untilDue(digest);
    }
    const dueMs = lastDue(schedule, zoneOf(schedule), now);
    if (dueMs <= doneUntilMs) return untilDue(digest);
    if (registry.ofChannel(channelId).every(isLeaving)) {
      await markDone(channelId, dueMs, now);
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
      if (why === 'gone') await documents.delete(channelId);
      return 0;
    },
    channels: () => documents.all().map(({ channelId }) => channelId),
  };
}
