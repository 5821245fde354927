import { expect, it } from 'vitest';
import { hash32, sourceTrade, sourceTransfer } from '../support/polymarket-source.ts';
import { MARKET, openWithClock, T0, YES } from './running.ts';

const LATER_MS = 120_000;

async function opened() {
  const gateway = await openWithClock();
  const unchanged = async () => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    return Number(/^polymarket_unchanged_total (\d+)$/m.exec(text)?.[1]);
  };
  return { ...gateway, unchanged };
}

it('a page that the source sends as before is answered as before, until a row comes', async () => {
  const { source, activity, transfers, clock, unchanged } = await opened();
  source.addMarkets(MARKET);
  source.list(sourceTrade(MARKET), sourceTransfer());
  const before = [(await activity()).data, (await transfers()).data];
  clock.nowMs += LATER_MS;
  expect([(await activity()).data, (await transfers()).data]).toEqual(before);
  expect(await unchanged()).toBe(2);
  source.list(sourceTrade(MARKET, { timestamp: T0 + 5, transaction_hash: hash32(2) }));
  clock.nowMs += LATER_MS;
  expect((await activity()).items.map(({ txHash }) => txHash)).toEqual([hash32(2), hash32(1)]);
  expect(await unchanged()).toBe(2);
});

it('a page whose market was not known is made anew once it is', async () => {
  const { source, activity, clock, unchanged } = await opened();
  source.list(sourceTrade(MARKET, { title: '' }));
  expect((await activity()).items).toMatchObject([{ marketTitle: '', tokenId: YES }]);
  source.addMarkets(MARKET);
  clock.nowMs += LATER_MS;
  expect((await activity()).items).toMatchObject([{ marketTitle: MARKET.question, tokenId: YES }]);
  expect(await unchanged()).toBe(0);
});

it('a row that was shown before it was complete stays on the disk while it is shown', async () => {
  const { source, activity, clock, unchanged } = await opened();
  source.addMarkets(MARKET);
  const row = sourceTrade(MARKET, { token_id: '', outcome: '', outcome_index: 999 });
  source.list(row);
  const before = (await activity()).items;
  source.amend(row, { token_id: YES, outcome: 'Yes', outcome_index: 0 });
  for (let days = 1; days < 12; days += 1) {
    clock.nowMs += 86_400_000;
    expect((await activity()).items).toEqual(before);
  }
  expect(await unchanged()).toBe(0);
});

it('two requests with different filters do not share a page', async () => {
  const { source, activity, clock } = await opened();
  source.list(sourceTrade(MARKET), sourceTrade(MARKET, { timestamp: T0 + 5 }));
  for (let n = 0; n < 2; n += 1) {
    expect((await activity()).items).toHaveLength(2);
    expect((await activity(`?fromTimestamp=${T0 + 1}`)).items).toHaveLength(1);
    expect((await activity('?limit=1')).items).toHaveLength(1);
    clock.nowMs += LATER_MS;
  }
});
