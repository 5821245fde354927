import { type Budget, type BudgetTimers, createBudget, type Priority } from '../../../src/venue/rate-limit/budget.ts';
import { testMachine } from '../../support/machine.ts';

/** Discrete events in virtual time, for the budget's timers and everything around it. */
export class World {
  nowMs: number;
  #nextId = 1;
  readonly #events = new Map<number, { readonly atMs: number; readonly act: () => void }>();

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  at(atMs: number, act: () => void): number {
    const id = this.#nextId++;
    this.#events.set(id, { atMs: Math.max(atMs, this.nowMs), act });
    return id;
  }

  readonly timers: BudgetTimers = {
    setTimeout: (act, delayMs) => this.at(this.nowMs + delayMs, act),
    clearTimeout: (id) => {
      if (typeof id === 'number') this.#events.delete(id);
    },
  };

  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      let next: [number, { atMs: number; act: () => void }] | undefined;
      for (const entry of this.#events) if (next === undefined || entry[1].atMs < next[1].atMs) next = entry;
      if (next === undefined || next[1].atMs > endMs) break;
      this.#events.delete(next[0]);
      this.nowMs = next[1].atMs;
      next[1].act();
      await flushed();
    }
    this.nowMs = endMs;
  }
}

export function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export type WindowKind = 'aligned' | 'fromFirstRequest' | 'slidingFullReset' | 'slidingNextSlot';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** A rate limit as venues keep it, with the true counts for the judge. */
export class SimulatedVenue {
  limit: number;
  readonly windowMs: number;
  readonly kind: WindowKind;
  readonly #world: World;
  readonly skewMs: number;
  #windowEndMs = Number.NEGATIVE_INFINITY;
  #count = 0;
  #sliding: number[] = [];
  #windowCounts: { ours: number; others: number } = { ours: 0, others: 0 };
  readonly windows: { ours: number; others: number }[] = [];
  refused = 0;
  othersTotal = 0;
  /** When ours were let through. */
  readonly oursAtMs: number[] = [];

  constructor(world: World, options: { limit: number; windowMs: number; kind: WindowKind; skewMs?: number }) {
    this.#world = world;
    this.limit = options.limit;
    this.windowMs = options.windowMs;
    this.kind = options.kind;
    this.skewMs = options.skewMs ?? 0;
  }

  #roll(): void {
    const now = this.#world.nowMs + this.skewMs;
    if (this.kind === 'slidingFullReset' || this.kind === 'slidingNextSlot') {
      this.#sliding = this.#sliding.filter((at) => at + this.windowMs > now);
      this.#count = this.#sliding.length;
    } else if (now >= this.#windowEndMs) {
      this.#windowEndMs =
        this.kind === 'aligned' ? (Math.floor(now / this.windowMs) + 1) * this.windowMs : now + this.windowMs;
      this.#count = 0;
      this.#windowCounts = { ours: 0, others: 0 };
      this.windows.push(this.#windowCounts);
    }
  }

  remaining(): number {
    this.#roll();
    return Math.max(0, this.limit - this.#count);
  }

  request(by: 'ours' | 'others'): Answer {
    this.#roll();
    const now = this.#world.nowMs + this.skewMs;
    const passes = this.#count < this.limit;
    if (passes) {
      this.#count += 1;
      this.#sliding.push(now);
      this.#windowCounts[by] += 1;
      if (by === 'ours') this.oursAtMs.push(this.#world.nowMs);
      else this.othersTotal += 1;
    } else if (by === 'ours') this.refused += 1;
    const resetMs =
      this.kind === 'slidingFullReset'
        ? now + this.windowMs
        : this.kind === 'slidingNextSlot'
          ? (this.#sliding[0] ?? now) + this.windowMs
          : this.#windowEndMs;
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

export interface Traffic {
  readonly world: World;
  readonly venue: SimulatedVenue;
  readonly budget: Budget;
  readonly random: () => number;
  /** One way, ms. */
  readonly latencyMs: number;
  /** Changes or drops an answer; null: it is lost. */
  readonly tamper?: (answer: Answer) => Answer | null;
  readonly onServed?: (priority: Priority, waitedMs: number) => void;
  /** Requests of others that we can know of by now: handed on to `onProcessed` as it was at sending. */
  readonly othersKnown?: () => number;
  readonly onProcessed?: (remainingAfter: number, othersKnownWhenSent: number, priority: Priority) => void;
  /** Our answer arrived; others had sent so many when it was made. */
  readonly onAnswered?: (othersThen: number) => void;
}

/** One request: waits for the permit, travels, is counted, travels back. */
export async function ask(traffic: Traffic, priority: Priority): Promise<'served' | 'refused'> {
  const { world, venue, budget, random, latencyMs } = traffic;
  const askedAtMs = world.nowMs;
  let permit: Awaited<ReturnType<Budget['acquire']>>;
  try {
    permit = await budget.acquire(priority);
  } catch {
    return 'refused';
  }
  traffic.onServed?.(priority, world.nowMs - askedAtMs);
  const there = latencyMs * (0.5 + random());
  const othersKnownWhenSent = traffic.othersKnown?.() ?? 0;
  const back = latencyMs * (0.5 + random());
  world.at(world.nowMs + there, () => {
    const answer = venue.request('ours');
    traffic.onProcessed?.(venue.remaining(), othersKnownWhenSent, priority);
    const othersThen = venue.othersTotal;
    world.at(world.nowMs + back, () => {
      traffic.onAnswered?.(othersThen);
      permit.complete(traffic.tamper === undefined ? answer : traffic.tamper(answer));
    });
  });
  return 'served';
}

/** A poller that always has something to poll: asks for its allowance at every tick and paces it over the tick. */
export function startPoller(traffic: Traffic, tickMs: number): void {
  const { world, budget } = traffic;
  const tick = () => {
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
  void ask(traffic, 'poller').then(() => traffic.world.at(traffic.world.nowMs + 1, () => startGreedyPoller(traffic)));
}

export function budgetIn(
  world: World,
  {
    clockErrorMs = 0,
    random,
    ...options
  }: Parameters<typeof createBudget>[1] & { readonly random: () => number; readonly clockErrorMs?: number },
): Budget {
  const nowMs = () => world.nowMs + clockErrorMs;
  const machine = testMachine({ nowMs, monotonicMs: () => world.nowMs, random });
  return createBudget(machine, { ...options, timers: world.timers });
}

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
