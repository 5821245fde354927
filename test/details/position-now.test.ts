import { describe, expect, it } from 'vitest';
import { positionNow } from '../../src/details/position-now.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addFills } from '../../src/portfolio/update.ts';
import { trade } from '../e2e/fixture.ts';

const START = 1_790_000_000;
const bought = trade({ time: START, quantity: 10, price: 40, transferNetAmount: 4.1, fee: 0.1 });
const { portfolio } = addFills(newPortfolio(START - 100, true), [bought], START + 1);

describe('a position as of now', () => {
  it('is what is known to be held, with its cost', () => {
    const held = { shares: '10', entryCents: 40, cost: '4.1', sinceSeconds: START - 100, isWhole: true };
    expect(positionNow(portfolio, bought, undefined)).toEqual(held);
    const other = trade({ tokenId: '9' });
    expect(positionNow(portfolio, other, undefined)).toMatchObject({ shares: '0', entryCents: null, cost: '0' });
    const folded = { ...portfolio, folded: { count: 1, cost: '5' } };
    expect(positionNow(folded, other, undefined), 'it may be among those kept as a total').toBeNull();
  });

  it('says to a server that came later nothing of what it had not seen bought itself', () => {
    const joined = (knownSinceSeconds: number) => ({ atSeconds: START + 50, knownSinceSeconds });
    expect(positionNow(portfolio, bought, joined(START + 1))).toBeNull();
    expect(positionNow(portfolio, bought, joined(START))).toMatchObject({
      shares: '10',
      sinceSeconds: START,
      isWhole: false,
    });
  });
});
