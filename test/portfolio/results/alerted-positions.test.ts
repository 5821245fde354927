import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../../src/domain/records.ts';
import { newPortfolio, type Portfolio } from '../../../src/portfolio/portfolio.ts';
import {
  type AlertedPositions,
  addPurchase,
  addSale,
  alertedPositionsSchema,
  countDelivered,
  type ResultNews,
  withoutMarket,
} from '../../../src/portfolio/results/alerted-positions.ts';
import { addActivity } from '../../../src/portfolio/update.ts';
import { randomRuns } from '../../support/thorough.ts';
import { activityItem } from '../../venue/samples.ts';
import { add, divide, type Fraction, fraction, isClose, isLess, multiply, subtract } from '../oracle.ts';

const START = 1_790_000_000;
const CHANNEL = '100000000000000002';

/** A wallet's book and what is followed of it, given trade after trade; purchases with a message are announced at once. */
function ledger() {
  let portfolio: Portfolio = newPortfolio(START, true);
  let alertedPositions: AlertedPositions = [];
  const results: ResultNews[] = [];
  let count = 0;
  return {
    trade(changes: Partial<ActivityItem>, messageId: string | null = 'delivered') {
      count += 1;
      const item = { ...activityItem(), time: START + count, txHash: `0x${count}`, ...changes };
      const written = addActivity(portfolio, [item], item.time);
      portfolio = written.portfolio;
      const { context, isDoubtful } = written.meanings[0] ?? {};
      if (isDoubtful !== false) alertedPositions = withoutMarket(alertedPositions, item);
      else if (item.action === 'Buy') {
        alertedPositions = addPurchase(alertedPositions, { alertId: `a${count}`, item, channels: [CHANNEL] });
        const settled = countDelivered(
          alertedPositions,
          (channelId, alertId) => channelId === CHANNEL && alertId === `a${count}`,
          messageId === null ? null : { messageId },
        );
        alertedPositions = settled.alertedPositions;
        results.push(...settled.results.map(({ result }) => result));
      } else if (context !== null && context !== undefined) {
        const sold = addSale(alertedPositions, item, context);
        alertedPositions = sold.alertedPositions;
        results.push(...sold.results.map(({ result }) => result));
      }
      alertedPositions = alertedPositionsSchema.parse(JSON.parse(JSON.stringify(alertedPositions)));
    },
    results,
    alertedPositions: () => alertedPositions,
  };
}

const buy = (quantity: number, net: number, changes: Partial<ActivityItem> = {}): Partial<ActivityItem> => ({
  action: 'Buy',
  quantity,
  transferNetAmount: net,
  fee: 0,
  ...changes,
});
const sell = (quantity: number, net: number, changes: Partial<ActivityItem> = {}): Partial<ActivityItem> => ({
  ...buy(quantity, -net, changes),
  action: 'Sell',
});

