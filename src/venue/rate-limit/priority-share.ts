import { leftForPersons, mayTakeMore, type PerPriority, type Priority } from './rules.ts';

const POLLER_SILENCE_MS = 60_000;

/** Whose request it is: the poller's, or a person's in a server. */
export interface Requester {
  readonly priority: Priority;
  /** The server that looks something up; empty where it does not matter. */
  readonly guildId: string;
}

/** What persons may still send in the present window, and when it ends. Times are local, ms. */
export interface PersonsPart {
  /** Infinite while the limit is not known. */
  readonly left: number;
  readonly endMs: number;
  readonly lengthMs: number;
}

/** Who has had what of the present window, and whether the poller has work. Times are local, ms. */
export interface PriorityShare {
  /** Requests sent in this window. */
  readonly used: PerPriority;
  total(): number;
  /** A request of this priority is wanted now. */
  requested(priority: Priority, nowMs: number): void;
  sent(requester: Requester): void;
  /** One of this window was never sent after all. */
  cancelled(requester: Requester): void;
  /** A window begins. @param first whose request it began with; null if none */
  restart(first: Requester | null): void;
  /**
   * Until when the poller counts as having work without asking: thrice its pace, a minute at least.
   *
   * @param paceMs distance of its requests; null if it is not known
   */
  pollerBusyUntilMs(paceMs: number | null): number;
  /** How many requests persons may send now. @param left what may still be sent in this window; null if it is not known */
  leftForPersons(left: number | null, isPollerWaiting: boolean, isPollerBusy: boolean): number;
  /**
   * Which of the servers whose people wait is next: the one that has had the least in this window, if it may have more.
   *
   * @param waiting in the order in which they came
   */
  nextGuild(waiting: Iterable<string>, part: PersonsPart, nowMs: number): string | null;
  /** When time alone lets the next of them have more; infinite if it does not. */
  nextGuildAtMs(waiting: Iterable<string>, part: PersonsPart): number;
}

export function createPriorityShare(): PriorityShare {
  let used: Record<Priority, number> = { person: 0, poller: 0 };
  let usedByGuild = new Map<string, number>();
  let guildsBefore: readonly string[] = [];
  let lastServed: Priority = 'poller';
  let pollerRequestedAtMs = Number.NEGATIVE_INFINITY;

  const usedBy = (guildId: string) => usedByGuild.get(guildId) ?? 0;

  const leastServed = (waiting: Iterable<string>): string | null => {
    let least: string | null = null;
    for (const guildId of waiting) if (least === null || usedBy(guildId) < usedBy(least)) least = guildId;
    return least;
  };

  /** Nothing is kept for others where there are none. */
  const isAlone = (guildId: string) => [...usedByGuild.keys(), ...guildsBefore].every((other) => other === guildId);

  return {
    get used() {
      return { ...used };
    },
    total: () => used.person + used.poller,
    requested(priority, nowMs) {
      if (priority === 'poller') pollerRequestedAtMs = nowMs;
    },
    sent({ priority, guildId }) {
      used[priority] += 1;
      if (priority === 'person') usedByGuild.set(guildId, usedBy(guildId) + 1);
      lastServed = priority;
    },
    cancelled({ priority, guildId }) {
      used[priority] = Math.max(0, used[priority] - 1);
      if (priority === 'person') usedByGuild.set(guildId, Math.max(0, usedBy(guildId) - 1));
    },
    restart(first) {
      used = { person: first?.priority === 'person' ? 1 : 0, poller: first?.priority === 'poller' ? 1 : 0 };
      guildsBefore = [...usedByGuild.keys()];
      usedByGuild = new Map(first?.priority === 'person' ? [[first.guildId, 1]] : []);
    },
    pollerBusyUntilMs: (paceMs) => pollerRequestedAtMs + Math.max(POLLER_SILENCE_MS, 3 * (paceMs ?? 0)),
    leftForPersons(left, isPollerWaiting, isPollerBusy) {
      if (left === null) return !isPollerWaiting || lastServed === 'poller' ? Number.POSITIVE_INFINITY : 0;
      return isPollerWaiting || isPollerBusy ? leftForPersons({ left, used, lastServed }) : left;
    },
    nextGuild(waiting, { left, endMs, lengthMs }, nowMs) {
      const guildId = leastServed(waiting);
      if (guildId === null || left < 1) return null;
      const restOfWindow = Math.min(1, Math.max(0, (endMs - nowMs) / lengthMs));
      return mayTakeMore(usedBy(guildId), left, restOfWindow) || isAlone(guildId) ? guildId : null;
    },
    nextGuildAtMs(waiting, { left, endMs, lengthMs }) {
      const guildId = leastServed(waiting);
      if (guildId === null || left <= 1 || usedBy(guildId) === 0) return Number.POSITIVE_INFINITY;
      // A moment later, because then it has to be less.
      return endMs - (lengthMs * (left - 1)) / usedBy(guildId) + 1;
    },
  };
}
