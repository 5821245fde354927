import * as z from 'zod';
import type { Language } from '../language/language.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time.ts';
import { readTimeZone, type Zone } from '../lib/time-zones.ts';

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export const scheduleSchema = z.object({
  every: z.enum(['day', 'week']),
  /** Minutes after midnight, in the zone's wall-clock time. */
  atMinutes: z.int().min(0).max(1_439),
  weekday: z.enum(WEEKDAYS),
  timeZone: z.string().refine((name) => readTimeZone(name) !== null),
});
/** Times at which a digest is due; the weekday only applies to weekly ones. */
export type Schedule = z.infer<typeof scheduleSchema>;

/** Returns `Monday`, `Montag`, `月曜日`. */
export function weekdayName(weekday: Schedule['weekday'], { weekdays }: Language): string {
  return weekdays[WEEKDAYS.indexOf(weekday)] ?? weekday;
}

/**
 * Returns a time at which a digest is due: the last one up to `nowMs`, or the next one after it. On
 * each of its days it is the first instant at which the zone's wall clock shows its time or a later
 * one: a time that the clocks skip is due right after the skip, and a time that occurs twice is due
 * the first time. All in epoch ms.
 */
export function dueTime(
  which: 'last' | 'next',
  schedule: Schedule,
  zone: Zone,
  nowMs: number,
): number {
  const { every, atMinutes, weekday } = schedule;
  const direction = which === 'last' ? -1 : 1;
  // Days of the zone's calendar count from 1 January 1970, which was a Thursday.
  const today = Math.floor((nowMs + zone.offsetMs(nowMs)) / DAY_MS);
  for (let day = today - direction; ; day += direction) {
    if (every === 'week' && WEEKDAYS[(((day + 3) % 7) + 7) % 7] !== weekday) continue;
    const dueMs = firstInstantAt(zone, day * DAY_MS + atMinutes * MINUTE_MS);
    if (dueMs > nowMs === direction > 0) return dueMs;
  }
}

/**
 * Returns the first instant at which the zone's clock shows a time or a later one.
 *
 * @param wallMs the clock's time read as UTC, in epoch ms
 */
export function firstInstantAt(zone: Zone, wallMs: number): number {
  let earlyMs = wallMs - DAY_MS;
  let lateMs = wallMs + DAY_MS;
  const before = zone.offsetMs(earlyMs);
  const after = zone.offsetMs(lateMs);
  if (before === after) return wallMs - before;
  // The clocks change once in these two days; find the instant.
  while (lateMs - earlyMs > 1_000) {
    const middleMs = Math.floor((earlyMs + lateMs) / 2_000) * 1_000;
    if (zone.offsetMs(middleMs) === before) earlyMs = middleMs;
    else lateMs = middleMs;
  }
  if (wallMs - before < lateMs) return wallMs - before;
  return Math.max(lateMs, wallMs - after);
}
