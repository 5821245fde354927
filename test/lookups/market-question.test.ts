import { expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { askMarket } from '../../src/lookups/read-pages.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { sale, trade, WALLET } from '../e2e/fixture.ts';

it('does not say that a wallet holds nothing in a market in which it has traded, whatever the venue lists', async () => {
  const page = { items: [], skipped: [], hasMore: false, nextCursor: null };
  const venue = { activity: async () => page };
  const ask = (marketId: string) => {
    // More sold than bought: what is held is not known.
    const { portfolio } = addActivity(newPortfolio(0, true), [trade({ quantity: 1 }), sale({ quantity: 2 })], 0);
    return askMarket(venue, WALLET as WalletAddress, marketId, { portfolio, questions: [] }, 2_000_000_000);
  };
  expect(await ask('501')).toBeNull();
  expect(await ask('502')).toEqual([]);
});
