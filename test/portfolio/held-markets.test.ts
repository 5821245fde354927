import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { Exact } from '../../src/lib/exact.ts';
import { entryKeys, shortHash } from '../../src/portfolio/market.ts';
import { newPortfolio, positionsIn } from '../../src/portfolio/portfolio.ts';
import {
  alsoHere,
  costsIn,
  createHeldIndex,
  standingIn,
  sumsBySide,
} from '../../src/portfolio/positions/held-markets.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A } from '../support/wallets.ts';
import { type DrawnFill, fillOf } from './fills.ts';

const START = 1_790_000_000;
const OTHER = `0x${'b'.repeat(40)}` as WalletAddress;
const FIRST = { outcome: '11', action: 'Buy', quantity: 100, cents: 50 };

const fills = fc.array(
  fc.record({
    outcome: fc.constantFrom('11', '12', '21'),
    action: fc.constantFrom('Buy', 'Buy', 'Sell'),
    quantity: fc.integer({ min: 1, max: 2 }).map((hundreds) => hundreds * 100),
    cents: fc.integer({ min: 1, max: 99 }),
  }),
  { maxLength: 16 },
);

const portfolioOf = (drawn: readonly DrawnFill[], isWhole = true) => {
  const items = drawn.map((each, n) => fillOf(each, START + n, n));
  return addActivity(newPortfolio(START, isWhole), items, START + 60).portfolio;
};

/**
 * Shares, cost, gain and what that had cost in dollars, and since when: by average cost, one trade
 * after the other. Null where more was sold than bought.
 */
function reckon(drawn: readonly DrawnFill[], outcome: string) {
  let [shares, cost, gain, gainCost, since, bought] = [0, 0, 0, 0, 0, 0];
  for (const [n, trade] of drawn.entries()) {
    if (trade.outcome !== outcome) continue;
    const usdc = (trade.quantity * trade.cents) / 100;
    if (trade.action === 'Buy') {
      [since, bought] =
        shares === 0 ? [START + n, trade.quantity] : [since, bought + trade.quantity];
      [shares, cost] = [shares + trade.quantity, cost + usdc];
      continue;
    }
    if (trade.quantity > shares) return null;
    const sold = (cost * trade.quantity) / shares;
    [shares, cost] = [shares - trade.quantity, cost - sold];
    [gain, gainCost] = [gain + usdc - sold, gainCost + sold];
  }
  return { shares, cost, gain, gainCost, since, bought };
}

