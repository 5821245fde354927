import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  buy,
  deposit,
  hashOf,
  OTHER_WALLET,
  redeem,
  type Served,
  START_SECONDS,
  serve,
  WALLET,
  WALLET_SHOWN,
  walk,
} from './support.ts';

const ACTIVITY_FIELDS = [
  'time',
  'action',
  'recordType',
  'actionType',
  'price',
  'quantity',
  'fee',
  'grossValue',
  'transferNetAmount',
  'txHash',
  'tokenId',
  'marketId',
  'marketSlug',
  'eventSlug',
  'conditionId',
  'marketTitle',
  'positionSide',
  'outcomeIndex',
  'logo',
  'trader',
  'liquidityRole',
];
const COUNT = 230;
let venue: Served;

/** Record n is n seconds and n blocks after the start, in transaction n, in market 501 to 505. */
beforeAll(async () => {
  venue = await serve();
  await venue.ledger.addAll(
    Array.from({ length: COUNT }, (_, n) => ({
      kind: 'activity' as const,
      wallet: WALLET_SHOWN,
      block: 1_000 + n,
      item: (n % 10 === 0 ? redeem : buy)({
        time: START_SECONDS + n,
        txHash: hashOf(0xabc000 + n),
        marketId: String(501 + (n % 5)),
      }),
    })),
  );
  await venue.ledger.addAll(
    Array.from({ length: COUNT }, (_, n) => ({
      kind: 'transfer' as const,
      wallet: WALLET,
      item: deposit({ time: START_SECONDS + n, txHash: hashOf(n), type: n % 3 === 0 ? 'withdrawal' : 'deposit' }),
    })),
  );
  await venue.ledger.addActivity(OTHER_WALLET, 1_100, buy({ time: START_SECONDS + 50, trader: OTHER_WALLET }));
});
afterAll(() => venue.stop());

const times = (items: readonly Record<string, unknown>[]) => items.map((item) => Number(item['time']) - START_SECONDS);
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);

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
    const broken = await serve();
    await broken.ledger.close();
    const reply = await broken.activity();
    expect(reply).toMatchObject({ status: 500, code: '500', data: null });
    expect(reply.message).not.toMatch(/ledger|sqlite/i);
    expect(broken.logText()).toContain('venue.fault');
    await broken.stop();
  });
});

