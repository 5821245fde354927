import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  activity,
  buy,
  deposit,
  hashOf,
  OTHER_WALLET,
  redeem,
  type Served,
  START_SECONDS,
  serveInTest,
  startTestVenue,
  WALLET,
  WALLET_SHOWN,
  walk,
} from './support.ts';

/** In the order of the contract. */
const ACTIVITY_FIELDS = Object.keys(buy());
const TRANSFER_FIELDS = Object.keys(deposit());
const COUNT = 230;
const ENDPOINTS = ['activity', 'deposits-withdrawals'] as const;
/** Record n is n seconds and n blocks after the start, in transaction n, in market 501 to 505. */
const TRADED = Array.from({ length: COUNT }, (_, n) =>
  (n % 10 === 0 ? redeem : buy)({
    time: START_SECONDS + n,
    txHash: hashOf(0xabc000 + n),
    marketId: String(501 + (n % 5)),
  }),
);
const MOVED = Array.from({ length: COUNT }, (_, n) =>
  deposit({
    time: START_SECONDS + n,
    txHash: hashOf(n),
    type: n % 3 === 0 ? 'withdrawal' : 'deposit',
  }),
);
let venue: Served;

beforeAll(async () => {
  venue = await startTestVenue();
  await venue.ledger.addAll([
    ...TRADED.map(
      (item, n) => ({ kind: 'activity', wallet: WALLET_SHOWN, block: 1_000 + n, item }) as const,
    ),
    ...MOVED.map((item) => ({ kind: 'transfer', wallet: WALLET, item }) as const),
    activity({ time: START_SECONDS + 50, trader: OTHER_WALLET }, 1_100),
  ]);
});
afterAll(() => venue.stop());

const times = (items: readonly Record<string, unknown>[]) =>
  items.map((item) => Number(item['time']) - START_SECONDS);
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => from - n);

describe('the envelope', () => {
  it('is {success: true, code: "0", message: "success", data} on success', async () => {
    const reply = await venue.activity('?limit=1');
    expect(reply).toMatchObject({ status: 200, success: true, code: '0', message: 'success' });
    expect(Object.keys(reply.data ?? {})).toEqual(['items', 'nextCursor']);
  });

  // `serve` checks envelope and rate headers of each of these as well.
  it.each([
    ['400', `/v1/trader/${WALLET}/activity?limit=no`, {}],
    ['401', `/v1/trader/${WALLET}/activity`, { key: null }],
    ['404', '/v2/trader', {}],
    ['404', `/v1/trader/${WALLET}/activity/`, {}],
    ['404', '/v1/tx/0x12', {}],
    ['405', `/v1/trader/${WALLET}/activity`, { method: 'POST' }],
    ['405', '/nothing', { method: 'DELETE' }],
    ['414', `/v1/trader/${WALLET}/activity?x=${'y'.repeat(9_000)}`, {}],
  ])('carries the status %s as its code on %s', async (code, path, init) => {
    const reply = await venue.get(path, init);
    expect(reply).toMatchObject({ status: Number(code), success: false, code, data: null });
    expect(reply.message.length).toBeGreaterThan(10);
  });

  it('carries 500 when the ledger fails, and gives the caller no details', async () => {
    const broken = await serveInTest();
    await broken.ledger.close();
    const reply = await broken.activity();
    expect(reply).toMatchObject({ status: 500, code: '500', data: null });
    expect(reply.message).not.toMatch(/ledger|sqlite/i);
    expect(broken.logText()).toContain('venue.fault');
  });
});

