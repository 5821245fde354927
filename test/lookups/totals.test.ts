import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../src/language/language.ts';
import { type Amount, intoBuckets, netDeposits } from '../../src/lookups/list-charts.ts';
import {
  activityTotals,
  describeActivityTotals,
  flowTotals,
} from '../../src/lookups/list-summary.ts';
import { nearest, scaled, scaledText } from '../support/exact-oracle.ts';
import { trade, transfer } from '../support/records.ts';

const money = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1e9, max: 1e9 }).map((micro) => micro / 1e6),
  fc.constantFrom(0, 0.1, 0.2, 0.3, 1e-6, 1e300, 5e-324),
);
const size = money.map(Math.abs);
const time = fc.integer({ min: 0, max: 4_000_000_000 });
const near = fc.integer({ min: 1_790_000_000, max: 1_790_000_050 });
const actions = fc.constantFrom('Buy', 'Sell', 'Redeem', 'Merge', 'constructor');
const types = fc.constantFrom('deposit', 'withdrawal', 'toString');
const trades = fc.array(
  fc
    .record({ time, action: actions, grossValue: money, fee: money, transferNetAmount: money })
    .map((changes) => trade(changes)),
);
const transfers = fc.array(
  fc
    .record({ time: fc.oneof(time, near), type: types, amount: size })
    .map((changes) => transfer(changes)),
);
const sumOf = (numbers: readonly number[]) =>
  numbers.reduce((sum, value) => sum + scaled(value), 0n);

describe('totals', () => {
  it('have no float noise: 0.1 and 0.2 are 0.3', async () => {
    const items = [trade({ grossValue: 0.1 }), trade({ grossValue: 0.2 })];
    expect((await activityTotals(items))('buy').usdc.toFixed()).toBe('0.3');
  });

  it('say nothing of fees where those of a trade are not known', async () => {
    const redeemed = trade({ action: 'Redeem', liquidityRole: null, fee: 0 });
    const said = (items: Parameters<typeof describeActivityTotals>[0]) =>
      describeActivityTotals(items, ENGLISH);
    expect(await said([trade({ fee: 2 }), redeemed])).toContain('Fees $2');
    const unknown = trade({ liquidityRole: null, fee: 0 });
    expect(await said([trade({ fee: 2 }), unknown])).not.toContain('Fees');
  });

  it('of trades are exact to the last digit, whatever the figures', async () => {
    await fc.assert(
      fc.asyncProperty(trades, async (items) => {
        const totals = await activityTotals(items);
        for (const [action, { count, usdc }] of [
          ['Buy', totals('buy')],
          ['Sell', totals('sell')],
          ['Redeem', totals('redeem')],
        ] as const) {
          const chosen = items.filter((item) => item.action === action);
          expect(count).toBe(chosen.length);
          expect(scaledText(usdc.toFixed())).toBe(
            sumOf(chosen.map(({ grossValue }) => grossValue)),
          );
        }
        expect(scaledText(totals('fees').usdc.toFixed())).toBe(sumOf(items.map(({ fee }) => fee)));
        const flows = items.map((item) => item.transferNetAmount);
        expect(scaledText(totals('paid').usdc.toFixed())).toBe(
          sumOf(flows.filter((one) => one > 0)),
        );
        expect(scaledText(totals('received').usdc.toFixed())).toBe(
          sumOf(flows.filter((one) => !(one > 0)).map(Math.abs)),
        );
        const kinds = ['buy', 'sell', 'redeem', 'other'] as const;
        expect(kinds.reduce((count, kind) => count + totals(kind).count, 0)).toBe(items.length);
      }),
    );
  });

  it('of transfers are exact, and the net is deposits less withdrawals', async () => {
    await fc.assert(
      fc.asyncProperty(transfers, async (items) => {
        const of = (type: string) =>
          sumOf(items.filter((item) => item.type === type).map(({ amount }) => amount));
        const totals = await flowTotals(items, 0);
        expect(scaledText(totals('deposit').usdc.toFixed())).toBe(of('deposit'));
        expect(scaledText(totals('withdrawal').usdc.toFixed())).toBe(of('withdrawal'));
        expect(scaledText(totals('net').usdc.toFixed())).toBe(of('deposit') - of('withdrawal'));
      }),
    );
  });
});

describe('the figures of the charts', () => {
  it('net deposits: one step a second in the order of time, each the exact sum of all up to then', () => {
    fc.assert(
      fc.property(transfers, (items) => {
        const known = items.filter(({ type }) => type === 'deposit' || type === 'withdrawal');
        const seconds = [...new Set(known.map((item) => item.time))].sort((a, b) => a - b);
        const points = netDeposits(items);
        expect(points.map((point) => point.seconds)).toEqual(seconds);
        for (const point of points) {
          const before = known.filter((item) => item.time <= point.seconds);
          const signed = before.map(
            ({ type, amount }) => scaled(amount) * (type === 'deposit' ? 1n : -1n),
          );
          expect(point.value + 0).toBe(nearest(signed.reduce((sum, value) => sum + value, 0n)));
        }
      }),
    );
  });

  it('buckets: at most forty, of equal length, on full hours and days, and each holds the exact sum of its time', () => {
    const amounts = fc.array(
      fc.record({ seconds: fc.oneof(time, near), series: fc.constantFrom(0, 1), usdc: size }),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(amounts, (made: Amount[]) => {
        const { bucketSeconds, fromSeconds, toSeconds, bars } = intoBuckets(made, 2);
        const count = (toSeconds - fromSeconds) / bucketSeconds;
        expect(Number.isInteger(count)).toBe(true);
        expect(count).toBeLessThanOrEqual(40);
        expect(count).toBeGreaterThanOrEqual(12);
        const day = new Date(fromSeconds * 1000).getUTCDay();
        if (bucketSeconds % (7 * 86_400) === 0) expect(day, 'weeks begin on a Monday').toBe(1);
        else expect(Math.abs(fromSeconds % bucketSeconds)).toBe(0);
        let held = 0;
        for (const bar of bars) {
          const inside = made.filter(
            ({ seconds }) =>
              seconds >= bar.fromSeconds && seconds < bar.fromSeconds + bucketSeconds,
          );
          held += inside.length;
          expect(bar.fromSeconds).toBeGreaterThanOrEqual(fromSeconds);
          expect(bar.fromSeconds + bucketSeconds).toBeLessThanOrEqual(toSeconds);
          for (const series of [0, 1]) {
            const usdc = inside
              .filter((amount) => amount.series === series)
              .map((amount) => amount.usdc);
            expect(bar.values[series] ?? Number.NaN).toBe(nearest(sumOf(usdc)));
          }
        }
        expect(held).toBe(made.length);
      }),
    );
  });
});