describe('activity', () => {
  it('has every field of the contract and no other, in its type', async () => {
    const { items } = await venue.activity('?limit=100');
    for (const item of items) {
      expect(Object.keys(item)).toEqual(ACTIVITY_FIELDS);
      expect(item).toEqual({
        time: expect.any(Number),
        action: expect.stringMatching(/^(Buy|Sell|Redeem)$/),
        recordType: expect.stringMatching(/^(SUMMARY|REDEEMS)$/),
        actionType: expect.any(Number),
        price: expect.any(Number),
        quantity: expect.any(Number),
        fee: expect.any(Number),
        grossValue: expect.any(Number),
        transferNetAmount: expect.any(Number),
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        tokenId: expect.stringMatching(/^\d{50,}$/),
        marketId: expect.stringMatching(/^\d+$/),
        marketSlug: expect.any(String),
        eventSlug: expect.any(String),
        conditionId: expect.stringMatching(/^0x[0-9a-f]+$/),
        marketTitle: expect.any(String),
        positionSide: expect.stringMatching(/^(Yes|No)$/),
        outcomeIndex: expect.any(Number),
        logo: expect.stringMatching(/^https:/),
        trader: WALLET,
        liquidityRole: item['action'] === 'Redeem' ? null : expect.stringMatching(/^(MAKER|TAKER)$/),
      });
      expect(Number.isInteger(item['time'])).toBe(true);
    }
  });

  it('gives a record back as it was recorded', async () => {
    const other = await venue.get(`/v1/trader/${OTHER_WALLET}/activity`);
    expect(other.items).toEqual([buy({ time: START_SECONDS + 50, trader: OTHER_WALLET })]);
  });

  it('has recordType SUMMARY and a role for a trade, REDEEMS and a null role for a redemption', async () => {
    const { items } = await venue.activity('?limit=100');
    for (const item of items) {
      const isRedeem = item['action'] === 'Redeem';
      expect(item['recordType']).toBe(isRedeem ? 'REDEEMS' : 'SUMMARY');
      expect(item['liquidityRole'] === null).toBe(isRedeem);
      expect(item['actionType']).toBe(isRedeem ? 1 : 0);
    }
    expect(items.some((item) => item['action'] === 'Redeem')).toBe(true);
  });

  it('is ordered newest first', async () => {
    expect(times((await venue.activity('?limit=100')).items)).toEqual(down(229, 130));
  });

  it('has 50 records a page by default', async () => {
    expect((await venue.activity()).items).toHaveLength(50);
  });

  it.each([1, 37, 99, 100])('has %i records a page if limit says so', async (limit) => {
    expect((await venue.activity(`?limit=${limit}`)).items).toHaveLength(limit);
  });

  it.each(['101', '1000', '99999999999999999999999999'])('caps limit=%s to 100', async (limit) => {
    const reply = await venue.activity(`?limit=${limit}`);
    expect(reply.status).toBe(200);
    expect(reply.items).toHaveLength(100);
  });

  it('leads through the whole history by nextCursor, which is null on the last page only', async () => {
    const pages = await walk((query) => venue.activity(query), 'limit=70');
    expect(pages.map((page) => page.length)).toEqual([70, 70, 70, 20]);
    expect(times(pages.flat())).toEqual(down(229, 0));
  });

  it('has a null nextCursor when the last page is exactly full', async () => {
    const pages = await walk((query) => venue.activity(query), 'limit=46');
    expect(pages.map((page) => page.length)).toEqual([46, 46, 46, 46, 46]);
  });

  it('has an opaque base64 cursor', async () => {
    const { nextCursor } = await venue.activity('?limit=1');
    expect(nextCursor).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(nextCursor ?? '', 'base64').toString('base64')).toBe(nextCursor);
  });

  it('is empty, with a null cursor, for a wallet that has no records', async () => {
    const reply = await venue.get(`/v1/trader/0x${'1'.repeat(40)}/activity`);
    expect(reply).toMatchObject({ status: 200, items: [], nextCursor: null });
  });

  it.each([WALLET, WALLET_SHOWN, `0x${WALLET.slice(2).toUpperCase()}`])('knows the wallet as %s', async (address) => {
    const { items } = await venue.get(`/v1/trader/${address}/activity?limit=1`);
    expect(items).toMatchObject([{ time: START_SECONDS + 229, trader: WALLET }]);
  });
});

