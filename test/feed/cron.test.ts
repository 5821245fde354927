import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCronTimes } from '../../src/feed/cron.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (text: string) => Date.parse(text);

/** What a zone's wall clock is ahead of UTC, by Intl alone. */
function offsetIn(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wallMs = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
    return wallMs - Math.floor(atMs / 1000) * 1000;
  };
}

const berlin = offsetIn('Europe/Berlin');
const newYork = offsetIn('America/New_York');

function ticks(pattern: string, offset: (atMs: number) => number, from: string, until: string): string[] {
  const times = createCronTimes(pattern, offset);
  const found: string[] = [];
  for (let now = times.next(at(from)); now <= at(until); now = times.next(now)) found.push(new Date(now).toISOString());
  return found;
}

function gaps(pattern: string, offset: (atMs: number) => number, from: string, until: string): number[] {
  const times = ticks(pattern, offset, from, until).map(at);
  return [...new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))];
}

describe('the times of a cron pattern', () => {
  it.each([
    ['Berlin, summer time begins', berlin, '2026-03-29T00:00:00Z'],
    ['Berlin, summer time ends', berlin, '2026-10-25T00:00:00Z'],
    ['New York, summer time begins', newYork, '2026-03-08T06:00:00Z'],
    ['New York, summer time ends', newYork, '2026-11-01T05:00:00Z'],
  ])('%s: every five seconds stays every five seconds, every half hour every half hour', (_name, offset, from) => {
    const until = new Date(at(from) + 4 * HOUR_MS).toISOString();
    expect(gaps('*/5 * * * * *', offset, from, until)).toEqual([5_000]);
    expect(gaps('*/30 * * * *', offset, from, until)).toEqual([HOUR_MS / 2]);
  });

  it('has the half past two that is left out in spring an hour later by the wall clock', () => {
    expect(ticks('30 2 * * *', berlin, '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(ticks('30 2 * * *', newYork, '2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z')).toEqual([
      '2026-03-08T07:30:00.000Z',
      '2026-03-09T06:30:00.000Z',
    ]);
  });

  it('has the half past that comes twice in autumn once', () => {
    expect(ticks('30 2 * * *', berlin, '2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z')).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(ticks('30 1 * * *', newYork, '2026-11-01T00:00:00Z', '2026-11-03T00:00:00Z')).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ]);
  });

  it('agrees with a search second by second where no clock is changed', () => {
    const field = (least: number, greatest: number) =>
      fc.oneof(fc.constant('*'), fc.integer({ min: least, max: greatest }).map(String));
    const second = fc.oneof(field(0, 59), fc.constant('*/7'));
    const zone = fc.constantFrom(0, 5.75 * HOUR_MS, -3.5 * HOUR_MS);
    const now = fc.integer({ min: at('2026-01-01'), max: at('2027-01-01') });
    fc.assert(
      fc.property(second, field(0, 59), field(0, 23), zone, now, (sec, min, hour, zoneMs, nowMs) => {
        let expected = Math.floor(nowMs / 1000) * 1000 + 1000;
        const isDue = (atMs: number) => {
          const wall = new Date(atMs + zoneMs);
          const isIn = (pattern: string, value: number) =>
            pattern === '*' || (pattern === '*/7' ? value % 7 === 0 : Number(pattern) === value);
          return isIn(sec, wall.getUTCSeconds()) && isIn(min, wall.getUTCMinutes()) && isIn(hour, wall.getUTCHours());
        };
        while (!isDue(expected)) expected += 1000;
        expect(createCronTimes(`${sec} ${min} ${hour} * * *`, () => zoneMs).next(nowMs)).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('comes once an hour or once a day in all zones and over all changes of a year', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC'];
    for (const zone of zones) {
      const offset = offsetIn(zone);
      const [from, until] = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
      // Where clocks are changed by half an hour, the one hour of the change is half as long or half as long again.
      for (const gap of gaps('17 * * * *', offset, from, until)) expect(Math.abs(gap - HOUR_MS)).toBeLessThan(HOUR_MS);
      for (const gap of gaps('20 2 * * *', offset, from, until)) {
        expect(Math.abs(gap - DAY_MS)).toBeLessThanOrEqual(HOUR_MS);
      }
    }
  });

  it('knows the last day of a month, names and rare days', () => {
    expect(ticks('0 0 L * *', () => 0, '2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z')).toEqual([
      '2026-01-31T00:00:00.000Z',
      '2026-02-28T00:00:00.000Z',
      '2026-03-31T00:00:00.000Z',
    ]);
    expect(ticks('@weekly', () => 0, '2026-11-01T00:00:00Z', '2026-11-10T00:00:00Z')).toEqual([
      '2026-11-08T00:00:00.000Z',
    ]);
    expect(ticks('0 12 29 feb mon', () => 0, '2026-01-01T00:00:00Z', '2050-01-01T00:00:00Z')).toEqual([
      '2044-02-29T12:00:00.000Z',
    ]);
  });
});