describe.each(ENDPOINTS)('the list of %s', (endpoint) => {
  const read = (query: string) => venue.get(`/v1/trader/${WALLET}/${endpoint}${query}`);

  it.each([
    ['', 50],
    ['?limit=1', 1],
    ['?limit=99', 99],
    ['?limit=100', 100],
    ['?limit=101', 100],
    ['?limit=99999999999999999999999999', 100],
  ])('is newest first, and %j has %i records a page', async (query, count) => {
    expect(times((await read(query)).items)).toEqual(down(229, 230 - count));
  });

  it('gives every record back as it was recorded, through nextCursor, which is null on the last page only', async () => {
    const pages = await walk(read, '', [70]);
    expect(pages.map((page) => page.length)).toEqual([70, 70, 70, 20]);
    const recorded: readonly object[] = endpoint === 'activity' ? TRADED : MOVED;
    expect(pages.flat()).toEqual(recorded.toReversed());
    const fields = endpoint === 'activity' ? ACTIVITY_FIELDS : TRANSFER_FIELDS;
    for (const item of pages.flat()) expect(Object.keys(item)).toEqual(fields);
  });

  it('has a null nextCursor when the last page is exactly full', async () => {
    const pages = await walk(read, '', [46]);
    expect(pages.map((page) => page.length)).toEqual([46, 46, 46, 46, 46]);
  });

  it('is empty, with a null cursor, for a wallet that has no records', async () => {
    const reply = await venue.get(`/v1/trader/0x${'1'.repeat(40)}/${endpoint}`);
    expect(reply).toMatchObject({ status: 200, items: [], nextCursor: null });
  });

  it.each([WALLET, WALLET_SHOWN, `0x${WALLET.slice(2).toUpperCase()}`])(
    'knows the wallet as %s',
    async (address) => {
      const { items } = await venue.get(`/v1/trader/${address}/${endpoint}?limit=1`);
      expect(times(items)).toEqual([229]);
    },
  );
});

describe('a cursor', () => {
  it('is opaque base64 for activity, and of two parts joined by an underscore for transfers', async () => {
    const { nextCursor } = await venue.activity('?limit=1');
    expect(nextCursor).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(nextCursor ?? '', 'base64').toString('base64')).toBe(nextCursor);
    expect((await venue.transfers('?limit=1')).nextCursor).toMatch(/^[^_]+_[^_]+$/);
  });
});

describe('the activity filters', () => {
  const digits = hashOf(0xabc000 + 77).slice(2);
  const second = (n: number) => START_SECONDS + n;

  it.each<[query: string, isAsked: (n: number) => boolean]>([
    ['marketIds=502', (n) => n % 5 === 1],
    ['marketIds=502&marketIds=502', (n) => n % 5 === 1],
    ['marketIds=502&marketIds=505&marketIds=999', (n) => n % 5 === 1 || n % 5 === 4],
    [`txHash=0x${digits}`, (n) => n === 77],
    [`txHash=0x${digits.toUpperCase()}`, (n) => n === 77],
    [`txHash=0x${digits.replace('ab', 'aB')}`, (n) => n === 77],
    ['fromBlock=1200', (n) => n >= 200],
    ['toBlock=1020', (n) => n <= 20],
    ['fromBlock=1090&toBlock=1090', (n) => n === 90],
    [`fromTimestamp=${second(200)}`, (n) => n >= 200],
    [`toTimestamp=${second(20)}`, (n) => n <= 20],
    [`fromTimestamp=${second(91)}&toTimestamp=${second(91)}`, (n) => n === 91],
    [
      `marketIds=501&marketIds=503&fromBlock=1010&toBlock=1220&fromTimestamp=${second(30)}&toTimestamp=${second(215)}`,
      (n) => (n % 5 === 0 || n % 5 === 2) && n >= 30 && n <= 215,
    ],
    [`txHash=0x${digits}&marketIds=503&fromBlock=1077`, (n) => n === 77],
    [`txHash=0x${digits}&marketIds=502`, () => false],
    [`txHash=0x${digits}&fromBlock=1078`, () => false],
  ])('restrict to exactly what is asked for, newest first: %s', async (query, isAsked) => {
    const pages = await walk(venue.activity, query, [9]);
    expect(times(pages.flat())).toEqual(down(229, 0).filter(isAsked));
  });

  it('find a transaction that was recorded in mixed case', async () => {
    const mixed = await serveInTest();
    const txHash = `0x${'aB'.repeat(32)}`;
    await mixed.ledger.addAll([activity({ txHash })]);
    expect((await mixed.activity(`?txHash=${txHash.toLowerCase()}`)).items).toMatchObject([
      { txHash },
    ]);
  });

  it('are refused by name for deposits and withdrawals, which have none', async () => {
    for (const name of [
      'marketIds',
      'txHash',
      'fromBlock',
      'toBlock',
      'fromTimestamp',
      'toTimestamp',
    ]) {
      const message = expect.stringContaining(`"${name}" is not a parameter here`);
      expect(await venue.transfers(`?${name}=1`)).toMatchObject({ status: 400, message });
    }
  });
});

