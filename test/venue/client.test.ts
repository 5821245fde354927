import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVenueClient } from '../../src/venue/client.ts';
import { VenueError } from '../../src/venue/errors.ts';
import {
  createHttpTransport,
  HTTP_TIMEOUTS,
  POLLS_IN_FLIGHT_MOST,
} from '../../src/venue/http-transport.ts';
import { createBudget } from '../../src/venue/rate-limit/budget.ts';
import { accountOf } from '../support/accounts.ts';
import { answering as listening } from '../support/answering.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET_A } from '../support/wallets.ts';

const KEY = 'wk_planted+/secret-4711';
const POLLER = { priority: 'poller' } as const;
const PERSON = { priority: 'person' } as const;

type ClientOptions = Parameters<typeof createVenueClient>[1];
type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** A venue on loopback that answers as the test says, and a client for it. */
async function venueThat(
  handler: Handler,
  deps: Partial<ClientOptions> & { path?: string; nowMs?: () => number } = {},
) {
  const requests: IncomingMessage[] = [];
  const url = await listening((request, response) => {
    requests.push(request);
    handler(request, response, requests.length);
  });
  const { log, lines } = collectingLog();
  const { path = '', nowMs = Date.now, ...rest } = deps;
  const machine = testMachine({ nowMs, random: () => 0, log });
  const budget = createBudget(machine, { share: 1 });
  const baseUrl = `${url.origin}${path}`;
  const client = createVenueClient(machine, { baseUrl, apiKey: KEY, budget, ...rest });
  onTestFinished(() => client.close());
  /** A poll of the wallet's activity. */
  const poll = () => client.activity(WALLET_A, {}, POLLER);
  return { client, budget, requests, lines, poll, failure: () => failureOf(poll()) };
}

const rateHeaders = (remaining = 99) => ({
  'x-ratelimit-limit': '100',
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 60),
});
const pageOf = (items: readonly unknown[], nextCursor: string | null = null) =>
  JSON.stringify({ success: true, code: '0', message: 'success', data: { items, nextCursor } });
const send = (
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
) => {
  response
    .writeHead(status, { 'content-type': 'application/json', ...rateHeaders(), ...headers })
    .end(body);
};
const answering =
  (...answer: Tail<Parameters<typeof send>>): Handler =>
  (_, response) =>
    send(response, ...answer);
type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;
const refusal = (status: number, message: string) =>
  JSON.stringify({ success: false, code: String(status), message, data: null });

async function failureOf(call: Promise<unknown>): Promise<VenueError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof VenueError))
    throw new Error(`expected a VenueError, got ${inspect(error)}`);
  expect(error.cause).toBeDefined();
  expectNoKey(error);
  return error;
}

/** That a call fails in this way, and says all of these. */
async function expectFailure(
  call: Promise<unknown>,
  kind: VenueError['kind'],
  ...texts: readonly (string | RegExp)[]
): Promise<VenueError> {
  const error = await failureOf(call);
  expect(error.kind).toBe(kind);
  for (const text of texts) expect(error.message).toMatch(text);
  return error;
}

function expectNoKey(thing: unknown): void {
  const shown =
    inspect(thing, { depth: 20, showHidden: true }) + JSON.stringify(thing) + String(thing);
  expect(shown).not.toContain(KEY);
  expect(shown).not.toContain('secret-4711');
}

