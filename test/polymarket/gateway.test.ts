import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  hash32,
  ROW_WALLET,
  sourceMarket,
  sourceRedeem,
  sourceTrade,
  sourceTransfer,
  startSource,
  type TestSource,
} from '../support/polymarket-source.ts';
import { temporaryFolder } from '../support/temp.ts';
import {
  MARKET,
  NO,
  openGateway,
  openWithClock,
  pagesOf,
  startInTest,
  T0,
  YES,
} from './running.ts';

/** A trade each second from T0 on; the number is part of its hash. */
const trades = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    sourceTrade(MARKET, { timestamp: T0 + n, transaction_hash: hash32(n + 1) }),
  );
const times = (items: readonly Record<string, unknown>[]) =>
  items.map(({ time }) => Number(time) - T0);
/** Requests of a path. */
const asked = (source: TestSource, path: string) =>
  source.requests.filter(({ pathname }) => pathname === path);
const refused = (status: number, why: string) => ({
  status,
  message: expect.stringContaining(why),
});
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => from - n);

describe('what venue-api.md states', () => {
  it('is an envelope around a page, with the rate headers', async () => {
    const { activity } = await openGateway();
    const reply = await activity();
    expect(reply).toMatchObject({ status: 200, success: true, code: '0', message: 'success' });
    expect(reply.data).toEqual({ items: [], nextCursor: null });
    expect(reply.headers.get('x-ratelimit-limit')).toBe('600');
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('599');
    expect(Number(reply.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1_000);
  });

  it('is 401 without the right key, with null data', async () => {
    const { get } = await openGateway();
    const reply = await get(`/v1/trader/${ROW_WALLET}/activity`, { key: 'wrong' });
    expect(reply).toMatchObject({ status: 401, success: false, code: '401', data: null });
  });

  it('is newest first, in pages of 50 and up to 100, until nextCursor is null', async () => {
    const { source, activity } = await openGateway();
    source.addMarkets(MARKET);
    source.list(...trades(230));
    const first = await activity();
    expect(times(first.items)).toEqual(down(229, 180));
    const pages = await pagesOf(activity, 500);
    expect(pages.map((page) => page.length)).toEqual([100, 100, 30]);
    expect(times(pages.flat())).toEqual(down(229, 0));
  });

  it('filters by time, market and transaction', async () => {
    const { source, activity } = await openGateway();
    const other = sourceMarket(8);
    source.addMarkets(MARKET, other);
    source.list(
      ...trades(20),
      sourceTrade(other, { timestamp: T0 + 30, transaction_hash: hash32(99) }),
    );
    await activity();
    expect(times((await activity(`?fromTimestamp=${T0 + 18}`)).items)).toEqual([30, 19, 18]);
    expect(times((await activity(`?toTimestamp=${T0 + 1}`)).items)).toEqual([1, 0]);
    expect(times((await activity('?marketIds=500008')).items)).toEqual([30]);
    const loud = hash32(99).toUpperCase().replace('X', 'x');
    expect(times((await activity(`?txHash=${loud}`)).items)).toEqual([30]);
    expect((await activity(`?txHash=${hash32(1_000)}`)).items).toEqual([]);
  });

  it('lists deposits and withdrawals in one list of their own', async () => {
    const { source, activity, transfers } = await openGateway();
    source.list(
      sourceTransfer({ timestamp: T0, usdc_size: 5 }),
      sourceTransfer({ timestamp: T0 + 1, type: 'WITHDRAWAL', transaction_hash: hash32(5) }),
      sourceTrade(MARKET, { timestamp: T0 + 2 }),
    );
    expect((await transfers()).items).toMatchObject([
      { type: 'withdrawal', amount: 50, txHash: hash32(5) },
      { type: 'deposit', amount: 5 },
    ]);
    expect((await activity()).items).toHaveLength(1);
  });

  it('takes an address in any case', async () => {
    const { source, activity } = await openGateway();
    const loud = ROW_WALLET.toUpperCase().replace('X', 'x');
    source.list({ ...sourceTrade(MARKET), proxy_wallet: loud });
    expect((await activity('', loud)).items).toHaveLength(1);
  });
});

describe('what it refuses, by name', () => {
  it.each([
    ['?limit=0', 'limit must be a whole number of 1 or more'],
    ['?fromBlock=1', 'fromBlock must be left out: Polymarket lists no block heights'],
    ['?marketId=1', '"marketId" is not a parameter here'],
    ['?cursor=abc', 'cursor must be the nextCursor that this endpoint gave'],
    ['?fromTimestamp=20&toTimestamp=10', 'fromTimestamp must be at most toTimestamp'],
    ['?fromTimestamp=1790000000000', 'fromTimestamp must be a Unix time in whole seconds'],
  ])('%s', async (query, message) => {
    const { activity, source } = await openGateway();
    expect(await activity(query)).toMatchObject(refused(400, message));
    expect(asked(source, '/v2/activity')).toEqual([]);
  });

  it('a name in place of an address, and a path that there is not', async () => {
    const { get } = await openGateway();
    const noAddress = refused(400, '0x followed by 40 hex digits');
    expect(await get('/v1/trader/theo4/activity')).toMatchObject(noAddress);
    expect((await get('/v1/tx/0x12')).status).toBe(404);
    expect((await get('/v1/trader/x/activity', { method: 'POST' })).status).toBe(405);
  });

  it('a market id that it has never looked up, with 404 and not with an empty page', async () => {
    const { activity } = await openGateway();
    const unknown = refused(404, 'market 500007 is not known here yet');
    expect(await activity('?marketIds=500007')).toMatchObject(unknown);
  });

  it('a cursor with other filters than it was given with', async () => {
    const { source, activity } = await openGateway();
    source.list(...trades(3));
    const { nextCursor } = await activity('?limit=1');
    const cursor = encodeURIComponent(nextCursor ?? '');
    expect((await activity(`?limit=2&cursor=${cursor}`)).items).toHaveLength(2);
    expect((await activity(`?fromTimestamp=5&cursor=${cursor}`)).status).toBe(400);
  });
});

describe('the source is asked', () => {
  it('for the whole history, one type parameter, transfers included', async () => {
    const { source, activity } = await openGateway();
    await activity('?limit=100');
    const [url] = asked(source, '/v2/activity');
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      user: ROW_WALLET,
      type: 'TRADE,REDEEM,SPLIT,MERGE,CONVERSION,MIGRATION',
      exclude_deposits_withdrawals: 'false',
      limit: '100',
      start: '1',
    });
  });

  it('once for equal requests within a second', async () => {
    const { source, activity } = await openGateway();
    await Promise.all(Array.from({ length: 20 }, () => activity()));
    expect(asked(source, '/v2/activity')).toHaveLength(1);
  });

  it('once for each market, ended ones too, whatever the number of rows and restarts', async () => {
    const ended = sourceMarket(8, { closed: true });
    const file = join(temporaryFolder(), 'kept.sqlite');
    const source = await startSource();
    source.addMarkets(MARKET, ended);
    source.list(
      ...trades(5),
      sourceTrade(ended, { timestamp: T0 + 9, transaction_hash: hash32(77) }),
    );
    let now = Date.now();
    const nowMs = () => now;
    const first = await startInTest({ source, file, nowMs });
    await first.activity();
    await first.closeGateway();
    const second = await openGateway({ source, file, nowMs });
    now += 5_000;
    expect((await second.activity()).items[0]).toMatchObject({ marketId: '500008' });
    const counts = asked(source, '/markets').map(
      ({ searchParams }) => searchParams.getAll('condition_ids').length,
    );
    expect(counts).toEqual([2, 1]);
  });

  it('for more rows where most are left out', async () => {
    const { source, activity } = await openGateway();
    source.list(...trades(5));
    for (let n = 100; n < 250; n += 1)
      source.list(sourceRedeem(MARKET, 0, { timestamp: T0 + n, transaction_hash: hash32(n) }));
    const reply = await activity('?limit=100');
    expect(times(reply.items)).toEqual(down(4, 0));
    expect(reply.nextCursor).toBeNull();
  });
});

