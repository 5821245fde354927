import { createTask, type ScheduledTask } from 'node-cron';
import type { Machine } from '../lib/machine.ts';

const WATCH_MS = 1_000;
/**
 * Step of the wall clock above which it was set, or the machine slept, in ms. Smaller corrections
 * are normal.
 */
const STEP_MS = 2_000;
/** Delay of a tick after which the watchdog makes it, in ms. */
const OVERDUE_MS = 2_000;
/** Delay of a tick above which it is logged, in ms: the process or its machine was blocked. */
const LATE_MS = 5_000;
/** Number of runs examined for a pattern's longest pause: more than a day of an hourly pattern. */
const RUNS_COMPARED = 30;

export type CronTimer = ReturnType<typeof createCronTimer>;

/**
 * Ticks at the times of a cron pattern in local time: node-cron with a watchdog. On its own,
 * node-cron stops during the repeated hour in autumn, waits for hours after a clock was set back,
 * and skips runs while the process is busy. The watchdog restarts it when the wall clock has jumped
 * or a tick is overdue, and ticks once for all missed runs.
 *
 * @param pattern in node-cron's syntax: five fields, or six with seconds first
 * @throws Error if node-cron rejects the pattern
 */
export function createCronTimer({ nowMs, monotonicMs, log }: Machine, pattern: string) {
  const runs = createTask(pattern, () => {}, { timezone: 'UTC' })
    .getNextRuns(RUNS_COMPARED)
    .map(Number);
  /** Computed in a zone without clock changes: a longer silence means that a run was missed. */
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
     * Ticks at once, then by the pattern. An error in `onTick` is logged and does not stop the
     * timer.
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
    /** Time until the next tick, in ms, unless the clock is set. */
    msToNext: () => Math.max(0, Math.min(dueMs - nowMs(), longestPauseMs)),
  };
}
