import { type Budget, createBudget, type Priority } from '../../../src/venue/rate-limit/budget.ts';
import { testMachine } from '../../support/machine.ts';
import type { SoakClock } from '../../support/soak/clock.ts';

export type WindowKind = 'aligned' | 'fromFirstRequest' | 'slidingFullReset' | 'slidingNextSlot';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
}

type Asker = Priority | 'others';

/** A rate limit as implemented by venues, with the true counts for verification. */
export class SimulatedVenue {
  limit: number;
  readonly windowMs: number;
  readonly #kind: WindowKind;
  readonly #skewMs: number;
  readonly #world: SoakClock;
  #windowEndMs = Number.NEGATIVE_INFINITY;
  #count = 0;
  #sliding: number[] = [];
  /** Number of accepted requests by asker, for each fixed window. */
  readonly windows: Record<Asker, number>[] = [];
  /** Number of our rejected requests. */
  refused = 0;
  othersTotal = 0;
  /** Requests of others that responses to us have revealed. */
  othersShown = 0;
  /** Times of our accepted requests. */
  readonly oursAtMs: number[] = [];

  constructor(
    world: SoakClock,
    options: { limit: number; windowMs: number; kind: WindowKind; skewMs?: number },
  ) {
    this.#world = world;
    this.limit = options.limit;
    this.windowMs = options.windowMs;
    this.#kind = options.kind;
    this.#skewMs = options.skewMs ?? 0;
  }

