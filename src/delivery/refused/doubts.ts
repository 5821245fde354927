import type { Machine } from '../../lib/machine.ts';
import type { Failure, SendResult } from '../failures.ts';
import type { Reach } from '../reach.ts';

/** A channel whose refusal is doubted is tried again after so long. */
export const DOUBT_PAUSE_MS = 60_000;
/**
 * Number of refusals, between which Discord took a message in another channel, that are believed.
 */
const BELIEVED_REFUSALS = 3;
/** A refusal that has lasted this long is believed. */
const BELIEVED_AFTER_MS = 15 * 60_000;
const WINDOW_MS = 60_000;
/** More doubted refusals than this within a minute are an outage, whatever else Discord takes. */
const OUTAGE_REFUSALS = 200;
/** Least number of tries within a minute, all of them refused and doubted, that are an outage. */
const OUTAGE_TRIES = 5;

/** State of a channel that Discord has not refused. */
const NO_DOUBT = { refusals: 0, takenBefore: -1 };

interface Doubt {
  /** Times of the first refusal and of the last one, by the monotonic clock. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Number of refusals between which Discord took a message elsewhere. */
  readonly refusals: number;
  /** Number of messages that Discord had taken by the last one that counts. */
  readonly takenBefore: number;
}

/**
 * Judges refusals of channels which the gateway's cache knows to be writable. Discord has refused
 * everything for a while more than once; a channel that is believed to be closed would wait for a
 * change that never comes.
 */
export function createDoubts({ monotonicMs }: Machine, reachOf: (channelId: string) => Reach) {
  const doubts = new Map<string, Doubt>();
  /** Answers of the last minute, oldest first. */
  let tries: { readonly atMs: number; readonly channelId: string; readonly isDoubted: boolean }[] =
    [];
  /**
   * Messages that Discord has taken. A channel's doubt ends with its own, so that those since then
   * are of others.
   */
  let taken = 0;

  const note = (channelId: string, isDoubted: boolean) => {
    const nowMs = monotonicMs();
    tries.push({ atMs: nowMs, channelId, isDoubted });
    while (tries[0] !== undefined && tries[0].atMs <= nowMs - WINDOW_MS) tries.shift();
  };

  /** True if a refusal is all that there is against the gateway's word. */
  const isDoubted = (
    channelId: string,
    { isGone, isDoubtful }: Extract<Failure, { kind: 'blocked' }>,
  ) => {
    const { kind } = reachOf(channelId);
    // Threads that are archived are missing in the cache, too.
    return isDoubtful && (kind === 'open' || (kind === 'missing' && isGone));
  };

  const isBelieved = (channelId: string): boolean => {
    const nowMs = monotonicMs();
    const known = doubts.get(channelId);
    // A refusal of long ago, without a try since, says nothing of now.
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

  /** True if Discord refuses everything, by the tries of the last minute. */
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
     * Counts what an attempt came to.
     *
     * @param isRepaired whether the channel may have been put right during the attempt
     * @returns of a refusal that contradicts the gateway's cache `isBelieved`: the channel counts
     *   as closed; `isOutage`: Discord refuses everything. Of anything else null
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
      // Those that have been counted do not make another outage, and no second block.
      if (judged.isOutage) tries = [];
      if (judged.isBelieved) doubts.delete(channelId);
      return judged;
    },
    /**
     * Something has changed: where the gateway says now what Discord had said there was nothing to
     * doubt.
     */
    review(channelId: string): void {
      if (doubts.has(channelId) && reachOf(channelId).kind === 'closed') forget(channelId);
    },
    /** Nobody sends there any more. */
    forget,
  };
}
