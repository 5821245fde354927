import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ENDPOINT_NAMES,
  readActivityItemSchema,
  transferItemSchema,
} from '../../../src/domain/records.ts';
import {
  decode,
  encode,
  LOOKUP,
  lookupReply,
  OtherVersion,
  POLL_LIST,
  pageMessage,
  pageSubject,
  readPageSubject,
  UNCHANGED,
  WIRE_VERSION,
} from '../../../src/feed/nats/wire.ts';
import { UNKNOWN_BUDGET } from '../../../src/venue/rate-limit/budget.ts';
import { PAGE_READERS } from '../../../src/venue/read.ts';
import { polledPage, sampleTrade, sampleTransfer } from '../../support/records.ts';
import { WALLET_A } from '../../support/wallets.ts';

/** That a message is refused with each of these changes. */
function expectRefused(schema: Parameters<typeof decode>[0], message: object, changes: object[]) {
  for (const change of changes) {
    const read = () => decode(schema, encode({ ...message, ...change }));
    expect(read, JSON.stringify(change)).toThrow();
  }
}

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

/**
 * Pages as the venue may send them: records without some of their fields, and with odd values in
 * others.
 */
function oddPages(sample: object): fc.Arbitrary<unknown> {
  const names = fc.constantFrom(...Object.keys(sample));
  const value = fc.oneof(fc.jsonValue(), fc.double(), fc.integer(), fc.string({ unit: 'binary' }));
  const change = fc.dictionary(names, fc.option(value, { nil: undefined }), { maxKeys: 3 });
  const items = fc.array(
    change.map((changed) => ({ ...sample, ...changed })),
    { maxLength: 4 },
  );
  return items.map((all): unknown => JSON.parse(JSON.stringify({ items: all, nextCursor: null })));
}

describe('messages over NATS', () => {
  it('name their version, and refuse another one aloud', () => {
    expect(decode(UNCHANGED.asked, encode({ polls: [] }))).toEqual({ polls: [] });
    const other = bytes({ version: WIRE_VERSION + 1, polls: 'of another kind' });
    expect(() => decode(UNCHANGED.asked, other)).toThrow(OtherVersion);
    expect(() => decode(UNCHANGED.asked, other)).toThrow(
      `version ${WIRE_VERSION + 1}, and this walletbell speaks version ${WIRE_VERSION}. Let feed and bots be of the same release`,
    );
  });

  it('have a subject for each endpoint of a wallet', () => {
    for (const name of ENDPOINT_NAMES) {
      const endpoint = { wallet: WALLET_A, name };
      expect(readPageSubject(pageSubject(endpoint))).toEqual(endpoint);
    }
    for (const end of ['activity', `orders.${WALLET_A}`, 'activity.0x1'])
      expect(readPageSubject(`walletbell.page.${end}`)).toBeNull();
    expect(readPageSubject('')).toBeNull();
  });

  it('carry every record unchanged that the reader of the venue takes, however odd', () => {
    const activity = oddPages(sampleTrade()).map((raw) => PAGE_READERS.activity(raw, WALLET_A));
    const transfers = oddPages(sampleTransfer()).map((raw) =>
      PAGE_READERS['deposits-withdrawals'](raw, WALLET_A),
    );
    fc.assert(
      fc.property(activity, transfers, (trades, flows) => {
        for (const [endpoint, read, reply] of [
          ['activity', trades, lookupReply(readActivityItemSchema)],
          ['deposits-withdrawals', flows, lookupReply(transferItemSchema)],
        ] as const) {
          const { items, hasMore, skipped } = read;
          const unreadable = skipped.flatMap(({ row }) => row ?? []);
          const page = polledPage({ endpoint, items, hasMore, unreadable });
          expect(decode(pageMessage, encode({ page })).page).toEqual(page);
          // Who looks something up is told how many rows could not be read; the poll says which.
          const told = { ...read, skipped: skipped.map(({ row: _row, ...said }) => said) };
          const budget = UNKNOWN_BUDGET;
          const answer = decode<object>(reply, encode({ page: read, budget }));
          expect(answer).toEqual({ page: told, budget });
        }
      }),
    );
  });

  it('let a bot ask for nothing but the two endpoints of a wallet, not as a poll, and for a minute at the most', () => {
    const common = { priority: 'background', withinMs: 60_000, account: null };
    const request = { endpoint: 'activity', wallet: WALLET_A, ...common, limit: 50 };
    expect(decode(LOOKUP.asked, encode(request))).toEqual(request);
    expectRefused(LOOKUP.asked, request, [
      { endpoint: 'orders' },
      { endpoint: '../activity' },
      { wallet: '../../etc' },
      { wallet: WALLET_A.toUpperCase() },
      { priority: 'poller' },
      { withinMs: 0 },
      { withinMs: 60_001 },
      { limit: 101 },
      { cursor: 'c'.repeat(4_001) },
    ]);
  });

  it('that are forged are refused with the first fault alone, however many they have', () => {
    const forged = encode({ polls: Array.from({ length: 100_000 }, () => 1) });
    expect(() => decode(UNCHANGED.asked, forged)).toThrow(
      /^The message cannot be read: polls: Too big/,
    );
    const damaged = encode({ polls: Array.from({ length: 1_000 }, () => 1) });
    expect(() => decode(UNCHANGED.asked, damaged)).toThrow(
      /^The message cannot be read: polls\.0: .{1,200}$/,
    );
    for (const text of ['', '{', 'null', '[]', '{}', '{"version":"1"}']) {
      expect(() => decode(UNCHANGED.asked, Buffer.from(text)), text).toThrow(
        /^The message cannot be read: /,
      );
    }
  });

  it('take no list whose bot could be part of a subject, or that is no list', () => {
    const entry = { wallet: WALLET_A, guilds: ['g'], committed: { activity: 1 }, open: [] };
    const lists = { part: null, entries: [], removed: [], received: 0 };
    const list = { bot: 'a-b', instance: 'i', isWorking: true, shards: null, ...lists };
    expect(decode(POLL_LIST.asked, encode(list))).toEqual(list);
    expectRefused(POLL_LIST.asked, list, [
      { bot: 'a.b' },
      { bot: '*' },
      { received: -1 },
      { part: { index: 0, count: 0 } },
      { part: { index: 1, count: 1 } },
      { part: { index: 0, count: 501 } },
      { shards: { ids: Array.from({ length: 10_001 }, () => 0), count: 10_000 } },
      { entries: Array.from({ length: 1_001 }, () => entry) },
      { entries: [{ ...entry, guilds: Array.from({ length: 65 }, () => 'g') }] },
      { entries: [{ ...entry, open: ['activity', 'activity', 'activity'] }] },
      // No later number could be read.
      { entries: [{ ...entry, committed: { activity: Number.MAX_SAFE_INTEGER } }] },
      { removed: ['0x1'] },
    ]);
  });
});
