import * as z from 'zod';
import type { Language } from '../language/language.ts';
import { firstInstantAt, readTimeZone, type Zone } from './zone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_PER_DAY = 1_440;

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
  return firstDue(schedule, zone, nowMs, -1);
}

/** The first time after `nowMs` at which a digest is due, epoch milliseconds. */
export function nextDue(schedule: Schedule, zone: Zone, nowMs: number): number {
  return firstDue(schedule, zone, nowMs, 1);
}

/** @param direction -1: the last one up to now; 1: the next one after */
function firstDue({ every, atMinutes, weekday }: Schedule, zone: Zone, nowMs: number, direction: 1 | -1): number {
  // Of the zone's calendar, counted from 1 January 1970, which was a Thursday.
  const today = Math.floor((nowMs + zone.offsetMs(nowMs)) / DAY_MS);
  for (let day = today - direction; ; day += direction) {
    if (every === 'week' && WEEKDAYS[(((day + 3) % 7) + 7) % 7] !== weekday) continue;
    const dueMs = firstInstantAt(zone, day * DAY_MS + atMinutes * MINUTE_MS);
    if (dueMs > nowMs === direction > 0) return dueMs;
  }
}
