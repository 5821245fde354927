import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockWords, readClock } from '../../src/lib/clock.ts';

describe('a time of day', () => {
  it.each([
    ['18:00', 1_080],
    ['9:30', 570],
    ['18', 1_080],
    [' 18h ', 1_080],
    ['18h30', 1_110],
    ['18.30 Uhr', 1_110],
    ['18 uhr', 1_080],
    ['18時', 1_080],
    ['18時30分', 1_110],
    ['18点30分', 1_110],
    ['１８：３０', 1_110],
    ['6 pm', 1_080],
    ['6:30 p.m.', 1_110],
    ['12am', 0],
    ['12 PM', 720],
  ])('is read from %j', (text, minutes) => expect(readClock(text)).toBe(minutes));

  it.each(',24:00,18:60,18:5,1830,13 pm,0 am,6 p,h30,18分,18:30:00,-1'.split(','))(
    'is not read from %j',
    (text) => expect(readClock(text)).toBeNull(),
  );

  it('is read as it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_439 }), (minutes) => {
        expect(readClock(clockWords(minutes))).toBe(minutes);
      }),
    );
  });
});
