import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGE_READERS, UnreadablePage } from '../../src/venue/read.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A } from '../support/wallets.ts';

const other = `0x${'b'.repeat(40)}`;
const activityPage = (items: readonly unknown[], nextCursor: unknown = null, limit?: number) =>
  PAGE_READERS.activity({ items, nextCursor }, WALLET_A, limit);
const transferPage = (items: readonly unknown[], nextCursor: unknown = null) =>
  PAGE_READERS['deposits-withdrawals']({ items, nextCursor }, WALLET_A);
const one = (change: Record<string, unknown>, without: readonly string[] = []) => {
  const item: Record<string, unknown> = { ...sampleTrade(), ...change };
  for (const name of without) delete item[name];
  return activityPage([item]);
};

describe('a page of activity', () => {
  it('reads a whole item as it came', () => {
    const end = { hasMore: false, nextCursor: null };
    expect(one({})).toEqual({ items: [sampleTrade()], skipped: [], ...end });
  });

  it.each([
    ['logo', ''],
    ['marketTitle', ''],
    ['marketSlug', ''],
    ['eventSlug', ''],
    ['conditionId', ''],
    ['recordType', ''],
    ['marketId', ''],
    ['actionType', -1],
    ['outcomeIndex', -1],
    ['trader', WALLET_A],
    ['liquidityRole', null],
  ])('loses no item to a missing, null or odd %s', (field, neutral) => {
    for (const page of [
      one({}, [field]),
      ...[null, { odd: true }, []].map((value) => one({ [field]: value })),
    ]) {
      expect(page.skipped).toEqual([]);
      expect(page.items).toEqual([{ ...sampleTrade(), [field]: neutral }]);
    }
  });

  const essential = 'time action price quantity fee grossValue transferNetAmount txHash';
  it.each([...essential.split(' '), 'tokenId', 'positionSide'])(
    'skips an item without a readable %s and names the field',
    (field) => {
      for (const page of [one({}, [field]), one({ [field]: null }), one({ [field]: ['odd'] })]) {
        expect(page.items).toEqual([]);
        expect(page.skipped).toHaveLength(1);
        expect(page.skipped[0]?.reason).toMatch(
          new RegExp(`^${field}: expected .*, got (nothing|null|a list of 1)$`),
        );
      }
    },
  );

  it('keeps the rest of the page and says which item was skipped', () => {
    const bad = { ...sampleTrade(), price: '12', txHash: '0xbad' };
    const page = activityPage([sampleTrade(), bad, 7, sampleTrade()], 'more');
    expect(page.items).toHaveLength(2);
    expect(page.skipped).toMatchObject([
      {
        index: 1,
        reason: 'price: expected price per share in cents, 0 to 100, got "12"',
        txHash: '0xbad',
      },
      { index: 2, reason: 'expected an object, got 7' },
    ]);
    expect(page).toMatchObject({ hasMore: true, nextCursor: 'more' });
  });

  it('says of each unreadable row from when it is, by its own time or its neighbours’, and knows it again', () => {
    const at = (time: number) => ({ ...sampleTrade(), time, txHash: `0x${time}` });
    const bad = { ...at(40), fee: null };
    const rowsOf = (items: readonly unknown[], limit = 100) =>
      activityPage(items, null, limit).skipped.map(({ row }) => row);
    const rows = rowsOf([7, at(50), bad, null, at(30), 'x']);
    const times = [
      { fromSeconds: 50, toSeconds: Number.MAX_SAFE_INTEGER },
      { fromSeconds: 40, toSeconds: 40 },
      { fromSeconds: 30, toSeconds: 50 },
      { fromSeconds: 0, toSeconds: 30 },
    ];
    expect(rows).toMatchObject(times);
    expect(new Set(rows.map((row) => row?.identity)).size).toBe(4);
    expect(rows.every((row) => /^[\w-]{12}$/.test(row?.identity ?? ''))).toBe(true);
    const reworded = { ...bad, marketTitle: 'Would it?', logo: 7 };
    const [again, other] = rowsOf([reworded, { ...bad, quantity: 8 }]);
    expect(again).toEqual(rows[1]);
    expect(other?.identity).not.toBe(again?.identity);
    expect(rowsOf([at(50), bad], 1)).toEqual([undefined]);
  });

  it('reads a price of a hair above 100 as 100, and no more than that', () => {
    expect(one({ price: 100 + 1e-6 }).items[0]?.price).toBe(100);
    expect(one({ price: 100.001 }).items).toEqual([]);
    expect(one({ price: -1e-9 }).items[0]?.price).toBe(0);
  });

  it('rejects a time in milliseconds', () => {
    expect(one({ time: 1_790_000_000_000 }).skipped[0]?.reason).toBe(
      'time: expected Unix timestamp in seconds of the action, got 1790000000000',
    );
  });

  it("skips another wallet's item, whatever the case of its letters, but not its own", () => {
    expect(one({ trader: other.toUpperCase().replace('0X', '0x') }).skipped[0]?.reason).toContain(
      'trader',
    );
    expect(one({ trader: `0x${'A'.repeat(40)}` }).items).toHaveLength(1);
  });

  it('drops fields that it does not know and passes unknown actions on', () => {
    const odd = { action: 'Split', recordType: 'NEW', positionSide: 'Maybe' };
    const page = one({ ...odd, extra: 1, __proto__: { x: 1 } });
    expect(page.items).toEqual([{ ...sampleTrade(), ...odd }]);
  });

  it('turns a market number into text', () => {
    expect(one({ marketId: 12345 }).items[0]?.marketId).toBe('12345');
  });

  it('never throws on an item, and keeps its reasons short', () => {
    fc.assert(
      fc.property(
        fc.array(fc.anything()),
        fc.dictionary(fc.constantFrom(...Object.keys(sampleTrade())), fc.anything()),
        (items, change) => {
          const page = activityPage([...items, { ...sampleTrade(), ...change }]);
          expect(page.items.length + page.skipped.length).toBe(items.length + 1);
          for (const { reason } of page.skipped) expect(reason.length).toBeLessThan(200);
        },
      ),
    );
    const long = one({ action: 'x'.repeat(1_000_000) });
    expect(long.skipped[0]?.reason.length).toBeLessThan(160);
  });

  it('reads an item the same whether it is the usual one or is looked at more closely', () => {
    const values = fc.oneof(
      fc.constantFrom(0, 1, 2_000, 2_001).map((length) => 'x'.repeat(length)),
      fc.constantFrom(200, 201).map((length) => 'y'.repeat(length)),
      fc.constantFrom(-1, -1e-7, 0, 0.5, 100, 100 + 1e-7, 101),
      fc.constantFrom(99_999_999_999, 1e11, 2 ** 53, Infinity, null),
    );
    const changes = fc.dictionary(fc.constantFrom(...Object.keys(sampleTrade())), values, {
      maxKeys: 3,
    });
    // Read closely, because the wallet is written otherwise.
    const trader = WALLET_A.toUpperCase().replace('X', 'x');
    fc.assert(
      fc.property(changes, (change) => {
        const usual = one({ ...change, trader: WALLET_A });
        const close = one({ ...change, trader });
        expect({ ...usual, items: usual.items.map((item) => ({ ...item, trader })) }).toEqual(
          close,
        );
      }),
      randomRuns(500),
    );
  });

  const followed = (nextCursor: unknown, items = 0) => {
    const page = { items: Array.from({ length: items }, sampleTrade), nextCursor };
    const { hasMore, nextCursor: cursor } = PAGE_READERS.activity(page, WALLET_A, 2);
    return [hasMore, cursor];
  };

  it('accepts a cursor of 2,000 characters, and has no way on with one that is longer: it is stored with the list', () => {
    const longest = 'c'.repeat(2_000);
    expect(followed(longest)).toEqual([true, longest]);
    expect(followed(`${longest}c`)).toEqual([true, null]);
  });

  it.each([5, 0, true, {}, ['more']])('has more, and no way on, after the cursor %j', (cursor) => {
    expect(followed(cursor)).toEqual([true, null]);
  });

  it.each([undefined, false])('ends where a page that is not full has the cursor %j', (cursor) => {
    expect(followed(cursor, 1)).toEqual([false, null]);
    expect(followed(cursor, 2)).toEqual([true, null]);
    expect(followed(null, 2)).toEqual([false, null]);
  });

  it('reads no item beyond those that were asked for, and refuses a page with more than twice as many as a page holds', () => {
    const trades = (length: number) => Array.from({ length }, sampleTrade);
    const counts = (length: number, limit: number) => {
      const { items, skipped } = activityPage(trades(length), 'more', limit);
      return [items.length, skipped.length];
    };
    expect(counts(100, 100)).toEqual([100, 0]);
    expect(counts(200, 10)).toEqual([10, 190]);
    expect(() => counts(201, 100)).toThrow(
      /expected a list of at most 100 records, got a list of 201/,
    );
    expect(() => transferPage(trades(201))).toThrow(UnreadablePage);
  });

  it.each([null, [], 'text', {}, { items: {}, nextCursor: null }])(
    'refuses %j as a page',
    (raw) => {
      expect(() => PAGE_READERS.activity(raw, WALLET_A)).toThrow(UnreadablePage);
    },
  );
});

describe('a page of deposits and withdrawals', () => {
  it('reads deposits and withdrawals, also without a counterparty', () => {
    const { address: _, ...bare } = sampleTransfer();
    const page = transferPage([sampleTransfer(), bare], '');
    expect(page.items).toEqual([sampleTransfer(), { ...sampleTransfer(), address: '' }]);
    expect(page).toMatchObject({ hasMore: false, nextCursor: null, skipped: [] });
  });

  it.each(['txHash', 'type', 'amount', 'time'])('skips an item without a readable %s', (field) => {
    const page = transferPage([{ ...sampleTransfer(), [field]: null }]);
    expect(page.items).toEqual([]);
    expect(page.skipped[0]?.reason).toMatch(new RegExp(`^${field}: expected`));
  });

  it('rejects a negative amount', () => {
    const page = transferPage([{ ...sampleTransfer(), amount: -5 }]);
    expect(page.skipped[0]?.reason).toBe(
      'amount: expected USDC amount; never negative, the direction is in `type`, got -5',
    );
  });
});
