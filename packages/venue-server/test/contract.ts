import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buy,
  deposit,
  hashOf,
  OTHER_WALLET,
  type Reply,
  redeem,
  START_SECONDS,
  WALLET,
  WALLET_SHOWN,
  walk,
} from './support.ts';

/** Fields in the order of the contract. */
export const ACTIVITY_FIELDS = Object.keys(buy());
export const TRANSFER_FIELDS = Object.keys(deposit());
const COUNT = 230;
const ENDPOINTS = ['activity', 'deposits-withdrawals'] as const;
/**
 * Record n is n seconds and n blocks after the start, in transaction n and one of the markets 501
 * to 505.
 */
export const TRADED = Array.from({ length: COUNT }, (_, n) =>
  (n % 10 === 0 ? redeem : buy)({
    time: START_SECONDS + n,
    txHash: hashOf(0xabc000 + n),
    marketId: String(501 + (n % 5)),
    conditionId: `0x${String(n % 5).repeat(64)}`,
  }),
);
export const MOVED = Array.from({ length: COUNT }, (_, n) =>
  deposit({
    time: START_SECONDS + n,
    txHash: hashOf(n + 1),
    type: n % 3 === 0 ? 'withdrawal' : 'deposit',
  }),
);

export const times = (items: readonly Record<string, unknown>[]) =>
  items.map((item) => Number(item['time']) - START_SECONDS);
/** Returns the numbers from `from` down to `to`. */
export const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => from - n);

/** A server that lists `TRADED` and `MOVED` of `WALLET`, and one record of `OTHER_WALLET`. */
export interface ContractWorld {
  readonly url: string;
  readonly key: string;
  readonly get: (
    path: string,
    init?: { readonly key?: string | null; readonly method?: string },
  ) => Promise<Reply>;
  /** The expected records, oldest first. */
  readonly shown: Readonly<Record<(typeof ENDPOINTS)[number], readonly object[]>>;
  /** Largest number of `marketIds` per request. */
  readonly marketIdsMost: number;
  readonly stop: () => Promise<unknown>;
}

/**
 * Tests the venue's interface as the contract states it, and rejections of bad input, for any
 * server.
 */
