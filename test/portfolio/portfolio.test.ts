import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { positionLine } from '../../src/embeds/context-lines.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { Exact } from '../../src/lib/exact.ts';
import { entryKeys, shortHash } from '../../src/portfolio/market.ts';
import {
  newPortfolio,
  openPositions,
  type Portfolio,
  portfolioSchema,
  positionsIn,
} from '../../src/portfolio/portfolio.ts';
import { isKnown } from '../../src/portfolio/positions/position.ts';
import { effectOf } from '../../src/portfolio/trades/combined.ts';
import { volumeBetween } from '../../src/portfolio/trades/volume.ts';
import { addActivity, addTransfers } from '../../src/portfolio/update.ts';
import { addActivityPage, newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { detectedPage } from '../support/detected-page.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { addPage, fillOf } from './fills.ts';
import { add, fraction, isClose, oracle } from './oracle.ts';

const START = 1_790_000_000;
const HOUR = 3_600;
const EMPTY = newPortfolio(START, true);

const at = (seconds: number, changes: Partial<ActivityItem> = {}): ActivityItem => ({
  ...sampleTrade(),
  time: START + seconds,
  ...changes,
});
const inMarket = (name: string) => ({
  tokenId: name,
  conditionId: `0x${name}`,
  txHash: `0x${name}`,
});

/** Figures with at most six decimals, as USDC and shares have. */
const figure = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((units) => units / 100);

const outcomes = ['11', '12', '21'] as const;
const drawnFill = fc.record({
  outcome: fc.constantFrom(...outcomes),
  action: fc.constantFrom('Buy', 'Buy', 'Sell', 'Redeem'),
  gapSeconds: fc.integer({ min: 0, max: 4_000 }),
  /**
   * How much later than its turn the record is seen: never beyond what `detect` would still take.
   */
  lateBySeconds: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
  ),
  quantity: figure(500),
  cents: fc.integer({ min: 1, max: 99 }),
  fee: figure(2),
  isDuplicate: fc.boolean(),
});

interface Arrival {
  readonly item: ActivityItem;
  readonly seenAtSeconds: number;
}

const history = fc.array(drawnFill, { minLength: 1, maxLength: 40 }).map((drawn): Arrival[] => {
  let time = START;
  const arrivals = drawn.flatMap((fill, index): Arrival[] => {
    time += fill.gapSeconds;
    const arrival = { item: fillOf(fill, time, index), seenAtSeconds: time + fill.lateBySeconds };
    return fill.isDuplicate && index % 7 === 0 ? [arrival, arrival] : [arrival];
  });
  return arrivals.toSorted((a, b) => a.seenAtSeconds - b.seenAtSeconds);
});

/** Writes the arrivals poll by poll; between any two the document may be stored and read again. */
function write(arrivals: readonly Arrival[], pollsOf: number): Portfolio {
  let written = EMPTY;
  for (let index = 0; index < arrivals.length; index += pollsOf) {
    const seen = arrivals.slice(index, index + pollsOf);
    const nowSeconds = Math.max(...seen.map(({ seenAtSeconds }) => seenAtSeconds));
    const items = seen.map(({ item }) => item).toSorted((a, b) => a.time - b.time);
    written = portfolioSchema.parse(
      JSON.parse(JSON.stringify(addActivity(written, items, nowSeconds).portfolio)),
    );
  }
  return written;
}

function itemsOf(arrivals: readonly Arrival[], outcome: string): ActivityItem[] {
  return arrivals.map(({ item }) => item).filter(({ tokenId }) => tokenId === outcome);
}

