import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activityCsv, type Csv, flowsCsv } from '../../src/lookups/csv.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { scaled, scaledText } from '../support/exact-oracle.ts';
import { redemption, sale, trade, transfer } from '../support/records.ts';

const FIGURES = ['shares', 'price_cents', 'gross_usdc', 'fee_usdc', 'net_usdc', 'amount_usdc'];
const rowsOf = ({ data }: Csv): Record<string, string>[] => parse(data, { columns: true });

describe('CSV', () => {
  it('holds what the venue said, figure for figure', async () => {
    const [row] = rowsOf(
      await activityCsv([sale({ time: 1_793_500_000, fee: 1e-7, marketTitle: 'Rain, "heavy"' })]),
    );
    expect(row).toMatchObject({
      time_utc: '2026-11-01T02:26:40Z',
      action: 'Sell',
      outcome: 'Yes',
      shares: '1234.5',
      price_cents: '63.5',
      gross_usdc: '783.9075',
      fee_usdc: '0.0000001',
      net_usdc: '-782.7075',
      liquidity_role: 'MAKER',
      market_title: 'Rain, "heavy"',
      market_id: '501',
    });
    expect(rowsOf(await flowsCsv([transfer({ amount: 12.5 })]))[0]).toMatchObject({
      type: 'deposit',
      amount_usdc: '12.5',
    });
  });

  it('leaves fee and hash empty where they are not known', async () => {
    const unknown = { liquidityRole: null, fee: 0, txHash: 'none-1a2b' };
    const rows = rowsOf(
      await activityCsv([
        trade(unknown),
        trade({ ...unknown, fee: 0.25 }),
        trade({ fee: 0 }),
        redemption({ fee: 0 }),
      ]),
    );
    expect(rows.map(({ fee_usdc }) => fee_usdc)).toEqual(['', '0.25', '0', '0']);
    expect(rows.map(({ tx_hash }) => tx_hash?.slice(0, 2))).toEqual(['', '', '0x', '0x']);
    expect(rows[0]?.['liquidity_role']).toBe('');
    const [flow] = rowsOf(await flowsCsv([transfer({ txHash: 'none-1a2b' })]));
    expect(flow?.['tx_hash']).toBe('');
  });

  it('does not let a spreadsheet run a title, nor what follows whatever it may split cells at', async () => {
    const begun = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1+1', '  =1+1', '\r\n=cmd', '＝1+1'];
    const split = [';', '|', '\t', ','].map(
      (separator) => `Rain?${separator}=cmd|' /C calc'!A0${separator}x`,
    );
    const items = [...begun, ...split].map((marketTitle) =>
      trade({ marketTitle, positionSide: `Yes";@SUM(A1)` }),
    );
    for (const { market_title: title = '', outcome = '' } of rowsOf(await activityCsv(items))) {
      for (const cell of [title, outcome])
        expect(cell.split(/[;|\t,"]/).filter((part) => /^\s*[=＝+\-@]/.test(part))).toEqual([]);
    }
  });

  it('reads back row for row whatever the texts are, and no cell of text begins a formula', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc
            .record({
              marketTitle: hostileText(8),
              positionSide: hostileText(4),
              action: hostileText(4),
              txHash: hostileText(4),
              marketSlug: fc.constantFrom('=x', '+x', '-x', '@x', '\n=x', 'x'),
              quantity: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
            })
            .map((changes) => trade(changes)),
          { maxLength: 5 },
        ),
        async (items) => {
          const csv = await activityCsv(items);
          const rows = rowsOf(csv);
          expect(rows).toHaveLength(items.length);
          expect(csv.left).toBe(0);
          for (const [index, row] of rows.entries()) {
            expect(scaledText(row['shares'] ?? '')).toBe(scaled(items[index]?.quantity ?? 0));
            for (const [column, cell] of Object.entries(row)) {
              if (!FIGURES.includes(column))
                expect(cell).not.toMatch(/^\s*[=+\-@]|[,;|\t"][=+\-@]/);
              expect(cell).not.toMatch(/[\n\r\0]/);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('ends at 1 MB, and says how many are left out', async () => {
    const long = await activityCsv(
      Array.from({ length: 1_500 }, () => trade({ marketTitle: 'ü'.repeat(2_000) })),
    );
    expect(long.data.byteLength).toBeLessThanOrEqual(1_000_000);
    expect(long.rows).toBe(rowsOf(long).length);
    expect(long.rows + long.left).toBe(1_500);
  });
});
