import type { Account } from '../../lib/fair-shares/account.ts';
import { createWindowShares } from '../../lib/fair-shares/window-shares.ts';

/**
 * Priorities in the order in which they are served: people, the bot's own background requests,
 * polls.
 */
export const PRIORITIES = ['person', 'background', 'poller'] as const;
export type Priority = (typeof PRIORITIES)[number];
const NO_REQUESTS: Readonly<Record<Priority, number>> = { person: 0, background: 0, poller: 0 };

/** The source of a request: the poller, the bot itself, or a person. */
export type Requester =
  | { readonly priority: 'background' | 'poller' }
  | { readonly priority: 'person'; readonly account: Account };

/**
 * Time after the poller's last request or permit during which it still counts as busy, in ms; three
 * times its usual interval if that is longer.
 */
const POLLER_SILENCE_MS = 60_000;

export type PriorityShare = ReturnType<typeof createPriorityShare>;

/**
 * Creates the count of requests by priority in this window, which decides who may send more. Times
 * are local, in ms.
 */
export function createPriorityShare() {
  let used: Record<Priority, number> = { ...NO_REQUESTS };
  const lookups = createWindowShares();
  let lastServed: Exclude<Priority, 'background'> = 'poller';
  let pollerActiveAtMs = Number.NEGATIVE_INFINITY;

  const count = (requester: Requester, by: 1 | -1) => {
    used[requester.priority] += by;
    if (requester.priority === 'person') lookups.count(requester.account, by);
  };

  return {
    /**
     * Requests of this window. Those in flight when it began are included until their responses
     * name an older one.
     */
    get used(): Readonly<Record<Priority, number>> {
      return { ...used };
    },
    /** Lookups by account: how many each has had, and whether it may have more. */
    lookups,
    pollerRequested(nowMs: number): void {
      pollerActiveAtMs = nowMs;
    },
    started(requester: Requester, nowMs: number): void {
      count(requester, 1);
      if (requester.priority !== 'background') lastServed = requester.priority;
      // It may have waited for a whole window since its request.
      if (requester.priority === 'poller') pollerActiveAtMs = nowMs;
    },
    /** Subtracts a request that was counted in an older window. */
    cancelled: (requester: Requester) => count(requester, -1),
    /**
     * Starts a new window.
     *
     * @param inFlight requests whose responses may show that they were counted in it
     */
    restart(inFlight: Iterable<Requester>): void {
      used = { ...NO_REQUESTS };
      lookups.restart();
      for (const requester of inFlight) count(requester, 1);
    },
    /**
     * Whether the poller has work: it waits, or recently requested or got a permit.
     *
     * @param paceMs its usual interval
     */
    isPollerBusy: (nowMs: number, isWaiting: boolean, paceMs: number) =>
      isWaiting || nowMs < pollerActiveAtMs + Math.max(POLLER_SILENCE_MS, 3 * paceMs),
    /**
     * Returns the number of requests that persons may send now. While the poller has work, they get
     * none of its half. Half means half of what the window leaves to both, so that background
     * requests and other programs that use the same key reduce both equally.
     *
     * @param left requests left in this window; null if unknown: persons and a waiting poller then
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
      // A single request cannot be halved, so they take turns.
      const inTurn = lastServed === 'person' ? 1 : 0;
      const pollerDue = ours > 1 ? Math.ceil(ours / 2) : inTurn;
      return left - Math.max(0, pollerDue - used.poller);
    },
  };
}
