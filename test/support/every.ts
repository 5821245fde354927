import type { CronTimer } from '../../src/feed/cron-timer.ts';
import type { SoakClock } from './soak/clock.ts';

/**
 * Creates a cron timer on a virtual clock: it ticks at once and then at equal intervals, whatever
 * the wall clock shows.
 */
export function every(periodMs: number, clock: SoakClock): CronTimer {
  let timer: number | NodeJS.Timeout | undefined;
  let nextMs = clock.nowMs;
  return {
    start(onTick) {
      const tick = () => {
        nextMs = clock.nowMs + periodMs;
        timer = clock.timers.setTimeout(tick, periodMs);
        void onTick();
      };
      tick();
    },
    stop: () => clock.timers.clearTimeout(timer),
    msToNext: () => Math.max(0, nextMs - clock.nowMs),
  };
}