describe('a call', () => {
  it('asks with the key and every filter, and returns the page', async () => {
    const handler = answering(200, pageOf([sampleTrade()], 'c2'));
    const { client, budget, requests } = await venueThat(handler, { path: '/prefix/' });
    const beforeMs = Date.now();
    const blocks = { fromBlock: 5, toBlock: 6, fromTimestampSeconds: 7, toTimestampSeconds: 8 };
    const place = { cursor: 'a+b/=&', limit: 100 };
    const filters = { ...place, marketIds: ['1', '2'], txHash: '0xAB', ...blocks };
    const page = await client.activity(WALLET_A, filters, POLLER);
    expect(page).toMatchObject({ items: [sampleTrade()], hasMore: true, nextCursor: 'c2' });
    expect(page.skipped).toEqual([]);
    const url = new URL(requests[0]?.url ?? '', 'http://venue');
    expect(url.pathname).toBe(`/prefix/v1/trader/${WALLET_A}/activity`);
    const own = 'cursor=a%2Bb%2F%3D%26&limit=100&marketIds=1&marketIds=2&txHash=0xAB';
    expect(url.search).toBe(`?${own}&fromBlock=5&toBlock=6&fromTimestamp=7&toTimestamp=8`);
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      accept: 'application/json',
    });
    expect(budget.snapshot()).toMatchObject({ limit: 100, remaining: 99, inFlight: 0 });
    // Whole seconds, cut off, at some moment of the request.
    const { venueNowMs } = await client.unread('activity', WALLET_A, {}, POLLER);
    expect(venueNowMs).toBeLessThanOrEqual(Date.now());
    expect(venueNowMs).toBeGreaterThan(beforeMs - 1_000);
  });

  it('reads a compressed page as any other, and compares it without decompressing it', async () => {
    const page = pageOf([sampleTrade()]);
    let body: Buffer = gzipSync(page);
    const { client } = await venueThat((_, response) =>
      send(response, 200, body, { 'content-encoding': 'gzip' }),
    );
    const unread = () => client.unread('activity', WALLET_A, {}, POLLER);
    const first = await unread();
    expect(first.read().items).toEqual([sampleTrade()]);
    expect((await unread()).hash()).toBe(first.hash());
    // Nobody has looked into it before somebody reads it.
    body = Buffer.from(page);
    const odd = await unread();
    expect(odd.hash()).not.toBe(first.hash());
    expect(odd.read).toThrow('cannot be read (Z_DATA_ERROR)');
  });

  it('says once that it refuses a clock that is more than a day off, and once that it believes it again', async () => {
    let aheadMs = 400 * 86_400_000;
    const { client, lines } = await venueThat((_, response) => {
      response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
      send(response, 200, pageOf([sampleTrade()]));
    });
    const read = async () => {
      const answer = await client.unread('activity', WALLET_A, {}, POLLER);
      answer.read();
      return answer;
    };
    await read();
    const page = await read();
    expect(Math.abs(page.venueNowMs - Date.now())).toBeLessThan(60_000);
    expect(page.earliestNowMs).toBe(page.venueNowMs);
    expect(Math.abs(page.latestNowMs - Date.now() - aheadMs)).toBeLessThan(60_000);
    aheadMs = 0;
    await read();
    const { earliestNowMs, latestNowMs, venueNowMs } = await read();
    expect([earliestNowMs, latestNowMs]).toEqual([venueNowMs, venueNowMs]);
    expect(lines.filter(({ event }) => String(event).startsWith('venue.clock'))).toMatchObject([
      { event: 'venue.clock_refused', skewSeconds: expect.closeTo(400 * 86_400, -2) },
      { event: 'venue.clock_accepted' },
    ]);
  });

  it('reads transfers from their own path and keeps its connection', async () => {
    const sockets = new Set<unknown>();
    const { client, requests } = await venueThat((request, response) => {
      sockets.add(request.socket);
      send(response, 200, pageOf([sampleTransfer()]));
    });
    for (let index = 0; index < 8; index += 1) {
      expect((await client.transfers(WALLET_A, {}, POLLER)).items).toEqual([sampleTransfer()]);
    }
    expect(requests[2]?.url).toBe(`/v1/trader/${WALLET_A}/deposits-withdrawals`);
    // The pool may open a second one while the first is just being freed.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('skips, counts and logs an unreadable item, as a warning only once', async () => {
    const { client, poll, lines } = await venueThat(
      answering(200, pageOf([{ ...sampleTrade(), price: KEY }, sampleTrade()])),
    );
    const page = await poll();
    await poll();
    expect(page.items).toHaveLength(1);
    expect(client.stats()).toMatchObject({ requests: 2, skippedItems: 2 });
    expect(lines).toMatchObject([
      {
        event: 'venue.items_skipped',
        level: 40,
        wallet: WALLET_A,
        items: 1,
        index: 0,
        reason: expect.stringContaining('price: expected'),
      },
      { event: 'venue.items_skipped', level: 20 },
    ]);
    expectNoKey(lines);
  });

  it('accepts no more items than it asked for, counts the others as skipped and says so in one line a page', async () => {
    const trade = sampleTrade();
    const items = Array.from({ length: 103 }, (_, index) => ({ ...trade, txHash: `0x${index}` }));
    const { client, lines } = await venueThat(answering(200, pageOf(items)));
    const page = await client.activity(WALLET_A, { limit: 100 }, POLLER);
    await client.activity(WALLET_A, { limit: 500 }, POLLER);
    expect(page.items).toEqual(items.slice(0, 100));
    expect(page).toMatchObject({ hasMore: true, nextCursor: null, skipped: { length: 3 } });
    const reason = 'item: expected no more than the 100 that were asked for';
    expect(lines).toMatchObject([
      { level: 40, items: 3, index: 100, reason },
      { level: 20, items: 3 },
    ]);
  });

  it('shows no part of an echoed key either, where a text is cut', async () => {
    const echo = { ...sampleTrade(), price: `${'x'.repeat(50)}${KEY}` };
    const { poll, lines } = await venueThat(answering(200, pageOf([echo])));
    expect(JSON.stringify([(await poll()).skipped, lines])).not.toContain('wk_plan');
  });

  it('accepts a right envelope under a wrong content type', async () => {
    const html = { 'content-type': 'text/html' };
    const { poll } = await venueThat(answering(200, pageOf([sampleTrade()]), html));
    expect((await poll()).items).toHaveLength(1);
  });
});

