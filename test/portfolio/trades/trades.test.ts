import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../../src/domain/records.ts';
import {
  addLargest,
  type LargestTrade,
  largestBetween,
} from '../../../src/portfolio/trades/trades.ts';
import { sampleTrade } from '../../support/records.ts';
import { randomRuns } from '../../support/thorough.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const NOW = 1_795_255_200;

const tradeAt = (time: number, usdc: number, index: number): ActivityItem => ({
  ...sampleTrade(),
  time,
  grossValue: usdc,
  transferNetAmount: usdc + 0.5,
  txHash: `0x${index}`,
});

/** Many in few hours, so that most are not needed. */
const trades = fc
  .array(
    fc.record({
      agoHours: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 15 * 24 })),
      usdc: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((drawn) =>
    drawn.map(({ agoHours, usdc }, index) => tradeAt(NOW - agoHours * HOUR, usdc, index)),
  );

const eachOf = (items: readonly ActivityItem[]) =>
  items.flatMap((item) => addLargest([], [item], NOW));
const hourOf = (seconds: number) => Math.floor(seconds / HOUR);
const ranks = (a: LargestTrade, b: LargestTrade) =>
  b.usdc - a.usdc || a.timeSeconds - b.timeSeconds;

/** The definition, span by span and trade by trade. */
function neededOf(all: readonly LargestTrade[]): LargestTrade[] {
  return all.toSorted(ranks).filter((trade, rank, ranked) => {
    const hours = 21;
    const own = hourOf(trade.timeSeconds);
    const larger = ranked.slice(0, rank).map(({ timeSeconds }) => hourOf(timeSeconds));
    return Array.from({ length: hours }, (_, back) => own - back).some(
      (start) => !larger.some((hour) => hour >= start && hour < start + hours),
    );
  });
}

describe('the largest trades of a wallet', () => {
  it('are kept if they are the largest of any span that may be asked for, and no others', () => {
    fc.assert(
      fc.property(trades, (items) => {
        expect(addLargest([], items, NOW).toSorted(ranks)).toEqual(neededOf(eachOf(items)));
      }),
      randomRuns(300),
    );
  });

  it('of every week and every day are there, however many pages brought the trades', () => {
    fc.assert(
      fc.property(
        trades,
        fc.integer({ min: 0, max: 14 * 24 }),
        fc.nat(60),
        (items, agoHours, cut) => {
          const oldestFirst = items.toSorted((a, b) => a.time - b.time);
          const kept = [oldestFirst.slice(0, cut), oldestFirst.slice(cut)].reduce<LargestTrade[]>(
            (before, page) => addLargest(before, page, NOW),
            [],
          );
          const toSeconds = hourOf(NOW) * HOUR + HOUR - Math.min(agoHours, 7 * 24) * HOUR;
          for (const length of agoHours <= 2 * 24 ? [DAY, 7 * DAY] : [7 * DAY]) {
            const from = toSeconds - length;
            const [largest] = eachOf(items)
              .filter(({ timeSeconds }) => timeSeconds >= from && timeSeconds < toSeconds)
              .toSorted(ranks);
            expect(largestBetween(kept, from, toSeconds)).toEqual(largest);
          }
        },
      ),
      randomRuns(300),
    );
  });
});
