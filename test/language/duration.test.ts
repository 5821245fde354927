import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/language/duration.ts';
import { readTime } from '../../src/lookups/filters.ts';
import { orRefusal } from '../support/or-refusal.ts';

describe('a duration', () => {
  it.each([
    ['90s', 90],
    ['10m', 600],
    ['1h30m', 5_400],
    ['1h 30m', 5_400],
    ['1 d', 86_400],
    [' 10 MIN ', 600],
    ['2 hours', 7_200],
    ['1 day 2 hrs 3 minutes 4 seconds', 93_784],
    ['0s', 0],
    ['2w', 1_209_600],
    ['1 week 2 days', 777_600],
    ['1.5h', 5_400],
    ['1,5h', 5_400],
    ['1,5 Stunden', 5_400],
    ['2h30', 9_000],
    ['2 h 05', 7_500],
    ['1 j 2h30', 95_400],
    ['3小時', 10_800],
    ['10分鐘', 600],
    ['2個小時', 7_200],
    ['1个星期', 604_800],
    ['2 Std.', 7_200],
    ['2 Std. 5 Min.', 7_500],
    ['10 mn', 600],
    ['１時間３０分', 5_400],
    ['９０ｓ', 90],
    ['0.3s', 0],
    ['1日2時間3分', 93_780],
    [`1d${' '.repeat(500)}2h`, 93_600],
  ])('is read from %j', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each([
    '',
    ...'10 h 1m1h -5m .5h 1.h ,5h 1,h 1,500s 2h60 2h300 2m30 2d5 10m! 1d2w soon 1h1h 1e3s 99999999999s'.split(
      ' ',
    ),
    '2 constructor',
    '5 months',
  ])('is not read from %j', (text) => expect(parseDuration(text)).toBeNull());

  it('means the same where a time ago is asked for', () => {
    const unit = fc.constantFrom(...'w, weeks,d, days,j,h, hrs,m, min, minutes,s,sec,x'.split(','));
    const part = fc
      .tuple(fc.constantFrom('1', '2', '30', '1.5'), unit)
      .map(([count, name]) => count + name);
    const parts = fc.array(part, { maxLength: 4 });
    const nowSeconds = 1_800_000_000;
    fc.assert(
      fc.property(parts, fc.constantFrom('', ' ', '  '), (spelled, gap) => {
        const text = spelled.join(gap);
        const read = orRefusal(() => readTime(`${text} ago`, 'from', nowSeconds));
        expect(typeof read === 'number' ? nowSeconds - read : null).toBe(parseDuration(text));
        if (typeof read === 'string') expect(read).toMatch(/as a time|unit of time/);
      }),
    );
  });

  it.each([
    '3 days ago',
    'vor 3 Tagen',
    'il y a 3 jours',
    'hace 3 días',
    'há 3 dias',
    '3日前',
    '3天前',
    '3 天前',
    '３日前',
    '3 dias atrás',
  ])('is a time ago in %j', (text) =>
    expect(readTime(text, 'from', 1_800_000_000)).toBe(1_800_000_000 - 3 * 86_400),
  );

  // The pattern that stood here needed 2.7 s for it, and eight times as long for twice the spaces.
  it('is refused at once, however many spaces stand in what was typed', () => {
    for (const spaces of [1_500, 6_000, 1_000_000])
      expect(parseDuration(`1d${' '.repeat(spaces)}x`)).toBeNull();
  });

  it('means the sum of its parts, however it is spelled', () => {
    const spelled = fc.record({
      d: fc.tuple(fc.nat(99), fc.constantFrom('d', ' day', ' days', 'D')),
      h: fc.tuple(fc.nat(99), fc.constantFrom('h', ' hr', ' hours', 'H')),
      m: fc.tuple(fc.nat(99), fc.constantFrom('m', ' min', ' minutes', 'M')),
      s: fc.tuple(fc.nat(99), fc.constantFrom('s', ' sec', ' seconds', 'S')),
      gap: fc.constantFrom('', ' '),
    });
    fc.assert(
      fc.property(spelled, ({ d, h, m, s, gap }) => {
        const text = [d, h, m, s].map(([count, unit]) => `${count}${unit}`).join(gap);
        expect(parseDuration(text)).toBe(((d[0] * 24 + h[0]) * 60 + m[0]) * 60 + s[0]);
      }),
    );
  });
});
