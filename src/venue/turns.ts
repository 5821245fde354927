import { type PerPriority, type Priority, personMayTake } from './rate-rules.ts';

const POLLER_SILENCE_MS = 60_000;

/** Who has had what of the present window, and whether the poller has work. Times are local, ms. */
export interface Turns {
  /** Requests sent in this window. */
  readonly used: PerPriority;
  total(): number;
  /** A request of this priority is wanted now. */
  asked(priority: Priority, nowMs: number): void;
  sent(priority: Priority): void;
  /** One of this window was never sent after all. */
  withdrawn(priority: Priority): void;
  /** A window begins. @param first whose request it began with; null if none */
  restart(first: Priority | null): void;
  /**
   * Until when the poller counts as having work without asking: thrice its pace, a minute at least.
   *
   * @param paceMs distance of its requests; null if it is not known
   */
  pollerBusyUntilMs(paceMs: number | null): number;
  /** Whether the next request may be a person's. @param left what may still be sent in this window; null if it is not known */
  personMay(left: number | null, isPollerWaiting: boolean, isPollerBusy: boolean): boolean;
}

export function createTurns(): Turns {
  let used: Record<Priority, number> = { person: 0, poller: 0 };
  let lastServed: Priority = 'poller';
  let pollerAskedAtMs = Number.NEGATIVE_INFINITY;
  return {
    get used() {
      return { ...used };
    },
    total: () => used.person + used.poller,
    asked(priority, nowMs) {
      if (priority === 'poller') pollerAskedAtMs = nowMs;
    },
    sent(priority) {
      used[priority] += 1;
      lastServed = priority;
    },
    withdrawn(priority) {
      used[priority] = Math.max(0, used[priority] - 1);
    },
    restart(first) {
      used = { person: first === 'person' ? 1 : 0, poller: first === 'poller' ? 1 : 0 };
    },
    pollerBusyUntilMs: (paceMs) => pollerAskedAtMs + Math.max(POLLER_SILENCE_MS, 3 * (paceMs ?? 0)),
    personMay(left, isPollerWaiting, isPollerBusy) {
      if (left === null) return !isPollerWaiting || lastServed === 'poller';
      return !(isPollerWaiting || isPollerBusy) || personMayTake({ left, used, lastServed });
    },
  };
}
