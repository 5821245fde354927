import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeHash, shortHash } from '../../../src/domain/market-keys.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import type { Settlement } from '../../../src/domain/settlement.ts';
import { centsPerShare } from '../../../src/portfolio/record/first-purchase.ts';
import {
  addToRecord,
  EMPTY_RECORD,
  recordFill,
  type WalletRecord,
  walletRecordSchema,
} from '../../../src/portfolio/record/record.ts';
import { standingOf } from '../../../src/portfolio/record/standing.ts';
import { sampleTrade } from '../../support/records.ts';
import { randomRuns } from '../../support/thorough.ts';

const DAY = 86_400;
const START = 20_000 * DAY;

/** A record of a market, by its number; the price in cents, no fee unless said. */
function item(
  market: number,
  action: string,
  atSeconds: number,
  changes: Partial<ActivityItem> = {},
): ActivityItem {
  const { price = 50, quantity = 100, fee = 0, positionSide = 'Yes' } = changes;
  const gross = (price * quantity) / 100;
  return {
    ...sampleTrade(),
    action,
    time: atSeconds,
    txHash: `0x${market}${action}${atSeconds}`,
    conditionId: `0xc${market}`,
    tokenId: `${market}${positionSide}`,
    eventSlug: `event-${market}`,
    outcomeIndex: positionSide === 'Yes' ? 0 : 1,
    positionSide,
    grossValue: gross,
    transferNetAmount: action === 'Buy' ? gross + fee : fee - gross,
    ...changes,
    price,
    quantity,
    fee,
  };
}

const fillsOf = (items: readonly ActivityItem[]) => items.flatMap((each) => recordFill(each) ?? []);
const add = (items: readonly ActivityItem[], before: WalletRecord = EMPTY_RECORD) =>
  addToRecord(before, fillsOf(items), []);

/**
 * Markets of which each is bought at 50¢ on a day of its own, and sold an hour later at these
 * prices.
 */
const sold = (prices: readonly number[]) =>
  prices.flatMap((price, market) => [
    item(market, 'Buy', START + market * DAY),
    item(market, 'Sell', START + market * DAY + 3_600, { price }),
  ]);
const atEnd = (markets: number) => ({ nowSeconds: START + (markets + 10) * DAY });

