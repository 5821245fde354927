import type { BudgetTimers } from '../../../src/venue/rate-limit/budget.ts';

/** So many promises may follow on each other before real work begins. */
const STEPS_TO_WORK = 25;

/**
 * Virtual time for parts that also do real work (files, sockets): it stands still as long as any of
 * that is under way, so that a slow disk is never taken for a slow day.
 */
export class SoakClock {
  nowMs: number;
  /** In the order in which they were set. */
  readonly #dues = new Map<number, { readonly atMs: number; readonly act: () => void }>();
  #nextId = 1;
  #busy = 0;
  #onRest: () => void = () => {};

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  readonly timers: BudgetTimers = {
    setTimeout: (act, delayMs) => this.at(this.nowMs + Math.max(1, delayMs), act),
    clearTimeout: (id) => void this.#dues.delete(Number(id)),
  };

  /** Timers that are set. */
  get waiting(): number {
    return this.#dues.size;
  }

  at(atMs: number, act: () => void): number {
    this.#nextId += 1;
    this.#dues.set(this.#nextId, { atMs, act });
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

  during<Result>(work: Promise<Result>): Promise<Result> {
    return work.finally(this.begin());
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
    for (;;) {
      await this.quiet();
      const [id, next] = [...this.#dues].toSorted(([, a], [, b]) => a.atMs - b.atMs)[0] ?? [];
      if (id === undefined || next === undefined || next.atMs > endMs) break;
      this.#dues.delete(id);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.act();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }
}
