import { describe, expect, it } from 'vitest';
import { outcomeHash, shortHash } from '../../../src/domain/market-keys.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import {
  createSettlements,
  SETTLEMENTS_LIMIT,
  SETTLEMENTS_PREFIX,
} from '../../../src/feed/settlements/settlements.ts';
import { documentStore } from '../../support/documents.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { sampleTrade } from '../../support/records.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';
import { WALLET_A as A, WALLET_B as B } from '../../support/wallets.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const START = 480_000 * HOUR;
const NO = { tokenId: 'no', outcomeIndex: 1, positionSide: 'No' };

let transactions = 0;
/** A redemption of a market, by its number, for a dollar a share unless said. */
function redeemed(market: number, time: number, changes: Partial<ActivityItem> = {}): ActivityItem {
  transactions += 1;
  const named = { conditionId: `0xc${market}`, tokenId: `yes ${market}`, action: 'Redeem', time };
  const figures = { txHash: `0x${transactions}`, quantity: 100, grossValue: 100 };
  return { ...sampleTrade(), ...named, ...figures, ...changes };
}
const hashOf = (market: number) => shortHash(`0xc${market}`);
const YES = (market: number) => outcomeHash(redeemed(market, 0));

function openSettlements(store = documentStore()) {
  const clock = { seconds: START };
  const { log, lines } = collectingLog();
  const settlements = createSettlements(testMachine({ log }), {
    store,
    nowSeconds: () => clock.seconds,
  });
  for (const [key, document] of store.documents) expect(settlements.load(key, document)).toBe(true);
  return { settlements, store, clock, lines };
}

describe('what polled pages say of how markets ended', () => {
  it('is told from the full hour on, after two transactions, or one and an hour', () => {
    const { settlements, clock } = openSettlements();
    clock.seconds = START + 600;
    settlements.count(A, [redeemed(1, START + 500), redeemed(2, START + 500)]);
    settlements.count(B, [redeemed(1, START + 550)]);
    clock.seconds = START + HOUR - 1;
    expect(settlements.of([hashOf(1), hashOf(2)])).toEqual([]);
    clock.seconds = START + HOUR;
    expect(settlements.of([hashOf(1), hashOf(2)])).toEqual([
      { market: hashOf(1), payouts: new Map([[YES(1), 1]]), atSeconds: START + HOUR },
    ]);
    clock.seconds = START + 2 * HOUR;
    expect(settlements.of([hashOf(2)])).toMatchObject([{ atSeconds: START + 2 * HOUR }]);
  });

  it('of long ago counts from when it was, and is told no sooner than at the next full hour', () => {
    const { settlements, clock } = openSettlements();
    clock.seconds = START + 600;
    settlements.count(A, [redeemed(1, START - 50 * HOUR), redeemed(2, START - 401 * DAY)]);
    expect(settlements.of([hashOf(1)])).toEqual([]);
    clock.seconds = START + HOUR;
    expect(settlements.of([hashOf(1), hashOf(2)])).toMatchObject([
      { atSeconds: START - 49 * HOUR },
    ]);
  });

  it('freezes a market for good where it contradicts itself, says so, and takes back what was told', async () => {
    const { settlements, clock, lines, store } = openSettlements();
    settlements.count(A, [redeemed(1, START - DAY)]);
    clock.seconds = START + HOUR;
    expect(settlements.of([hashOf(1)])).toMatchObject([{ payouts: new Map([[YES(1), 1]]) }]);
    settlements.count(B, [redeemed(1, START + HOUR, NO)]);
    expect(lines).toMatchObject([{ event: 'market.contradicted', conditionId: '0xc1' }]);
    clock.seconds = START + 2 * HOUR;
    expect(settlements.of([hashOf(1)])).toMatchObject([{ payouts: new Map() }]);
    await settlements.stop();
    const after = openSettlements(store);
    after.clock.seconds = START + 3 * HOUR;
    after.settlements.count(A, [redeemed(1, START), redeemed(1, START)]);
    expect(after.settlements.of([hashOf(1)])).toMatchObject([{ payouts: new Map() }]);
    expect(after.lines).toEqual([]);
  });

  it('adds the other fraction of a market when that is certain as well', () => {
    const { settlements, clock } = openSettlements();
    const half = { grossValue: 50 };
    for (const wallet of [A, B]) settlements.count(wallet, [redeemed(1, START - DAY, half)]);
    settlements.count(A, [redeemed(1, START, { ...half, ...NO })]);
    clock.seconds = START + HOUR;
    expect(settlements.of([hashOf(1)])[0]?.payouts.size).toBe(1);
    settlements.count(B, [redeemed(1, START, { ...half, ...NO })]);
    clock.seconds = START + 2 * HOUR;
    expect([...(settlements.of([hashOf(1)])[0]?.payouts.values() ?? [])]).toEqual([0.5, 0.5]);
  });

  it('is there again after a restart, and written later where the store is away', async () => {
    const store = documentStore();
    let isAway = true;
    const flaky = {
      ...store,
      set: async (key: string, document: unknown) => {
        if (isAway) throw new Error('away');
        return store.set(key, document);
      },
    };
    const { settlements, lines } = openSettlements(flaky);
    settlements.count(A, [redeemed(1, START - DAY)]);
    await settlements.stop();
    expect(lines).toEqual([expect.objectContaining({ event: 'settlements.not_stored' })]);
    isAway = false;
    await settlements.stop();
    expect([...store.documents.keys()]).toEqual([`${SETTLEMENTS_PREFIX}0`]);
    expect(openSettlements(store).settlements.of([hashOf(1)])).toHaveLength(1);
    const { load } = openSettlements().settlements;
    expect(load(`${SETTLEMENTS_PREFIX}x`, { markets: [] })).toBe(false);
    expect(load(`${SETTLEMENTS_PREFIX}0`, { markets: 1 })).toBe(false);
  });

  it.runIf(IS_THOROUGH)(
    'is kept of 200,000 markets for 400 days, in documents of 100 kB, of which only those that changed are written',
    async () => {
      const { settlements, store, clock } = openSettlements();
      for (let market = 0; market < 201_000; market += 1)
        settlements.count(A, [redeemed(market, START - DAY)]);
      await settlements.stop();
      expect(store.documents.size).toBe(100);
      const sizes = [...store.documents.values()].map(
        (document) => JSON.stringify(document).length,
      );
      expect(Math.max(...sizes)).toBeLessThan(100_000);
      clock.seconds = START + HOUR;
      expect(settlements.of([hashOf(0), hashOf(200_999)])).toHaveLength(1);
      const written: string[] = [];
      const { set } = store;
      store.set = async (key, document) => {
        written.push(key);
        return set(key, document);
      };
      settlements.count(A, [redeemed(5_000, START, NO)]);
      await settlements.stop();
      expect(written).toEqual([`${SETTLEMENTS_PREFIX}2`]);
      clock.seconds = START + 400 * DAY;
      expect(settlements.of([hashOf(200_999)])).toEqual([]);
      await settlements.stop();
      expect(store.documents.size).toBe(0);
    },
  );

  it('answers up to 1,000 markets at once', () => {
    const { settlements } = openSettlements();
    const markets = Array.from({ length: SETTLEMENTS_LIMIT + 1 }, (_, index) => hashOf(index));
    expect(() => settlements.of(markets)).toThrow(RangeError);
    expect(settlements.of(markets.slice(1))).toEqual([]);
  });
});