describe('the first purchase of a market', () => {
  const only = (items: readonly ActivityItem[]) => {
    const [first] = add(items).markets;
    if (first === undefined) throw new Error('there is none');
    return {
      shares: first.shares,
      left: first.left,
      gain: first.backUsdc - first.paidUsdc,
      closed: first.closedSeconds,
    };
  };
  const bought = item(1, 'Buy', START);

  it('is all of one transaction and outcome, and nothing that is bought later', () => {
    const txHash = bought.txHash;
    const later = item(1, 'Buy', START + 60, { price: 20 });
    expect(
      only([bought, { ...bought, quantity: 50, transferNetAmount: 25, grossValue: 25 }, later]),
    ).toMatchObject({
      shares: 150,
      left: 150,
      gain: -75,
    });
    expect(
      only([bought, item(1, 'Buy', START, { txHash, positionSide: 'No', quantity: 10 })]),
    ).toMatchObject({
      shares: 100,
      left: 90,
    });
  });

  it('is sold and redeemed first in, first out, whatever was bought or held beside it', () => {
    const later = item(1, 'Buy', START + 60, { price: 20, quantity: 1_000 });
    expect(
      only([bought, later, item(1, 'Sell', START + 90, { price: 60, quantity: 70 })]),
    ).toMatchObject({ left: 30 });
    const closed = only([
      bought,
      later,
      item(1, 'Sell', START + 90, { price: 60, quantity: 70, fee: 1 }),
      item(1, 'Redeem', START + 99, { price: 100, quantity: 1_030 }),
    ]);
    expect(closed).toMatchObject({ left: 0, closed: START + 99 });
    expect(closed.gain).toBeCloseTo(41 + 30 - 50, 9);
  });

  it('is matched by shares of the other outcome, at what is left of a dollar, less their fee', () => {
    const other = item(1, 'Buy', START + 60, {
      positionSide: 'No',
      price: 30,
      quantity: 40,
      fee: 2,
    });
    const { left, gain } = only([bought, other]);
    expect(left).toBe(60);
    expect(gain).toBeCloseTo(40 * 0.7 - 2 - 50, 9);
    // Their redemption counts for nothing: it has been counted.
    expect(
      only([bought, other, item(1, 'Redeem', START + 90, { positionSide: 'No', quantity: 40 })]),
    ).toMatchObject({
      left: 60,
    });
  });

  it('is closed when less than a cent and a thousandth are left', () => {
    expect(only([bought, item(1, 'Sell', START + 9, { quantity: 99.995 })]).closed).toBe(START + 9);
    expect(only([bought, item(1, 'Sell', START + 9, { quantity: 99.9 })]).closed).toBeNull();
  });

  it('takes purchases of a second before sales of it', () => {
    const sale = item(1, 'Sell', START, { price: 60 });
    expect(only([sale, bought])).toMatchObject({ left: 0, closed: START });
  });

  it('conserves shares and dollars, over random trades of one market', () => {
    const trade = fc.record({
      action: fc.constantFrom('Buy', 'Sell', 'Redeem'),
      side: fc.constantFrom('Yes', 'No'),
      quantity: fc.integer({ min: 1, max: 200 }),
      price: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 30 }), (trades) => {
        const items = trades.map(({ action, side, quantity, price }, index) =>
          item(1, action, START + index, { positionSide: side, quantity, price }),
        );
        const first = add(items).markets[0];
        const firstBuy = items.find(({ action }) => action === 'Buy');
        expect(first === undefined).toBe(firstBuy === undefined);
        if (first === undefined || firstBuy === undefined) return;
        expect(first.shares).toBe(firstBuy.quantity);
        expect(first.left).toBeGreaterThanOrEqual(0);
        expect(first.backUsdc).toBeLessThanOrEqual(first.shares - first.left + 1e-9);
        expect(first.backUsdc).toBeGreaterThanOrEqual(-1e-9);
        // The same in two pieces, stored in between.
        const half = Math.floor(items.length / 2);
        const stored = walletRecordSchema.parse(
          JSON.parse(JSON.stringify(add(items.slice(0, half)))),
        );
        expect(add(items.slice(half), stored)).toEqual(add(items));
      }),
      randomRuns(200),
    );
  });
});

