import type { Entry, ReceiverQueue } from './receiver-queue.ts';

/** Failed attempts at an alert in this run. */
interface Failure {
  readonly attempts: number;
  /** Time of the next attempt, in epoch ms. */
  readonly nextMs: number;
  /** Time of the first failed attempt, in epoch ms. */
  readonly sinceMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Tracks the alerts that have failed in this run. In an outage of the receiver that is every
 * waiting alert, up to 5,000 per server, so the list is searched only when something is due or new.
 */
export function createFailures(queue: ReceiverQueue) {
  /** By owner and key. */
  const failures = new Map<string, Map<string, Failure>>();
  /** Time before which none of an owner's failed alerts is due, in epoch ms, by owner. */
  const noneDueUntilMs = new Map<string, number>();
  /** Lists of waiting alerts that have all failed. */
  const allFailed = new WeakSet<readonly Entry[]>();

  const of = (ownerId: string, { key }: Entry): Failure | undefined =>
    failures.get(ownerId)?.get(key);

  const clear = (ownerId: string): void => {
    failures.delete(ownerId);
    noneDueUntilMs.delete(ownerId);
  };

  return {
    of,
    set(ownerId: string, { key }: Entry, failure: Failure): void {
      const own = failures.get(ownerId) ?? new Map<string, Failure>();
      failures.set(ownerId, own.set(key, failure));
      noneDueUntilMs.set(ownerId, Math.min(noneDueUntilMs.get(ownerId) ?? NEVER, failure.nextMs));
    },
    delete: (ownerId: string, { key }: Entry): void => void failures.get(ownerId)?.delete(key),
    /** Returns the first alert of an owner that has not failed. */
    untried(ownerId: string): Entry | undefined {
      const entries = queue.entries(ownerId);
      if (allFailed.has(entries)) return undefined;
      const next = entries.find((entry) => of(ownerId, entry) === undefined);
      if (next === undefined) allFailed.add(entries);
      return next;
    },
    /** Returns the failed alerts of an owner that are due, longest due first. */
    due(ownerId: string, nowMs: number): readonly Entry[] {
      if ((noneDueUntilMs.get(ownerId) ?? NEVER) > nowMs) return [];
      const failed = queue.entries(ownerId).flatMap((entry) => {
        const failure = of(ownerId, entry);
        return failure === undefined ? [] : [{ entry, failure }];
      });
      const due = failed.filter(({ failure }) => failure.nextMs <= nowMs);
      if (due.length === 0) {
        // Keeps only the failures of alerts that still wait.
        failures.set(ownerId, new Map(failed.map(({ entry, failure }) => [entry.key, failure])));
        const nextMs = failed.reduce((ms, { failure }) => Math.min(ms, failure.nextMs), NEVER);
        noneDueUntilMs.set(ownerId, nextMs);
      }
      return due.sort((a, b) => a.failure.nextMs - b.failure.nextMs).map(({ entry }) => entry);
    },
    /** Returns when something may be due, in epoch ms; Infinity: never. */
    nextMs(): number {
      let next = NEVER;
      for (const [ownerId, untilMs] of noneDueUntilMs) {
        if (queue.entries(ownerId).length === 0) clear(ownerId);
        else next = Math.min(next, untilMs);
      }
      return next;
    },
  };
}
