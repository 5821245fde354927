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

/** Longest wait for another poll of the wallets after a digest is due, in ms. */
const READ_WAIT_MS = 3 * MINUTE_MS;
const READ_LOOK_MS = 1_000;
/**
 * Longest interval between checks whether a digest is due, in ms, because the clock may be changed.
 */
const LONGEST_SLEEP_MS = HOUR_MS;
/** Difference from which a clock that was ahead counts as wrong, in ms. */
const CLOCK_LIMIT_MS = 3 * HOUR_MS;

/**
 * Creates the source of digest messages, one for each due time: from the end of the last one that
 * arrived until now. If several are due, only the latest is sent.
 */
export function createDigestRunner(
  { nowMs, log, onFailpoint }: Machine,
  parts: {
    readonly documents: Collection<Digest>;
    readonly registry: Pick<Registry, 'ofChannel'>;
    readonly compose: ComposeDigest;
    readonly clock: Pick<ChannelClock, 'lagMs'>;
    /**
     * Whether all wallets of the channel have been polled since a time on the venue's clock, in
     * epoch ms.
     */
    readonly isRead: (channelId: string, sinceMs: number) => boolean;
    readonly post: Post;
  } & Omit<Parameters<typeof createPictureSender>[0], 'nowMs'>,
): MessageSource {
  const { documents, registry, compose, clock, isRead, post } = parts;
  const send = createPictureSender({ ...parts, nowMs });
  const beganMs = nowMs();
  const zoneOf = createZones();
  /** Composes one digest at a time, because many are due together and their charts take a while. */
  const composing = createKeyedMutex();

  const update = (channelId: string, change: (before: Digest) => Partial<Digest>) =>
    documents.change(channelId, (before) => before && { ...before, ...change(before) });

  /**
   * Marks everything due up to this time as done.
   *
   * @param coveredMs time at which the next digest continues
   */
  const markDone = (channelId: string, dueMs: number, coveredMs: number) =>
    update(channelId, (before) => doneWith(before, dueMs, coveredMs));

  /**
   * @param isOvertaken whether another digest is due by now; unless this one has arrived, the other
   *   one covers its time too
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
   * @param lagMs delay of the channel
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
      // The clock may be changed in between.
      const untilDueMs = Math.min(dueTime('next', schedule, zone, now) - now, LONGEST_SLEEP_MS);
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
      // The period begins at the end of the last digest that arrived, no matter how the schedule
      // has changed, and how many never arrived.
      const fromMs = coveredMs ?? dueTime('last', schedule, zone, Math.min(doneUntilMs, dueMs - 1));
      // The digest of a delayed channel ends at the channel's delayed time.
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
      // A channel that temporarily watches nothing keeps its digest.
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

/** Discards progress that was recorded with a wrong clock. */
function withoutFuture({ coveredMs }: Digest, nowMs: number): Partial<Digest> {
  const known = coveredMs && Math.min(coveredMs, nowMs);
  return { doneUntilMs: nowMs, coveredMs: known, underWay: null };
}
