import { expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { askMarket } from '../../src/lookups/read-pages.ts';
import { entryKeys } from '../../src/portfolio/market.ts';
import { addToRecord, EMPTY_RECORD, recordFill } from '../../src/portfolio/record/record.ts';
import { trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';

it('does not say that a wallet holds nothing in a market in which it has traded, whatever the venue lists', async () => {
  const page = { items: [], skipped: [], hasMore: false, nextCursor: null };
  const venue = { activity: async () => page };
  const bought = trade({ quantity: 1 });
  const ask = (key: string | null) => {
    const record = addToRecord(
      EMPTY_RECORD,
      [bought].flatMap((item) => recordFill(item) ?? []),
      [],
    );
    const kept = { record, questions: [] };
    return askMarket(venue, WALLET as WalletAddress, { marketId: '501', key }, kept, 2_000_000_000);
  };
  expect(await ask(entryKeys(bought).market)).toBeNull();
  expect(await ask(entryKeys({ ...bought, conditionId: '0x502' }).market)).toEqual([]);
});
