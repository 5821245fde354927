import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTime } from '../../src/lookups/filters.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { orRefusal } from '../support/or-refusal.ts';

/** A Saturday. */
const NOW = Date.UTC(2026, 10, 21, 10, 30, 15) / 1000;
const utc = (...parts: [number, number, number, number?, number?, number?]) =>
  Date.UTC(parts[0], parts[1] - 1, ...(parts.slice(2) as [number])) / 1000;

const read = (text: string, option: 'from' | 'to' = 'from') =>
  orRefusal(() => readTime(text, option, NOW));

describe('times as people write them', () => {
  it.each([
    ['2h', NOW - 7_200],
    ['2 h', NOW - 7_200],
    ['2 hours ago', NOW - 7_200],
    ['90 min', NOW - 5_400],
    ['90m', NOW - 5_400],
    ['1.5h', NOW - 5_400],
    ['3 days', NOW - 3 * 86_400],
    ['1d 12h', NOW - 129_600],
    ['1d12h', NOW - 129_600],
    ['2 weeks', NOW - 14 * 86_400],
    ['30 seconds', NOW - 30],
    ['now', NOW],
    ['Today', utc(2026, 11, 21)],
    ['YESTERDAY', utc(2026, 11, 20)],
    ['yesterday 14:30', utc(2026, 11, 20, 14, 30)],
    ['yesterday at 9:05', utc(2026, 11, 20, 9, 5)],
    ['2026-11-01', utc(2026, 11, 1)],
    ['2026-1-9', utc(2026, 1, 9)],
    ['2026-11-01 14:30', utc(2026, 11, 1, 14, 30)],
    ['2026-11-01T14:30:59Z', utc(2026, 11, 1, 14, 30, 59)],
    ['2026-11-01 14:30 UTC', utc(2026, 11, 1, 14, 30)],
    ['1793500000', 1_793_500_000],
    ['  2h  ', NOW - 7_200],
  ])('reads %j', (text, seconds) => expect(read(text)).toBe(seconds));

  it('takes a day as all of it: from its first second, to its last', () => {
    expect(read('2026-11-01', 'from')).toBe(utc(2026, 11, 1));
    expect(read('2026-11-01', 'to')).toBe(utc(2026, 11, 1, 23, 59, 59));
    expect(read('yesterday', 'to')).toBe(utc(2026, 11, 20, 23, 59, 59));
    expect(read('2026-11-01 14:30', 'to')).toBe(utc(2026, 11, 1, 14, 30));
  });

  it.each([
    ['', 'I can’t read `""` as a time.'],
    ['soon', 'as a time'],
    ['2026', 'as a time'],
    ['2 fortnights', 'unit of time'],
    ['2 constructor', 'unit of time'],
    ['-2h', 'as a time'],
    ['11/01/2026', 'as a time'],
    ['2026-02-30', 'calendar'],
    ['0099-05-01', 'calendar'],
    ['2026-13-01', 'calendar'],
    ['2026-11-01 24:00', 'time of day'],
    ['2026-11-01 12:60', 'time of day'],
    ['1793500000000', 'milliseconds'],
    ['2026-11-22', 'future'],
    ['1969-12-31', 'before 1970'],
    ['900000 d', 'before 1970'],
  ])('refuses %j and says why and what is accepted', (text, why) => {
    const reason = read(text);
    expect(reason).toContain(why);
    expect(reason).toContain(`\`${text === '' ? '""' : text}\``);
    expect(reason).toContain('Try `2h`, `yesterday` or `2026-11-01 14:30` (UTC).');
  });

  it('lets a range end in the future', () =>
    expect(read('2026-11-22', 'to')).toBe(utc(2026, 11, 22, 23, 59, 59)));

  it('reads back any time that it would be shown as', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000_000, max: NOW }), (seconds) => {
        const iso = new Date(seconds * 1000).toISOString().slice(0, 19);
        expect(read(iso)).toBe(seconds);
        expect(read(iso.replace('T', ' '), 'to')).toBe(seconds);
        expect(read(String(seconds))).toBe(seconds);
      }),
    );
  });

  it('answers any text, and a refusal never pings or breaks out', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const result = read(text, 'to');
        if (typeof result === 'number') expect(Number.isSafeInteger(result)).toBe(true);
        else {
          expect(result.length).toBeLessThan(400);
          expect(result).not.toMatch(/@everyone|@here|<@&?\d|\n/);
        }
      }),
      { numRuns: 50 },
    );
  });
});
