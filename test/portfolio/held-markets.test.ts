import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { shortHash } from '../../src/portfolio/market.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { alsoHere, createHeldIndex } from '../../src/portfolio/positions/held-markets.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { randomRuns } from '../support/thorough.ts';
import { activityItem, WALLET } from '../venue/samples.ts';

const START = 1_790_000_000;
const OTHER = `0x${'b'.repeat(40)}` as WalletAddress;
const OUTCOMES = ['11', '12', '21'];
const FIRST = { outcome: '11', isPurchase: true, shares: 100, cents: 50 };

const fills = fc.array(
  fc.record({
    outcome: fc.constantFrom(...OUTCOMES),
    isPurchase: fc.boolean(),
    shares: fc.integer({ min: 1, max: 4 }).map((hundreds) => hundreds * 100),
    cents: fc.integer({ min: 1, max: 99 }),
  }),
  { maxLength: 12 },
);

function itemOf(
  { outcome, isPurchase, shares, cents }: { outcome: string; isPurchase: boolean; shares: number; cents: number },
  n: number,
): ActivityItem {
  return {
    ...activityItem(),
    time: START + n,
    txHash: `0x${n}`,
    tokenId: outcome,
    conditionId: `0x${outcome.charAt(0)}`,
    marketTitle: `Market ${outcome.charAt(0)}`,
    action: isPurchase ? 'Buy' : 'Sell',
    quantity: shares,
    price: cents,
    fee: 0,
    transferNetAmount: ((isPurchase ? 1 : -1) * shares * cents) / 100,
  };
}

describe('what wallets are known to hold', () => {
  it('is what a simple count of their records says, and nothing where more was sold than bought', () => {
    fc.assert(
      fc.property(fills, (drawn) => {
        const index = createHeldIndex();
        const { portfolio } = addActivity(newPortfolio(START, true), drawn.map(itemOf), START + 60);
        index.set(OTHER, addActivity(newPortfolio(START, true), [itemOf(FIRST, 0)], START).portfolio);
        index.set(WALLET, portfolio);
        for (const market of ['1', '2']) {
          const held = new Map<string, number>();
          let isKnown = true;
          const own = drawn.filter(({ outcome }) => outcome.startsWith(market));
          for (const { outcome, isPurchase, shares } of own) {
            const after = (held.get(outcome) ?? 0) + (isPurchase ? shares : -shares);
            held.set(outcome, after);
            isKnown &&= after >= 0;
          }
          const said = index.heldIn(WALLET, shortHash(`0x${market}`));
          if (!isKnown || own.length === 0) expect(said).toBeUndefined();
          else {
            const expected = [...held.values()].filter((shares) => shares > 0);
            expect(said?.map(({ shares }) => Number(shares)).toSorted()).toEqual(expected.toSorted());
          }
        }
        const titles = index.heldBy(WALLET).map(({ market }) => market.title);
        index.delete(OTHER);
        expect(index.heldBy(WALLET).map(({ market }) => market.title)).toEqual(titles);
        index.delete(WALLET);
        expect(index.heldBy(WALLET)).toEqual([]);
      }),
      randomRuns(60),
    );
  });

  it('is said beside an alert of two wallets: who holds most comes first, who is out last', () => {
    const held = (cost: string) => [{ side: 'Yes', shares: '10', entryCents: 50, cost }];
    const wallets = ['5', '700', '', '60'].map((cost, n) => ({
      wallet: `0x${`${n}`.repeat(40)}` as WalletAddress,
      held: cost === '' ? [] : held(cost),
    }));
    const said = (some: typeof wallets) => alsoHere(some)?.wallets.map(({ held: [first] }) => first?.cost);
    expect(said(wallets)).toEqual(['700', '60']);
    expect(alsoHere(wallets)?.more).toBe(2);
    expect(said(wallets.slice(2, 3))).toEqual([undefined]);
    expect(said([...wallets.slice(2, 3), ...wallets.slice(0, 1)])).toEqual(['5', undefined]);
    expect(alsoHere([])).toBeUndefined();
  });
});
