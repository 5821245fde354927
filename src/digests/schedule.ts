import * as z from 'zod';
import type { Language } from '../language/language.ts';
import { firstInstantAt, readTimeZone, type Zone } from './zone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_PER_DAY = 1_440;
/** More than a week, and a day on each side for zones that are ahead or behind. */
const DAYS_LOOKED_AT = 10;

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const scheduleSchema = z.object({
  every: z.enum(['day', 'week']),
  /** Minutes after midnight by the zone's wall clock. */
  atMinutes: z
    .int()
    .min(0)
    .max(MINUTES_PER_DAY - 1),
  weekday: z.enum(WEEKDAYS),
  timeZone: z.string().refine((name) => readTimeZone(name) !== null),
});
/** When a digest is due; the weekday counts for weekly ones. */
export type Schedule = z.infer<typeof scheduleSchema>;

/** `Monday`, `Montag`, `月曜日`. */
export function weekdayName(weekday: Schedule['weekday'], { weekdays }: Language): string {
  return weekdays[WEEKDAYS.indexOf(weekday)] ?? weekday;
}

/**
 * The last time at which a digest was due. On each of its days that is the first instant at which the zone's wall clock
 * shows its time or a later one: a time that the clocks leave out is due when they have jumped over it, one that comes
 * twice is due the first time.
 *
 * @param nowMs epoch milliseconds
 * @returns epoch milliseconds, not after `nowMs`
 */
export function lastDue(schedule: Schedule, zone: Zone, nowMs: number): number {
  const today = dayAt(zone, nowMs);
  for (let day = today + 1; day >= today - DAYS_LOOKED_AT; day -= 1) {
    const dueMs = dueOn(schedule, zone, day);
    if (dueMs !== null && dueMs <= nowMs) return dueMs;
  }
  throw new Error(`No digest is ever due by ${JSON.stringify(schedule)}.`);
}

/** The first time after `nowMs` at which a digest is due, epoch milliseconds. */
export function nextDue(schedule: Schedule, zone: Zone, nowMs: number): number {
  const today = dayAt(zone, nowMs);
  for (let day = today - 1; day <= today + DAYS_LOOKED_AT; day += 1) {
    const dueMs = dueOn(schedule, zone, day);
    if (dueMs !== null && dueMs > nowMs) return dueMs;
  }
  throw new Error(`No digest is ever due by ${JSON.stringify(schedule)}.`);
}

/** @param day of the zone's calendar, counted from 1 January 1970 */
function dueOn({ every, atMinutes, weekday }: Schedule, zone: Zone, day: number): number | null {
  // 1 January 1970 was a Thursday.
  const dayOfWeek = (((day + 3) % 7) + 7) % 7;
  if (every === 'week' && WEEKDAYS[dayOfWeek] !== weekday) return null;
  return firstInstantAt(zone, day * DAY_MS + atMinutes * MINUTE_MS);
}

function dayAt(zone: Zone, atMs: number): number {
  return Math.floor((atMs + zone.offsetMs(atMs)) / DAY_MS);
}