  #roll(now: number): void {
    if (this.#kind === 'slidingFullReset' || this.#kind === 'slidingNextSlot') {
      this.#sliding = this.#sliding.filter((at) => at + this.windowMs > now);
      this.#count = this.#sliding.length;
    } else if (now >= this.#windowEndMs) {
      const beganMs =
        this.#kind === 'aligned' ? Math.floor(now / this.windowMs) * this.windowMs : now;
      this.#windowEndMs = beganMs + this.windowMs;
      this.#count = 0;
      this.windows.push({ person: 0, background: 0, poller: 0, others: 0 });
    }
  }

  request(by: Asker): Answer {
    const now = this.#world.nowMs + this.#skewMs;
    this.#roll(now);
    const passes = this.#count < this.limit;
    if (passes) {
      this.#count += 1;
      this.#sliding.push(now);
      const window = this.windows.at(-1);
      if (window !== undefined) window[by] += 1;
      if (by === 'others') this.othersTotal += 1;
      else this.oursAtMs.push(this.#world.nowMs);
    } else if (by !== 'others') this.refused += 1;
    const resetMs = {
      aligned: this.#windowEndMs,
      fromFirstRequest: this.#windowEndMs,
      slidingFullReset: now + this.windowMs,
      slidingNextSlot: (this.#sliding[0] ?? now) + this.windowMs,
    }[this.#kind];
    return {
      status: passes ? 200 : 429,
      headers: {
        date: new Date(now).toUTCString(),
        'x-ratelimit-limit': String(this.limit),
        'x-ratelimit-remaining': String(Math.max(0, this.limit - this.#count)),
        'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
      },
    };
  }
}

interface PlanWindow {
  readonly limit: number;
  readonly windowMs: number;
}

/** A key with two aligned windows, both of which are enforced. */
export class TwoWindowVenue {
  readonly othersTotal = 0;
  othersShown = 0;
  readonly refusedAtMs: number[] = [];
  readonly oursAtMs: number[] = [];
  readonly #world: SoakClock;
  readonly #windows: { readonly plan: PlanWindow; number: number; count: number }[];
  readonly #shows: 'fewest' | 'faster' | 'slower';

  /**
   * @param shows the window in the headers: the one with fewer requests left, or always the same
   */
  constructor(
    world: SoakClock,
    plans: readonly [faster: PlanWindow, slower: PlanWindow],
    shows: 'fewest' | 'faster' | 'slower',
  ) {
    this.#world = world;
    this.#windows = plans.map((plan) => ({ plan, number: 0, count: 0 }));
    this.#shows = shows;
  }

  request(): Answer {
    const { nowMs } = this.#world;
    for (const window of this.#windows) {
      const number = Math.floor(nowMs / window.plan.windowMs);
      if (number !== window.number) window.count = 0;
      window.number = number;
    }
    const passes = this.#windows.every(({ plan, count }) => count < plan.limit);
    if (passes) for (const window of this.#windows) window.count += 1;
    (passes ? this.oursAtMs : this.refusedAtMs).push(nowMs);
    const [faster, slower] = this.#windows.map(({ plan, number, count }) => ({
      limit: plan.limit,
      remaining: plan.limit - count,
      resetSeconds: ((number + 1) * plan.windowMs) / 1_000,
    }));
    const isFasterFewer = (faster?.remaining ?? 0) <= (slower?.remaining ?? 0);
    const shown = { fewest: isFasterFewer ? faster : slower, faster, slower }[this.#shows];
    return {
      status: passes ? 200 : 429,
      headers: {
        date: new Date(nowMs).toUTCString(),
        'x-ratelimit-limit': String(shown?.limit),
        'x-ratelimit-remaining': String(shown?.remaining),
        'x-ratelimit-reset': String(shown?.resetSeconds),
      },
    };
  }
}

type AnyVenue = Pick<SimulatedVenue, 'request' | 'othersTotal' | 'othersShown'>;

export interface Traffic<Venue extends AnyVenue = SimulatedVenue> {
  readonly world: SoakClock;
  readonly venue: Venue;
  readonly budget: Budget;
  readonly random: () => number;
  /** One-way latency, in ms. */
  readonly latencyMs: number;
  /** Changes a response; null drops it. */
  readonly tamper?: (answer: Answer) => Answer | null;
  readonly onServed?: (priority: Priority) => void;
  /**
   * @param othersShown number of others' requests that responses had revealed when the request was
   *   sent
   */
  readonly onProcessed?: (remainingAfter: number, othersShown: number) => void;
}

/**
 * Simulates one request: it waits for the permit, travels, is counted, and its response travels
 * back.
 */
export async function ask(traffic: Traffic<AnyVenue>, priority: Priority): Promise<void> {
  const { world, venue, budget, random, latencyMs } = traffic;
  const permit = await budget.acquire(priority).catch(() => null);
  if (permit === null) return;
  traffic.onServed?.(priority);
  const [thereMs, backMs] = [latencyMs * (0.5 + random()), latencyMs * (0.5 + random())];
  const { othersShown } = venue;
  world.at(world.nowMs + thereMs, () => {
    const answer = venue.request(priority);
    traffic.onProcessed?.(Number(answer.headers['x-ratelimit-remaining']), othersShown);
    const shown = venue.othersTotal;
    world.at(world.nowMs + backMs, () => {
      venue.othersShown = Math.max(venue.othersShown, shown);
      permit.complete(traffic.tamper === undefined ? answer : traffic.tamper(answer));
    });
  });
}

/**
 * Starts a poller that always has something to poll: at every tick it takes its allowance and
 * spreads it over the tick, until it is ended.
 */
export function startPoller(
  traffic: Traffic<AnyVenue>,
  tickMs: number,
  isEnded: () => boolean = () => false,
): void {
  const { world, budget } = traffic;
  const tick = () => {
    if (isEnded()) return;
    const count = budget.pollAllowance(world.nowMs + tickMs);
    for (let index = 0; index < count; index += 1) {
      world.at(world.nowMs + (index * tickMs) / count, () => void ask(traffic, 'poller'));
    }
    world.at(world.nowMs + tickMs, tick);
  };
  tick();
}

/** Starts a poller without pacing, which requests the next permit as soon as it gets one. */
export function startGreedyPoller(traffic: Traffic): void {
  void ask(traffic, 'poller').then(() =>
    traffic.world.at(traffic.world.nowMs + 1, () => startGreedyPoller(traffic)),
  );
}

export function budgetIn(
  world: SoakClock,
  {
    clockErrorMs = 0,
    random,
    ...options
  }: Parameters<typeof createBudget>[1] & {
    readonly random: () => number;
    readonly clockErrorMs?: number;
  },
): Budget {
  const nowMs = () => world.nowMs + clockErrorMs;
  const machine = testMachine({ nowMs, monotonicMs: () => world.nowMs, random });
  return createBudget(machine, { ...options, timers: world.timers });
}
