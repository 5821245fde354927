import { createTask, type ScheduledTask } from 'node-cron';
import type { Machine } from '../lib/machine.ts';

const WATCH_MS = 1_000;
/**
 * A wall clock is corrected by less than this all the time; a larger step means it was set, or the
 * machine slept.
 */
const STEP_MS = 2_000;
/** A tick that is overdue by more than this, ms, is made by the watchdog. */
const OVERDUE_MS = 2_000;
/**
 * A tick that is later than this, ms, means that the process or its machine was held up: it is
 * logged.
 */
const LATE_MS = 5_000;
/** Runs that are looked at for the longest pause of a pattern: more than a day of an hourly one. */
const RUNS_COMPARED = 30;

export type CronTimer = ReturnType<typeof createCronTimer>;

/**
 * Ticks at the times of a cron pattern by the local wall clock: node-cron with a watchdog. Alone
 * node-cron stands still in the hour that comes twice in autumn, waits hours after a clock was set
 * back, and skips what it was too busy for. The watchdog renews it when the wall clock has jumped
 * or a tick is overdue, and ticks once for all that was left out.
 *
 * @param pattern as node-cron takes it: five fields, or six with seconds first
 * @throws Error for a pattern that node-cron does not take
 */
export function createCronTimer({ nowMs, monotonicMs, log }: Machine, pattern: string) {
  const runs = createTask(pattern, () => {}, { timezone: 'UTC' })
    .getNextRuns(RUNS_COMPARED)
    .map(Number);
  /** In a zone without clock changes: what is silent for longer has left a run out. */
  const longestPauseMs = Math.max(
    0,
    ...runs.slice(1).map((runMs, index) => runMs - (runs[index] ?? 0)),
  );
  let task: ScheduledTask | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  let lastTickMs = Number.NEGATIVE_INFINITY;
  let dueMs = Number.POSITIVE_INFINITY;
  let offsetMs = 0;
  let tick = () => {};

  const runTask = () => {
    void task?.destroy();
    task = createTask(pattern, () => tick(), { suppressMissedWarning: true });
    void task.start();
    dueMs = task.getNextRun()?.getTime() ?? Number.POSITIVE_INFINITY;
  };

  const watch = () => {
    const now = nowMs();
    const stepMs = now - monotonicMs() - offsetMs;
    offsetMs += stepMs;
    const hasJumped = Math.abs(stepMs) > STEP_MS;
    const lateMs = Math.max(now - dueMs, monotonicMs() - lastTickMs - longestPauseMs);
    if (!hasJumped && lateMs <= OVERDUE_MS) return;
    if (hasJumped) log.warn({ event: 'clock.jumped', byMs: Math.round(stepMs) });
    else if (lateMs > LATE_MS) log.warn({ event: 'poll.tick_late', lateMs: Math.round(lateMs) });
    runTask();
    tick();
  };

  return {
    /**
     * Ticks at once, then by the pattern. An error of `onTick` is logged, and the timer goes on.
     */
    start(onTick: () => Promise<void>): void {
      offsetMs = nowMs() - monotonicMs();
      tick = () => {
        lastTickMs = monotonicMs();
        dueMs = task?.getNextRun()?.getTime() ?? Number.POSITIVE_INFINITY;
        onTick().catch((error: unknown) => log.error({ event: 'poll.tick_failed', err: error }));
      };
      runTask();
      tick();
      watchdog = setInterval(watch, WATCH_MS);
    },
    stop(): void {
      clearInterval(watchdog);
      void task?.destroy();
      task = undefined;
    },
    /** Time until the next tick, ms, if nobody sets the clock. */
    msToNext: () => Math.max(0, Math.min(dueMs - nowMs(), longestPauseMs)),
  };
}