describe('a venue that asks for a pause', () => {
  it('is said once, again only if it grows, and once when it is over', async () => {
    let at = Date.now();
    const nowMs = () => at;
    const budget = createBudget(testMachine({ nowMs, monotonicMs: nowMs, random: () => 0 }), {
      share: 1,
    });
    const refuse = answering(429, refusal(429, 'slow down'), { 'retry-after': '3456000' });
    const { client, poll, failure, lines } = await venueThat(
      (...exchange) => (exchange[2] === 2 ? refuse : answering(200, pageOf([])))(...exchange),
      { budget, nowMs },
    );
    await poll();
    expect(await failure()).toMatchObject({ kind: 'rateLimited', retryAtMs: at + 15 * 60_000 });
    await expectFailure(client.activity(WALLET_A, {}, PERSON), 'budgetExhausted');
    at += 15 * 60_000;
    await poll();
    await poll();
    const of = { endpoint: 'activity' };
    expect(lines).toMatchObject([
      { ...of, level: 40, event: 'venue.rate_limited', status: 429, pauseMs: 15 * 60_000 },
      { ...of, level: 30, event: 'venue.rate_limit_over' },
    ]);
  });
});

describe('an answer without rate-limit headers', () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();

  it('may be a proxy’s: its clock counts for nothing, and its 404 says nothing of the wallet', async () => {
    for (const status of [404, 503]) {
      const { failure, budget } = await venueThat((_, response) =>
        response.writeHead(status, { date }).end('no'),
      );
      const error = await failure();
      expect(error).toMatchObject({ isVenues: false });
      if (status === 404)
        expect(error.message).toContain('Check VENUE_BASE_URL: it is the address of the venue API');
      expect(budget.skewKnown()).toBe(false);
    }
  });

  it.each([
    ['a page of HTML', 'text/html', '<html><h1>403 Forbidden</h1></html>'],
    ['nothing', 'text/plain', ''],
    ['another program’s JSON', 'application/json', '{"error":"forbidden","code":403}'],
    ['an envelope that says yes', 'application/json', pageOf([])],
  ])('says nothing of the key where it refuses with %s', async (_, type, body) => {
    for (const status of [401, 403]) {
      const { poll, requests } = await venueThat((_, response) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      );
      const texts = 'it may be that of a proxy or a firewall';
      expect((await expectFailure(poll(), 'badResponse', texts)).isVenues).toBe(false);
      expect(requests).toHaveLength(1);
    }
  });

  it('is a refusal where it has the venue’s envelope', async () => {
    for (const [status, kind] of [
      [401, 'unauthorized'],
      [403, 'notInPlan'],
    ] as const) {
      const { poll } = await venueThat(answering(status, refusal(status, 'no'), {}));
      await expectFailure(poll(), kind);
    }
  });

  it('is the venue’s where it is a page, and its clock counts', async () => {
    const { client, budget } = await venueThat((_, response) =>
      response.writeHead(200, { date, 'content-type': 'application/json' }).end(pageOf([])),
    );
    await client.activity(WALLET_A, {}, PERSON);
    expect(Math.round((budget.venueNowMs() - Date.now()) / 60_000)).toBe(60);
  });
});

