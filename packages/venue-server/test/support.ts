import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { DEMO_KEY } from '../src/keys.ts';
import { type LedgerRecord, openLedger } from '../src/ledger.ts';
import {
  type ActivityItem,
  envelopeSchema,
  pageSchema,
  type TransferItem,
} from '../src/records.ts';
import { startVenue, type VenueOptions } from '../src/venue.ts';

/** An address in the mixed case of EIP-55's own example, and in lower case. */
export const WALLET_SHOWN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const WALLET = WALLET_SHOWN.toLowerCase();
export const OTHER_WALLET = `0x${'b'.repeat(40)}`;
export const START_SECONDS = 1_750_000_000;

export function hashOf(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

export function buy(changes: Partial<ActivityItem> = {}): ActivityItem {
  return {
    time: START_SECONDS,
    action: 'Buy',
    recordType: 'SUMMARY',
    actionType: 0,
    price: 62.5,
    quantity: 80,
    fee: 0.25,
    grossValue: 50,
    transferNetAmount: 50.25,
    txHash: hashOf(1),
    tokenId: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
    marketId: '501',
    marketSlug: 'will-it-rain',
    eventSlug: 'weather',
    conditionId: `0x${'c'.repeat(64)}`,
    marketTitle: 'Will it rain?',
    positionSide: 'Yes',
    outcomeIndex: 0,
    logo: 'https://images.venue.example/501.png',
    trader: WALLET,
    liquidityRole: 'TAKER',
    ...changes,
  };
}

export function redeem(changes: Partial<ActivityItem> = {}): ActivityItem {
  return buy({
    action: 'Redeem',
    recordType: 'REDEEMS',
    actionType: 1,
    price: 100,
    fee: 0,
    grossValue: 80,
    transferNetAmount: -80,
    liquidityRole: null,
    ...changes,
  });
}

export function deposit(changes: Partial<TransferItem> = {}): TransferItem {
  return {
    txHash: hashOf(900),
    type: 'deposit',
    amount: 250.5,
    time: START_SECONDS,
    address: `0x${'0'.repeat(40)}`,
    ...changes,
  };
}

/** Returns an activity record as it enters the ledger. */
export function activity(changes: Partial<ActivityItem> = {}, block = 7): LedgerRecord {
  const item = buy(changes);
  return { kind: 'activity', wallet: item.trader, block, item };
}

/**
 * Returns this many records, each in a transaction and a block of its own.
 *
 * @param changes returns the changes to the n-th record
 */
export const activities = (
  count: number,
  changes: (n: number) => Partial<ActivityItem> = () => ({}),
) => Array.from({ length: count }, (_, n) => activity({ txHash: hashOf(n), ...changes(n) }, n));

export const transfer = (changes: Partial<TransferItem> = {}, wallet = WALLET): LedgerRecord => ({
  kind: 'transfer',
  wallet,
  item: deposit(changes),
});

export type Reply = ReturnType<typeof readReply>;

const anyItems = pageSchema.extend({ items: z.array(z.record(z.string(), z.unknown())) });

export type Served = Awaited<ReturnType<typeof startTestVenue>>;

/**
 * Starts a venue server on its own port, with a ledger in memory and a clock that doesn't advance.
 */
export async function startTestVenue({ ledger: given, ...options }: Partial<VenueOptions> = {}) {
  const ledger = given ?? (await openLedger({ path: ':memory:' }));
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const clock = { nowMs: (START_SECONDS + 7200) * 1000 };
  const venue = await startVenue({
    keys: [DEMO_KEY],
    now: () => clock.nowMs,
    log,
    ...options,
    ledger,
  });

  const get = async (
    path: string,
    init: {
      readonly key?: string | null;
      readonly headers?: Record<string, string>;
      readonly method?: string;
    } = {},
  ) => {
    const { key = DEMO_KEY.key, headers = {}, method = 'GET' } = init;
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(`${venue.url}${path}`, {
      method,
      headers: { ...authorization, ...headers },
    });
    return readReply(response.status, response.headers, await response.text());
  };
  const connected = async (): Promise<Socket> => {
    const { hostname, port } = new URL(venue.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };

  return {
    ledger,
    url: venue.url,
    clock,
    logText: () => lines.join(''),
    setKeys: venue.setKeys,
    get,
    activity: (query = '', init: { readonly key?: string } = {}) =>
      get(`/v1/trader/${WALLET}/activity${query}`, init),
    transfers: (query = '', init: { readonly key?: string } = {}) =>
      get(`/v1/trader/${WALLET}/deposits-withdrawals${query}`, init),
    /** Opens a connection without sending anything on it. */
    connected,
    /** Sends raw bytes and returns everything received until the venue closes the connection. */
    async raw(request: string): Promise<string> {
      const socket = await connected();
      const received = text(socket);
      socket.write(request);
      return received;
    },
    async stop() {
      await venue.close();
      await ledger.close();
    },
  };
}

/** Starts a venue server that runs until the test ends. */
export async function serveInTest(options: Partial<VenueOptions> = {}): Promise<Served> {
  const served = await startTestVenue(options);
  onTestFinished(served.stop);
  return served;
}

/**
 * Parses a response and checks that it has the envelope and the three rate headers, as every
 * response must.
 */
export function readReply(status: number, headers: Headers, body: string) {
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(headers.get(name), name).toMatch(/^\d+$/);
  }
  expect(headers.get('date')).not.toBeNull();
  const envelope = envelopeSchema.strict().parse(JSON.parse(body));
  expect(envelope.code).toBe(envelope.success ? '0' : String(status));
  expect(envelope.success).toBe(status === 200);
  if (!envelope.success) expect(envelope.data).toBeNull();
  const page = anyItems.safeParse(envelope.data);
  return {
    status,
    headers,
    ...envelope,
    items: page.success ? page.data.items : [],
    nextCursor: page.success ? page.data.nextCursor : null,
  };
}

/** Parses the replies received on a raw connection. */
export function readRaw(received: string): Reply[] {
  const replies: Reply[] = [];
  let rest = received;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...headerLines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(
      headerLines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers.get('content-length'));
    const body = Buffer.from(rest.slice(end + 4), 'utf8');
    replies.push(
      readReply(
        Number(statusLine.split(' ')[1]),
        headers,
        body.subarray(0, length).toString('utf8'),
      ),
    );
    rest = body.subarray(length).toString('utf8');
  }
  return replies;
}

/**
 * Returns all pages of a list by walking its cursor.
 *
 * @param limits page sizes, repeated from the first when they are used up
 * @param between runs before each page except the first, which is page 0
 */
export async function walk(
  read: (query: string) => Promise<Reply>,
  query: string,
  limits: readonly number[],
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<Reply['items'][]> {
  const pages: Reply['items'][] = [];
  for (let cursor = ''; ; ) {
    if (pages.length > 0) await between(pages.length);
    const limit = limits[pages.length % limits.length] ?? 1;
    const { status, message, items, nextCursor } = await read(`?${query}&limit=${limit}${cursor}`);
    expect(status, message).toBe(200);
    expect(items.length).toBeLessThanOrEqual(limit);
    pages.push(items);
    if (nextCursor === null) return pages;
    // A page with a successor must be full, so that a walk always advances.
    expect(items).toHaveLength(limit);
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}
