import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newPortfolio, type Portfolio } from '../../../src/portfolio/portfolio.ts';
import {
  type AlertedPositions,
  abandonAll,
  addPurchase,
  addSale,
  alertedPositionsSchema,
  countDelivered,
  NO_ALERTED_POSITIONS,
} from '../../../src/portfolio/results/alerted-positions.ts';
import { standingOf } from '../../../src/portfolio/results/standing.ts';
import { addActivity } from '../../../src/portfolio/update.ts';
import { activityItem } from '../../venue/samples.ts';

const NOW = 1_795_257_000;
const DAY = 86_400;
const CHANNEL = '100000000000000002';

/** A market in which a purchase was alerted: what was paid, what has come back so far, and whether all of it is sold. */
interface Market {
  readonly paid: number;
  readonly received: number;
  readonly isClosed: boolean;
  readonly ageDays: number;
}

/** What is followed of a wallet that did this, by its own trades. */
function follow(markets: readonly Market[], channels: readonly string[] = [CHANNEL]): AlertedPositions {
  let portfolio: Portfolio = newPortfolio(0, true);
  let followed: AlertedPositions = NO_ALERTED_POSITIONS;
  const oldestFirst = markets.toSorted((a, b) => b.ageDays - a.ageDays);
  for (const [index, { paid, received, isClosed, ageDays }] of oldestFirst.entries()) {
    const item = {
      ...activityItem(),
      action: 'Buy',
      time: NOW - ageDays * DAY,
      txHash: `0x${index}`,
      tokenId: `${index}`,
      conditionId: `0x${index}`,
      quantity: 100,
      fee: 0,
      transferNetAmount: paid,
    };
    ({ portfolio } = addActivity(portfolio, [item], item.time));
    followed = addPurchase(followed, { alertId: `a${index}`, item, channels });
    for (const channelId of channels) {
      followed = countDelivered(
        followed,
        channelId,
        new Set([`a${index}`]),
        { messageId: 'm' },
        item.time,
      ).alertedPositions;
    }
    if (!isClosed && received === 0) continue;
    const sale = {
      ...item,
      action: 'Sell',
      time: item.time + 1,
      quantity: isClosed ? 100 : 50,
      transferNetAmount: -received,
    };
    const sold = addActivity(portfolio, [sale], sale.time);
    ({ portfolio } = sold);
    const [context] = sold.contexts;
    if (context === null || context === undefined) throw new Error('A sale has a context.');
    followed = addSale(followed, sale, context).alertedPositions;
  }
  return alertedPositionsSchema.parse(JSON.parse(JSON.stringify(followed)));
}

const market = (paid: number, received: number, ageDays = 1): Market => ({ paid, received, isClosed: true, ageDays });
const open = (paid: number, ageDays: number, received = 0): Market => ({ paid, received, isClosed: false, ageDays });
const many = (count: number, one: Market): Market[] => Array.from({ length: count }, () => one);

/** The return and its error of Cochran's ratio estimator, from the markets themselves. */
function plainReturn(markets: readonly Market[]): { perDollar: number; error: number } {
  const paid = markets.reduce((sum, each) => sum + each.paid, 0);
  const ratio = markets.reduce((sum, each) => sum + each.received, 0) / paid;
  const squares = markets.reduce((sum, each) => sum + (each.received - ratio * each.paid) ** 2, 0);
  const { length } = markets;
  return { perDollar: ratio - 1, error: Math.sqrt((squares * length) / (length - 1)) / paid };
}

describe('the standing of a wallet', () => {
  it('counts what is open for more than 30 days as lost, beside the closed markets alone', () => {
    const amount = fc.integer({ min: 1, max: 5_000 });
    const anyMarket = fc.oneof(
      fc.record({
        paid: amount,
        received: fc.integer({ min: 0, max: 9_000 }),
        isClosed: fc.constant(true),
        ageDays: fc.integer({ min: 1, max: 90 }),
      }),
      fc.record({
        paid: amount,
        received: fc.constantFrom(0, 0, 40),
        isClosed: fc.constant(false),
        ageDays: fc.integer({ min: 0, max: 90 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(anyMarket, { minLength: 2, maxLength: 38 }), (markets) => {
        const standing = standingOf(follow(markets), CHANNEL, NOW);
        const closed = markets.filter(({ isClosed }) => isClosed);
        const overdue = markets.filter(({ isClosed, ageDays }) => !isClosed && ageDays > 30);
        expect(standing).toMatchObject({
          won: closed.filter(({ paid, received }) => received > paid).length,
          overdue: overdue.length,
          givenUp: 0,
          score: { markets: closed.length, open: markets.length - closed.length },
        });
        const counted = [...closed, ...overdue];
        if (counted.length < 2 || standing === null) return;
        const { perDollar, error } = plainReturn(counted);
        expect(standing.withOverdue.perDollar).toBeCloseTo(perDollar, 9);
        expect(standing.withOverdue.error).toBeCloseTo(error, 6);
        if (closed.length < 20) expect(standing.lowerBound).toBeNull();
        else expect(standing.lowerBound).toBeCloseTo(perDollar - error, 6);
      }),
      { numRuns: 60 },
    );
  });

  it('is ranked from twenty closed markets on; overdue ones do not help to them', () => {
    const nineteen = [...many(10, market(10, 15)), ...many(9, market(10, 8)), ...many(9, open(10, 40))];
    expect(standingOf(follow(nineteen), CHANNEL, NOW)?.lowerBound).toBeNull();
    expect(standingOf(follow([...nineteen, market(10, 8)]), CHANNEL, NOW)?.lowerBound).not.toBeNull();
  });

  it('takes exactly thirty days as not yet overdue', () => {
    expect(standingOf(follow([open(10, 30)]), CHANNEL, NOW)).toMatchObject({ overdue: 0 });
    expect(standingOf(follow([open(10, 30)]), CHANNEL, NOW + 1)).toMatchObject({ overdue: 1 });
  });

  it('is not bettered by losers that are given up: after a gap, or because there are too many of them', () => {
    const won = many(20, market(10, 15, 60));
    const losers = many(30, open(10, 59));
    const before = standingOf(follow([...won, ...losers]), CHANNEL, NOW);
    const afterGap = standingOf(abandonAll(follow([...won, ...losers]), NOW), CHANNEL, NOW);
    expect(afterGap).toMatchObject({ overdue: 30, givenUp: 0, withOverdue: before?.withOverdue, score: { open: 0 } });
    // Forty newer ones take the place of the older ones, which are overdue by then.
    const displaced = standingOf(follow([...won, ...losers, ...many(40, open(10, 5))]), CHANNEL, NOW);
    expect(displaced).toMatchObject({ overdue: 30, givenUp: 0, withOverdue: before?.withOverdue, score: { open: 40 } });
  });

  it('counts as given up what was young when its end may have been missed', () => {
    const afterGap = abandonAll(follow([...many(20, market(10, 15, 60)), ...many(3, open(10, 20))]), NOW);
    const standing = standingOf(afterGap, CHANNEL, NOW + 60 * DAY);
    expect(standing).toMatchObject({ overdue: 0, givenUp: 3 });
    expect(standing?.withOverdue.perDollar).toBeCloseTo(0.5, 12);
  });

  it('is that of one channel', () => {
    const elsewhere = '100000000000000009';
    const followed = follow(many(25, market(10, 15)), [elsewhere]);
    expect(standingOf(followed, CHANNEL, NOW)).toBeNull();
    expect(standingOf(followed, elsewhere, NOW)?.score.markets).toBe(25);
  });
});