describe('an answer that is no page', () => {
  it.each([
    [401, 'unauthorized', 'Check VENUE_API_KEY'],
    [403, 'notInPlan', '"activity"'],
    [429, 'rateLimited', 'Requests go on at'],
    [400, 'badResponse', 'Check the address'],
    [404, 'badResponse', 'The venue itself answers so of this wallet'],
    [418, 'badResponse', 'does not describe'],
  ] as const)(
    'turns %i into its own error, asked once, with the words of the venue but not the key',
    async (status, kind, texts) => {
      const { poll, budget, requests, lines } = await venueThat(({ headers }, response) =>
        send(response, status, refusal(status, `no: ${headers.authorization}`), rateHeaders(0)),
      );
      const error = await expectFailure(poll(), kind, texts, 'no: Bearer [key]');
      expect(error.call).toEqual({ endpoint: 'activity', wallet: WALLET_A });
      expect(requests).toHaveLength(1);
      expect(budget.snapshot().limit).toBe(100);
      expectNoKey(lines);
    },
  );

  it('says when requests go on after a 429', async () => {
    const beforeMs = Date.now();
    const rates = rateHeaders(0);
    const { failure } = await venueThat(answering(429, refusal(429, 'slow down'), rates));
    const error = await failure();
    const tookMs = Date.now() - beforeMs;
    expect(error).toMatchObject({ kind: 'rateLimited' });
    const afterResetMs = (error.retryAtMs ?? 0) - 1_000 * Number(rates['x-ratelimit-reset']);
    expect(afterResetMs).toBeGreaterThanOrEqual(0);
    // The `Date` is up to a second old, and nobody comes at the very moment.
    expect(afterResetMs).toBeLessThanOrEqual(1_250 + tookMs);
  });

  const data = (items: string) =>
    `{"success":true,"code":"0","message":"","data":{"items":${items},"nextCursor":null}}`;
  const gzip = { 'content-encoding': 'gzip' };

  it.each<[string, Parameters<typeof answering>, string | RegExp]>([
    [
      'a failure under status 200',
      [200, refusal(500, 'index is rebuilding')],
      'index is rebuilding',
    ],
    [
      'missing data',
      [200, JSON.stringify({ success: true, code: '0', message: 'success' })],
      'no envelope',
    ],
    [
      'null data',
      [200, JSON.stringify({ success: true, code: '0', message: '', data: null })],
      '"data" is no page',
    ],
    ['no items', [200, data('1').replace('"items":1,', '')], '"data" is no page: items: expected'],
    ['no envelope', [200, JSON.stringify([sampleTrade()])], 'no envelope'],
    ['truncated JSON', [200, pageOf([sampleTrade()]).slice(0, -20)], 'not JSON'],
    ['an empty body', [200, ''], 'not JSON'],
    ['HTML', [200, `<!doctype html><title>Gateway</title>${KEY}`], 'not JSON'],
    ['the key in place of JSON', [200, `Bearer ${KEY}`], 'not JSON'],
    [
      'a page in another encoding',
      [200, brotliCompressSync(pageOf([])), { 'content-encoding': 'br' }],
      'compressed (br)',
    ],
    [
      'a page that says gzip and is none',
      [200, pageOf([]), gzip],
      'compressed body cannot be read (Z_DATA_ERROR)',
    ],
    [
      'a compressed page that is cut',
      [200, gzipSync(pageOf([sampleTrade()])).subarray(0, -20), gzip],
      'compressed body cannot be read (Z_BUF_ERROR)',
    ],
    [
      'zeros, in 40 MB as 40 kB',
      [200, gzipSync(data(`[${'0,'.repeat(20_000_000)}0]`)), gzip],
      'larger than 1 MB',
    ],
    [
      'a redirect, which is not followed,',
      [302, '', { location: '/elsewhere' }],
      'Redirects are not followed',
    ],
    ['zeros, in 4.8 MB', [200, data(`[${'0,'.repeat(2_400_000)}0]`)], 'larger than 1 MB'],
    [
      'zeros',
      [200, data(`[${'0,'.repeat(480_000)}0]`)],
      'items: expected a list of at most 100 records, got a list of 480,001',
    ],
    [
      'empty objects',
      [200, data(`[${'{},'.repeat(320_000)}{}]`)],
      'expected a list of at most 100 records, got a list of 320,001',
    ],
    ['lists in lists without an end', [200, data('['.repeat(900_000))], 'not JSON'],
  ])(
    'calls %s a bad response in one sentence, asked once, and writes no line for it',
    async (_name, answer, texts) => {
      const { poll, requests, lines } = await venueThat(answering(...answer));
      const error = await expectFailure(poll(), 'badResponse', `(status ${answer[0]}`, texts);
      expect(error.message.length).toBeLessThan(300);
      expect(requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip']);
      expect(lines).toEqual([]);
    },
  );

  it('cuts what a proxy says to a sane length', async () => {
    const body = `<html>\n\n${'lorem ipsum '.repeat(90_000)}`;
    const { poll } = await venueThat(answering(418, body));
    const error = await expectFailure(poll(), 'badResponse', '<html> lorem');
    expect(error.message.length).toBeLessThan(700);
  });

  it('stops reading at 1 MB', async () => {
    let written = 0;
    const { poll, requests } = await venueThat((_, response) => {
      response.writeHead(200, rateHeaders());
      const chunk = Buffer.alloc(500_000, ' ');
      const more = () => {
        while (!response.destroyed && written < 100_000_000) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    await expectFailure(poll(), 'badResponse', '(status 200', 'larger than 1 MB');
    expect(requests).toHaveLength(1);
    expect(written).toBeLessThan(40_000_000);
  });

  it('keeps the meaning of a refusal whose body is cut', async () => {
    const { poll } = await venueThat((_, response) => {
      response.writeHead(401, { ...rateHeaders(), 'content-length': '500' });
      response.write('{"success":fal', () => response.destroy());
    });
    await expectFailure(poll(), 'unauthorized');
  });
});

describe('a venue that fails', () => {
  it('is asked again after a 5xx, each time with a permit of its own', async () => {
    const { client, poll, budget, requests } = await venueThat((_, response, count) =>
      count < 3 ? send(response, 503, 'busy') : send(response, 200, pageOf([sampleTrade()])),
    );
    expect((await poll()).items).toHaveLength(1);
    expect(requests).toHaveLength(3);
    const used = { poller: 3, person: 0, background: 0 };
    expect(budget.snapshot()).toMatchObject({ inFlight: 0, used });
    expect(client.stats()).toMatchObject({ requests: 3, retries: 2 });
  });

  it('is asked for the server whose people ask, each time', async () => {
    const { client, budget } = await venueThat((_, response, count) =>
      count < 2 ? send(response, 503, 'busy') : send(response, 200, pageOf([])),
    );
    const askedFor: unknown[] = [];
    const acquire: typeof budget.acquire = (priority, signal, account) => {
      askedFor.push(account?.owner);
      return budget.acquire(priority, signal, account);
    };
    const account = accountOf('100000000000000001');
    await client.activity(WALLET_A, {}, { ...PERSON, account, budget: { acquire } });
    expect(askedFor).toEqual(['100000000000000001', '100000000000000001']);
  });

  it('is not asked again for the same before its least distance has passed', async () => {
    const atMs: number[] = [];
    const { failure } = await venueThat(
      (_, response) => {
        atMs.push(performance.now());
        send(response, 502, '');
      },
      { pollMinMs: 120 },
    );
    await failure();
    expect(atMs).toHaveLength(3);
    const gaps = atMs.slice(1).map((at, index) => at - (atMs[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(119);
    const slow = await venueThat(answering(502, ''), { pollMinMs: 20_000 });
    await expectFailure(slow.poll(), 'unreachable', 'after 1 try');
  });

  it('is given up after two more tries, after one when a person waits', async () => {
    const { client, poll, requests } = await venueThat(answering(502, '<html>Bad gateway</html>'));
    await expectFailure(poll(), 'unreachable', 'answered 502', 'after 3 tries', 'Bad gateway');
    expect(requests).toHaveLength(3);
    await expectFailure(client.transfers(WALLET_A, {}, PERSON), 'unreachable', 'after 2 tries');
    expect(requests).toHaveLength(5);
  });

  it.each<[string, Handler]>([
    ['cuts the connection before it answers', (_, response) => response.destroy()],
    [
      'cuts the connection in mid-body',
      (_, response) => {
        response.writeHead(200, { ...rateHeaders(), 'content-length': '5000' });
        response.write(pageOf([sampleTrade()]), () => response.destroy());
      },
    ],
    ['speaks no HTTP', ({ socket }) => void socket.end(`Bearer ${KEY} hello\r\n\r\n`)],
  ])('is asked again when it %s', async (_name, fault) => {
    const { client, poll, budget, requests, lines } = await venueThat((request, response, count) =>
      count === 1 || request.url?.includes('limit=9') === true
        ? fault(request, response, count)
        : send(response, 200, pageOf([sampleTrade()])),
    );
    expect((await poll()).items).toHaveLength(1);
    expect(requests).toHaveLength(2);
    const call = client.activity(WALLET_A, { limit: 9 }, POLLER);
    await expectFailure(call, 'unreachable', 'after 3 tries');
    expect(budget.snapshot().inFlight).toBe(0);
    expectNoKey(lines);
  });

  it.each<[string, Handler]>([
    ['never answers', () => {}],
    [
      'stops in mid-body',
      (_, response) => {
        response.writeHead(200, rateHeaders());
        response.write('{"success":');
      },
    ],
  ])('is given up in time when it %s', async (_name, handler) => {
    const patience = { timeouts: { tryMs: 150 }, retries: { poller: 1 } };
    const { poll, requests } = await venueThat(handler, patience);
    await expectFailure(poll(), 'unreachable', '150 ms', 'after 2 tries');
    expect(requests).toHaveLength(2);
  });

  it('does not keep a person waiting longer than it may', async () => {
    const { client } = await venueThat(() => {}, { timeouts: { personMs: 150 } });
    const call = client.activity(WALLET_A, {}, PERSON);
    await expectFailure(call, 'unreachable', 'no answer within 150 ms', 'after 1 try');
  });

  it('is asked once by the bot itself, and by nobody longer than he says', async () => {
    let isSilent = false;
    const { client, poll, requests } = await venueThat(
      (_, response, count) => {
        if (!isSilent) send(response, count === 1 ? 200 : 502, count === 1 ? pageOf([]) : '');
      },
      { timeouts: { personMs: 150 } },
    );
    // The budget must know what is left.
    await poll();
    const ask = (within: { readonly withinMs?: number } = {}) =>
      client.activity(WALLET_A, {}, { priority: 'background', ...within });
    await expectFailure(ask(), 'unreachable', 'after 1 try');
    expect(requests).toHaveLength(2);
    isSilent = true;
    await expectFailure(ask(), 'unreachable', 'no answer within 150 ms');
    await expectFailure(ask({ withinMs: 70 }), 'unreachable', 'no answer within 70 ms');
  });

  it('says that nobody answers at the address', async () => {
    // A port that was free a moment ago may be another test's by now.
    const { poll } = await venueThat(() => {}, { baseUrl: 'http://127.0.0.1:1' });
    const texts = ['nobody answers at the address (ECONNREFUSED)', 'after 3 tries'];
    await expectFailure(poll(), 'unreachable', ...texts);
  });
});

describe('stopping', () => {
  it('can end as many waiting requests as there are, without a word of Node about leaks', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    const { poll } = await venueThat((_request, response) => send(response, 200, pageOf([])));
    await Promise.all(Array.from({ length: 20 }, () => poll()));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  /** A venue that never answers, and a promise that is fulfilled once it has been asked. */
  async function silentVenue() {
    const asked = new EventEmitter();
    const wasAsked = once(asked, 'asked');
    return { wasAsked, ...(await venueThat(() => asked.emit('asked'))) };
  }

  it('rejects with the reason of the signal, before and while it is asked', async () => {
    const { client, budget, wasAsked } = await silentVenue();
    const ask = (signal: AbortSignal) => client.activity(WALLET_A, {}, { ...POLLER, signal });
    await expect(ask(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    const abort = new AbortController();
    const call = ask(abort.signal);
    void wasAsked.then(() => abort.abort(new Error('stopped')));
    await expect(call).rejects.toThrow('stopped');
    expect(budget.snapshot().inFlight).toBe(0);
  });

  it('ends what is in flight when it is closed, and accepts nothing more', async () => {
    const { client, poll, wasAsked } = await silentVenue();
    const call = expectFailure(poll(), 'unreachable');
    await wasAsked;
    await client.close();
    await call;
    await expectFailure(poll(), 'unreachable', 'the client is closed');
  });
});

describe('a connection', () => {
  it('is left for a person however many polls wait for their answers', async () => {
    const waiting: ServerResponse[] = [];
    const isPoll = ({ url = '' }: IncomingMessage) => url.includes('limit=');
    const { origin } = await listening((request, response) => {
      if (isPoll(request)) waiting.push(response);
      else send(response, 200, pageOf([]));
    });
    const transport = createHttpTransport(origin, KEY, HTTP_TIMEOUTS);
    onTestFinished(() => transport.close());
    // As the client does: each request has a signal of its own.
    const get = (path: string) => transport.get(path, new AbortController().signal, () => {});
    const polls = Array.from({ length: POLLS_IN_FLIGHT_MOST }, () => get('/?limit=100'));
    // Else it would be before them.
    await expect.poll(() => waiting.length).toBe(POLLS_IN_FLIGHT_MOST);
    expect((await get('/')).status).toBe(200);
    for (const response of waiting) send(response, 200, pageOf([]));
    await Promise.all(polls);
  });
});

describe('the proxy address of a wallet', () => {
  const PROXY = `0x${'b'.repeat(40)}`;
  const proxyPage = (data: unknown) =>
    JSON.stringify({ success: true, code: '0', message: 'success', data });

  it.each<[string, number, string]>([
    ['404', 404, refusal(404, 'no such path')],
    ['a list', 200, pageOf([])],
    ['no data', 200, proxyPage(null)],
  ])(
    'is asked for once where the venue answers with %s, and costs the key nothing',
    async (_, status, body) => {
      const { client, requests, poll } = await venueThat((request, response) =>
        request.url?.endsWith('/proxy')
          ? send(response, status, body)
          : send(response, 200, pageOf([sampleTrade()])),
      );
      for (let call = 0; call < 3; call += 1) expect(await client.proxyOf(WALLET_A, {})).toBeNull();
      expect(requests.map(({ url }) => url)).toEqual([`/v1/trader/${WALLET_A}/proxy`]);
      expect((await poll()).items).toHaveLength(1);
    },
  );

  it(
    'is asked for again after a failure, or if there was none',
    async () => {
      const noRateHeaders = { 'x-ratelimit-limit': '', 'x-ratelimit-remaining': '' };
      const answers: [number, string, Record<string, string>?][] = [
        [500, 'down'],
        [502, refusal(502, 'Gamma answered 503')],
        [503, '<html>'],
        [429, refusal(429, 'wait')],
        [401, refusal(401, 'no')],
        [404, '<html>', noRateHeaders],
        [200, '<html>'],
        [200, refusal(200, 'an odd day')],
        [200, proxyPage({ proxy: '0x1' })],
        [200, proxyPage({ proxy: null })],
        [200, proxyPage({ proxy: PROXY })],
      ];
      const { client } = await venueThat((_, response, count) => {
        const [status, body, headers] = answers[count - 1] ?? [404, ''];
        send(response, status, body, { 'retry-after': '0', ...headers });
      });
      const found = [];
      for (const _ of answers) found.push(await client.proxyOf(WALLET_A, {}));
      expect(found).toEqual([...answers.slice(1).map(() => null), PROXY]);
    },
    within(20_000),
  );
});
