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

/** Permission to send one request. */
export interface Permit {
  /**
   * Records the response. Call it as soon as the headers are there, or with `null` if no response
   * came (time-out, broken connection); the request then counts as spent. Further calls do nothing.
   */
  complete(response: ResponseFacts | null): void;
  /**
   * Records that the response was a page, which only the venue sends. Otherwise a `Date` header
   * counts only if the response also has rate-limit headers.
   */
  trust(): void;
}

const epochMs = z.number();
const perPriority = z.record(z.enum(PRIORITIES), z.int().min(0));

/**
 * The budget's state for status texts and metrics, and as the feed sends it to bots. All times are
 * epoch ms of the local clock.
 */
export const budgetSnapshotSchema = z.object({
  /** X-RateLimit-Limit of the newest response that had it; null if none had it. */
  limit: z.number().nullable(),
  /** Part of the limit that this process may use: share · limit, at least 1. */
  allowance: z.number().nullable(),
  /**
   * X-RateLimit-Remaining, without subtracting requests in flight; null until a response of this
   * window had it.
   */
  remaining: z.number().nullable(),
  resetAtMs: epochMs.nullable(),
  /** Length of the window in ms, inferred from resets; null until one was seen. */
  windowMs: z.number().nullable(),
  inFlight: z.int().min(0),
  waiting: perPriority,
  /**
   * Requests of this window. Those in flight when it began are included until their responses name
   * an older one.
   */
  used: perPriority,
  /** Venue clock minus local clock, in ms; null until a `Date` header was seen. */
  skewMs: z.number().nullable(),
  /** Set while a pause requested by the venue is being waited out. */
  blockedUntilMs: epochMs.nullable(),
  /**
   * Set while requests are held back: since the first of consecutive 429s, until another response
   * comes; or because nothing is left of the window for unusually long. `untilMs`: when the next
   * request is sent.
   */
  pause: z.object({ sinceMs: epochMs, untilMs: epochMs }).nullable(),
});
export type BudgetSnapshot = Readonly<z.infer<typeof budgetSnapshotSchema>>;

export interface BudgetTimers {
  setTimeout(callback: () => void, delayMs: number): NodeJS.Timeout | number;
  clearTimeout(handle: NodeJS.Timeout | number | undefined): void;
}

const PERSON_MAX_WAIT_MS = 8_000;
/**
 * Maximum plausible difference of two clocks, in ms; more means that one of them is not maintained.
 */
const LARGEST_SKEW_MS = DAY_MS;
/** Longest delay of the alarm, in ms; well below a timer's maximum. */
const LONGEST_SLEEP_MS = HOUR_MS;
/**
 * Interval between checks whether a waiting person may send, in ms: one owner's share grows as the
 * window passes.
 */
const PERSON_RECHECK_MS = 250;

interface Waiter extends TurnWaiter {
  readonly priority: Priority;
  /** Time on the window's clock; infinite for the poller. */
  readonly deadlineMs: number;
  /** @param permit a promise that rejects if the permit is refused */
  readonly end: (permit: Permit | Promise<never>) => void;
}

/** Account of a person's request that names none. */
const NOBODY: Account = { payer: '', owner: '', weight: 1 };

/**
 * Whether a background request would be sent at once: no person or background request waits, and
 * some of the background share is left.
 */
export function mayAskBeside(snapshot: BudgetSnapshot): boolean {
  return (
    snapshot.waiting.person + snapshot.waiting.background === 0 && leftForBackground(snapshot) >= 1
  );
}

export type Budget = ReturnType<typeof createBudget>;

/**
 * Creates the budget that spends the key's rate limit: it learns the limit from every response and
 * decides who may send when. A venue that does not report its limit gets one request a second, one
 * at a time.
 */
