import * as z from 'zod';
import { clockWords, readClock } from '../lib/clock.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time.ts';
import { createZones, readTimeZone } from '../lib/time-zones.ts';

const minutesSchema = z.int().min(0).max(1_439);

export const quietSchema = z.object({
  /** Minutes after midnight in the zone's local time; `toMinutes` is exclusive. */
  fromMinutes: minutesSchema,
  toMinutes: minutesSchema,
  timeZone: z.string().refine((name) => readTimeZone(name) !== null),
});
/** Daily hours, also across midnight, in which a channel gets no notifications. */
type QuietHours = z.infer<typeof quietSchema>;

/** Reads `22:00-07:00` or `22-7`; null for anything else and for an empty range. */
export function readHours(text: string): Omit<QuietHours, 'timeZone'> | null {
  const [from = '', to = '', ...others] = text.normalize('NFKC').split(/[-–—~]/);
  const fromMinutes = readClock(from);
  const toMinutes = readClock(to);
  if (others.length > 0 || fromMinutes === null || toMinutes === null) return null;
  return fromMinutes === toMinutes ? null : { fromMinutes, toMinutes };
}

/** Quiet hours as words for a sentence: `22:00`, `07:00`, `Europe/Berlin`. */
export function hoursWords({ fromMinutes, toMinutes, timeZone }: QuietHours) {
  return [clockWords(fromMinutes), clockWords(toMinutes), timeZone] as const;
}

/** Creates a function that returns whether an instant is in quiet hours. It caches time zones. */
export function createQuietness() {
  const zoneOf = createZones();
  /** @param atMs epoch milliseconds */
  return ({ fromMinutes, toMinutes, timeZone }: QuietHours, atMs: number): boolean => {
    const wallMs = atMs + zoneOf(timeZone).offsetMs(atMs);
    const ofDayMs = ((wallMs % DAY_MS) + DAY_MS) % DAY_MS;
    const minutes = Math.floor(ofDayMs / MINUTE_MS);
    const isAfterFrom = minutes >= fromMinutes;
    const isBeforeTo = minutes < toMinutes;
    return fromMinutes < toMinutes ? isAfterFrom && isBeforeTo : isAfterFrom || isBeforeTo;
  };
}
