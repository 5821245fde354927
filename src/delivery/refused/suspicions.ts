import type { Machine } from '../../lib/machine.ts';
import type { Blocked, Failure, SendResult } from '../failures.ts';
import type { Reach } from '../reach.ts';

/** Delay before retrying a channel whose rejection is only suspected, in ms. */
export const SUSPECTED_PAUSE_MS = 60_000;
/**
 * Number of rejections after which they count as confirmed. Discord must have accepted messages in
 * other channels between them.
 */
const CONFIRMING_REJECTIONS = 3;
/** Time after which a continuing rejection counts as confirmed, in ms. */
const CONFIRMED_AFTER_MS = 15 * 60_000;
const WINDOW_MS = 60_000;
/**
 * Maximum number of suspected rejections within a minute. More are an outage, whatever else Discord
 * accepts.
 */
const OUTAGE_REJECTIONS = 200;
/**
 * Minimum number of tries within a minute that indicate an outage if all were suspected rejections.
 */
const OUTAGE_TRIES = 5;

/** Initial state of a channel that Discord has not rejected. */
const NO_SUSPICION = { rejections: 0, acceptedBefore: -1 };

interface Suspicion {
  /** Monotonic times of the first and the last rejection. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Number of rejections between which Discord accepted a message elsewhere. */
  readonly rejections: number;
  /** Number of messages that Discord had accepted at the last counted rejection. */
  readonly acceptedBefore: number;
}

/**
 * Assesses rejections of channels that can be posted to according to the gateway's cache. More than
 * once, Discord has rejected everything for some time; a channel assumed to be closed would then
 * wait for a change that never comes.
 */
export function createSuspicions({ monotonicMs }: Machine, reachOf: (channelId: string) => Reach) {
  const suspicions = new Map<string, Suspicion>();
  /** Answers of the last minute, oldest first. */
  let tries: {
    readonly atMs: number;
    readonly channelId: string;
    readonly isSuspected: boolean;
  }[] = [];
  /**
   * Number of messages that Discord has accepted. An accepted message ends the suspicion of its own
   * channel, so all counted since then are from others.
   */
  let accepted = 0;

  const note = (channelId: string, isSuspected: boolean) => {
    const nowMs = monotonicMs();
    tries.push({ atMs: nowMs, channelId, isSuspected });
    while (tries[0] !== undefined && tries[0].atMs <= nowMs - WINDOW_MS) tries.shift();
  };

  /** True if only the rejection contradicts the gateway's cache. */
  const isSuspected = (channelId: string, { isGone, mayBeOutage }: Blocked) => {
    const { kind } = reachOf(channelId);
    // Archived threads are missing in the cache, too.
    return mayBeOutage && (kind === 'open' || (kind === 'missing' && isGone));
  };

  const isConfirmed = (channelId: string): boolean => {
    const nowMs = monotonicMs();
    const known = suspicions.get(channelId);
    // An old rejection without a try since then says nothing about now.
    const isGoingOn = known !== undefined && nowMs - known.lastMs <= CONFIRMED_AFTER_MS;
    const { sinceMs, rejections, acceptedBefore } = isGoingOn
      ? known
      : { ...NO_SUSPICION, sinceMs: nowMs };
    const counted = accepted > acceptedBefore ? rejections + 1 : rejections;
    suspicions.set(channelId, {
      sinceMs,
      lastMs: nowMs,
      rejections: counted,
      acceptedBefore: accepted,
    });
    return counted >= CONFIRMING_REJECTIONS || nowMs - sinceMs >= CONFIRMED_AFTER_MS;
  };

  /** True if Discord rejects everything, judging by the tries of the last minute. */
  const isOutage = (): boolean => {
    const rejected = tries.filter((one) => one.isSuspected).length;
    const isAll = tries.length >= OUTAGE_TRIES && rejected === tries.length;
    return isAll || rejected > OUTAGE_REJECTIONS;
  };

  const forget = (channelId: string): void => {
    if (!suspicions.delete(channelId)) return;
    tries = tries.filter((one) => one.channelId !== channelId || !one.isSuspected);
  };

  return {
    /**
     * Counts the outcome of an attempt.
     * @param isRepaired whether the channel may have been fixed during the attempt
     * @returns null, unless the outcome is a rejection that contradicts the gateway's cache.
     *   `isConfirmed`: the channel counts as closed; `isOutage`: Discord rejects everything
     */
    judge(channelId: string, result: SendResult | Failure, isRepaired: boolean) {
      if (result === 'taken') {
        accepted += 1;
        suspicions.delete(channelId);
        note(channelId, false);
        return null;
      }
      const status = typeof result === 'object' && result.kind === 'retry' ? result.status : null;
      const kind = typeof result === 'object' ? result.kind : result;
      if (kind === 'unasked' || kind === 'closed' || kind === 'banned' || status === 0) return null;
      const isCounted = typeof result === 'object' && result.kind === 'blocked' && !isRepaired;
      if (!isCounted || !isSuspected(channelId, result)) {
        note(channelId, false);
        return null;
      }
      note(channelId, true);
      const judged = { isConfirmed: isConfirmed(channelId), isOutage: isOutage() };
      // Rejections that have been counted must not cause another outage or a second block.
      if (judged.isOutage) tries = [];
      if (judged.isConfirmed) suspicions.delete(channelId);
      return judged;
    },
    /**
     * Called after a change. Removes the suspicion if the gateway's cache now agrees with Discord's
     * rejection.
     */
    review(channelId: string): void {
      if (suspicions.has(channelId) && reachOf(channelId).kind === 'closed') forget(channelId);
    },
    /** Called when nothing is sent to the channel any more. */
    forget,
  };
}
