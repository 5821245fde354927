import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsFrom, startBefore } from '../../src/lookups/page-scan.ts';

it('turns forth and back over whole rows, with every record on one page', () => {
  const lists = fc
    .array(fc.integer({ min: 1, max: 7 }), { maxLength: 40 })
    .map((lengths) => lengths.flatMap((length, row) => Array.from({ length }, (_, n) => ({ row, n }))));
  const isOneRow = (a: { readonly row: number }, b: { readonly row: number }) => a.row === b.row;
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 5 }), (items, most) => {
      const begins = [0];
      const shown: unknown[] = [];
      for (;;) {
        const from = begins.at(-1) ?? 0;
        const rows = rowsFrom(items, from, most, isOneRow);
        expect(rows.every((row) => row.every((item, n) => item.n === n && item.row === row[0]?.row))).toBe(true);
        shown.push(...rows.flat());
        const to = from + rows.flat().length;
        if (to === items.length) break;
        expect(rows).toHaveLength(most);
        begins.push(to);
      }
      expect(shown).toEqual(items);
      for (const [page, from] of begins.entries())
        expect(startBefore(items, from, most, isOneRow)).toBe(begins[page - 1] ?? 0);
    }),
  );
});