describe('what is known of a wallet in a market', () => {
  it('is what a simple reckoning of its records says: held, since when, sold, gained, what its end pays; or nothing', () => {
    fc.assert(
      fc.property(fills, fc.constantFrom('1', '2'), fc.boolean(), (drawn, market, isYesPaid) => {
        const key = shortHash(`0x${market}`);
        const portfolio = portfolioOf(drawn);
        const known = positionsIn(portfolio, { marketId: '', key });
        const index = createHeldIndex();
        index.set(OTHER, portfolioOf([FIRST]));
        index.set(WALLET_A, portfolio);
        const indexed = index.heldIn(WALLET_A, key);
        const titles = () =>
          costsIn(index.textOf(WALLET_A)).map(({ key }) => index.marketOf(key)?.marketTitle);
        const before = titles();
        index.delete(OTHER);
        expect(titles()).toEqual(before);
        index.delete(WALLET_A);
        expect(titles()).toEqual([]);
        const isMet = drawn.some(({ outcome }) => outcome.startsWith(market));
        const [yes, no] = [reckon(drawn, `${market}1`), reckon(drawn, `${market}2`)];
        if (yes === null || no === null) expect(known).toBeNull();
        if (yes === null || no === null || !isMet) {
          expect(indexed).toBeUndefined();
          return;
        }
        const { outcome } = entryKeys(
          fillOf({ ...FIRST, outcome: market + (isYesPaid ? 1 : 2) }, START, 0),
        );
        const settlement = { market: key, payouts: new Map([[outcome, 1]]), atSeconds: START };
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
        expect(open.held).toHaveLength([yes, no].filter(({ shares }) => shares > 0).length);
        expect(
          indexed?.map(({ side, shares, cost }) => [side, Number(shares), Number(cost)]),
        ).toEqual(
          open.held.map(({ side, shares, cost }) => [side, shares.toNumber(), cost.toNumber()]),
        );
        expect(open.gain.toNumber()).toBeCloseTo(yes.gain + no.gain, 6);
        expect(open.gainCost.toNumber()).toBeCloseTo(yes.gainCost + no.gainCost, 6);
        const paid = (isYesPaid ? yes : no).shares - yes.cost - no.cost;
        expect(ended.gain.toNumber()).toBeCloseTo(yes.gain + no.gain + paid, 6);
        const sums = sumsBySide([open.held, open.held]);
        expect(sums.reduce((all, { cost }) => all + cost.toNumber(), 0)).toBeCloseTo(
          2 * (yes.cost + no.cost),
          6,
        );
        for (const { wallets } of sums) expect(wallets).toBe(2);
      }),
      randomRuns(500),
    );
  });

  it('counts what one outcome has gained hours after all of it was sold, as long as another is held', () => {
    const drawn = [FIRST, { ...FIRST, action: 'Sell', cents: 10 }, { ...FIRST, outcome: '12' }];
    const elsewhere = Array.from({ length: 120 }, (_, n) =>
      fillOf({ ...FIRST, outcome: `${n + 2}1` }, START + 9_000, n),
    );
    const later = addActivity(portfolioOf(drawn), elsewhere.slice(0, 1), START + 9_000).portfolio;
    const key = shortHash('0x1');
    const known = positionsIn(later, { marketId: '', key }) ?? [];
    expect(standingIn(known, undefined)).toMatchObject({
      gain: new Exact(-40),
      gainCost: new Exact(50),
    });
    // And where it has been folded for want of room.
    const folded = addActivity(later, elsewhere.slice(1), START + 9_000).portfolio;
    expect(folded.positions.every(({ market }) => market !== key)).toBe(true);
    const unfolded = positionsIn(folded, { marketId: '', key }) ?? [];
    expect(standingIn(unfolded, undefined)).toMatchObject({
      gain: new Exact(-40),
      gainCost: new Exact(50),
    });
  });

  it('takes absence for nothing only where all that the wallet ever did is known', () => {
    const known = portfolioOf([FIRST, { ...FIRST, outcome: '21' }]);
    const positions = known.positions.map((position, n) => ({ ...position, marketId: `${n}` }));
    expect(positionsIn({ ...known, positions }, { marketId: '1', key: null })).toEqual([
      positions[1],
    ]);
    const whole = portfolioOf([]);
    expect(
      positionsIn({ ...whole, lostMarkets: ['another'] }, { marketId: '901', key: 'one' }),
    ).toEqual([]);
    for (const market of [
      { marketId: '901', key: shortHash('0xelsewhere') },
      { marketId: '5', key: null },
    ]) {
      expect(positionsIn(whole, market)).toEqual([]);
      const lost = { ...whole, lostMarkets: [market.key ?? 'any'] };
      for (const part of [portfolioOf([], false), lost])
        expect(positionsIn(part, market)).toBeNull();
    }
  });

  it('is said beside an alert of three wallets: who holds most comes first, who is out last', () => {
    const held = (cost: string) => [{ side: 'Yes', shares: '10', entryCents: 50, cost }];
    const wallets = ['5', '700', '', '60'].map((cost, n) => ({
      wallet: `0x${`${n}`.repeat(40)}` as WalletAddress,
      held: cost === '' ? [] : held(cost),
    }));
    const said = (some: typeof wallets) =>
      alsoHere(some)?.wallets.map(({ held: [first] }) => first?.cost);
    expect(said(wallets)).toEqual(['700', '60', '5']);
    expect(alsoHere(wallets)?.more).toBe(1);
    expect(said(wallets.slice(2, 3))).toEqual([undefined]);
    expect(said([...wallets.slice(2, 3), ...wallets.slice(0, 1)])).toEqual(['5', undefined]);
    expect(alsoHere([])).toBeUndefined();
  });

  it('is said beside an alert of two outcomes a wallet, the largest, and that there are more', () => {
    const held = Array.from({ length: 40 }, (_, n) => ({
      side: `${n}`,
      shares: '1',
      entryCents: 5,
      cost: `${n}`,
    }));
    const wallet = { wallet: OTHER, held: held.toReversed() };
    const [said] = alsoHere([wallet])?.wallets ?? [];
    expect(said).toEqual({ wallet: OTHER, held: wallet.held.slice(0, 2), isCut: true });
    expect(alsoHere([{ ...wallet, held: wallet.held.slice(0, 2) }])?.wallets[0]).not.toHaveProperty(
      'isCut',
    );
  });
});
