import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueTime, type Schedule, WEEKDAYS } from '../../src/digests/schedule.ts';
import { createZone, readTimeZone, timeZones, type Zone } from '../../src/lib/time-zones.ts';

const MINUTE = 60_000;
const YEAR_BEGINS = Date.UTC(2026, 0, 1);
const MINUTES_OF_YEAR = 365 * 1_440;

const WEEKDAY_NAME = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });

/**
 * The wall clock of each minute of a year, read from a text of Intl: the day, and the minute of it.
 */
function wallClock(timeZone: string): { readonly days: Int32Array; readonly minutes: Int16Array } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const days = new Int32Array(MINUTES_OF_YEAR);
  const minutes = new Int16Array(MINUTES_OF_YEAR);
  for (let index = 0; index < MINUTES_OF_YEAR; index += 1) {
    if (index % 15 !== 0) {
      // Clocks change, and days begin, at full quarters of an hour only.
      days[index] = days[index - 1] ?? 0;
      minutes[index] = (minutes[index - 1] ?? 0) + 1;
      continue;
    }
    const [date = '', time = ''] = format.format(YEAR_BEGINS + index * MINUTE).split(' ');
    days[index] = Number(date.replaceAll('-', ''));
    minutes[index] = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  }
  return { days, minutes };
}

/**
 * All due times of the year, by walking through it minute by minute: on each day the first minute
 * that is not too early.
 */
function walkedDues(
  { days, minutes }: ReturnType<typeof wallClock>,
  { every, atMinutes, weekday }: Schedule,
): number[] {
  const dues: number[] = [];
  let doneDay = 0;
  for (let index = 0; index < MINUTES_OF_YEAR; index += 1) {
    const day = days[index] ?? 0;
    if (day === doneDay || (minutes[index] ?? 0) < atMinutes) continue;
    doneDay = day;
    const date = new Date(
      Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100),
    );
    if (every === 'day' || WEEKDAY_NAME.format(date) === weekday)
      dues.push(YEAR_BEGINS + index * MINUTE);
  }
  return dues;
}

/** The days of a year overlap: each instant is asked for again and again. */
function remembered({ offsetMs }: Zone): Zone {
  const known = new Map<number, number>();
  return {
    offsetMs(atMs) {
      const offset = known.get(atMs) ?? offsetMs(atMs);
      known.set(atMs, offset);
      return offset;
    },
  };
}

describe('when a digest is due', () => {
  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'agrees in %s with a walk through every minute of a year, both changes of the clocks in it',
    (timeZone) => {
      const clock = wallClock(timeZone);
      const zone = remembered(createZone(timeZone));
      for (const every of ['day', 'week'] as const) {
        const times = every === 'week' ? [150, 1_080] : [0, 120, 150, 1_080];
        for (const atMinutes of times) {
          for (const weekday of every === 'day'
            ? (['Monday'] as const)
            : (['Sunday', 'Wednesday'] as const)) {
            const schedule: Schedule = { every, atMinutes, weekday, timeZone };
            // The first day has begun before the year did in UTC.
            const dues = walkedDues(clock, schedule).slice(1);
            const [first = 0] = dues;
            const last = dues.at(-1) ?? 0;
            const found = [first];
            while ((found.at(-1) ?? last) < last)
              found.push(dueTime('next', schedule, zone, found.at(-1) ?? last));
            expect(found).toEqual(dues);
            expect(dues.map((due) => dueTime('last', schedule, zone, due))).toEqual(dues);
            expect(dues.slice(1).map((due) => dueTime('last', schedule, zone, due - 1))).toEqual(
              dues.slice(0, -1),
            );
          }
        }
      }
    },
  );

  it('is never after the moment it is asked for, and never skips one, at any instant in any zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...timeZones()),
        fc.record({
          every: fc.constantFrom('day' as const, 'week' as const),
          atMinutes: fc.integer({ min: 0, max: 1_439 }),
          weekday: fc.constantFrom(...WEEKDAYS),
        }),
        fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) }),
        (timeZone, times, nowMs) => {
          const schedule = { ...times, timeZone };
          const zone = createZone(timeZone);
          const last = dueTime('last', schedule, zone, nowMs);
          const next = dueTime('next', schedule, zone, nowMs);
          expect(last).toBeLessThanOrEqual(nowMs);
          expect(next).toBeGreaterThan(nowMs);
          expect(dueTime('next', schedule, zone, last)).toBe(next);
          expect(dueTime('last', schedule, zone, next - 1)).toBe(last);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('comes as soon as the day begins where the clocks jump over midnight', () => {
    const schedule: Schedule = {
      every: 'day',
      atMinutes: 0,
      weekday: 'Monday',
      timeZone: 'Africa/Cairo',
    };
    const due = dueTime('last', schedule, createZone('Africa/Cairo'), Date.UTC(2026, 3, 24, 12));
    expect(new Date(due).toISOString()).toBe('2026-04-23T22:00:00.000Z');
  });

  it('knows a zone by its name, however it is typed, and nothing else', () => {
    expect(readTimeZone(' europe/berlin ')).toBe('Europe/Berlin');
    expect(readTimeZone('utc')).toBe('UTC');
    for (const text of ['', '+02:00', 'Mars/Olympus', 'Europe/Berlin; rm'])
      expect(readTimeZone(text)).toBeNull();
  });
});
