/** In the order in which they are served: people, what the bot asks by itself, polls. */
export const PRIORITIES = ['person', 'background', 'poller'] as const;
export type Priority = (typeof PRIORITIES)[number];
const NO_REQUESTS: Readonly<Record<Priority, number>> = { person: 0, background: 0, poller: 0 };

/** Whose request it is: the poller's, the bot's own, or that of a person in a server. */
export interface Requester {
  readonly priority: Priority;
  /** The server that looks something up; empty where it does not matter. */
  readonly guildId: string;
}

/** The poller counts as having work so long after it last asked or was served, or three times its usual distance. */
const POLLER_SILENCE_MS = 60_000;

export type PriorityShare = ReturnType<typeof createPriorityShare>;

/** Who has had how much of this window, and who may have more. Local ms. @param groupOf servers that weigh as one */
export function createPriorityShare(groupOf: (guildId: string) => string) {
  let used: Record<Priority, number> = { ...NO_REQUESTS };
  /** By server, and by group. */
  let usedById = new Map<string, number>();
  let idsBefore: readonly string[] = [];
  let lastServed: Exclude<Priority, 'background'> = 'poller';
  let pollerActiveAtMs = Number.NEGATIVE_INFINITY;

  const usedBy = (id: string) => usedById.get(id) ?? 0;

  const count = ({ priority, guildId }: Requester, by: 1 | 0 | -1) => {
    used[priority] += by;
    if (priority !== 'person') return;
    for (const id of new Set([guildId, groupOf(guildId)])) usedById.set(id, usedBy(id) + by);
  };

  /** The one that has had the least comes first; among equals that which came first. */
  const byUse = (ids: Iterable<string>) => [...new Set(ids)].sort((a, b) => usedBy(a) - usedBy(b));

  /** Whether a group, and a server in it, may have more: of what is left to all, and of what is left to the group. */
  const mayHaveMore = (guildId: string, group: string, left: number, restOfWindow: number): boolean => {
    const present = [...usedById.keys(), ...idsBefore];
    // Nothing is kept for others where there are none.
    const isGroupAlone = present.every((id) => groupOf(id) === group);
    if (!isGroupAlone && !mayTakeMore(usedBy(group), left, restOfWindow)) return false;
    const isAlone = present.every((id) => id === guildId || id === group || groupOf(id) !== group);
    const leftForGroup = isGroupAlone ? left : left - usedBy(group) * restOfWindow;
    return isAlone || mayTakeMore(usedBy(guildId), leftForGroup, restOfWindow);
  };

  return {
    /** Requests of this window; with those on their way when it began, until their answers name an older one. */
    get used(): Readonly<Record<Priority, number>> {
      return { ...used };
    },
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
    /** A window begins. @param inFlight requests whose answers may say that they were counted in it */
    restart(inFlight: Iterable<Requester>): void {
      used = { ...NO_REQUESTS };
      idsBefore = [...usedById.keys()];
      usedById = new Map();
      for (const requester of inFlight) count(requester, 1);
    },
    /** Whether the poller has work: it waits, or asked or was served lately. @param paceMs its usual distance */
    isPollerBusy: (nowMs: number, isWaiting: boolean, paceMs: number) =>
      isWaiting || nowMs < pollerActiveAtMs + Math.max(POLLER_SILENCE_MS, 3 * paceMs),
    /**
     * How many requests persons may send now: while the poller has work, none of its half. Half means half of what the
     * window left to us, so that background requests, and another program that uses the same key, take from both alike.
     *
     * @param left requests left in this window; null if unknown: then persons and a waiting poller alternate
     */
    leftForPersons(left: number | null, poller: { readonly isWaiting: boolean; readonly isBusy: boolean }): number {
      if (left === null) return !poller.isWaiting || lastServed === 'poller' ? Number.POSITIVE_INFINITY : 0;
      if (!poller.isBusy) return left;
      const ours = left + used.person + used.poller;
      // A single request cannot be halved: they take turns.
      const pollerDue = ours > 1 ? Math.ceil(ours / 2) : lastServed === 'person' ? 1 : 0;
      return left - Math.max(0, pollerDue - used.poller);
    },
    /**
     * Which of the servers whose people wait is next: of the group that has had the least in this window, if it may
     * have more, the one that has had the least.
     *
     * @param waiting in the order in which they came
     * @param left requests that persons may send now
     * @param restOfWindow what is left of the window's time, 1 to 0
     */
    nextGuild(waiting: Iterable<string>, left: number, restOfWindow: number): string | null {
      const guildIds = [...waiting];
      // Whoever waits counts, served or not: nobody is alone beside a newcomer.
      for (const guildId of guildIds) count({ priority: 'person', guildId }, 0);
      if (left < 1) return null;
      for (const group of byUse(guildIds.map(groupOf))) {
        const [least] = byUse(guildIds.filter((guildId) => groupOf(guildId) === group));
        if (least !== undefined && mayHaveMore(least, group, left, restOfWindow)) return least;
      }
      return null;
    },
  };
}

/**
 * Whether a server with `used` look-ups in this window may send another although others look things up, too: it may
 * have had as many as are left to all (dynamic thresholds: Choudhury & Hahne 1998), so that a newcomer finds some: n
 * greedy servers get 1/(n + 1) of the window each, and leave as much. What is kept shrinks with the rest of the window.
 */
function mayTakeMore(used: number, left: number, restOfWindow: number): boolean {
  return used === 0 || used * restOfWindow < left - 1;
}