describe('the activity filters', () => {
  it('restrict to one marketIds', async () => {
    const pages = await walk((query) => venue.activity(query), 'marketIds=502');
    expect(times(pages.flat())).toEqual(down(229, 0).filter((n) => n % 5 === 1));
  });

  it('restrict to repeated marketIds, newest first across them', async () => {
    const pages = await walk((query) => venue.activity(query), 'marketIds=502&marketIds=505&marketIds=999&limit=9');
    expect(times(pages.flat())).toEqual(down(229, 0).filter((n) => n % 5 === 1 || n % 5 === 4));
  });

  it('count a repeated value of marketIds once', async () => {
    const pages = await walk((query) => venue.activity(query), 'marketIds=502&marketIds=502');
    expect(times(pages.flat())).toEqual(down(229, 0).filter((n) => n % 5 === 1));
  });

  it.each(['lower', 'upper', 'mixed'])('match txHash in %s case', async (spelling) => {
    const hash = hashOf(0xabc000 + 77);
    const digits = hash.slice(2);
    const shown = { lower: digits, upper: digits.toUpperCase(), mixed: digits.replace('ab', 'aB') }[spelling];
    const reply = await venue.activity(`?txHash=0x${shown}`);
    expect(times(reply.items)).toEqual([77]);
  });

  it('find a transaction that was recorded in mixed case', async () => {
    const mixed = await serve();
    const txHash = `0x${'aB'.repeat(32)}`;
    await mixed.ledger.addActivity(WALLET, 1, buy({ txHash }));
    expect((await mixed.activity(`?txHash=${txHash.toLowerCase()}`)).items).toMatchObject([{ txHash }]);
    await mixed.stop();
  });

  it.each([
    ['fromBlock', '?fromBlock=1200&limit=100', down(229, 200)],
    ['toBlock', '?toBlock=1020&limit=100', down(20, 0)],
    ['fromTimestamp', `?fromTimestamp=${START_SECONDS + 200}&limit=100`, down(229, 200)],
    ['toTimestamp', `?toTimestamp=${START_SECONDS + 20}&limit=100`, down(20, 0)],
  ])('have an inclusive %s', async (_, query, expected) => {
    expect(times((await venue.activity(query)).items)).toEqual(expected);
  });

  it('accept a range of one block and one second', async () => {
    expect(times((await venue.activity('?fromBlock=1090&toBlock=1090')).items)).toEqual([90]);
    const at = START_SECONDS + 91;
    expect(times((await venue.activity(`?fromTimestamp=${at}&toTimestamp=${at}`)).items)).toEqual([91]);
  });

  it('have timestamps in seconds: milliseconds are refused and named', async () => {
    const reply = await venue.activity(`?fromTimestamp=${START_SECONDS * 1000}`);
    expect(reply.status).toBe(400);
    expect(reply.message).toMatch(/^fromTimestamp must be .*seconds, not milliseconds/);
  });

  it('can be combined with each other and with a cursor', async () => {
    const query =
      `marketIds=501&marketIds=503&fromBlock=1010&toBlock=1220&fromTimestamp=${START_SECONDS + 30}` +
      `&toTimestamp=${START_SECONDS + 215}&limit=7`;
    const pages = await walk((more) => venue.activity(more), query);
    expect(times(pages.flat())).toEqual(down(215, 30).filter((n) => n % 5 === 0 || n % 5 === 2));
    expect(pages.length).toBeGreaterThan(5);
  });

  it('combine txHash with the others', async () => {
    const hash = hashOf(0xabc000 + 77);
    expect((await venue.activity(`?txHash=${hash}&marketIds=503&fromBlock=1077`)).items).toHaveLength(1);
    expect((await venue.activity(`?txHash=${hash}&marketIds=502`)).items).toHaveLength(0);
    expect((await venue.activity(`?txHash=${hash}&fromBlock=1078`)).items).toHaveLength(0);
  });
});

