import TinyQueue from 'tinyqueue';
import type { BudgetTimers } from '../../../src/venue/rate-limit/budget.ts';

/** Most consecutive promises before real work begins. */
const STEPS_TO_WORK = 25;

interface Due {
  readonly id: number;
  readonly atMs: number;
}

/**
 * Virtual time for parts that also do real work (files, sockets). It stops while such work is in
 * progress, so that a slow disk doesn't look like a slow day.
 */
export class SoakClock {
  nowMs: number;
  /** Pending timers, by id. */
  readonly #acts = new Map<number, () => void>();
  /**
   * Ordered by time, and timers of the same moment in the order of their creation. Includes cleared
   * ones.
   */
  readonly #dues = new TinyQueue<Due>([], (a, b) => a.atMs - b.atMs || a.id - b.id);
  #nextId = 1;
  #busy = 0;
  #onRest: () => void = () => {};

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  readonly timers: BudgetTimers = {
    setTimeout: (act, delayMs) => this.at(this.nowMs + Math.max(1, delayMs), act),
    clearTimeout: (id) => void this.#acts.delete(Number(id)),
  };

  /** Number of pending timers. */
  get waiting(): number {
    return this.#acts.size;
  }

  at(atMs: number, act: () => void): number {
    this.#nextId += 1;
    this.#acts.set(this.#nextId, act);
    this.#dues.push({ id: this.#nextId, atMs });
    return this.#nextId;
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

  /** Marks the start of real work; time stops until the returned function is called. */
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

  during<Result>(work: Promise<Result>): Promise<Result> {
    return work.finally(this.begin());
  }

  /** Resolves when no real work is in progress and its immediate consequences are done. */
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
    for (;;) {
      await this.quiet();
      const next = this.#dues.peek();
      if (next === undefined || next.atMs > endMs) break;
      this.#dues.pop();
      const act = this.#acts.get(next.id);
      if (act === undefined) continue;
      this.#acts.delete(next.id);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      act();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }
}
