import type { Logger } from 'pino';
import type { CronTimes } from './cron.ts';

/** The clocks are compared this often, so that a clock that is set or a machine that slept costs no more than this. */
const LOOK_MS = 1_000;
/** The wall clock is corrected by less all the time; by more it was set, or the machine slept. */
const STEP_MS = 2_000;
/** A tick that comes this much late means that the process or its machine was held up. */
const LATE_MS = 5_000;
/** Set back by more, the clock was plainly wrong before, and its new time is taken as it is. */
const REPEAT_LIMIT_MS = 3 * 3_600_000;

export interface Timers {
  setTimeout(callback: () => void, delayMs: number): NodeJS.Timeout | number;
  clearTimeout(handle: NodeJS.Timeout | number | undefined): void;
}

export interface CronTimerDeps {
  readonly times: CronTimes;
  readonly onTick: () => void;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** A clock that never jumps, ms from any origin. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly timers?: Timers;
}

/** Ticks when the wall clock reaches the times of a cron pattern: once each, and once for all that were left out. */
export interface CronTimer {
  /** Ticks at once, then by the pattern. */
  start(): void;
  stop(): void;
  /** How long until the next tick, ms, if nobody sets the clock. */
  msToNext(): number;
}

/**
 * Looks at the wall clock every second at least and compares it with one that never jumps. After the clock was set back
 * the tick does not wait until the old time has come again; set forward, or after the machine has slept, one tick stands
 * for all that were left out. As with Debian's cron, a daily tick is not repeated by up to three hours that come again.
 */
export function createCronTimer(deps: CronTimerDeps): CronTimer {
  const { times, nowMs, monotonicMs, log, timers = globalThis } = deps;
  let lastMs = Number.NEGATIVE_INFINITY;
  let nextMs = Number.NaN;
  let offsetMs = 0;
  let timer: NodeJS.Timeout | number | undefined;

  const arm = () => {
    timer = timers.setTimeout(look, Math.min(LOOK_MS, Math.max(1, Math.ceil(nextMs - nowMs()))));
  };

  const tick = () => {
    try {
      deps.onTick();
    } catch (error) {
      log.error({ event: 'poll.tick_failed', err: error });
    }
  };

  const look = () => {
    const now = nowMs();
    const stepMs = now - monotonicMs() - offsetMs;
    offsetMs += stepMs;
    const isStep = Math.abs(stepMs) > STEP_MS;
    if (isStep) log.warn({ event: 'clock.jumped', byMs: Math.round(stepMs) });
    if (now >= nextMs) {
      if (!isStep && now - nextMs > LATE_MS) log.warn({ event: 'poll.tick_late', lateMs: Math.round(now - nextMs) });
      lastMs = nextMs;
      // A clock that is put back by a little must not come to the same time twice: the next is after this one.
      nextMs = times.next(now);
      tick();
    } else if (isStep) {
      const mayRepeat = times.isEveryHour || -stepMs > REPEAT_LIMIT_MS;
      nextMs = times.next(mayRepeat ? now : Math.max(now, lastMs));
    }
    arm();
  };

  return {
    start() {
      offsetMs = nowMs() - monotonicMs();
      nextMs = times.next(nowMs());
      tick();
      arm();
    },
    stop() {
      timers.clearTimeout(timer);
    },
    msToNext: () => Math.max(0, nextMs - nowMs()),
  };
}
