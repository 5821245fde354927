import * as z from 'zod';
import type { Account } from '../../lib/fair-shares/account.ts';
import { createTurns, type Waiter as TurnWaiter } from '../../lib/fair-shares/turns.ts';
import type { Machine } from '../../lib/machine.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { BudgetExhausted } from '../errors.ts';
import type { ResponseFacts } from './headers.ts';
import { PRIORITIES, type Priority, type Requester } from './priority-share.ts';
import type { VenueTime } from './venue-time.ts';
import { leftForBackground, RateWindow } from './window.ts';
import type { LearnedLimits } from './window-length.ts';

export type { Priority } from './priority-share.ts';

/** Leave to send one request. */
export interface Permit {
  /**
   * To be called as soon as the headers are there; `null`: no response came (time-out, broken
   * connection), and the request counts as spent. Further calls do nothing.
   */
  complete(response: ResponseFacts | null): void;
  /**
   * The answer was a page: only the venue has such. Without this a `Date` counts beside its
   * rate-limit headers alone.
   */
  believe(): void;
}

const epochMs = z.number();
const perPriority = z.record(z.enum(PRIORITIES), z.int().min(0));

/**
 * For status texts and metrics, and as the feed says it to bots. All times: local clock, epoch ms.
 */
export const budgetSnapshotSchema = z.object({
  /** X-RateLimit-Limit of the newest response that had it; null if none had. */
  limit: z.number().nullable(),
  /** Part of the limit that we may use: share · limit, at least 1. */
  allowance: z.number().nullable(),
  /**
   * X-RateLimit-Remaining, requests in flight not yet taken off; null until a response of this
   * window had it.
   */
  remaining: z.number().nullable(),
  resetAtMs: epochMs.nullable(),
  /** Length of the window, inferred from resets; null until one was seen. */
  windowMs: z.number().nullable(),
  inFlight: z.int().min(0),
  waiting: perPriority,
  /**
   * Requests of this window; with those on their way when it began, until their answers name an
   * older one.
   */
  used: perPriority,
  /** Venue clock minus local clock; null until a `Date` header was seen. */
  skewMs: z.number().nullable(),
  /** Set while a pause that the venue asked for is being waited out. */
  blockedUntilMs: epochMs.nullable(),
  /**
   * Set while requests are held back: since the first of the 429s in a row, until another answer
   * has come; or because nothing is left of the window for unusually long. `untilMs`: when the
   * venue is asked again.
   */
  pause: z.object({ sinceMs: epochMs, untilMs: epochMs }).nullable(),
});
export type BudgetSnapshot = Readonly<z.infer<typeof budgetSnapshotSchema>>;

export interface BudgetTimers {
  setTimeout(callback: () => void, delayMs: number): NodeJS.Timeout | number;
  clearTimeout(handle: NodeJS.Timeout | number | undefined): void;
}

const PERSON_MAX_WAIT_MS = 8_000;
/** No two clocks that are kept at all are further apart. */
const LARGEST_SKEW_MS = DAY_MS;
/** Well below what a timer can hold. */
const LONGEST_SLEEP_MS = HOUR_MS;
/**
 * Distance of looks whether a waiting person may send: one owner's share grows as the window
 * passes.
 */
const PERSON_RECHECK_MS = 250;

interface Waiter extends TurnWaiter {
  readonly priority: Priority;
  /** Clock of the window; infinite for the poller. */
  readonly deadlineMs: number;
  /** @param permit rejects where it is refused */
  readonly end: (permit: Permit | Promise<never>) => void;
}

/** A person's request of which nobody said whose it is. */
const NOBODY: Account = { payer: '', owner: '', weight: 1 };

/**
 * Tells whether a background request would be sent at once: nobody before it waits, and some of its
 * share is left.
 */
export function mayAskBeside(snapshot: BudgetSnapshot): boolean {
  return (
    snapshot.waiting.person + snapshot.waiting.background === 0 && leftForBackground(snapshot) >= 1
  );
}

interface BudgetDeps {
  /** Share of every window that may be used, above 0 up to 1 (BUDGET_SHARE). */
  readonly share: number;
  /** Longest wait of a person's, or a background request, ms. */
  readonly personMaxWaitMs?: number;
  readonly timers?: BudgetTimers;
}

export type Budget = ReturnType<typeof createBudget>;

/**
 * Spends the key's rate limit: learns it from every response and decides who may send when. A venue
 * that does not say what is left is asked once a second, one request at a time.
 */