describe('what was shown stays as it was shown', () => {
  it('where labels and token come later, over a restart too; the title may change', async () => {
    const file = join(temporaryFolder(), 'kept.sqlite');
    const source = await startSource();
    let now = Date.now();
    const row = sourceTrade(MARKET, { token_id: '', outcome: '', outcome_index: 999, title: '' });
    source.list(row);
    const first = await startInTest({ source, file, nowMs: () => now });
    const [before] = (await first.activity()).items;
    expect(before).toMatchObject({ tokenId: '', positionSide: '', marketTitle: '' });
    source.addMarkets(MARKET);
    source.amend(row, { token_id: NO, outcome: 'No', outcome_index: 1, title: 'Filled in' });
    now += 600_000;
    const [meanwhile] = (await first.activity()).items;
    expect(meanwhile).toEqual({ ...before, marketTitle: 'Filled in' });
    await first.closeGateway();
    const second = await openGateway({ source, file, nowMs: () => now });
    expect((await second.activity()).items).toEqual([meanwhile]);
  });

  it('where a market pays only after a redemption of it was shown', async () => {
    const { source, activity, clock } = await openWithClock();
    source.addMarkets(MARKET);
    source.list(sourceRedeem(MARKET, 80));
    const before = (await activity()).items;
    expect(before).toMatchObject([{ action: 'Redeem', tokenId: '' }]);
    source.resolve(MARKET, [1_000_000, 0]);
    clock.nowMs += 600_000;
    expect((await activity()).items).toEqual(before);
  });

  it('of two rows equal to the letter both, also when one of them is labelled first', async () => {
    const { source, activity, clock } = await openWithClock();
    source.addMarkets(MARKET);
    const blank = { token_id: '', outcome: '', outcome_index: 999 };
    const [one, other] = [sourceTrade(MARKET, blank), sourceTrade(MARKET, blank)];
    source.list(one, other);
    const before = (await activity()).items;
    expect(before).toHaveLength(2);
    source.amend(one, { token_id: YES, outcome: 'Yes', outcome_index: 0 });
    clock.nowMs += 2_000;
    expect((await activity()).items).toEqual(before);
  });

  it('and a new row beside an old incomplete one is shown as it is', async () => {
    const { source, activity, clock } = await openWithClock();
    source.addMarkets(MARKET);
    source.list(sourceTrade(MARKET, { token_id: '', outcome: '', outcome_index: 999 }));
    await activity();
    source.list(sourceTrade(MARKET));
    clock.nowMs += 2_000;
    const { items } = await activity();
    expect(items.map(({ tokenId }) => tokenId).toSorted()).toEqual(['', YES]);
  });
});

