import type { Account } from '../../lib/fair-shares/account.ts';
import { createWindowShares } from '../../lib/fair-shares/window-shares.ts';

/** In the order in which they are served: people, what the bot asks by itself, polls. */
export const PRIORITIES = ['person', 'background', 'poller'] as const;
export type Priority = (typeof PRIORITIES)[number];
const NO_REQUESTS: Readonly<Record<Priority, number>> = { person: 0, background: 0, poller: 0 };

/** Whose request it is: the poller's, the bot's own, or that of a person. */
export type Requester =
  | { readonly priority: 'background' | 'poller' }
  | { readonly priority: 'person'; readonly account: Account };

/**
 * The poller counts as having work so long after it last asked or was served, or three times its
 * usual distance.
 */
const POLLER_SILENCE_MS = 60_000;

export type PriorityShare = ReturnType<typeof createPriorityShare>;

/** Counts who has had how much of this window, and tells who may have more. Local ms. */
export function createPriorityShare() {
  let used: Record<Priority, number> = { ...NO_REQUESTS };
  const lookUps = createWindowShares();
  let lastServed: Exclude<Priority, 'background'> = 'poller';
  let pollerActiveAtMs = Number.NEGATIVE_INFINITY;

  const count = (requester: Requester, by: 1 | -1) => {
    used[requester.priority] += by;
    if (requester.priority === 'person') lookUps.count(requester.account, by);
  };

  return {
    /**
     * Requests of this window; with those on their way when it began, until their answers name an
     * older one.
     */
    get used(): Readonly<Record<Priority, number>> {
      return { ...used };
    },
    /** Look-ups by account: how many each has had, and whether it may have more. */
    lookUps,
    pollerRequested(nowMs: number): void {
      pollerActiveAtMs = nowMs;
    },
    started(requester: Requester, nowMs: number): void {
      count(requester, 1);
      if (requester.priority !== 'background') lastServed = requester.priority;
      // It may have waited for a whole window since it asked.
      if (requester.priority === 'poller') pollerActiveAtMs = nowMs;
    },
    /** One was counted in an older window. */
    cancelled: (requester: Requester) => count(requester, -1),
    /**
     * A window begins.
     *
     * @param inFlight requests whose answers may say that they were counted in it
     */
    restart(inFlight: Iterable<Requester>): void {
      used = { ...NO_REQUESTS };
      lookUps.restart();
      for (const requester of inFlight) count(requester, 1);
    },
    /**
     * Tells whether the poller has work: it waits, or asked or was served lately.
     *
     * @param paceMs its usual distance
     */
    isPollerBusy: (nowMs: number, isWaiting: boolean, paceMs: number) =>
      isWaiting || nowMs < pollerActiveAtMs + Math.max(POLLER_SILENCE_MS, 3 * paceMs),
    /**
     * Number of requests that persons may send now: while the poller has work, none of its half.
     * Half means half of what the window left to us, so that background requests, and another
     * program that uses the same key, take from both alike.
     *
     * @param left requests left in this window; null if unknown: then persons and a waiting poller
     *   alternate
     */
    leftForPersons(
      left: number | null,
      poller: { readonly isWaiting: boolean; readonly isBusy: boolean },
    ): number {
      if (left === null) {
        const isPollersTurn = poller.isWaiting && lastServed !== 'poller';
        if (isPollersTurn) return 0;
        return Number.POSITIVE_INFINITY;
      }
      if (!poller.isBusy) return left;
      const ours = left + used.person + used.poller;
      // A single request cannot be halved: they take turns.
      const inTurn = lastServed === 'person' ? 1 : 0;
      const pollerDue = ours > 1 ? Math.ceil(ours / 2) : inTurn;
      return left - Math.max(0, pollerDue - used.poller);
    },
  };
}
