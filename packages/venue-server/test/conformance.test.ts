import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  ACTIVITY_FIELDS,
  down,
  interfaceContract,
  MOVED,
  TRADED,
  TRANSFER_FIELDS,
} from './contract.ts';
import {
  activity,
  OTHER_WALLET,
  type Served,
  START_SECONDS,
  serveInTest,
  startTestVenue,
  WALLET,
  WALLET_SHOWN,
} from './support.ts';

async function startTraded(): Promise<Served> {
  const venue = await startTestVenue();
  await venue.ledger.addAll([
    ...TRADED.map(
      (item, n) => ({ kind: 'activity', wallet: WALLET_SHOWN, block: 1_000 + n, item }) as const,
    ),
    ...MOVED.map((item) => ({ kind: 'transfer', wallet: WALLET, item }) as const),
    activity({ time: START_SECONDS + 50, trader: OTHER_WALLET }, 1_100),
  ]);
  return venue;
}

interfaceContract(async () => ({
  ...(await startTraded()),
  key: 'demo',
  shown: { activity: TRADED, 'deposits-withdrawals': MOVED },
  marketIdsMost: 100,
}));

let venue: Served;
beforeAll(async () => {
  venue = await startTraded();
});
afterAll(() => venue.stop());

describe('a failure of the ledger', () => {
  it('carries 500 when the ledger fails, and gives the caller no details', async () => {
    const broken = await serveInTest();
    await broken.ledger.close();
    const reply = await broken.activity();
    expect(reply).toMatchObject({ status: 500, code: '500', data: null });
    expect(reply.message).not.toMatch(/ledger|sqlite/i);
    expect(broken.logText()).toContain('venue.fault');
  });
});

it('finds a transaction that was recorded in mixed case', async () => {
  const mixed = await serveInTest();
  const txHash = `0x${'aB'.repeat(32)}`;
  await mixed.ledger.addAll([activity({ txHash })]);
  expect((await mixed.activity(`?txHash=${txHash.toLowerCase()}`)).items).toMatchObject([
    { txHash },
  ]);
});

describe('what the ledger refuses', () => {
  it.each([
    ['fromBlock=x', 'fromBlock must be a block height'],
    ['fromBlock=99999999999999999999', 'fromBlock must be a block height'],
    ['toBlock=-4', 'toBlock must be a block height'],
    ['fromBlock=20&toBlock=10', 'fromBlock must be at most toBlock'],
  ])('?%s with 400, naming the parameter and what it accepts', async (query, message) => {
    const reply = await venue.activity(`?${query}`);
    expect(reply).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  it('an address whose checksum is wrong', async () => {
    const address = `0x${'5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'}`;
    expect(await venue.get(`/v1/trader/${address}/activity`)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^address: .*checksum/),
    });
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

  it('a cursor of another ledger', async () => {
    const { nextCursor } = await venue.activity('?limit=1');
    const other = await serveInTest();
    const cursor = encodeURIComponent(nextCursor ?? '');
    expect((await other.activity(`?cursor=${cursor}`)).status).toBe(400);
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
