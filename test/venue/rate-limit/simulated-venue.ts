import { type Budget, createBudget, type Priority } from '../../../src/venue/rate-limit/budget.ts';
import { testMachine } from '../../support/machine.ts';
import type { SoakClock } from '../../support/soak/clock.ts';

export type WindowKind = 'aligned' | 'fromFirstRequest' | 'slidingFullReset' | 'slidingNextSlot';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
}

type Asker = Priority | 'others';

/** A rate limit as venues keep it, with the true counts for the judge. */
export class SimulatedVenue {
  limit: number;
  readonly windowMs: number;
  readonly #kind: WindowKind;
  readonly #skewMs: number;
  readonly #world: SoakClock;
  #windowEndMs = Number.NEGATIVE_INFINITY;
  #count = 0;
  #sliding: number[] = [];
  /** Of each fixed window, how many were let through. */
  readonly windows: Record<Asker, number>[] = [];
  /** Of ours. */
  refused = 0;
  othersTotal = 0;
  /** As many of them as answers to us have shown. */
  othersShown = 0;
  /** When ours were let through. */
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

/** A key with two aligned windows, each of which holds. */
export class TwoWindowVenue {
  readonly othersTotal = 0;
  othersShown = 0;
  readonly refusedAtMs: number[] = [];
  readonly oursAtMs: number[] = [];
  readonly #world: SoakClock;
  readonly #windows: { readonly plan: PlanWindow; number: number; count: number }[];
  readonly #shows: 'fewest' | 'faster' | 'slower';

  /** @param shows the window of which less is left, or always the same */
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
  /** One way, ms. */
  readonly latencyMs: number;
  /** Changes or drops an answer; null: it is lost. */
  readonly tamper?: (answer: Answer) => Answer | null;
  readonly onServed?: (priority: Priority) => void;
  /** @param othersShown how many requests of others answers had shown when it was sent */
  readonly onProcessed?: (remainingAfter: number, othersShown: number) => void;
}

/** One request: waits for the permit, travels, is counted, travels back. */
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
 * A poller that always has something to poll: asks for its allowance at every tick and paces it
 * over the tick, until it is ended.
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

/** A poller without manners: the next request is asked for as soon as the one before was let go. */
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