export function interfaceContract(open: () => Promise<ContractWorld>): void {
  let world: ContractWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.stop());
  const activityOf = (query = '') => world.get(`/v1/trader/${WALLET}/activity${query}`);
  const transfersOf = (query = '') =>
    world.get(`/v1/trader/${WALLET}/deposits-withdrawals${query}`);

  describe('the body', () => {
    const PATH = `/v1/trader/${WALLET}/activity?limit=100`;
    const bodyFor = async (accepted: string | null) => {
      const headers = {
        authorization: `Bearer ${world.key}`,
        ...(accepted === null ? {} : { 'accept-encoding': accepted }),
      };
      const asked = request(`${world.url}${PATH}`, { headers });
      asked.end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      const body = await buffer(response);
      expect(response.headers).toMatchObject({
        vary: 'Accept-Encoding',
        'content-length': String(body.length),
      });
      return { encoding: response.headers['content-encoding'], body };
    };

    it.each([null, 'identity', 'br, deflate', 'gzip;q=0', 'gzip ; q=0.0, br', 'xgzip'])(
      'is as it is for who accepts %s',
      async (accepted) => {
        const { encoding, body } = await bodyFor(accepted);
        expect(encoding).toBeUndefined();
        expect(JSON.parse(body.toString())).toMatchObject({ success: true });
      },
    );

    it.each(['gzip', 'GZIP', 'br, gzip;q=0.5', 'deflate,gzip', 'x-gzip'])(
      'is compressed for who accepts %s, and says the same in less',
      async (accepted) => {
        const plain = await bodyFor(null);
        const { encoding, body } = await bodyFor(accepted);
        expect(encoding).toBe('gzip');
        expect(gunzipSync(body).toString()).toBe(plain.body.toString());
        expect(body.length).toBeLessThan(plain.body.length / 4);
      },
    );
  });

  describe('the envelope', () => {
    it('is {success: true, code: "0", message: "success", data} on success', async () => {
      const reply = await activityOf('?limit=1');
      expect(reply).toMatchObject({ status: 200, success: true, code: '0', message: 'success' });
      expect(Object.keys(reply.data ?? {})).toEqual(['items', 'nextCursor']);
    });

    // `readReply` also checks the envelope and rate headers of each of these.
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
      const reply = await world.get(path, init);
      expect(reply).toMatchObject({ status: Number(code), success: false, code, data: null });
      expect(reply.message.length).toBeGreaterThan(10);
    });
  });

  describe.each(ENDPOINTS)('the list of %s', (endpoint) => {
    const read = (query: string) => world.get(`/v1/trader/${WALLET}/${endpoint}${query}`);

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
      expect(pages.flat()).toEqual(world.shown[endpoint].toReversed());
      const fields = endpoint === 'activity' ? ACTIVITY_FIELDS : TRANSFER_FIELDS;
      for (const item of pages.flat()) expect(Object.keys(item)).toEqual(fields);
    });

    it('has a null nextCursor when the last page is exactly full', async () => {
      const pages = await walk(read, '', [46]);
      expect(pages.map((page) => page.length)).toEqual([46, 46, 46, 46, 46]);
    });

    it('is empty, with a null cursor, for a wallet that has no records', async () => {
      const reply = await world.get(`/v1/trader/0x${'1'.repeat(40)}/${endpoint}`);
      expect(reply).toMatchObject({ status: 200, items: [], nextCursor: null });
    });

    it.each([WALLET, WALLET_SHOWN, `0x${WALLET.slice(2).toUpperCase()}`])(
      'knows the wallet as %s',
      async (address) => {
        const { items } = await world.get(`/v1/trader/${address}/${endpoint}?limit=1`);
        expect(times(items)).toEqual([229]);
      },
    );
  });

  describe('a cursor', () => {
    it('is opaque base64 for activity, and of two parts joined by an underscore for transfers', async () => {
      const { nextCursor } = await activityOf('?limit=1');
      expect(nextCursor).toMatch(/^[A-Za-z0-9+/]+=*$/);
      expect(Buffer.from(nextCursor ?? '', 'base64').toString('base64')).toBe(nextCursor);
      expect((await transfersOf('?limit=1')).nextCursor).toMatch(/^[^_]+_[^_]+$/);
    });
  });

  describe('the activity filters', () => {
    const digits = hashOf(0xabc000 + 77).slice(2);
    const second = (n: number) => START_SECONDS + n;

    it.each<[query: string, isAsked: (n: number) => boolean]>([
      ['marketIds=502', (n) => n % 5 === 1],
      ['marketIds=502&marketIds=502', (n) => n % 5 === 1],
      [`txHash=0x${digits}`, (n) => n === 77],
      [`txHash=0x${digits.toUpperCase()}`, (n) => n === 77],
      [`txHash=0x${digits.replace('ab', 'aB')}`, (n) => n === 77],
      [`fromTimestamp=${second(200)}`, (n) => n >= 200],
      [`toTimestamp=${second(20)}`, (n) => n <= 20],
      [`fromTimestamp=${second(91)}&toTimestamp=${second(91)}`, (n) => n === 91],
      ['marketIds=502&marketIds=505', (n) => n % 5 === 1 || n % 5 === 4],
      [
        `marketIds=501&marketIds=503&fromTimestamp=${second(30)}&toTimestamp=${second(215)}`,
        (n) => (n % 5 === 0 || n % 5 === 2) && n >= 30 && n <= 215,
      ],
      [`txHash=0x${digits}&marketIds=503`, (n) => n === 77],
      [`txHash=0x${digits}&marketIds=502`, () => false],
    ])('restrict to exactly what is asked for, newest first: %s', async (query, isAsked) => {
      const pages = await walk(activityOf, query, [9]);
      expect(times(pages.flat())).toEqual(down(229, 0).filter(isAsked));
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
        expect(await transfersOf(`?${name}=1`)).toMatchObject({ status: 400, message });
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
    ])('refuses the address %s with 400 and says what one is', async (address, accepted) => {
      for (const endpoint of ENDPOINTS) {
        const reply = await world.get(`/v1/trader/${address}/${endpoint}`);
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
      ['limit=5&limit=6', 'limit must be given once'],
      [
        `fromTimestamp=${START_SECONDS * 1000}`,
        'fromTimestamp must be a Unix time in whole seconds, not milliseconds',
      ],
      ['fromTimestamp=yesterday', 'fromTimestamp must be a Unix time'],
      ['toTimestamp=1e9', 'toTimestamp must be a Unix time'],
      ['fromTimestamp=20&toTimestamp=10', 'fromTimestamp must be at most toTimestamp'],
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
      const reply = await activityOf(`?${query}`);
      expect(reply).toMatchObject({ status: 400, message: expect.stringContaining(message) });
    });

    it('refuses more than the marketIds that one request may name', async () => {
      const query = Array.from(
        { length: world.marketIdsMost + 1 },
        (_, n) => `marketIds=${n}`,
      ).join('&');
      const reply = await activityOf(`?${query}`);
      expect(reply).toMatchObject({
        status: 400,
        message: expect.stringContaining(`marketIds must be at most ${world.marketIdsMost}`),
      });
    });

    it('refuses a cursor of another wallet, or another endpoint', async () => {
      const { nextCursor: ours } = await activityOf('?limit=1');
      const { nextCursor: transfers } = await transfersOf('?limit=1');
      const encoded = encodeURIComponent(ours ?? '');
      expect(
        (await world.get(`/v1/trader/${OTHER_WALLET}/activity?cursor=${encoded}`)).status,
      ).toBe(400);
      expect((await transfersOf(`?cursor=${encoded}`)).status).toBe(400);
      expect((await activityOf(`?cursor=${transfers}`)).status).toBe(400);
    });

    it('names the method that is allowed in a 405', async () => {
      const reply = await world.get(`/v1/trader/${WALLET}/activity`, { method: 'PUT' });
      expect(reply.headers.get('allow')).toBe('GET');
    });
  });
}