describe('deposits and withdrawals', () => {
  it('are one list, newest first, of the contract’s fields and no other', async () => {
    const { items } = await venue.transfers('?limit=100');
    expect(times(items)).toEqual(down(229, 130));
    expect(new Set(items.map((item) => item['type']))).toEqual(new Set(['deposit', 'withdrawal']));
    for (const item of items) {
      expect(Object.keys(item)).toEqual(['txHash', 'type', 'amount', 'time', 'address']);
      expect(item['amount']).toBeGreaterThan(0);
    }
  });

  it('show the zero address for a bridged deposit', async () => {
    expect((await venue.transfers('?limit=1')).items[0]).toMatchObject({ address: `0x${'0'.repeat(40)}` });
  });

  it('have 50 records a page by default and at most 100', async () => {
    expect((await venue.transfers()).items).toHaveLength(50);
    expect((await venue.transfers('?limit=5000')).items).toHaveLength(100);
  });

  it('lead through the whole list by a cursor of two parts joined by an underscore', async () => {
    const pages = await walk((query) => venue.transfers(query), 'limit=100');
    expect(pages.map((page) => page.length)).toEqual([100, 100, 30]);
    expect(times(pages.flat())).toEqual(down(229, 0));
    expect((await venue.transfers('?limit=1')).nextCursor).toMatch(/^[^_]+_[^_]+$/);
  });

  it.each(['marketIds=1', 'txHash=0x1', 'fromBlock=1', 'toBlock=1', 'fromTimestamp=1', 'toTimestamp=1'])(
    'have no filter: %s is refused by name',
    async (filter) => {
      const reply = await venue.transfers(`?${filter}`);
      expect(reply.status).toBe(400);
      expect(reply.message).toContain(`"${filter.split('=')[0]}" is not a parameter here`);
    },
  );
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
    for (const endpoint of ['activity', 'deposits-withdrawals']) {
      const reply = await venue.get(`/v1/trader/${address}/${endpoint}`);
      expect(reply.status).toBe(400);
      expect(reply.message).toMatch(/^address: /);
      expect(reply.message).toContain(accepted);
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
    expect(reply.status).toBe(400);
    expect(reply.message).toContain(message);
  });

  it('refuses more than 100 marketIds', async () => {
    const query = Array.from({ length: 101 }, (_, n) => `marketIds=${n}`).join('&');
    const reply = await venue.activity(`?${query}`);
    expect(reply).toMatchObject({ status: 400, message: expect.stringContaining('marketIds must be at most 100') });
  });

  it('refuses a cursor of another wallet, another endpoint or another ledger', async () => {
    const { nextCursor: ours } = await venue.activity('?limit=1');
    const { nextCursor: transfers } = await venue.transfers('?limit=1');
    const encoded = encodeURIComponent(ours ?? '');
    expect((await venue.get(`/v1/trader/${OTHER_WALLET}/activity?cursor=${encoded}`)).status).toBe(400);
    expect((await venue.transfers(`?cursor=${encoded}`)).status).toBe(400);
    expect((await venue.activity(`?cursor=${transfers}`)).status).toBe(400);
    const another = await serve();
    expect((await another.activity(`?cursor=${encoded}`)).status).toBe(400);
    await another.stop();
  });

  it('names the fault to a client that forgot to encode a cursor', async () => {
    const withPlus = await findCursor((cursor) => cursor.includes('+'));
    const reply = await venue.activity(`?cursor=${withPlus}`);
    expect(reply.status).toBe(400);
    expect(reply.message).toContain('%2B');
    expect((await venue.activity(`?cursor=${encodeURIComponent(withPlus)}`)).status).toBe(200);
  });

  it('names the method that is allowed in a 405', async () => {
    const reply = await venue.get(`/v1/trader/${WALLET}/activity`, { method: 'PUT' });
    expect(reply.headers.get('allow')).toBe('GET');
  });

  async function findCursor(fits: (cursor: string) => boolean): Promise<string> {
    for (let limit = 1; limit <= 100; limit += 1) {
      const { nextCursor } = await venue.activity(`?limit=${limit}`);
      if (nextCursor !== null && fits(nextCursor)) return nextCursor;
    }
    throw new Error('Expected one of a hundred cursors to fit.');
  }
});

describe('/openapi.json', () => {
  const described = z.object({ properties: z.record(z.string(), z.object({ description: z.string().min(1) })) });
  const descriptionSchema = z.object({
    openapi: z.literal('3.1.0'),
    paths: z.record(
      z.string(),
      z.object({
        get: z.object({ parameters: z.array(z.object({ name: z.string() })), responses: z.object({}).loose() }),
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
    expect(names('/v1/trader/{address}/activity')).toEqual([
      'address',
      'marketIds',
      'txHash',
      'fromBlock',
      'toBlock',
      'fromTimestamp',
      'toTimestamp',
      'cursor',
      'limit',
    ]);
    expect(names('/v1/trader/{address}/deposits-withdrawals')).toEqual(['address', 'cursor', 'limit']);
    const { ActivityItem, TransferItem } = components.schemas;
    expect(Object.keys(ActivityItem.properties)).toEqual(ACTIVITY_FIELDS);
    expect(ActivityItem.required).toEqual(ACTIVITY_FIELDS);
    expect(Object.keys(TransferItem.properties)).toEqual(['txHash', 'type', 'amount', 'time', 'address']);
  });

  it('names every status that the venue answers with', async () => {
    const { paths } = descriptionSchema.parse(JSON.parse(await read()));
    for (const { get } of Object.values(paths)) {
      expect(Object.keys(get.responses)).toEqual(['200', '400', '401', '403', '404', '405', '414', '429', '500']);
    }
  });

  it('resolves all of its references', async () => {
    const text = await read();
    const description: unknown = JSON.parse(text);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(5);
    for (const reference of references) {
      const target = reference
        .split('/')
        .reduce<unknown>((node, step) => (node instanceof Object ? Reflect.get(node, step) : undefined), description);
      expect(target, reference).toBeTypeOf('object');
    }
  });
});
