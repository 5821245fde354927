import type { BudgetTimers } from '../../../src/venue/rate-limit/budget.ts';

interface Due {
  readonly atMs: number;
  readonly id: number;
  readonly act: () => void;
}

/** So many promises may follow on each other before real work begins. */
const STEPS_TO_WORK = 25;

/**
 * Virtual time for parts that also do real work (files, sockets): it stands still as long as any of that is under way,
 * so that a slow disk is never taken for a slow day.
 */
export class SoakClock {
  nowMs: number;
  /** A binary heap by time. */
  readonly #heap: Due[] = [];
  readonly #live = new Set<number>();
  #nextId = 1;
  #busy = 0;
  #onRest: () => void = () => {};

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  readonly timers: BudgetTimers = {
    setTimeout: (act, delayMs) => this.at(this.nowMs + Math.max(1, delayMs), act),
    clearTimeout: (id) => {
      if (typeof id === 'number') this.#live.delete(id);
    },
  };

  /** Timers that are set. */
  get waiting(): number {
    return this.#live.size;
  }

  at(atMs: number, act: () => void): number {
    const due = { atMs, id: this.#nextId, act };
    this.#nextId += 1;
    this.#live.add(due.id);
    let place = this.#heap.length;
    this.#heap.push(due);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#heap[parent];
      if (above === undefined || !isBefore(due, above)) break;
      this.#heap[place] = above;
      place = parent;
    }
    this.#heap[place] = due;
    return due.id;
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || delayMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.timers.clearTimeout(timer);
        resolve();
      };
      const timer = this.timers.setTimeout(wake, delayMs);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** Real work begins; time stands still until the returned function is called. */
  begin(): () => void {
    this.#busy += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#busy -= 1;
      if (this.#busy === 0) this.#onRest();
    };
  }

  async during<Result>(work: Promise<Result>): Promise<Result> {
    const end = this.begin();
    try {
      return await work;
    } finally {
      end();
    }
  }

  /** Until no real work is under way, nor what follows from it at once. */
  async quiet(): Promise<void> {
    for (;;) {
      for (let step = 0; step < STEPS_TO_WORK; step += 1) await undefined;
      if (this.#busy === 0) return;
      await new Promise<void>((resolve) => {
        this.#onRest = resolve;
      });
    }
  }

  async runUntil(endMs: number): Promise<void> {
    await this.quiet();
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= endMs; next = this.#heap[0]) {
      this.#pop();
      if (!this.#live.delete(next.id)) continue;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.act();
      await this.quiet();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [this.#heap[child], this.#heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const least = this.#heap[child];
      if (least === undefined || !isBefore(least, last)) break;
      this.#heap[place] = least;
      place = child;
    }
    this.#heap[place] = last;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.id < b.id);
}