describe('what the contract leaves open', () => {
  it.each([
    ['12345', '0x followed by 40 hex digits'],
    ['vitalik.eth', '0x followed by 40 hex digits'],
    [`${WALLET}0`, '0x followed by 40 hex digits'],
    [`%20${WALLET}`, '0x followed by 40 hex digits'],
    ['%E0%A4%A', '0x followed by 40 hex digits'],
    [`0x${'5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'}`, 'checksum'],
  ])('refuses the address %s with 400 and says what one is', async (address, accepted) => {
    for (const endpoint of ENDPOINTS) {
      const reply = await venue.get(`/v1/trader/${address}/${endpoint}`);
      expect(reply).toMatchObject({
        status: 400,
        message: expect.stringMatching(`^address: .*${accepted}`),
      });
    }
  });

  it.each([
    ['limit=0', 'limit must be a whole number of 1 or more'],
    ['limit=-1', 'limit must be a whole number of 1 or more'],
    ['limit=1.5', 'limit must be a whole number of 1 or more'],
    ['limit=', 'limit must be a whole number of 1 or more'],
    ['limit=5&limit=6', 'limit must be given once; got "5", "6"'],
    ['fromBlock=x', 'fromBlock must be a block height'],
    ['fromBlock=99999999999999999999', 'fromBlock must be a block height'],
    ['toBlock=-4', 'toBlock must be a block height'],
    [
      `fromTimestamp=${START_SECONDS * 1000}`,
      'fromTimestamp must be a Unix time in whole seconds, not milliseconds',
    ],
    ['fromTimestamp=yesterday', 'fromTimestamp must be a Unix time'],
    ['toTimestamp=1e9', 'toTimestamp must be a Unix time'],
    ['fromTimestamp=20&toTimestamp=10', 'fromTimestamp must be at most toTimestamp'],
    ['fromBlock=20&toBlock=10', 'fromBlock must be at most toBlock'],
    ['txHash=0x12', 'txHash must be a transaction hash, 0x and 64 hex digits'],
    ['marketIds=will-it-rain', 'marketIds must be market identifiers in decimal digits'],
    ['marketIds=1,2', 'marketIds must be market identifiers in decimal digits'],
    ['marketIds=', 'marketIds must be market identifiers in decimal digits'],
    ['marketId=501', '"marketId" is not a parameter here; this endpoint takes marketIds, txHash'],
    ['__proto__=1', '"__proto__" is not a parameter here'],
    ['cursor=', 'cursor must be a nextCursor'],
    ['cursor=abc', 'cursor must be the nextCursor that this endpoint gave for this wallet'],
    [`cursor=${'A'.repeat(28)}`, 'cursor must be the nextCursor'],
  ])('refuses ?%s with 400, naming the parameter and what it accepts', async (query, message) => {
    const reply = await venue.activity(`?${query}`);
    expect(reply).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  it('refuses more than 100 marketIds', async () => {
    const query = Array.from({ length: 101 }, (_, n) => `marketIds=${n}`).join('&');
    const reply = await venue.activity(`?${query}`);
    expect(reply).toMatchObject({
      status: 400,
      message: expect.stringContaining('marketIds must be at most 100'),
    });
  });

  it('refuses a cursor of another wallet, another endpoint or another ledger', async () => {
    const { nextCursor: ours } = await venue.activity('?limit=1');
    const { nextCursor: transfers } = await venue.transfers('?limit=1');
    const encoded = encodeURIComponent(ours ?? '');
    expect((await venue.get(`/v1/trader/${OTHER_WALLET}/activity?cursor=${encoded}`)).status).toBe(
      400,
    );
    expect((await venue.transfers(`?cursor=${encoded}`)).status).toBe(400);
    expect((await venue.activity(`?cursor=${transfers}`)).status).toBe(400);
    expect((await (await serveInTest()).activity(`?cursor=${encoded}`)).status).toBe(400);
  });

  it('names the fault to a client that forgot to encode a cursor', async () => {
    const replies = await Promise.all(
      down(40, 1).map((limit) => venue.activity(`?limit=${limit}`)),
    );
    const withPlus =
      replies.map(({ nextCursor }) => nextCursor ?? '').find((cursor) => cursor.includes('+')) ??
      '';
    const reply = await venue.activity(`?cursor=${withPlus}`);
    expect(reply).toMatchObject({ status: 400, message: expect.stringContaining('%2B') });
    expect((await venue.activity(`?cursor=${encodeURIComponent(withPlus)}`)).status).toBe(200);
  });

  it('names the method that is allowed in a 405', async () => {
    const reply = await venue.get(`/v1/trader/${WALLET}/activity`, { method: 'PUT' });
    expect(reply.headers.get('allow')).toBe('GET');
  });
});

describe('/openapi.json', () => {
  const described = z.object({
    properties: z.record(z.string(), z.object({ description: z.string().min(1) })),
  });
  const descriptionSchema = z.object({
    openapi: z.literal('3.1.0'),
    paths: z.record(
      z.string(),
      z.object({
        get: z.object({
          parameters: z.array(z.object({ name: z.string() })),
          responses: z.object({}).loose(),
        }),
      }),
    ),
    components: z.object({
      schemas: z.object({
        ActivityItem: described.extend({ required: z.array(z.string()) }),
        TransferItem: described,
      }),
    }),
  });
  const read = async () => {
    const response = await fetch(`${venue.url}/openapi.json`);
    expect(response.status).toBe(200);
    return response.text();
  };

  it('can be read without a key, and describes exactly what is served', async () => {
    const { paths, components } = descriptionSchema.parse(JSON.parse(await read()));
    const names = (path: string) => paths[path]?.get.parameters.map(({ name }) => name);
    expect(Object.keys(paths)).toHaveLength(2);
    expect(names('/v1/trader/{address}/activity')?.join(' ')).toBe(
      'address marketIds txHash fromBlock toBlock fromTimestamp toTimestamp cursor limit',
    );
    expect(names('/v1/trader/{address}/deposits-withdrawals')).toEqual([
      'address',
      'cursor',
      'limit',
    ]);
    const { ActivityItem, TransferItem } = components.schemas;
    expect(Object.keys(ActivityItem.properties)).toEqual(ACTIVITY_FIELDS);
    expect(ActivityItem.required).toEqual(ACTIVITY_FIELDS);
    expect(Object.keys(TransferItem.properties)).toEqual(TRANSFER_FIELDS);
    for (const { get } of Object.values(paths))
      expect(Object.keys(get.responses)).toEqual([
        '200',
        '400',
        '401',
        '403',
        '404',
        '405',
        '414',
        '429',
        '500',
      ]);
  });

  it('resolves all of its references', async () => {
    const text = await read();
    const description: unknown = JSON.parse(text);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(5);
    for (const reference of references) {
      const target = reference
        .split('/')
        .reduce<unknown>(
          (node, step) => (node instanceof Object ? Reflect.get(node, step) : undefined),
          description,
        );
      expect(target, reference).toBeTypeOf('object');
    }
  });
});