describe('alerted positions', () => {
  it('give one result when all delivered purchases are sold, and count forty fills of a market as one', () => {
    const { trade, results, alertedPositions } = ledger();
    for (let fill = 0; fill < 40; fill += 1) trade(buy(10, 5));
    trade(sell(300, 180));
    expect(results).toEqual([]);
    expect(alertedPositions()).toMatchObject([{ openedSeconds: START + 1 }]);
    trade(sell(100, 80));
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ messageId: 'delivered' });
    expect([results[0]?.paid, results[0]?.received]).toEqual(['200', '260']);
    expect(alertedPositions()).toEqual([]);
  });

  it('count only what was delivered, in proportion to what the wallet sells', () => {
    const { trade, results } = ledger();
    trade(buy(100, 40), null);
    trade(buy(100, 60));
    trade(sell(200, 150));
    expect([results[0]?.paid, results[0]?.received]).toEqual(['60', '75']);
  });

  it('keep losing positions that are never redeemed, 400 of them', () => {
    const announced = (before: AlertedPositions, market: number) => {
      const item = {
        ...activityItem(),
        ...buy(10, 5),
        tokenId: `t${market}`,
        conditionId: `0x${market}`,
        time: START + market,
      };
      const waiting = addPurchase(before, { alertId: `a${market}`, item, channels: [CHANNEL] });
      return countDelivered(waiting, (_, alertId) => alertId === `a${market}`, { messageId: 'm' }).alertedPositions;
    };
    const kept = Array.from({ length: 405 }, (_, market) => market).reduce(announced, []);
    expect(kept).toHaveLength(400);
    expect(kept[0]).toMatchObject({ openedSeconds: START + 5 });
  });

  it('count once an alert is delivered, whatever is sold meanwhile', () => {
    const item = { ...activityItem(), ...buy(10, 5), time: START };
    const first = addActivity(newPortfolio(START, true), [item], START);
    const waiting = addPurchase([], { alertId: 'a', item, channels: [CHANNEL] });
    const sale = { ...item, ...sell(10, 8), time: START + 1 };
    const context = addActivity(first.portfolio, [sale], START + 1).meanings[0]?.context;
    if (context === null || context === undefined) throw new Error('the sale has no context');
    const sold = addSale(waiting, sale, context);
    expect(sold.results).toEqual([]);
    const settled = countDelivered(sold.alertedPositions, (_, alertId) => alertId === 'a', { messageId: 'm' });
    expect(settled.results.map(({ result }) => result.received)).toEqual(['8']);
  });

  it('come to the same sums as exact fractions over random trades in several markets', () => {
    const trade = fc.record({
      market: fc.constantFrom('1', '2', '3'),
      isBuy: fc.boolean(),
      isDelivered: fc.boolean(),
      cents: fc.integer({ min: 100, max: 90_000 }),
      quantity: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 40 }), (trades) => {
        const { trade: write, results } = ledger();
        const held = new Map<string, { shares: Fraction; alerted: Fraction; paid: Fraction; received: Fraction }>();
        const expected: { paid: Fraction; received: Fraction }[] = [];
        const zero = fraction(0);
        const lost = new Set<string>();
        for (const { market, isBuy, isDelivered, cents, quantity } of trades) {
          const net = cents / 100;
          const keys = { tokenId: market, conditionId: `0x${market}` };
          const state = held.get(market) ?? { shares: zero, alerted: zero, paid: zero, received: zero };
          if (lost.has(market)) {
            write({ ...(isBuy ? buy : sell)(quantity, net, keys) });
            continue;
          }
          held.set(market, state);
          if (isBuy) {
            write(buy(quantity, net, keys), isDelivered ? 'delivered' : null);
            state.shares = add(state.shares, fraction(quantity));
            if (isDelivered) {
              state.alerted = add(state.alerted, fraction(quantity));
              state.paid = add(state.paid, fraction(net));
            }
            continue;
          }
          write(sell(quantity, net, keys));
          // Nobody knows what else was sold, or when what was sold was bought.
          if (isLess(state.shares, fraction(quantity))) {
            lost.add(market);
            continue;
          }
          const part = divide(fraction(quantity), state.shares);
          const sold = multiply(state.alerted, part);
          state.received = add(state.received, multiply(sold, divide(fraction(net), fraction(quantity))));
          state.alerted = subtract(state.alerted, sold);
          state.shares = subtract(state.shares, fraction(quantity));
          if (state.paid.n > 0n && state.alerted.n === 0n) {
            expected.push({ paid: state.paid, received: state.received });
            held.set(market, { ...state, paid: zero, received: zero });
          }
        }
        expect(results.length).toBe(expected.length);
        for (const [index, result] of results.entries()) {
          expect(isClose(fraction(result.paid), expected[index]?.paid ?? zero)).toBe(true);
          expect(isClose(fraction(result.received), expected[index]?.received ?? zero)).toBe(true);
        }
      }),
      randomRuns(150),
    );
  });
});
