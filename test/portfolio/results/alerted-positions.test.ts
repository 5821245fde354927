import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../../src/domain/records.ts';
import { entryKeys } from '../../../src/portfolio/market.ts';
import { newPortfolio, type Portfolio } from '../../../src/portfolio/portfolio.ts';
import { readHistory } from '../../../src/portfolio/positions/question.ts';
import {
  type AlertedPositions,
  addPurchase,
  addSale,
  alertedPositionsSchema,
  countDelivered,
  giveUp,
  type ResultNews,
} from '../../../src/portfolio/results/alerted-positions.ts';
import { addActivity } from '../../../src/portfolio/update.ts';
import { newKnowledge, withAnswers } from '../../../src/portfolio/wallet-knowledge.ts';
import { sampleTrade } from '../../support/records.ts';
import { randomRuns } from '../../support/thorough.ts';
import { add, divide, type Fraction, fraction, isClose, multiply, subtract } from '../oracle.ts';

const START = 1_790_000_000;
const CHANNEL = '100000000000000002';

/**
 * A wallet's book and what is followed of it, given trade after trade; purchases with a message are
 * announced at once.
 */
function ledger() {
  let portfolio: Portfolio = newPortfolio(START, true);
  let alertedPositions: AlertedPositions = [];
  const results: ResultNews[] = [];
  let count = 0;
  return {
    trade(changes: Partial<ActivityItem>, messageId: string | null = 'delivered') {
      count += 1;
      const item = { ...sampleTrade(), time: START + count, txHash: `0x${count}`, ...changes };
      const written = addActivity(portfolio, [item], item.time);
      portfolio = written.portfolio;
      const { context, isUncertain } = written.meanings[0] ?? {};
      if (isUncertain !== false)
        alertedPositions = giveUp(alertedPositions, new Set([entryKeys(item).market]));
      else if (item.action === 'Buy') {
        alertedPositions = addPurchase(alertedPositions, {
          alertId: `a${count}`,
          item,
          channels: [CHANNEL],
        });
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
    /** What was held is sold in a gap. */
    giveUpAll() {
      portfolio = newPortfolio(START, true);
      alertedPositions = giveUp(alertedPositions);
    },
    results,
    alertedPositions: () => alertedPositions,
  };
}

const purchaseOf = (
  quantity: number,
  net: number,
  changes: Partial<ActivityItem> = {},
): Partial<ActivityItem> => ({
  action: 'Buy',
  quantity,
  transferNetAmount: net,
  fee: 0,
  ...changes,
});
const saleOf = (
  quantity: number,
  net: number,
  changes: Partial<ActivityItem> = {},
): Partial<ActivityItem> => ({
  ...purchaseOf(quantity, -net, changes),
  action: 'Sell',
});

describe('alerted positions', () => {
  it('are given up where a sale is listed after younger purchases, before the venue has said what was held', async () => {
    const at = (seconds: number, changes: Partial<ActivityItem>) => {
      const item = { ...sampleTrade(), time: START + seconds, txHash: `0x${seconds}`, ...changes };
      return { alertId: `a${seconds}`, item, channels: [CHANNEL] };
    };
    const bought = [at(50, purchaseOf(10, 5)), at(100, purchaseOf(10, 5))];
    const live = [...bought, at(80, saleOf(10, 6))];
    const { market } = entryKeys(sampleTrade());
    const { marketId } = sampleTrade();
    const question = {
      market,
      marketId,
      boundarySeconds: START + 50,
      seenSeconds: START + 100,
      live,
    };
    const purchases = bought.reduce<AlertedPositions>(addPurchase, []);
    const { alertedPositions } = countDelivered(purchases, () => true, { messageId: 'm1' });
    const known = {
      ...newKnowledge(newPortfolio(START, false)),
      questions: [question],
      alertedPositions,
    };
    const history = await readHistory(
      question,
      live.map(({ item }) => item).toSorted((a, b) => b.time - a.time),
    );
    const { knowledge, results, contexts } = withAnswers(known, [{ question, history }]);
    expect(contexts.get('a80')).toMatchObject({ sharesBefore: '10', sharesAfter: '0' });
    // Ten of the twenty are still held.
    expect(results).toEqual([]);
    expect(knowledge).toMatchObject({
      alertedPositions: [{ isGivenUp: true }],
      portfolio: { positions: [{ held: { shares: '10' } }] },
    });
  });

  it('that were given up end where the wallet has sold the last of the market, though another outcome was sold unseen', () => {
    const { trade, results, alertedPositions, giveUpAll } = ledger();
    trade(purchaseOf(10, 5));
    giveUpAll();
    const other = { tokenId: 'no', positionSide: 'No', outcomeIndex: 1 };
    trade(purchaseOf(10, 5, other));
    trade(saleOf(5, 3, other));
    expect(alertedPositions()).toMatchObject([{ isGivenUp: true }]);
    trade(saleOf(5, 3, other));
    expect([alertedPositions(), results]).toEqual([[], []]);
    trade(purchaseOf(10, 5, other));
    trade(saleOf(10, 8, other));
    expect(results.map(({ paid, received }) => [paid, received])).toEqual([['5', '8']]);
  });

  it('give one result of forty fills when all are sold, held since the first of them', () => {
    const { trade, results, alertedPositions } = ledger();
    for (let fill = 0; fill < 40; fill += 1) trade(purchaseOf(10, 5));
    trade(saleOf(300, 180));
    expect(results).toEqual([]);
    trade(saleOf(100, 80));
    expect(results).toMatchObject([{ paid: '200', received: '260', openedSeconds: START + 1 }]);
    expect(alertedPositions()).toEqual([]);
  });

  it('say whether the channel was alerted to a part of the position alone', () => {
    const resultAfter = (play: (trade: ReturnType<typeof ledger>['trade']) => void) => {
      const { trade, results } = ledger();
      play(trade);
      return results.map(({ isPart }) => isPart === true);
    };
    const whole = resultAfter((trade) => {
      trade(purchaseOf(10, 5));
      trade(purchaseOf(20, 10));
      trade(saleOf(15, 9));
      trade(saleOf(15, 9));
    });
    expect(whole).toEqual([false]);
    const part = resultAfter((trade) => {
      trade(purchaseOf(10, 5));
      trade(purchaseOf(20, 10), null);
      trade(saleOf(30, 18));
    });
    expect(part).toEqual([true]);
    // Once is enough: what is bought and alerted afterwards does not make it whole.
    const first = resultAfter((trade) => {
      trade(purchaseOf(10, 5), null);
      trade(purchaseOf(10, 5));
      trade(saleOf(15, 9));
      trade(purchaseOf(100, 50));
      trade(saleOf(105, 60));
    });
    expect(first).toEqual([true]);
    // Dust of an earlier position was no purchase that the channel has missed.
    const dust = resultAfter((trade) => {
      trade(purchaseOf(100, 50));
      trade(saleOf(99.995, 60));
      trade(purchaseOf(10, 5));
      trade(saleOf(10.005, 6));
    });
    expect(dust).toEqual([false, false]);
    // Another outcome is another position of the wallet.
    const other = { outcomeIndex: 1, positionSide: 'No', tokenId: '2' };
    const opposite = resultAfter((trade) => {
      trade(purchaseOf(10, 5));
      trade(purchaseOf(10, 5, other), null);
      trade(saleOf(10, 6));
    });
    expect(opposite).toEqual([false]);
  });

  it('answer the first message that brought a purchase, and say if that shows other alerts, too', () => {
    const at = { channels: [CHANNEL], alertId: 'a', item: sampleTrade() };
    const meant = () => true;
    const positions = addPurchase([], at);
    const among = countDelivered(positions, meant, { messageId: '7', isAmongOthers: true });
    const later = countDelivered(addPurchase(among.alertedPositions, at), meant, {
      messageId: '8',
      isAmongOthers: false,
    });
    for (const { alertedPositions } of [among, later]) {
      const stored = alertedPositionsSchema.parse(JSON.parse(JSON.stringify(alertedPositions)));
      expect(stored).toMatchObject([{ messageId: '7', isAmongOthers: true }]);
    }
    const alone = countDelivered(positions, meant, { messageId: '7', isAmongOthers: false });
    expect(alone.alertedPositions[0]).not.toHaveProperty('isAmongOthers');
    // Where only the history had the message its id is not known, and the next one is answered.
    const unknown = countDelivered(positions, meant, { messageId: null, isAmongOthers: true });
    const known = countDelivered(addPurchase(unknown.alertedPositions, at), meant, {
      messageId: '8',
    });
    expect(known.alertedPositions[0]).toMatchObject({ messageId: '8' });
    expect(known.alertedPositions[0]).not.toHaveProperty('isAmongOthers');
  });

  it('end where so little is left of what was announced that it is worth nothing, whatever else is held', () => {
    const { trade, results, alertedPositions } = ledger();
    trade(purchaseOf(10, 5));
    trade(purchaseOf(10_000_000, 5_000_000), null);
    trade(saleOf(9_999_910, 5_999_946));
    expect(results).toEqual([]);
    trade(saleOf(99.9, 59.94));
    expect(results.map(({ paid, received }) => [paid, Number(received).toFixed(3)])).toEqual([
      ['5', '6.000'],
    ]);
    expect(alertedPositions()).toEqual([]);
  });

  it('keep losing positions that are never redeemed, 400 of them', () => {
    const announced = (before: AlertedPositions, market: number) => {
      const item = {
        ...sampleTrade(),
        ...purchaseOf(10, 5),
        tokenId: `t${market}`,
        conditionId: `0x${market}`,
        time: START + market,
      };
      const waiting = addPurchase(before, { alertId: `a${market}`, item, channels: [CHANNEL] });
      return countDelivered(waiting, (_, alertId) => alertId === `a${market}`, { messageId: 'm' })
        .alertedPositions;
    };
    const kept = Array.from({ length: 405 }, (_, market) => market).reduce(announced, []);
    expect(kept).toHaveLength(400);
    expect(kept[0]).toMatchObject({ openedSeconds: START + 5 });
  });

  it('count only what was delivered, in proportion to what is sold: the sums of exact fractions over random trades', () => {
    const deeds = fc.constantFrom('buy alerted', 'buy', 'sell half', 'sell all', 'sell all');
    const step = fc.record({
      outcome: fc.constantFrom('11', '12', '21', '31'),
      deed: fc.oneof(
        { weight: 59, arbitrary: deeds },
        { weight: 1, arbitrary: fc.constant('sell more than was bought') },
      ),
      cents: fc.integer({ min: 100, max: 90_000 }),
      quantity: fc.integer({ min: 1, max: 50 }),
    });
    let count = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const { trade, results } = ledger();
        const zero = fraction(0);
        const held = new Map<string, { shares: number; alerted: Fraction }>();
        const sums = new Map<string, { paid: Fraction; received: Fraction }>();
        const expected: { paid: Fraction; received: Fraction }[] = [];
        const lost = new Set<string>();
        for (const { outcome, deed, cents, quantity } of steps) {
          const net = cents / 100;
          const market = outcome.charAt(0);
          const keys = { tokenId: outcome, conditionId: `0x${market}` };
          const state = held.get(outcome) ?? { shares: 0, alerted: zero };
          const sum = sums.get(market) ?? { paid: zero, received: zero };
          const amounts = { 'sell half': Math.ceil(state.shares / 2), 'sell all': state.shares };
          const shares =
            amounts[deed as keyof typeof amounts] ??
            quantity + (deed.startsWith('sell') ? state.shares : 0);
          if (shares === 0) continue;
          held.set(outcome, state);
          sums.set(market, sum);
          if (deed.startsWith('buy')) {
            trade(purchaseOf(shares, net, keys), deed === 'buy' ? null : 'delivered');
            state.shares += shares;
            if (deed === 'buy') continue;
            state.alerted = add(state.alerted, fraction(shares));
            sum.paid = add(sum.paid, fraction(net));
            continue;
          }
          trade(saleOf(shares, net, keys));
          // Nobody knows what else was sold, or when what was sold was bought.
          if (shares > state.shares) lost.add(market);
          if (lost.has(market)) continue;
          const sold = multiply(state.alerted, divide(fraction(shares), fraction(state.shares)));
          sum.received = add(sum.received, multiply(sold, divide(fraction(net), fraction(shares))));
          state.alerted = subtract(state.alerted, sold);
          state.shares -= shares;
          const isOpen = [...held].some(
            ([other, { alerted }]) => other.startsWith(market) && alerted.n > 0n,
          );
          if (sum.paid.n === 0n || isOpen) continue;
          expected.push(sum);
          sums.set(market, { paid: zero, received: zero });
        }
        count += expected.length;
        expect(results.length).toBe(expected.length);
        for (const [index, result] of results.entries()) {
          expect(isClose(fraction(result.paid), expected[index]?.paid ?? zero)).toBe(true);
          expect(isClose(fraction(result.received), expected[index]?.received ?? zero)).toBe(true);
        }
      }),
      randomRuns(400),
    );
    expect(count).toBeGreaterThan(20);
  });
});
