import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/lib/sqlite.ts';
import { createPace } from '../../src/polymarket/pace.ts';
import { createSource } from '../../src/polymarket/source.ts';
import { readMarkets } from '../../src/polymarket/source-rows.ts';
import { listenLocally } from '../support/listen.ts';
import { testMachine } from '../support/machine.ts';
import {
  hash32,
  type SourceMarket,
  type SourceRow,
  sourceMarket,
  sourceRedeem,
  sourceTrade,
  startSource,
} from '../support/polymarket-source.ts';
import { temporaryFolder } from '../support/temp.ts';
import { MARKET, NO, openGateway, openWithClock, startInTest, T0, YES } from './running.ts';

const LATER_MS = 7_200_000;

describe('a record stays as it was shown', () => {
  const moved = JSON.stringify(['999', '888']);
  it.each<readonly [string, Partial<SourceMarket>]>([
    ['other tokens', { clobTokenIds: moved }],
    ['the tokens of the other protocol alone', { clobTokenIds: '[]', positionIds: moved }],
    ['its outcomes in another order', { outcomes: '["No", "Yes"]', clobTokenIds: '["888","999"]' }],
    ['other names of its outcomes', { outcomes: '["Yes!", "No!"]', positionIds: moved }],
    ['no outcomes', { outcomes: '[]' }],
  ])('where its market is looked up again, and has %s', async (_, change) => {
    const { source, activity, clock } = await openWithClock();
    const market = sourceMarket(7);
    source.addMarkets(market);
    source.list(sourceTrade(MARKET), sourceTrade(MARKET, { token_id: '', outcome: 'No' }));
    const before = (await activity()).items;
    expect(before).toMatchObject([{ tokenId: NO }, { tokenId: YES }]);
    Object.assign(market, change);
    const moves = { token_id: '999', timestamp: T0 + 5, transaction_hash: hash32(2) };
    source.list(sourceTrade(MARKET, moves));
    clock.nowMs += LATER_MS;
    expect((await activity()).items.slice(1)).toEqual(before);
  });

  it('and a token that its market has since is of the same outcome as the one before', async () => {
    const { source, activity, clock } = await openWithClock();
    const market = sourceMarket(7);
    source.addMarkets(market);
    source.list(sourceTrade(MARKET));
    await activity();
    Object.assign(market, { outcomes: '["No", "Yes"]', clobTokenIds: '["888","999"]' });
    const hash = hash32(2);
    source.list(sourceTrade(MARKET, { token_id: '888', outcome: '', transaction_hash: hash }));
    clock.nowMs += LATER_MS;
    const [sold] = (await activity()).items;
    expect(sold).toMatchObject({ tokenId: NO, positionSide: 'No', outcomeIndex: 1 });
  });

  it.each<readonly [string, SourceRow, Partial<SourceRow>]>([
    [
      'a combo that is labelled later',
      sourceTrade(MARKET, { is_combo: true, token_id: '', outcome: '' }),
      { token_id: '12', outcome: 'Both' },
    ],
    [
      'a redemption that says more than the market paid',
      sourceRedeem(MARKET, 50.5, { size: 100, token_id: YES }),
      {},
    ],
  ])('%s', async (_, row, change) => {
    const { source, activity, clock } = await openWithClock();
    source.addMarkets(MARKET);
    source.list(row);
    const before = (await activity()).items;
    source.amend(row, change);
    source.resolve(MARKET, [500_000, 500_000]);
    clock.nowMs += LATER_MS;
    expect((await activity()).items).toEqual(before);
  });
});

it.each<readonly [string, object]>([
  ['side', { side: 'sell' }],
  ['side', { side: '' }],
  ['side', { side: null }],
  ['price', { price: '0.4' }],
  ['price', { price: null }],
  ['price', { price: 40 }],
])(
  'a trade without a %s that can be read is no purchase and costs no zero cents (%j)',
  async (field, odd) => {
    const { source, activity } = await openWithClock();
    const data = [{ ...sourceTrade(MARKET), ...odd }];
    const pagination = { has_more: false, next_cursor: null };
    const body = JSON.stringify({ data, pagination });
    source.fail({ path: /^\/v2\/activity$/, status: 200, body });
    expect((await activity()).items).toEqual([
      { unreadable: `${field} of Polymarket's row`, time: T0, txHash: hash32(1) },
    ]);
  },
);