describe('a standing', () => {
  it('is the mean of what a share came to, with the larger of two errors', () => {
    const prices = Array.from({ length: 24 }, (_, market) => (market % 2 === 0 ? 90 : 50));
    const standing = standingOf(add(sold(prices)), atEnd(24));
    expect(standing).toMatchObject({
      markets: 24,
      days: 24,
      won: 12,
      withoutEnd: 0,
      priceCents: 50,
      isRanked: true,
    });
    expect(standing.edgeCents).toBeCloseTo(20, 9);
    // From the prices: √(24 · ½ · ½) of a dollar, over 24. What they came to gives less: √(12 ·
    // 40²).
    expect(standing.errorCents).toBeCloseTo((Math.sqrt(24 * 0.25) * 100) / 24, 9);
    const oneDay = sold(prices).map((each) => ({
      ...each,
      time: START + (each.time - START) / 24,
    }));
    const together = standingOf(add(oneDay), { nowSeconds: START + 9 * DAY });
    expect(together).toMatchObject({ days: 1, isRanked: false });
    expect(together.errorCents).toBeCloseTo(20, 9);
  });

  it('takes the markets of one event as if they always ended together', () => {
    const items = sold(Array.from({ length: 24 }, () => 50)).map((each) => ({
      ...each,
      eventSlug: 'cup',
    }));
    expect(standingOf(add(items), atEnd(24)).errorCents).toBeCloseTo(50, 9);
    const apart = items.map((each) => ({ ...each, eventSlug: '' }));
    expect(standingOf(add(apart), atEnd(24)).errorCents).toBeCloseTo(50 / Math.sqrt(24), 9);
  });

  it('counts what has not come back as lost once it is old enough, and not before', () => {
    // 12 closed within an hour: markets count after a day.
    const items = [
      ...sold(Array.from({ length: 12 }, () => 60)),
      item(50, 'Buy', START + 20 * DAY),
    ];
    const at = (seconds: number) =>
      standingOf(add(items), { nowSeconds: START + 20 * DAY + seconds });
    expect(at(DAY - 1)).toMatchObject({ markets: 12, withoutEnd: 0 });
    expect(at(DAY)).toMatchObject({ markets: 13, withoutEnd: 1 });
    expect(at(DAY).edgeCents).toBeCloseTo((12 * 10 - 50) / 13, 9);
    // It comes back later: it counts all the same.
    const late = add([item(50, 'Redeem', START + 40 * DAY, { price: 100 })], add(items));
    expect(standingOf(late, { nowSeconds: START + 41 * DAY }).edgeCents).toBeCloseTo(
      (12 * 10 + 50) / 13,
      9,
    );
  });

  it('knows nothing before ten markets have closed, and leaves a market mature when the pace slows down', () => {
    expect(standingOf(add(sold(Array.from({ length: 9 }, () => 60))), atEnd(400))).toMatchObject({
      markets: 0,
    });
    const quick = add(sold(Array.from({ length: 20 }, () => 60)));
    const before = standingOf(quick, { nowSeconds: START + 20 * DAY });
    expect(before.markets).toBe(20);
    const slow = Array.from({ length: 20 }, (_, market) => [
      item(100 + market, 'Buy', START + 19 * DAY + 7_200),
      item(100 + market, 'Sell', START + 50 * DAY),
    ]);
    const after = add(slow.flat(), quick);
    expect(standingOf(after, { nowSeconds: START + 51 * DAY }).markets).toBeGreaterThanOrEqual(20);
  });

  it('counts first purchases of its span alone', () => {
    const record = add(sold(Array.from({ length: 30 }, (_, market) => (market < 15 ? 90 : 40))));
    const middle = START + 15 * DAY;
    expect(standingOf(record, { toSeconds: middle, ...atEnd(30) })).toMatchObject({
      markets: 15,
      won: 15,
    });
    expect(standingOf(record, { fromSeconds: middle, ...atEnd(30) })).toMatchObject({
      markets: 15,
      won: 0,
    });
  });

  it('says from when about there will be enough', () => {
    const standing = standingOf(add(sold(Array.from({ length: 15 }, () => 60))), {
      nowSeconds: START + 15 * DAY,
    });
    expect(standing).toMatchObject({ markets: 15, isRanked: false });
    // A market a day: 5 more, and a day until the last of them counts.
    expect(standing.enoughAtSeconds).toBeCloseTo(START + 21 * DAY, -4);
  });

  it('does not rank long shots before they had a chance', () => {
    const items = sold(Array.from({ length: 60 }, () => 5)).map((each) =>
      each.action === 'Buy'
        ? item(Number(each.conditionId.slice(3)), 'Buy', each.time, { price: 5 })
        : each,
    );
    expect(standingOf(add(items), atEnd(60))).toMatchObject({ markets: 60, isRanked: false });
  });
});

describe('a record of bounded size', () => {
  it('adds the oldest up by day, and says the same of each channel as before', () => {
    const markets = 1_000;
    const boundaries = [START + 100.5 * DAY, START + 300.25 * DAY];
    const prices = Array.from({ length: markets }, (_, market) => 40 + ((market * 37) % 30));
    const fills = prices.flatMap((price, market) => {
      const atSeconds = START + (market * DAY) / 2;
      return [
        item(market, 'Buy', atSeconds),
        ...(market % 3 === 0 ? [] : [item(market, 'Sell', atSeconds + 3_600, { price })]),
      ];
    });
    const record = addToRecord(EMPTY_RECORD, fillsOf(fills), boundaries);
    expect(record.markets.length).toBeLessThanOrEqual(400);
    expect(JSON.stringify(record).length).toBeLessThan(200_000);
    const now = { nowSeconds: START + 600 * DAY };
    for (const [index, fromSeconds] of boundaries.entries()) {
      const standing = standingOf(record, { fromSeconds, ...now });
      const counted = prices.flatMap((price, market) =>
        START + (market * DAY) / 2 >= fromSeconds ? [market % 3 === 0 ? -50 : price - 50] : [],
      );
      expect(standing.markets, `channel ${index}`).toBe(counted.length);
      expect(standing.edgeCents).toBeCloseTo(
        counted.reduce((sum, cents) => sum + cents, 0) / counted.length,
        9,
      );
      expect(standing.withoutEnd).toBe(
        prices.filter((_, market) => START + (market * DAY) / 2 >= fromSeconds && market % 3 === 0)
          .length,
      );
    }
  });

  it('keeps one market in some by its hash alone where none of too many is old enough', () => {
    const markets = 3_000;
    const items = Array.from({ length: markets }, (_, market) =>
      item(market, 'Buy', START + market),
    );
    const record = add(items);
    expect(record.markets.length).toBeLessThanOrEqual(400);
    expect([8, 16]).toContain(record.oneIn);
    // Whatever became of them: the same are kept.
    const winners = items.flatMap((each, market) => [
      each,
      ...(market % 2 === 0 ? [item(market, 'Redeem', START + markets, { price: 100 })] : []),
    ]);
    expect(add(winners).markets.map(({ market }) => market)).toEqual(
      record.markets.map(({ market }) => market),
    );
  });
});

