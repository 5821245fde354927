import { describe, expect, it } from 'vitest';
import { positionNow } from '../../src/details/knowledge-lines.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { trade } from '../e2e/fixture.ts';

const START = 1_790_000_000;
const bought = trade({ time: START, quantity: 10, price: 40, transferNetAmount: 4.1, fee: 0.1 });
const known = (isWhole: boolean) => addActivity(newPortfolio(START - 100, isWhole), [bought], START + 1).portfolio;

describe('a position as of now', () => {
  it('is what is held, with its cost', () => {
    const held = { shares: '10', entryCents: 40, cost: '4.1' };
    expect(positionNow(known(true), bought)).toEqual(held);
    const nothing = { shares: '0', entryCents: null, cost: '0' };
    expect(positionNow(known(true), trade({ tokenId: '9' })), 'of the same market').toEqual(nothing);
    expect(positionNow(known(true), trade({ tokenId: '9', conditionId: '0x9' }))).toEqual(nothing);
  });

  it('is said of no market that is not known from its first record on', () => {
    expect(positionNow(known(false), bought)).toBeNull();
    const sold = { ...bought, action: 'Sell', quantity: 11, time: START + 2 };
    expect(positionNow(addActivity(known(true), [sold], START + 3).portfolio, bought)).toBeNull();
  });
});
