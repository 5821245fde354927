import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedTrades } from '../../../commands/watch/shared/flood.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { sampleTrade } from '../../support/records.ts';

const NOW = 1_790_000_000;

interface Purchase {
  readonly fills: number;
  readonly usdc: number;
  readonly pauseSeconds: number;
  readonly isSale: boolean;
}

/**
 * Purchases one after the other, the last one now: fills a minute apart, a pause of more than two
 * between purchases.
 */
function played(purchases: readonly Purchase[]): ActivityItem[] {
  let time = 0;
  const items = purchases.flatMap(({ fills, usdc, pauseSeconds, isSale }, nth) => {
    time += pauseSeconds;
    return Array.from({ length: fills }, (_, index): ActivityItem => {
      time += 60;
      const net = isSale ? -usdc : usdc;
      const action = isSale ? 'Sell' : 'Buy';
      return {
        ...sampleTrade(),
        action,
        time,
        txHash: `0x${nth}a${index}`,
        grossValue: usdc,
        transferNetAmount: net,
      };
    });
  });
  return items.map((item) => ({ ...item, time: NOW - time + item.time })).reverse();
}

const purchase: fc.Arbitrary<Purchase> = fc.record({
  fills: fc.integer({ min: 1, max: 5 }),
  usdc: fc.integer({ min: 1, max: 1_000 }),
  pauseSeconds: fc.integer({ min: 121, max: 7_200 }),
  isSale: fc.boolean(),
});
const expected = (
  purchases: readonly Purchase[],
  settings: Partial<WatchSettings> = {},
  words: WatchSettings['words'] = null,
) =>
  expectedTrades(played(purchases), { settings: { ...DEFAULT_SETTINGS, ...settings }, words }, NOW);

describe('the trades that a new watch is to expect', () => {
  it('count a purchase in pieces once, and are those of a day', () => {
    fc.assert(
      fc.property(fc.array(purchase, { minLength: 10, maxLength: 60 }), (purchases) => {
        const items = played(purchases);
        const seconds = NOW - Math.min(...items.map(({ time }) => time));
        const perDay = (count: number) => Number(((count * 86_400) / seconds).toPrecision(2));
        expect(expected(purchases)).toMatchObject({
          tradesADay: perDay(purchases.length),
          seconds,
        });
        expect(expected(purchases, { style: 'each' })?.tradesADay).toBe(perDay(items.length));
        const large = purchases.filter(({ fills, usdc }) => fills * usdc >= 500).length;
        expect(expected(purchases, { minUsdc: 500 })?.tradesADay).toBe(
          large < 10 ? undefined : perDay(large),
        );
        const sales = purchases.filter(({ isSale }) => isSale).length;
        expect(expected(purchases, { kinds: ['sell'] })?.tradesADay).toBe(
          sales < 10 ? undefined : perDay(sales),
        );
        // What a trade does to the position is not on the page.
        expect(expected(purchases, { kinds: ['opens', 'sell'] })).toBeNull();
      }),
    );
  });

  it('are not said of too few, nor of less than one a day, and a usual size only of twenty', () => {
    const each = { fills: 1, usdc: 123, pauseSeconds: 600, isSale: false };
    expect(expected(Array(9).fill(each))).toBeNull();
    expect(expected(Array(19).fill(each))).toMatchObject({ tradesADay: 140, usualUsdc: 0 });
    expect(expected(Array(20).fill(each))).toMatchObject({ tradesADay: 140, usualUsdc: 120 });
    expect(expected(Array(10).fill({ ...each, pauseSeconds: 3 * 86_400 }))).toBeNull();
    expect(expected(Array(20).fill(each), {}, { mode: 'only', names: ['curling'] })).toBeNull();
    expect(expected([])).toBeNull();
  });
});
