import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationText, parseDuration } from '../../src/bot/duration.ts';

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
  ])('is read from %j', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each(['', '10', 'h', '1m1h', '-5m', '1.5h', '10m!', 'soon', '1h1h', '5 months', '1e3s', '99999999999s'])(
    'is not read from %j',
    (text) => expect(parseDuration(text)).toBeNull(),
  );

  it('is written as it is read, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 86_400 }), (seconds) => {
        expect(parseDuration(durationText(seconds))).toBe(seconds);
      }),
    );
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
