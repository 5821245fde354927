import { createTask, parse } from 'node-cron';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** A pattern such as "29 February on a Monday" comes round within 40 years. */
const DAYS_LIMIT = 366 * 40;

/** A cron pattern, asked when it is due. */
export interface CronTimes {
  /** Whether it is due in every hour of the days that it names. */
  readonly isEveryHour: boolean;
  /**
   * The next time after `nowMs`, both epoch ms, by the local wall clock. When the clocks go back, a pattern for every
   * hour goes on through the hour that comes twice, any other has it once; when they go forward, what falls into the
   * hour that is left out comes that much later (the rules of Debian's cron).
   */
  next(nowMs: number): number;
}

/**
 * Reads a pattern by node-cron's rules. Its own clock is not used: it stands still for the hour that comes twice in
 * autumn, waits for hours after the system's clock was set back, and after one was set forward it counts every second
 * that was left out before it goes on.
 *
 * @param offsetMs what the local wall clock is ahead of UTC at an instant (epoch ms)
 * @throws Error for a pattern that node-cron does not take, or that is never due
 */
export function createCronTimes(pattern: string, offsetMs: (atMs: number) => number): CronTimes {
  const { second, minute, hour } = parse(pattern);
  const [seconds, minutes, hours] = [second, minute, hour].map((values) => values.map(Number).sort((a, b) => a - b));
  const timesOfDay = (hours ?? []).flatMap((h) =>
    (minutes ?? []).flatMap((m) => (seconds ?? []).map((s) => ((h * 60 + m) * 60 + s) * SECOND_MS)),
  );
  const isEveryHour = new Set(hours).size === 24;
  // In UTC no hour is left out or comes twice: wall times are looked up as if they were that.
  const matcher = createTask(pattern, () => {}, { timezone: 'UTC' });

  /** The next wall time, written as if it were UTC. */
  const nextWall = (wallMs: number): number => {
    const firstDayMs = Math.floor(wallMs / DAY_MS) * DAY_MS;
    for (let day = 0; day < DAYS_LIMIT; day += 1) {
      const dayMs = firstDayMs + day * DAY_MS;
      if (!matcher.match(new Date(dayMs + (timesOfDay[0] ?? 0)))) continue;
      const time = timesOfDay[firstAbove(timesOfDay, day === 0 ? wallMs - dayMs : -1)];
      if (time !== undefined) return dayMs + time;
    }
    throw new Error(`The cron pattern "${pattern}" is never due.`);
  };

  return {
    isEveryHour,
    next(nowMs) {
      const before = offsetMs(nowMs);
      const wallMs = nextWall(nowMs + before);
      const atMs = wallMs - before;
      const after = offsetMs(atMs);
      if (after === before) return atMs;
      const changeMs = changeBetween(nowMs, atMs, offsetMs);
      if (after > before) return wallMs < changeMs + after ? atMs : wallMs - after;
      return (isEveryHour ? nextWall(changeMs + after - 1) : wallMs) - after;
    },
  };
}

/** Index of the first that is greater; the list is ascending. */
function firstAbove(ascending: readonly number[], least: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The instant from which on the clocks go as they do at `untilMs`. */
function changeBetween(fromMs: number, untilMs: number, offsetMs: (atMs: number) => number): number {
  const after = offsetMs(untilMs);
  let [before, since] = [fromMs, untilMs];
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (offsetMs(middle) === after) since = middle;
    else before = middle;
  }
  return since;
}