it.each<readonly [string, Partial<SourceMarket>]>([
  ['twice', { clobTokenIds: '["1", "1"]' }],
  ['as null', { clobTokenIds: '[null, "2"]' }],
  ['as a number', { clobTokenIds: '[1, "2"]' }],
  ['once for two outcomes', { clobTokenIds: '["2"]' }],
])('a market that lists a token %s says nothing of its tokens', (_, odd) => {
  expect(readMarkets([{ ...MARKET, ...odd }])).toMatchObject([{ tokens: [], otherTokens: [] }]);
});

it.each([
  `UPDATE market SET market = '{'`,
  `UPDATE market SET market = '{}'`,
  `UPDATE market SET payouts = 'half'`,
  `UPDATE shown SET records = '['`,
  `UPDATE shown SET records = '{"a":1}'`,
  `UPDATE shown SET records = '[1]'`,
])('a damaged file does not hold up a page: %s', async (damage) => {
  const file = join(temporaryFolder(), 'gateway.sqlite');
  const source = await startSource();
  source.addMarkets(MARKET);
  const blank = { token_id: '', outcome: '', transaction_hash: hash32(2) };
  source.list(sourceTrade(MARKET), sourceTrade(MARKET, blank));
  const first = await startInTest({ source, file });
  const before = (await first.activity()).items;
  await first.closeGateway();
  const database = await connect(file, 'write');
  await database.exec(damage);
  await database.close();
  const second = await openGateway({ source, file });
  expect((await second.activity()).items).toEqual(before);
});

it('a file that cannot be read at the start is named, with what to do', async () => {
  const file = join(temporaryFolder(), 'gateway.sqlite');
  const source = await startSource();
  onTestFinished(source.stop);
  const first = await startInTest({ source, file });
  await first.closeGateway();
  const pageBytes = 4_096;
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(0xab, pageBytes));
  await expect(startInTest({ source, file })).rejects.toThrow(
    /gateway\.sqlite cannot be opened: .*It may be deleted/,
  );
});

it('a body that comes in drops without an end is given up', async () => {
  let drops: NodeJS.Timeout | undefined;
  const server = createServer((_, response) => {
    response.writeHead(200);
    drops = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drops));
  });
  const { url, close } = await listenLocally(server);
  onTestFinished(close);
  const machine = testMachine();
  const pace = createPace(machine, 600);
  const source = createSource(machine, { dataUrl: url, gammaUrl: url, pace, answerMs: 100 });
  onTestFinished(source.close);
  await expect(source.lagSeconds()).rejects.toMatchObject({ status: 502 });
});

it.each([
  ['lists in lists', '['.repeat(60_000)],
  ['objects', `{"data":[${'{},'.repeat(60_000)}{}],"pagination":{"has_more":false}}`],
])('a body of nothing but %s is given up before it is read', async (_, body) => {
  const { source, activity } = await openWithClock();
  source.fail({ path: /^\/v2\/activity$/, status: 200, body });
  const message = expect.stringContaining('more than 50000 objects');
  expect(await activity()).toMatchObject({ status: 502, message });
});

it('braces in a text are no objects, and an age that is no number of seconds is none', async () => {
  const source = await startSource();
  source.setLag(0);
  const { activity } = await openGateway({ source });
  const title = '{"['.repeat(600);
  const data = Array.from({ length: 100 }, (_, n) =>
    sourceTrade(MARKET, { title, timestamp: T0 - n, transaction_hash: hash32(n + 1) }),
  );
  const body = JSON.stringify({ data, pagination: { has_more: false, next_cursor: null } });
  source.fail({ path: /^\/v2\/activity$/, status: 200, body, headers: { Age: '1e300' } });
  const { status, headers } = await activity('?limit=100');
  expect([status, headers.get('x-listing-delay-seconds')]).toEqual([200, '0']);
});
