import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantile } from '../../src/lib/quantile.ts';

describe('a quantile', () => {
  it('is the least value that enough of the others do not exceed', () => {
    const values = fc
      .array(fc.nat(1_000), { minLength: 1 })
      .map((list) => list.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (sorted, share) => {
        const value = quantile(sorted, share);
        const enough = (limit: number) =>
          sorted.filter((other) => other <= limit).length >= share * sorted.length;
        expect(sorted).toContain(value);
        expect(enough(value)).toBe(true);
        for (const less of sorted.filter((other) => other < value))
          expect(enough(less)).toBe(false);
      }),
    );
  });
});
