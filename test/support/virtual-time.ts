import { setImmediate as turn } from 'node:timers/promises';

/** Creates a clock that advances only on request, and wakes its sleepers. */
export function createVirtualTime(startMs = Date.UTC(2026, 10, 1)) {
  let nowMs = startMs;
  const sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>();

  const sleep = (delayMs: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (delayMs <= 0 || signal.aborted) return resolve();
      const wake = () => {
        sleepers.delete(sleeper);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { atMs: nowMs + delayMs, wake };
      sleepers.add(sleeper);
      signal.addEventListener('abort', wake);
    });

  /**
   * Lets time pass from one sleeper to the next. A woken sleeper completes all its work before the
   * next one wakes.
   */
  const pass = async (ms: number, idle: () => Promise<unknown> = turns) => {
    const untilMs = nowMs + ms;
    for (;;) {
      await idle();
      const next = [...sleepers].sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      nowMs = Math.max(nowMs, next.atMs);
      next.wake();
    }
    nowMs = untilMs;
  };

  return { now: () => nowMs, sleep, pass };
}

/** Long enough for promises that wait for nothing outside the process. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count += 1) await turn();
}