describe('a settlement', () => {
  const bought = (changes: Partial<ActivityItem>) => item(1, 'Buy', START - DAY, changes);
  const yes = bought({});
  const won: Settlement = {
    market: shortHash('0xc1'),
    payouts: new Map([[outcomeHash(yes), 1]]),
    atSeconds: START,
  };
  const settled = (
    settlements: readonly Settlement[],
    purchase: ActivityItem,
    later: readonly ActivityItem[] = [],
  ) => {
    const first = addToRecord(EMPTY_RECORD, [...fillsOf([purchase]), ...settlements], []);
    return walletRecordSchema.parse(add(later, first)).markets[0];
  };
  const no = bought({ positionSide: 'No', tokenId: '1No' });

  const came = (first: ReturnType<typeof settled>) =>
    first === undefined ? null : [centsPerShare(first), first.closedSeconds];

  it('pays the winners, closes the losers, and a redemption after it pays nothing more', () => {
    expect(came(settled([won], yes))).toEqual([50, START]);
    expect(came(settled([won], no))).toEqual([-50, START]);
    const redeemed = settled([won], yes, [item(1, 'Redeem', START + DAY, { price: 100 })]);
    expect(redeemed).toMatchObject({ left: 0, backUsdc: 100, closedSeconds: START });
    expect(came(redeemed)).toEqual([50, START]);
    // What is bought after it matches nothing.
    const other = item(1, 'Buy', START + DAY, { positionSide: 'No', tokenId: '1No' });
    expect(settled([won], yes, [other])).toEqual(settled([won], yes));
  });

  it('closes nothing that it does not name for certain', () => {
    const half: Settlement = { ...won, payouts: new Map([[outcomeHash(yes), 0.5]]) };
    expect(came(settled([half], yes))).toEqual([0, START]);
    expect(settled([half], no)).toMatchObject({ left: 100, closedSeconds: null });
    expect(settled([won], bought({ tokenId: '', positionSide: 'No' }))).toMatchObject({
      left: 100,
      closedSeconds: null,
    });
  });

  it('is taken back where it is contradicted, but for what the wallet itself has got', () => {
    const contradicted = { ...won, payouts: new Map() };
    expect(settled([won, contradicted], yes)).toEqual(settled([], yes));
    expect(settled([won, contradicted], no)).toEqual(settled([], no));
    // Said to have lost, it was paid all the same.
    const before = addToRecord(EMPTY_RECORD, [...fillsOf([no]), won], []);
    const payment = { positionSide: 'No', tokenId: '1No', price: 100, quantity: 40 };
    const paid = add([item(1, 'Redeem', START + DAY, payment)], before);
    expect(paid.markets[0]).toMatchObject({ backUsdc: 40, closedSeconds: START });
    expect(came(paid.markets[0])?.[0]).toBeCloseTo(-10, 9);
    const after = addToRecord(paid, [contradicted], []);
    expect(after.markets[0]).toMatchObject({ left: 60, backUsdc: 40, closedSeconds: null });
  });
});