describe('a portfolio', () => {
  it('holds, has paid and has realized what exact fractions say, with late and duplicate records and restarts in between', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 6 }), (arrivals, pollsOf) => {
        const portfolio = write(arrivals, pollsOf);
        for (const outcome of outcomes) {
          const expected = oracle(itemsOf(arrivals, outcome));
          const market = `0x${outcome.charAt(0)}`;
          const known = positionsIn(portfolio, { marketId: '', key: shortHash(market) });
          const isSoldBeyond = outcomes
            .filter((other) => other.charAt(0) === outcome.charAt(0))
            .some((other) => oracle(itemsOf(arrivals, other)).unknownSold.n > 0n);
          if (isSoldBeyond) expect(known).toBeNull();
          if (known === null) continue;
          const position = known.find((held) => held.outcome === shortHash(outcome));
          if (position === undefined) {
            expect(expected.shares.n).toBe(0n);
            continue;
          }
          const holding = position.held;
          expect(isClose(fraction(holding.shares), expected.shares)).toBe(true);
          expect(isClose(fraction(holding.cost), expected.cost)).toBe(true);
          expect(isClose(fraction(holding.entry), expected.entry)).toBe(true);
        }
      }),
      randomRuns(80),
    );
  });

  it('says nothing of shares that it has not seen bought, nor of their market from then on', () => {
    const half = at(0, { quantity: 40, transferNetAmount: 20 });
    const { portfolio, meanings } = addPage(
      EMPTY,
      half,
      at(5, { action: 'Sell', quantity: 100, transferNetAmount: -60 }),
    );
    expect(meanings.map(({ context }) => context)).toEqual([null, null]);
    const next = addPage(portfolio, { ...half, time: START + 9 });
    expect(next.meanings[0]).toMatchObject({ context: null, isUnknown: false });
    expect(next.portfolio.positions.every(isKnown)).toBe(false);
    // Once no late purchase can explain them the market is lost, and the venue is asked.
    const later = addPage(next.portfolio, { ...half, time: START + 2 * HOUR }).portfolio;
    expect(later.lostMarkets).toEqual([entryKeys(half).market]);
    expect(addPage(later, { ...half, time: START + 2 * HOUR }).meanings[0]).toMatchObject({
      isUnknown: true,
    });
  });

  it('counts a record that is listed late as if it had come in its turn', () => {
    const ten = (seconds: number, changes: Partial<ActivityItem> = {}) =>
      at(seconds, { quantity: 10, transferNetAmount: 5, ...changes });
    const sale = { action: 'Sell', transferNetAmount: -6 };
    const then = addActivity(addPage(EMPTY, ten(60, sale)).portfolio, [ten(0)], START + 90);
    expect(then.meanings[0]).toMatchObject({ context: null, isUncertain: true, isUnknown: false });
    expect(openPositions(then.portfolio)).toEqual([]);
    expect(then.portfolio.positions.map(({ held }) => held.realized)).toEqual(['1']);
    expect(then.portfolio.positions.every(isKnown)).toBe(true);

    // A sale and a purchase after a younger purchase of the other outcome.
    const no = ten(60, { tokenId: 'no', positionSide: 'No' });
    const both = addPage(EMPTY, ten(0), no).portfolio;
    const context = { sharesBefore: '10', oppositeShares: '0' };
    expect(addPage(both, ten(50, sale)).meanings[0]).toMatchObject({ isUncertain: false, context });
    expect(addPage(both, ten(50)).meanings[0]).toMatchObject({ isUncertain: false, context });

    // Of a sale before a younger purchase of its outcome nothing can be said, nor of what was
    // alerted there.
    const later = addPage(EMPTY, ten(0), ten(60)).portfolio;
    expect(addPage(later, ten(50, sale)).meanings[0]).toMatchObject({
      context: null,
      isUncertain: true,
    });

    // A purchase before another one, and one in the second of a sale: what comes next is exact.
    const before = addPage(EMPTY, ten(20)).portfolio;
    const early = addPage(before, ten(10));
    expect(early.meanings[0]).toMatchObject({ context: null, isUncertain: false });
    expect(openPositions(early.portfolio)).toMatchObject([
      { held: { shares: '20', sinceSeconds: START + 10 } },
    ]);
    const sold = addPage(early.portfolio, ten(30, sale)).portfolio;
    const same = addPage(sold, ten(30)).portfolio;
    expect(addPage(same, ten(40)).meanings[0]).toMatchObject({
      context: { sharesBefore: '20', sharesAfter: '30' },
    });
  });

  it('knows a position that was bought in one second, in however many portions the venue lists its fills', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 90 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (listed, late, isSoldAtOnce) => {
          const count = listed + late;
          const fills = Array.from({ length: count }, (_, n) =>
            fillOf({ outcome: '11', action: 'Buy', quantity: n + 1, cents: 40 }, START + 60, n),
          );
          const all = (count * (count + 1)) / 2;
          const sale = fillOf(
            { outcome: '11', action: 'Sell', quantity: all, cents: 90 },
            START + 61,
            count,
          );
          const earlier = fillOf(
            { outcome: '11', action: 'Buy', quantity: 500, cents: 40 },
            START,
            count + 1,
          );
          const first = addPage(addPage(EMPTY, earlier).portfolio, ...fills.slice(0, listed));
          const then = addPage(
            first.portfolio,
            ...fills.slice(listed),
            ...(isSoldAtOnce ? [sale] : []),
          );
          const last = isSoldAtOnce ? then : addPage(then.portfolio, sale);
          const context = { sharesBefore: String(all + 500), sharesAfter: '500' };
          expect(last.meanings.at(-1)?.context).toMatchObject(context);
          expect(last.portfolio.positions.every(isKnown)).toBe(true);
          expect(last.portfolio.lostMarkets).toEqual([]);
        },
      ),
      randomRuns(160),
    );
  });

  it('opens anew with a purchase after all but dust was sold, and keeps the dust and its cost', () => {
    const trade = (action: string, quantity: number, cents: number, seconds: number) =>
      fillOf({ outcome: '11', action, quantity, cents }, START + seconds, seconds);
    const sold = addPage(EMPTY, trade('Buy', 100.004, 40, 0), trade('Sell', 100, 60, 1)).portfolio;
    const { portfolio, meanings } = addPage(sold, trade('Buy', 5_000, 50, 30 * 24 * HOUR));
    const context = meanings[0]?.context ?? undefined;
    const event = { item: trade('Buy', 5_000, 50, 30 * 24 * HOUR), context };
    expect(effectOf([event])).toBe('opens');
    expect(positionLine([event], ENGLISH)?.text).toContain('New position');
    expect(portfolio.positions[0]?.held).toMatchObject({
      shares: '5000.004',
      bought: '5000.004',
      cost: '2500.0016',
      sinceSeconds: START + 30 * 24 * HOUR,
    });
  });

  it('is closed with a cent’s worth left that is a thousandth of what was bought at the most', () => {
    const sell = (quantity: number, bought = 100) =>
      addPage(EMPTY, at(0, { quantity: bought }), at(1, { action: 'Sell', quantity }));
    expect([99.99, 99.98].map((quantity) => sell(quantity).meanings[1]?.context?.isClosed)).toEqual(
      [true, false],
    );
    expect(sell(9.99, 10).meanings[1]?.context?.isClosed).toBe(true);
    expect(sell(9.98, 9.99).meanings[1]?.context?.isClosed).toBe(false);
    const { portfolio } = sell(99.99);
    expect(openPositions(portfolio)).toEqual([]);
    const rest = addPage(portfolio, at(2, { action: 'Sell', quantity: 0.01 }));
    expect(rest.meanings[0]?.context).toMatchObject({ sharesAfter: '0' });
  });

  it('knows no position after a gap, and keeps profits and volume of before', () => {
    const before = addPage(EMPTY, at(0)).portfolio;
    const endSeconds = START + 500;
    const { portfolio: cut } = addActivityPage(
      newKnowledge(before),
      detectedPage([], { isCut: true, gapEndSeconds: endSeconds, nowSeconds: endSeconds }),
    ).knowledge;
    expect(positionsIn(cut, { marketId: '', key: entryKeys(at(0)).market })).toBeNull();
    expect(cut).toMatchObject({ isWhole: false, sinceSeconds: START + 500, sizes: before.sizes });
    expect(volumeBetween(cut.volume, START - HOUR).bought.toNumber()).toBe(52.2);
  });

  it('stays small however much a wallet trades, and takes folded markets back as they were', () => {
    let portfolio = EMPTY;
    const item = (round: number, index: number, seconds: number) =>
      at(seconds, inMarket(`${round}-${index}`));
    for (let round = 0; round < 24; round += 1) {
      const items = Array.from({ length: 50 }, (_, index) =>
        item(round, index, round * 7_200 + index),
      );
      portfolio = addActivity(portfolio, items, START + round * 7_200 + 60).portfolio;
    }
    expect(portfolio.positions.length).toBe(100);
    expect(portfolio.lostMarkets).toEqual([]);
    expect(portfolio.accounts.markets.length).toBe(1_000);
    expect(JSON.stringify(portfolio).length).toBeLessThan(320_000);
    const again = [0, 16, 23].map((round) => item(round, 7, 600_000));
    const { meanings } = addActivity(portfolio, again, START + 600_000);
    // Of the first nothing is kept one by one any more: a purchase opens it anew.
    expect(meanings.map(({ context }) => context?.sharesAfter)).toEqual(['120', '240', '240']);
    const sold = { ...item(0, 7, 600_000), action: 'Sell' };
    const after = addPage(portfolio, sold).portfolio;
    expect(addPage(after, item(24, 1, 600_100)).meanings[0]?.context).toMatchObject({
      sharesBefore: '0',
    });
  });

  it('gives up a market of which more was redeemed than bought, also where a hundred others take its place at once', () => {
    const split = inMarket('split');
    const others = Array.from({ length: 101 }, (_, n) => at(10, inMarket(`other-${n}`)));
    const { portfolio } = addPage(EMPTY, at(0, { ...split, action: 'Redeem' }), ...others);
    expect(portfolio.lostMarkets).toContain(entryKeys(at(0, split)).market);
    const hourLater = addPage(portfolio, at(2 * HOUR, inMarket('other-0'))).portfolio;
    const [bought] = addPage(hourLater, at(2 * HOUR, split)).meanings;
    expect(bought).toMatchObject({ context: null, isUnknown: true });
  });

  it('knows the next market, however many it has sold of which no purchase is known', () => {
    let portfolio = EMPTY;
    for (let round = 0; round < 12; round += 1) {
      const sold = Array.from({ length: 100 }, (_, n) =>
        at(round * 2 * HOUR + n, { ...inMarket(`split-${round}-${n}`), action: 'Sell' }),
      );
      ({ portfolio } = addPage(portfolio, ...sold));
    }
    const nextSeconds = 12 * 2 * HOUR;
    expect(addPage(portfolio, at(nextSeconds, inMarket('new'))).meanings[0]).toMatchObject({
      isUnknown: false,
      context: { sharesBefore: '0' },
    });
    // The newest are still known to be lost.
    const again = at(nextSeconds, inMarket('split-10-0'));
    expect(addPage(portfolio, again).meanings[0]).toMatchObject({ isUnknown: true });
    expect(portfolioSchema.parse(portfolio).lostMarkets.length).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ['a further purchase', [at(0, inMarket('late'))]],
    [
      'the first purchase',
      [0, 3_000].map((seconds) =>
        at(seconds, { ...inMarket('late'), action: 'Sell', quantity: 10 }),
      ),
    ],
  ])('asks for a folded market of which %s was listed hours late', (_, early) => {
    const others = Array.from({ length: 101 }, (_unused, n) =>
      at(3 * HOUR, inMarket(`other-${n}`)),
    );
    const before = addPage(EMPTY, ...early, at(5_000, inMarket('other-0'))).portfolio;
    const listed = addPage(before, at(-10, inMarket('late'))).portfolio;
    const crowded = addPage(listed, ...others).portfolio;
    const [next] = addPage(crowded, at(3 * HOUR, inMarket('late'))).meanings;
    expect(next).toMatchObject({ context: null, isUnknown: true });
  });

  it('says of folded markets what it would say if they had never been folded, in any life', () => {
    fc.assert(
      fc.property(
        history,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (arrivals, pollsOf, isSale) => {
          const kept = write(arrivals, pollsOf);
          const folded = { ...kept, positions: [] };
          const nextSeconds = Math.max(...arrivals.map(({ seenAtSeconds }) => seenAtSeconds)) + 1;
          for (const outcome of outcomes) {
            const drawn = { outcome, action: isSale ? 'Sell' : 'Buy', quantity: 0.01, cents: 50 };
            const next = { ...fillOf(drawn, nextSeconds, 999), tokenId: outcome };
            const [unfolded] = addPage(folded, next).meanings;
            const [expected] = addPage(kept, next).meanings;
            const isLost =
              positionsIn(kept, { marketId: '', key: entryKeys(next).market }) === null;
            if (!isLost) expect(unfolded?.context).toEqual(expected?.context);
          }
        },
      ),
      randomRuns(160),
    );
  });

  it('follows a new market from its first record, whatever was sold in others of which no purchase is known', () => {
    const { portfolio } = addPage(EMPTY, at(0, { ...inMarket('lost'), action: 'Sell' }));
    expect(portfolio.positions.every(isKnown)).toBe(false);
    const { meanings } = addPage(portfolio, at(200, { ...inMarket('new'), quantity: 10 }));
    expect(meanings[0]).toMatchObject({
      isUnknown: false,
      context: { sharesBefore: '0', sharesAfter: '10' },
    });
  });

  it.each([
    ['each in an outcome of its own', 100],
    ['all in two outcomes of one market', 2],
  ])(
    'takes up a record in as many sums whatever was traded in the hour before: %s',
    (_, outcomes) => {
      const page = (round: number) =>
        Array.from({ length: 100 }, (_, n) =>
          at(round * 20 + Math.floor(n / 10), {
            tokenId: `${n % outcomes}`,
            conditionId: outcomes === 2 ? '0x1' : `0x${n}`,
            txHash: `0x${round}-${n}`,
          }),
        );
      let portfolio = EMPTY;
      const sums = Array.from({ length: 30 }, (_, round) => {
        const plus = vi.spyOn(Exact.prototype, 'plus');
        ({ portfolio } = addActivity(portfolio, page(round), START + round * 20));
        const { length } = plus.mock.calls;
        plus.mockRestore();
        return length;
      });
      // Each fill is added once to what is held, once to what was held before, and once to its
      // account.
      expect(Math.max(...sums)).toBeLessThan(100 * 22);
    },
  );

  it('adds volumes by hour and by day, and forgets what is older than a month', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ agoHours: fc.integer({ min: 0, max: 900 }), amount: figure(1_000) }), {
          maxLength: 60,
        }),
        (drawn) => {
          const items = drawn.map(({ agoHours, amount }, index) => ({
            ...sampleTransfer(),
            txHash: `0x${index}`,
            amount,
            time: START - agoHours * HOUR,
          }));
          const oldestFirst = items.toSorted((a, b) => a.time - b.time);
          const portfolio = oldestFirst.reduce(
            (written, item) => addTransfers(written, [item], START - 900 * HOUR, item.time),
            newPortfolio(START - 900 * HOUR, true),
          );
          const dayStart = Math.floor((START - 7 * 86_400) / 86_400) * 86_400;
          const expected = items
            .filter(({ time }) => time >= dayStart)
            .reduce((sum, { amount }) => add(sum, fraction(amount)), fraction(0));
          const { deposited } = volumeBetween(portfolio.volume, dayStart);
          expect(isClose(fraction(deposited.toFixed()), expected)).toBe(true);
          expect(portfolio.volume.length).toBeLessThan(48 + 24 + 33);
        },
      ),
    );
  });
});
