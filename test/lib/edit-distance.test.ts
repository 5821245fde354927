import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance } from '../../src/lib/text/edit-distance.ts';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['GILD', 'GUILD', 1],
  ['PROT', 'PORT', 2],
  ['kitten', 'sitting', 3],
] as const)('counts the letters between %j and %j', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
  expect(editDistance(other, one)).toBe(distance);
});

it('is a distance: 0 of what is equal alone, and never longer by way of a third', () => {
  const text = fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
});
