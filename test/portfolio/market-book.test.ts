import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { entryKeys, shortHash } from '../../src/portfolio/market.ts';
import { newPortfolio, positionsIn } from '../../src/portfolio/portfolio.ts';
import { standingIn, sumsBySide } from '../../src/portfolio/positions/held-markets.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { randomRuns } from '../support/thorough.ts';
import { activityItem } from '../venue/samples.ts';

const START = 1_790_000_000;
const MARKET = { marketId: '901', key: shortHash(`0x${'c'.repeat(64)}`) };
const trades = fc.array(
  fc.record({
    isYes: fc.boolean(),
    isPurchase: fc.boolean(),
    shares: fc.integer({ min: 1, max: 5 }).map((hundreds) => hundreds * 100),
    cents: fc.integer({ min: 1, max: 99 }),
  }),
  { maxLength: 12 },
);
type Traded = typeof trades extends fc.Arbitrary<infer All> ? All : never;

const itemOf = ({ isYes, isPurchase, shares, cents }: Traded[number], n: number): ActivityItem => ({
  ...activityItem(),
  time: START + n,
  txHash: `0x${n}`,
  tokenId: isYes ? '1' : '2',
  positionSide: isYes ? 'Yes' : 'No',
  action: isPurchase ? 'Buy' : 'Sell',
  quantity: shares,
  price: cents,
  transferNetAmount: ((isPurchase ? 1 : -1) * shares * cents) / 100,
});

/** Shares, cost and gain in dollars, and since when: by average cost, one trade after the other. Null where more was sold than bought. */
function reckon(drawn: Traded, isYes: boolean) {
  let [shares, cost, gain, since, bought] = [0, 0, 0, 0, 0];
  for (const [n, trade] of drawn.entries()) {
    if (trade.isYes !== isYes) continue;
    const usdc = (trade.shares * trade.cents) / 100;
    if (trade.isPurchase) {
      [since, bought] = shares === 0 ? [START + n, trade.shares] : [since, bought + trade.shares];
      [shares, cost] = [shares + trade.shares, cost + usdc];
      continue;
    }
    if (trade.shares > shares) return null;
    const sold = (cost * trade.shares) / shares;
    [shares, cost, gain] = [shares - trade.shares, cost - sold, gain + usdc - sold];
  }
  return { shares, cost, gain, since, bought };
}

const portfolioOf = (drawn: Traded, isWhole = true) =>
  addActivity(newPortfolio(START, isWhole), drawn.map(itemOf), START + 60).portfolio;

describe('the book of a market', () => {
  it('says what a simple reckoning of the records says: held, since when, sold, gained, and how a settlement pays the rest', () => {
    fc.assert(
      fc.property(trades, fc.boolean(), (drawn, isYesPaid) => {
        const known = positionsIn(portfolioOf(drawn), MARKET);
        const [yes, no] = [reckon(drawn, true), reckon(drawn, false)];
        if (yes === null || no === null) {
          expect(known).toBeNull();
          return;
        }
        const { outcome } = entryKeys({ ...activityItem(), tokenId: isYesPaid ? '1' : '2' });
        const settlement = { market: MARKET.key, payouts: new Map([[outcome, 1]]), atSeconds: START };
        const open = standingIn(known ?? [], undefined);
        const ended = standingIn(known ?? [], settlement);
        for (const [side, expected] of [
          ['Yes', yes],
          ['No', no],
        ] as const) {
          const held = open.held.find((outcome) => outcome.side === side);
          expect(held?.shares.toNumber() ?? 0).toBe(expected.shares);
          if (held === undefined) continue;
          expect(held.cost.toNumber()).toBeCloseTo(expected.cost, 6);
          expect(held.sinceSeconds).toBe(expected.since);
          expect(held.sold.toNumber()).toBe(expected.bought - expected.shares);
        }
        expect(open.gain.toNumber()).toBeCloseTo(yes.gain + no.gain, 6);
        const paid = (isYesPaid ? yes : no).shares - yes.cost - no.cost;
        expect(ended.gain.toNumber()).toBeCloseTo(yes.gain + no.gain + paid, 6);
        const sums = sumsBySide([open.held, open.held]);
        expect(sums.reduce((all, { cost }) => all + cost.toNumber(), 0)).toBeCloseTo(2 * (yes.cost + no.cost), 6);
        for (const { wallets } of sums) expect(wallets).toBe(2);
      }),
      randomRuns(100),
    );
  });

  it('takes absence for nothing only where all that the wallet ever did is known', () => {
    const elsewhere = { ...MARKET, key: shortHash('0xelsewhere') };
    expect(positionsIn(portfolioOf([]), elsewhere)).toEqual([]);
    expect(positionsIn(portfolioOf([]), { marketId: '5', key: null })).toEqual([]);
    expect(positionsIn(portfolioOf([], false), elsewhere)).toBeNull();
    expect(positionsIn(portfolioOf([], false), { marketId: '5', key: null })).toBeNull();
    const lost = { ...portfolioOf([]), lostMarkets: [elsewhere.key] };
    expect(positionsIn(lost, elsewhere)).toBeNull();
    expect(positionsIn(lost, { marketId: '5', key: null })).toBeNull();
    expect(positionsIn(lost, MARKET)).toEqual([]);
    expect(positionsIn({ ...lost, lostMarkets: null }, MARKET)).toBeNull();
  });
});
