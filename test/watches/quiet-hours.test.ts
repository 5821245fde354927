import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockWords } from '../../src/lib/clock.ts';
import { timeZones } from '../../src/lib/time-zones.ts';
import { createQuietness, hoursWords, readHours } from '../../src/watches/quiet-hours.ts';
import { randomRuns } from '../support/thorough.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** What the zone's clock on the wall shows, as Node writes it: `07:30`. */
function wallClock(timeZone: string, atMs: number): string {
  const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(atMs);
}

/** The clock times from one to another, the last one left out, as somebody would count them. */
function countedOff(fromMinutes: number, toMinutes: number): ReadonlySet<string> {
  const times = new Set<string>();
  for (let at = fromMinutes; at !== toMinutes; at = (at + 1) % DAY_MINUTES)
    times.add(clockWords(at));
  return times;
}

const times = fc.integer({ min: 0, max: DAY_MINUTES - 1 });
const hours = fc.tuple(times, times).filter(([from, to]) => from !== to);

describe('quiet hours', () => {
  it('are those that the clock on the wall shows, at any time in any zone', () => {
    const isQuiet = createQuietness();
    fc.assert(
      fc.property(
        hours,
        fc.constantFrom(...timeZones()),
        fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) }),
        ([fromMinutes, toMinutes], timeZone, atMs) => {
          const expected = countedOff(fromMinutes, toMinutes).has(wallClock(timeZone, atMs));
          expect(isQuiet({ fromMinutes, toMinutes, timeZone }, atMs)).toBe(expected);
        },
      ),
      randomRuns(4_000),
    );
  });

  it.each([
    ['Europe/Berlin', 'forward at 02:00', Date.UTC(2026, 2, 29)],
    ['Europe/Berlin', 'back at 03:00', Date.UTC(2026, 9, 25)],
    ['Africa/Cairo', 'forward at midnight', Date.UTC(2026, 3, 24)],
    ['Australia/Lord_Howe', 'back by half an hour', Date.UTC(2026, 3, 5)],
  ])('follow the clocks of %s, which that day go %s', (timeZone, _change, dayMs) => {
    const isQuiet = createQuietness();
    for (const [fromMinutes, toMinutes] of [
      [22 * 60, 7 * 60],
      [130, 150],
      [0, 60],
      [23 * 60 + 45, 15],
    ] as const) {
      const quiet = countedOff(fromMinutes, toMinutes);
      for (let minutes = -DAY_MINUTES; minutes < DAY_MINUTES; minutes += 5) {
        const atMs = dayMs + minutes * MINUTE_MS;
        const expected = quiet.has(wallClock(timeZone, atMs));
        expect(isQuiet({ fromMinutes, toMinutes, timeZone }, atMs)).toBe(expected);
      }
    }
  });

  it('are read as people write them, and shown as they are meant', () => {
    const night = { fromMinutes: 22 * 60, toMinutes: 7 * 60 };
    for (const text of [
      '22:00-07:00',
      '22-7',
      ' 22:00 – 7:00 ',
      '22:00～07:00',
      '22h-7h',
      '22 Uhr – 7 Uhr',
      '22時～7時',
      '22点-7点',
      '２２：００－０７：００',
      '10pm - 7am',
    ])
      expect(readHours(text), text).toEqual(night);
    for (const text of ['', '22:00', '22:00-22:00', '25-7', '22-7-8', '22:60-7', 'night'])
      expect(readHours(text), text).toBeNull();
    expect(hoursWords({ ...night, timeZone: 'UTC' })).toEqual(['22:00', '07:00', 'UTC']);
  });
});
