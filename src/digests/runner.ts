import { alertId } from '../alerts/alert.ts';
import type { SendResult } from '../delivery/failures.ts';
import type { MessageSource, SendStep } from '../delivery/message-source.ts';
import type { Post } from '../delivery/post.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts';
import { createZones } from '../lib/time-zones.ts';
import type { Collection } from '../store/collection.ts';
import type { ChannelClock } from '../watches/channel-clock.ts';
import type { Registry } from '../watches/registry.ts';
import { isLeaving } from '../watches/watch.ts';
import type { ComposeDigest } from './compose.ts';
import type { Digest, UnderWay } from './documents.ts';
import { createPictureSender } from './picture-sender.ts';
import { dueTime } from './schedule.ts';
import { periodBetween } from './stats.ts';

/** Wallets are polled once more after a digest is due, but not waited for longer than this. */
const READ_WAIT_MS = 3 * MINUTE_MS;
const READ_LOOK_MS = 1_000;
/** Longest rest until it is looked again whether one is due, for a clock that was set. */
const LONGEST_REST_MS = HOUR_MS;
/** A clock that was this far ahead was plainly wrong. */
const CLOCK_LIMIT_MS = 3 * HOUR_MS;

/**
 * The digests of channels as messages, once for each time that one is due: from where the last one
 * that came ended until now. Of several that are due only the latest is sent.
 */
export function createDigestRunner(
  { nowMs, log, onFailpoint }: Machine,
  parts: {
    readonly documents: Collection<Digest>;
    readonly registry: Pick<Registry, 'ofChannel'>;
    readonly compose: ComposeDigest;
    readonly clock: Pick<ChannelClock, 'lagMs'>;
    /**
     * Tells whether all wallets of the channel have been polled since, by the venue's clock, epoch
     * ms.
     */
    readonly isRead: (channelId: string, sinceMs: number) => boolean;
    readonly post: Post;
  } & Omit<Parameters<typeof createPictureSender>[0], 'nowMs'>,
): MessageSource {
  const { documents, registry, compose, clock, isRead, post } = parts;
  const send = createPictureSender({ ...parts, nowMs });
  const beganMs = nowMs();
  const zoneOf = createZones();
  /** Many digests are due at the same time, and their charts take their while. */
  const composing = createKeyedMutex();

  const update = (channelId: string, change: (before: Digest) => Partial<Digest>) =>
    documents.change(channelId, (before) => before && { ...before, ...change(before) });

  /**
   * Nothing is left to do about what was due.
   *
   * @param coveredMs where the next one goes on
   */
  const markDone = (channelId: string, dueMs: number, coveredMs: number) =>
    update(channelId, (before) => doneWith(before, dueMs, coveredMs));

  /**
   * @param isOvertaken whether another one is due meanwhile, which covers the time of this one,
   * unless it has come
   */
  const tryDelivering = async (
    channelId: string,
    underWay: UnderWay,
    isOvertaken: boolean,
  ): Promise<SendResult> => {
    const { dueMs, startedAtMs, toMs = startedAtMs } = underWay;
    const reference = alertId(['digest', channelId, dueMs]);
    const digest = documents.get(channelId);
    if (digest === undefined) return 'unasked';
    return post.attempt(channelId, {
      references: [reference],
      startedAtMs,
      insteadOfSending: isOvertaken ? () => update(channelId, () => ({ underWay: null })) : null,
      async send() {
        const message = await composing.run('', () => compose(digest, underWay, reference));
        return send(channelId, dueMs, message);
      },
      async onFound() {
        log.info({ event: 'digest.found', channel: channelId });
        await markDone(channelId, dueMs, toMs);
      },
      async onSent(messageId) {
        log.info({ event: 'digest.sent', channel: channelId, messageId });
        await markDone(channelId, dueMs, toMs);
      },
    });
  };

  const stepOf = (channelId: string, underWay: UnderWay, isOvertaken = false): SendStep => ({
    send: () => tryDelivering(channelId, underWay, isOvertaken),
    onMessageGone: () => markDone(channelId, underWay.dueMs, underWay.toMs ?? underWay.startedAtMs),
    async reject(reason) {
      log.error({ event: 'digest.rejected', channel: channelId, reason });
      await markDone(channelId, underWay.dueMs, underWay.fromMs);
    },
  });

  /**
   * Stores a digest before its first attempt.
   *
   * @param lagMs of the channel's clock
   */
  const begin = async (channelId: string, begun: UnderWay, lagMs: number): Promise<UnderWay> => {
    const underWay = lagMs === 0 ? begun : { ...begun, toMs: begun.startedAtMs - lagMs };
    await update(channelId, () => ({ underWay }));
    return underWay;
  };

  return {
    name: 'digest',
    async next(channelId): Promise<SendStep | number> {
      const digest = documents.get(channelId);
      if (digest?.offSinceMs !== null) return Number.POSITIVE_INFINITY;
      const { schedule, doneUntilMs, coveredMs, underWay } = digest;
      const zone = zoneOf(schedule.timeZone);
      const now = nowMs();
      // The clock may be set in between.
      const untilDueMs = Math.min(dueTime('next', schedule, zone, now) - now, LONGEST_REST_MS);
      if (doneUntilMs > now + CLOCK_LIMIT_MS) {
        await update(channelId, (before) => withoutFuture(before, now));
        return untilDueMs;
      }
      const dueMs = dueTime('last', schedule, zone, now);
      if (dueMs <= doneUntilMs) return untilDueMs;
      if (registry.ofChannel(channelId).every(isLeaving)) {
        await markDone(channelId, dueMs, now);
        return untilDueMs;
      }
      if (underWay !== null && underWay.dueMs !== dueMs) return stepOf(channelId, underWay, true);
      // The period begins where that of the last digest that came ended, however the schedule has
      // changed, and however many never came.
      const fromMs = coveredMs ?? dueTime('last', schedule, zone, Math.min(doneUntilMs, dueMs - 1));
      // A channel that hears later is told of the time up to where its clock is.
      const lagMs = clock.lagMs(channelId);
      const { fromSeconds, toSeconds } = periodBetween(fromMs, now - lagMs);
      if (underWay === null && fromSeconds >= toSeconds) {
        // No full hour has passed since the last one.
        await markDone(channelId, dueMs, fromMs);
        return untilDueMs;
      }
      const sinceMs = Math.max(dueMs, beganMs);
      const isReady = now >= sinceMs + READ_WAIT_MS || isRead(channelId, sinceMs);
      if (!isReady) return READ_LOOK_MS;
      if (underWay !== null) return stepOf(channelId, underWay);
      const begun = await begin(channelId, { dueMs, fromMs, startedAtMs: now }, lagMs);
      onFailpoint('digest.stored');
      return stepOf(channelId, begun);
    },
    async drop(channelId, why) {
      // A channel that watches nothing for a while keeps its digest.
      if (why === 'gone') await documents.delete(channelId);
      return 0;
    },
    channels: () => documents.all().map(({ channelId }) => channelId),
  };
}

function doneWith(before: Digest, dueMs: number, coveredMs: number): Partial<Digest> {
  return {
    doneUntilMs: Math.max(before.doneUntilMs, dueMs),
    coveredMs: Math.max(before.coveredMs ?? coveredMs, coveredMs),
    underWay: null,
  };
}

/** Forgets what was done by a clock that was plainly wrong. */
function withoutFuture({ coveredMs }: Digest, nowMs: number): Partial<Digest> {
  const known = coveredMs && Math.min(coveredMs, nowMs);
  return { doneUntilMs: nowMs, coveredMs: known, underWay: null };
}