export function createBudget(
  { nowMs, monotonicMs: clock, random }: Pick<Machine, 'nowMs' | 'monotonicMs' | 'random'>,
  deps: BudgetDeps,
) {
  const { share, personMaxWaitMs = PERSON_MAX_WAIT_MS } = deps;
  const timers: BudgetTimers = deps.timers ?? globalThis;
  const wallOffsetMs = () => nowMs() - clock();
  const window = new RateWindow({ share, random, wallOffsetMs, nowMs: clock() });
  const queues = createQueues(window);
  const clocks = createClocks(window.venueTime, clock, wallOffsetMs);
  let alarm: NodeJS.Timeout | number | undefined;

  const grant = (requester: Requester): Permit => {
    const sent = window.sent(requester, clock());
    let isOpen = true;
    return {
      complete(response) {
        if (!isOpen) return;
        isOpen = false;
        window.completed(sent, response, clock());
        pump();
      },
      believe: () => window.believe(sent),
    };
  };

  const refuseHopeless = (now: number) => {
    for (const priority of ['person', 'background'] as const) {
      const closedUntilMs = window.closedUntilMs(priority) ?? now;
      const hopeless = queues
        .all(priority)
        .filter(({ deadlineMs }) => deadlineMs <= now || deadlineMs < closedUntilMs);
      for (const waiter of hopeless) {
        const { blockedUntilMs, resetAtMs } = window.view(now);
        const untilMs = clocks.toWall(blockedUntilMs ?? resetAtMs);
        waiter.end(Promise.reject(new BudgetExhausted(untilMs)));
      }
    }
  };

  const serve = (now: number) => {
    for (;;) {
      const { poller: pollers, background } = queues.sizes();
      const next = window.next(now, { pollers, background, persons: queues.persons });
      if (next === null) return;
      if (next.priority === 'person') {
        next.person.end(grant({ priority: 'person', account: next.person.account }));
        continue;
      }
      const waiter = queues.first(next.priority);
      if (waiter === undefined) return;
      waiter.end(grant(next));
    }
  };

  /**
   * Serves whoever may be served, refuses whoever waits in vain, and sets the alarm for when this
   * may change next.
   */
  const pump = (): void => {
    const now = clock();
    serve(now);
    refuseHopeless(now);
    timers.clearTimeout(alarm);
    const heads = PRIORITIES.flatMap((priority) => queues.first(priority) ?? []);
    if (heads.length === 0) return;
    const wakeAtMs = wakeTimeMs(heads, window.nextChangeAtMs(), now);
    alarm = timers.setTimeout(pump, Math.max(1, Math.ceil(wakeAtMs - now)));
  };

  return {
    /**
     * Waits until a request may be sent. Where people of several owners wait, the one served least
     * in this window is first, and while several look things up none may have more than is left to
     * all. Background requests come after people's and before polls: a tenth of the window at the
     * most, none while it is not known what is left of it.
     *
     * @param account whose people look something up; for the others it does not matter
     * @throws BudgetExhausted a person or a background request would wait, or has waited, longer
     *   than `personMaxWaitMs`
     * @throws the signal's reason when it is aborted while waiting
     */
    acquire(priority: Priority, signal?: AbortSignal, account = NOBODY): Promise<Permit> {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      return new Promise((resolve) => {
        const onAbort = () => {
          waiter.end(Promise.reject(signal?.reason));
          pump();
        };
        const waiter: Waiter = {
          priority,
          account,
          lane: '',
          deadlineMs: priority === 'poller' ? Number.POSITIVE_INFINITY : clock() + personMaxWaitMs,
          end(permit) {
            if (!queues.remove(waiter)) return;
            signal?.removeEventListener('abort', onAbort);
            resolve(permit);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queues.add(waiter);
        if (priority === 'poller') window.pollerRequested(clock());
        pump();
      });
    },
    /**
     * Number of poller requests that fit between now and `untilMs` (local clock, epoch ms) when the
     * window's allowance is spread evenly; fractions carry over to the next call, pollers already
     * waiting are taken off. Call it once a tick and pace the requests over the tick; a promise not
     * taken up by the next call lapses.
     */
    pollAllowance(untilMs: number): number {
      return window.promise(clock(), untilMs - wallOffsetMs(), queues.sizes().poller);
    },
    snapshot: (): BudgetSnapshot => ({
      ...wallView(window.view(clock()), clocks.toWall),
      waiting: queues.sizes(),
      skewMs: clocks.skewMs(),
    }),
    /** Limits and lengths of windows that are known; null until they are. */
    learnedLimits: (): LearnedLimits | null => window.learned(),
    /** Takes what an earlier process learned, before the first response; one contradicts it. */
    restoreLimits: (known: LearnedLimits): void => window.restore(known),
    venueNowMs: clocks.venueNowMs,
    skewKnown: clocks.isTrusted,
    reportedNowMs: clocks.reportedNowMs,
  };
}

/**
 * Keeps those who wait: each priority in the order in which they came, and persons in turns.
 *
 * @param window counts the persons
 */
function createQueues(window: Pick<RateWindow, 'personWaits'>) {
  const queues: Readonly<Record<Priority, Set<Waiter>>> = {
    person: new Set(),
    background: new Set(),
    poller: new Set(),
  };
  const persons = createTurns<Waiter>();
  return {
    /** The line of persons, in turns. */
    persons,
    sizes: (): Readonly<Record<Priority, number>> => ({
      person: queues.person.size,
      background: queues.background.size,
      poller: queues.poller.size,
    }),
    all: (priority: Priority): Waiter[] => [...queues[priority]],
    first(priority: Priority): Waiter | undefined {
      const [first] = queues[priority];
      return first;
    },
    add(waiter: Waiter): void {
      queues[waiter.priority].add(waiter);
      if (waiter.priority !== 'person') return;
      persons.add(waiter);
      window.personWaits(waiter.account, 1);
    },
    /** @returns whether it has waited until now */
    remove(waiter: Waiter): boolean {
      if (!queues[waiter.priority].delete(waiter)) return false;
      if (waiter.priority === 'person') {
        persons.remove(waiter);
        window.personWaits(waiter.account, -1);
      }
      return true;
    },
  };
}

/**
 * Local time at which something may change for those who wait: at the end of the first deadline, of
 * the window or of a pause.
 *
 * @param heads first of each queue
 * @param changeAtMs as {@link RateWindow.nextChangeAtMs}
 */
function wakeTimeMs(heads: readonly Waiter[], changeAtMs: number, now: number): number {
  const isPersonWaiting = heads.some(({ priority }) => priority === 'person');
  const times = heads.map(({ deadlineMs }) => deadlineMs);
  times.push(now + (isPersonWaiting ? PERSON_RECHECK_MS : LONGEST_SLEEP_MS));
  if (changeAtMs > now) times.push(changeAtMs);
  return Math.min(...times);
}

/** View of the window with epoch ms by the local clock. */
function wallView(
  view: ReturnType<RateWindow['view']>,
  toWall: ReturnType<typeof createClocks>['toWall'],
) {
  const { pause, ...rest } = view;
  return {
    ...rest,
    resetAtMs: toWall(view.resetAtMs),
    blockedUntilMs: toWall(view.blockedUntilMs),
    pause: pause && { sinceMs: toWall(pause.sinceMs), untilMs: toWall(pause.untilMs) },
  };
}

/** Tells the venue's clock, and times of the window by ours. */
function createClocks(
  venueTime: Pick<VenueTime, 'isKnown' | 'offsetMs'>,
  clock: () => number,
  wallOffsetMs: () => number,
) {
  /** Venue clock minus local clock; null until a `Date` header was seen. */
  const skewMs = (): number | null => {
    if (!venueTime.isKnown()) return null;
    return venueTime.offsetMs() - wallOffsetMs();
  };
  const isTrusted = () => Math.abs(skewMs() ?? Number.POSITIVE_INFINITY) <= LARGEST_SKEW_MS;

  function toWall(atMs: number): number;
  function toWall(atMs: number | null): number | null;
  function toWall(atMs: number | null): number | null {
    if (atMs === null) return null;
    return Math.round(atMs + wallOffsetMs());
  }

  return {
    skewMs,
    /** A time of the window, as epoch ms by the local clock. */
    toWall,
    /** Tells whether `venueNowMs` rests on a `Date` header. */
    isTrusted,
    /**
     * The venue's clock, epoch ms: from its `Date` headers, from the local clock until one was
     * seen. A `Date` that is more than a day from the local clock is refused: the local clock
     * counts then.
     */
    venueNowMs: () => clock() + (isTrusted() ? venueTime.offsetMs() : wallOffsetMs()),
    /** Clock of the `Date` headers, epoch ms, refused or not; null until one was seen. */
    reportedNowMs(): number | null {
      if (!venueTime.isKnown()) return null;
      return clock() + venueTime.offsetMs();
    },
  };
}

export const UNKNOWN_BUDGET = createBudget(
  { nowMs: Date.now, monotonicMs: Date.now, random: Math.random },
  { share: 1 },
).snapshot();
