import type { Machine } from '../../lib/machine.ts';
import type { Blocked, Failure, SendResult } from '../failures.ts';
import type { Reach } from '../reach.ts';

/** Delay before retrying a channel whose rejection is in doubt, in ms. */
export const DOUBT_PAUSE_MS = 60_000;
/**
 * Number of rejections after which they count as confirmed. Discord must have accepted messages in
 * other channels between them.
 */
const BELIEVED_REFUSALS = 3;
/** Time after which a continuing rejection counts as confirmed, in ms. */
const BELIEVED_AFTER_MS = 15 * 60_000;
const WINDOW_MS = 60_000;
/**
 * Maximum number of rejections in doubt within a minute. More are an outage, whatever else Discord
 * accepts.
 */
const OUTAGE_REFUSALS = 200;
/**
 * Minimum number of tries within a minute that indicate an outage if all were rejected and are in
 * doubt.
 */
const OUTAGE_TRIES = 5;

/** Initial state of a channel that Discord has not rejected. */
const NO_DOUBT = { refusals: 0, takenBefore: -1 };

interface Doubt {
  /** Monotonic times of the first and the last rejection. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Number of rejections between which Discord accepted a message elsewhere. */
  readonly refusals: number;
  /** Number of messages that Discord had accepted at the last counted rejection. */
  readonly takenBefore: number;
}

/**
 * Assesses rejections of channels that can be posted to according to the gateway's cache. More than
 * once, Discord has rejected everything for some time; a channel assumed to be closed would then
 * wait for a change that never comes.
 */
export function createDoubts({ monotonicMs }: Machine, reachOf: (channelId: string) => Reach) {
  const doubts = new Map<string, Doubt>();
  /** Answers of the last minute, oldest first. */
  let tries: { readonly atMs: number; readonly channelId: string; readonly isDoubted: boolean }[] =
    [];
  /**
   * Number of messages that Discord has accepted. An accepted message ends its own channel's doubt,
   * so all counted since then are from others.
   */
  let taken = 0;

  const note = (channelId: string, isDoubted: boolean) => {
    const nowMs = monotonicMs();
    tries.push({ atMs: nowMs, channelId, isDoubted });
    while (tries[0] !== undefined && tries[0].atMs <= nowMs - WINDOW_MS) tries.shift();
  };

  /** True if only the rejection contradicts the gateway's cache. */
  const isDoubted = (channelId: string, { isGone, isDoubtful }: Blocked) => {
    const { kind } = reachOf(channelId);
    // Archived threads are missing in the cache, too.
    return isDoubtful && (kind === 'open' || (kind === 'missing' && isGone));
  };

  const isBelieved = (channelId: string): boolean => {
    const nowMs = monotonicMs();
    const known = doubts.get(channelId);
    // An old rejection without a try since then says nothing about now.
    const isGoingOn = known !== undefined && nowMs - known.lastMs <= BELIEVED_AFTER_MS;
    const { sinceMs, refusals, takenBefore } = isGoingOn ? known : { ...NO_DOUBT, sinceMs: nowMs };
    const counted = taken > takenBefore ? refusals + 1 : refusals;
    doubts.set(channelId, {
      sinceMs,
      lastMs: nowMs,
      refusals: counted,
      takenBefore: taken,
    });
    return counted >= BELIEVED_REFUSALS || nowMs - sinceMs >= BELIEVED_AFTER_MS;
  };

  /** True if Discord rejects everything, judging by the tries of the last minute. */
  const isOutage = (): boolean => {
    const refused = tries.filter((one) => one.isDoubted).length;
    const isAll = tries.length >= OUTAGE_TRIES && refused === tries.length;
    return isAll || refused > OUTAGE_REFUSALS;
  };

  const forget = (channelId: string): void => {
    if (!doubts.delete(channelId)) return;
    tries = tries.filter((one) => one.channelId !== channelId || !one.isDoubted);
  };

  return {
    /**
     * Counts the outcome of an attempt.
     * @param isRepaired whether the channel may have been fixed during the attempt
     * @returns null, unless the outcome is a rejection that contradicts the gateway's cache.
     *   `isBelieved`: the channel counts as closed; `isOutage`: Discord rejects everything
     */
    judge(channelId: string, result: SendResult | Failure, isRepaired: boolean) {
      if (result === 'taken') {
        taken += 1;
        doubts.delete(channelId);
        note(channelId, false);
        return null;
      }
      const status = typeof result === 'object' && result.kind === 'retry' ? result.status : null;
      const kind = typeof result === 'object' ? result.kind : result;
      if (kind === 'unasked' || kind === 'closed' || kind === 'banned' || status === 0) return null;
      const isCounted = typeof result === 'object' && result.kind === 'blocked' && !isRepaired;
      if (!isCounted || !isDoubted(channelId, result)) {
        note(channelId, false);
        return null;
      }
      note(channelId, true);
      const judged = { isBelieved: isBelieved(channelId), isOutage: isOutage() };
      // Rejections that have been counted must not cause another outage or a second block.
      if (judged.isOutage) tries = [];
      if (judged.isBelieved) doubts.delete(channelId);
      return judged;
    },
    /**
     * Called after a change. Removes the doubt if the gateway's cache now agrees with Discord's
     * rejection.
     */
    review(channelId: string): void {
      if (doubts.has(channelId) && reachOf(channelId).kind === 'closed') forget(channelId);
    },
    /** Called when nothing is sent to the channel any more. */
    forget,
  };
}
