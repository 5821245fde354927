import { connect } from 'node:net';
import { pino } from 'pino';
import { expect } from 'vitest';
import * as z from 'zod';
import { type ActivityItem, envelopeSchema, pageSchema, type TransferItem } from '../../src/domain/records.ts';
import { DEMO_KEY, type VenueKey } from '../../src/venue-server/keys.ts';
import { type Ledger, openLedger } from '../../src/venue-server/ledger.ts';
import { startVenue, type VenueOptions } from '../../src/venue-server/venue.ts';

/** Mixed case of EIP-55's own example, and the same in lower case. */
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

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
  readonly data: unknown;
}

const anyItems = pageSchema.extend({ items: z.array(z.record(z.string(), z.unknown())) });

/** A venue that is served on a port of its own, with a ledger in memory and a clock that stands still. */
export interface Served {
  readonly ledger: Ledger;
  readonly url: string;
  readonly clock: { nowMs: number };
  readonly logText: () => string;
  setKeys(keys: readonly VenueKey[]): void;
  get(
    path: string,
    init?: { readonly key?: string | null; readonly headers?: Record<string, string>; method?: string },
  ): Promise<Reply>;
  activity(query?: string, init?: { readonly key?: string }): Promise<Reply>;
  transfers(query?: string, init?: { readonly key?: string }): Promise<Reply>;
  /** Sends bytes as they are and returns everything that comes back until the venue closes the connection. */
  raw(text: string): Promise<string>;
  stop(): Promise<void>;
}

export async function serve(options: Partial<VenueOptions> & { path?: string } = {}): Promise<Served> {
  const ledger = options.ledger ?? (await openLedger({ path: options.path ?? ':memory:' }));
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const clock = { nowMs: (START_SECONDS + 7200) * 1000 };
  const venue = await startVenue({ keys: [DEMO_KEY], now: () => clock.nowMs, log, ...options, ledger });

  const get: Served['get'] = async (path, { key = DEMO_KEY.key, headers = {}, method = 'GET' } = {}) => {
    const response = await fetch(`${venue.url}${path}`, {
      method,
      headers: key === null ? headers : { authorization: `Bearer ${key}`, ...headers },
    });
    return readReply(response.status, response.headers, await response.text());
  };

  return {
    ledger,
    url: venue.url,
    clock,
    logText: () => lines.join(''),
    setKeys: (keys) => venue.setKeys(keys),
    get,
    activity: (query = '', init = {}) => get(`/v1/trader/${WALLET}/activity${query}`, init),
    transfers: (query = '', init = {}) => get(`/v1/trader/${WALLET}/deposits-withdrawals${query}`, init),
    raw: (text) =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(venue.url);
        const socket = connect(Number(port), hostname, () => socket.write(text));
        let received = '';
        socket.setEncoding('utf8');
        socket.on('data', (chunk) => {
          received += chunk;
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(received));
      }),
    async stop() {
      await venue.close();
      await ledger.close();
    },
  };
}

/** Reads a response as every response must be: the envelope, and the three rate headers. */
export function readReply(status: number, headers: Headers, text: string): Reply {
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(headers.get(name), name).toMatch(/^\d+$/);
  }
  expect(headers.get('date')).not.toBeNull();
  const envelope = envelopeSchema.strict().parse(JSON.parse(text));
  expect(envelope.code).toBe(envelope.success ? '0' : String(status));
  expect(envelope.success).toBe(status === 200);
  if (!envelope.success) expect(envelope.data).toBeNull();
  const page = anyItems.safeParse(envelope.data);
  return {
    status,
    headers,
    success: envelope.success,
    code: envelope.code,
    message: envelope.message,
    data: envelope.data,
    items: page.success ? page.data.items : [],
    nextCursor: page.success ? page.data.nextCursor : null,
  };
}

/** The replies in a raw connection's bytes. */
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
    replies.push(readReply(Number(statusLine.split(' ')[1]), headers, body.subarray(0, length).toString('utf8')));
    rest = body.subarray(length).toString('utf8');
  }
  return replies;
}

/** All items of a list, by following the cursor. */
export async function walk(read: (query: string) => Promise<Reply>, query = ''): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const reply: Reply = await read(`?${query}${next}`);
    expect(reply.status, reply.message).toBe(200);
    pages.push([...reply.items]);
    cursor = reply.nextCursor;
  } while (cursor !== null);
  return pages;
}
