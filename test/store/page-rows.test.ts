import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEAST_ROWS, rowsAfter } from '../../src/store/page-rows.ts';
import { randomRuns } from '../support/thorough.ts';

it('reads as many documents next as take a third of a million characters, from ten to two hundred', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const rows = rowsAfter(lengths.map((length) => 'x'.repeat(length)));
      const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
      const isBounded = rows === LEAST_ROWS || rows * mean <= 300_000.001;
      const isMost = rows === 200 || (rows + 1) * Math.max(mean, 1 / lengths.length) > 300_000;
      return isBounded && isMost && rows >= LEAST_ROWS && rows <= 200;
    }),
    randomRuns(200),
  );
  expect(rowsAfter([])).toBe(LEAST_ROWS);
});