export function createBudget(
  { nowMs, monotonicMs: clock, random }: Pick<Machine, 'nowMs' | 'monotonicMs' | 'random'>,
  {
    share,
    personMaxWaitMs = PERSON_MAX_WAIT_MS,
    timers = globalThis,
  }: {
    /** Share of every window that may be used, above 0 and at most 1 (BUDGET_SHARE). */
    readonly share: number;
    /** Longest wait of a person's or a background request, in ms. */
    readonly personMaxWaitMs?: number;
    readonly timers?: BudgetTimers;
  },
) {
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
      trust: () => window.trust(sent),
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
   * Grants permits where possible, rejects requests that wait in vain, and sets the alarm for the
   * next time that this may change.
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
     * Waits until a request may be sent. If people of several owners wait, the one served least in
     * this window is first. While several owners look things up, each gets at most a fair share of
     * what is left. Background requests come after people's and before polls: they get at most a
     * tenth of the window, and none while it is unknown how much of it is left.
     *
     * @param account account of the people looking something up; it does not matter for other
     *   priorities
     * @throws BudgetExhausted if a person's or a background request would wait, or has waited,
     *   longer than `personMaxWaitMs`
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
     * Returns the number of poller requests that fit between now and `untilMs` (epoch ms of the
     * local clock) if the window's allowance is spread evenly. Fractions carry over to the next
     * call; pollers already waiting are subtracted. Call it once per tick and pace the requests
     * over the tick; a promise that is unused by the next call lapses.
     */
    pollAllowance(untilMs: number): number {
      return window.promise(clock(), untilMs - wallOffsetMs(), queues.sizes().poller);
    },
    snapshot: (): BudgetSnapshot => ({
      ...wallView(window.view(clock()), clocks.toWall),
      waiting: queues.sizes(),
      skewMs: clocks.skewMs(),
    }),
    /** Known limits and lengths of windows; null until they are known. */
    learnedLimits: (): LearnedLimits | null => window.learned(),
    /**
     * Restores limits learned by an earlier process. Call it before the first response; a response
     * may contradict them.
     */
    restoreLimits: (known: LearnedLimits): void => window.restore(known),
    venueNowMs: clocks.venueNowMs,
    skewKnown: clocks.isTrusted,
    reportedNowMs: clocks.reportedNowMs,
  };
}

/**
 * Creates the queues of waiting requests: in order of arrival per priority, and persons in turns.
 *
 * @param window counts the waiting persons
 */
function createQueues(window: RateWindow) {
  const queues: Readonly<Record<Priority, Set<Waiter>>> = {
    person: new Set(),
    background: new Set(),
    poller: new Set(),
  };
  const persons = createTurns<Waiter>();
  return {
    /** The queue of persons, in turns. */
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
    /** @returns whether it was still waiting */
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
 * Returns the local time at which something may change for waiting requests: the end of the first
 * deadline, of the window or of a pause.
 *
 * @param heads the first request of each queue
 * @param changeAtMs as returned by {@link RateWindow.nextChangeAtMs}
 */
function wakeTimeMs(heads: readonly Waiter[], changeAtMs: number, now: number): number {
  const isPersonWaiting = heads.some(({ priority }) => priority === 'person');
  const times = heads.map(({ deadlineMs }) => deadlineMs);
  times.push(now + (isPersonWaiting ? PERSON_RECHECK_MS : LONGEST_SLEEP_MS));
  if (changeAtMs > now) times.push(changeAtMs);
  return Math.min(...times);
}

/** Returns the window's view with times in epoch ms of the local clock. */
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

/** Creates the conversion between the window's clock, the local clock and the venue's. */
function createClocks(venueTime: VenueTime, clock: () => number, wallOffsetMs: () => number) {
  /** Venue clock minus local clock, in ms; null until a `Date` header was seen. */
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
    /** Converts a time of the window to epoch ms of the local clock. */
    toWall,
    /** Whether `venueNowMs` is based on a `Date` header. */
    isTrusted,
    /**
     * Returns the venue's time in epoch ms: from its `Date` headers, or from the local clock until
     * one was seen. The local clock also counts if `Date` is more than a day off.
     */
    venueNowMs: () => clock() + (isTrusted() ? venueTime.offsetMs() : wallOffsetMs()),
    /**
     * Returns the time by the `Date` headers in epoch ms, even if they are rejected; null until one
     * was seen.
     */
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