describe('deposits without a hash', () => {
  it('that are equal stay two, on one page and over two', async () => {
    const { source, transfers } = await openGateway();
    source.list(...Array.from({ length: 5 }, () => sourceTransfer()));
    const whole = (await transfers()).items.map(({ txHash }) => txHash);
    expect(new Set(whole).size).toBe(5);
    const parts = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const reply = await transfers(`?limit=2${query}`);
      parts.push(...reply.items.map(({ txHash }) => txHash));
      cursor = reply.nextCursor;
    }
    expect(parts).toEqual(whole);
  });

  it('a day apart have different hashes', async () => {
    const { source, transfers } = await openGateway();
    source.list(sourceTransfer(), sourceTransfer({ timestamp: T0 + 86_400 }));
    const { items } = await transfers();
    expect(new Set(items.map(({ txHash }) => txHash)).size).toBe(2);
  });
});

describe('a fault of the source', () => {
  const path = /^\/v2\/activity$/;

  it('429 with Retry-After becomes the reset, and a slower pace afterwards', async () => {
    let now = Date.parse('2026-11-28T08:00:00Z');
    const { source, activity } = await openGateway({ nowMs: () => now });
    source.fail({
      path,
      status: 429,
      headers: { 'Retry-After': '30' },
      body: '{"error":"slow down"}',
    });
    const refused = await activity();
    expect(refused).toMatchObject({ status: 429, message: expect.stringContaining('slow down') });
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('x-ratelimit-reset')).toBe(String(now / 1_000 + 30));
    const asked = source.requests.length;
    expect((await activity()).status).toBe(429);
    expect(source.requests).toHaveLength(asked);
    now += 31_000;
    const later = await activity();
    expect(later.status).toBe(200);
    expect(later.headers.get('x-ratelimit-limit')).toBe('300');
    now += 61_000;
    expect((await activity()).headers.get('x-ratelimit-limit')).toBe('600');
  });

  it.each([
    ['HTML with 429', 429, '<html>rate limited</html>', {}, 429],
    ['503 with Retry-After', 503, '{"error":"busy"}', { 'Retry-After': '5' }, 503],
    ['503 without', 503, '{"error":"down"}', {}, 502],
    ['HTML with 200', 200, '<html>blocked</html>', {}, 502],
    ['an error with 200', 200, '{"error":"x","code":"y"}', {}, 502],
    [
      'a page of 1,001',
      200,
      JSON.stringify({
        data: Array(1_001).fill({}),
        pagination: { has_more: false, next_cursor: null },
      }),
      {},
      502,
    ],
    ['a redirect', 302, '', { Location: 'https://example.com' }, 502],
  ])('%s is never an empty page', async (_, status, body, headers, answered) => {
    const { source, activity } = await openGateway();
    source.list(...trades(2));
    source.fail({ path, status, body, headers });
    expect(await activity()).toMatchObject({ status: answered, success: false, data: null });
  });

  it('nobody at the address is 502, with the reason', async () => {
    const { source, activity, closeGateway } = await startInTest();
    onTestFinished(closeGateway);
    await source.stop();
    expect(await activity()).toMatchObject(refused(502, 'Polymarket gave no answer'));
  });

  it('Gamma that is slow or away holds a trade for a second at the most', async () => {
    const { source, activity } = await openGateway();
    source.addMarkets(MARKET);
    source.list(...trades(1));
    let answer = () => {};
    const until = new Promise<void>((resolve) => {
      answer = resolve;
    });
    source.fail({ path: /^\/markets$/, status: 0, until });
    // No answer of Gamma has come by the time that the page is there.
    expect((await activity()).items).toMatchObject([{ tokenId: YES, marketId: '' }]);
    answer();
  });

  it("a row of another wallet is refused, and an odd row is handed on as one that can't be read", async () => {
    const { source, activity } = await openGateway();
    source.list(...trades(2));
    const odd = { ...sourceTrade(MARKET, { timestamp: T0 + 50 }), size: 'many' };
    const foreign = { ...sourceTrade(MARKET), proxy_wallet: `0x${'1'.repeat(40)}` };
    const data = [odd, foreign, ...trades(2).toReversed()];
    const pagination = { has_more: false, next_cursor: null };
    source.fail({ path, status: 200, body: JSON.stringify({ data, pagination }) });
    const { items } = await activity();
    expect(items).toHaveLength(3);
    const unreadable = "size of Polymarket's row";
    expect(items[0]).toEqual({ unreadable, time: T0 + 50, txHash: hash32(1) });
  });
});

describe('how late the lists are', () => {
  it('is a header of each answer: the age of the page, or the lag that the source states', async () => {
    const { source, activity, clock } = await openWithClock();
    source.setAge(52);
    await activity();
    clock.nowMs += 2_000;
    const delay = async () => (await activity()).headers.get('x-listing-delay-seconds');
    expect(await delay()).toBe('52');
    // Another page is fresh: it counts once no page of the last minute is older.
    source.setAge(0);
    clock.nowMs += 2_000;
    expect(await delay()).toBe('52');
    clock.nowMs += 60_000;
    await delay();
    clock.nowMs += 2_000;
    expect(Number(await delay())).toBeLessThan(5);
  });
});

describe('/proxy', () => {
  it("names the address under which a profile's trades are listed", async () => {
    const { source, get } = await openGateway();
    const signer = `0x${'2'.repeat(40)}`;
    source.addProxy(signer, ROW_WALLET.toUpperCase().replace('X', 'x'));
    expect((await get(`/v1/trader/${signer}/proxy`)).data).toEqual({ proxy: ROW_WALLET });
    expect((await get(`/v1/trader/${ROW_WALLET}/proxy`)).data).toEqual({ proxy: null });
  });
});
