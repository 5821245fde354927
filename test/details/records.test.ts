import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createDetailsKeeper,
  createDetailsRecords,
  type DetailsRecord,
  detailsKind,
} from '../../src/details/records.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog, quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { trade } from '../support/records.ts';

const DAY_MS = 86_400_000;
const wallet = `0x${'a'.repeat(40)}` as WalletAddress;
const GUILD = '100000000000000001';
const OTHER_GUILD = '100000000000000002';
const CHANNEL = '200000000000000001';

function openRecords() {
  const store = documentStore();
  const clock = { nowMs: 1_800_000_000_000 };
  const archive = detailsKind.open(testMachine({ nowMs: () => clock.nowMs }), store);
  const records = createDetailsRecords(archive);
  const record = (reference: string, changes: Partial<DetailsRecord> = {}): DetailsRecord => ({
    ownerId: GUILD,
    channelId: CHANNEL,
    wallet,
    reference,
    createdAtMs: clock.nowMs,
    seenAtMs: clock.nowMs,
    target: { marketId: '501', action: 'Buy', outcomeIndex: 0, fromSeconds: 1, toSeconds: 2 },
    identities: ['one'],
    position: null,
    size: null,
    results: [],
    record: null,
    ...changes,
  });
  const find = (reference: string, changes: Partial<DetailsRecord> = {}) =>
    records.get({ ownerId: GUILD, channelId: CHANNEL, wallet, reference, ...changes });
  return { clock, records, record, find, keys: () => [...store.documents.keys()] };
}

describe('what was known at an alert', () => {
  it('is there for thirty days, and deleted afterwards, also if the process runs all the time', async () => {
    const { clock, records, record, find, keys } = openRecords();
    await records.set(record('old'));
    clock.nowMs += 29 * DAY_MS;
    await records.set(record('young'));
    expect(await find('old')).toMatchObject({ reference: 'old', identities: ['one'] });
    clock.nowMs += DAY_MS;
    expect(await find('old')).toBeUndefined();
    await records.set(record('new'));
    expect(keys()).toEqual(['young', 'new'].map((name) => `details:${CHANNEL}:${wallet}:${name}`));
  });

  it('is shown to nobody of another server or channel', async () => {
    const { records, record, find } = openRecords();
    await records.set(record('mine'));
    expect(await find('mine', { ownerId: OTHER_GUILD })).toBeUndefined();
    expect(await find('mine', { channelId: '200000000000000009' })).toBeUndefined();
    expect(await find('mine', { wallet: `0x${'b'.repeat(40)}` as WalletAddress })).toBeUndefined();
  });

  it('of one server is not pushed out by that of others, and all of it is bounded', async () => {
    const { records, record, find, keys } = openRecords();
    await records.set(record('mine'));
    const identities = Array.from({ length: 1_000 }, (_, index) => `i${index}`);
    for (let index = 0; index < 4_000; index += 1) {
      await records.set(record(`r${index}`, { ownerId: OTHER_GUILD, identities }));
    }
    expect(await find('mine')).toBeDefined();
    expect(await find('r0', { ownerId: OTHER_GUILD })).toBeUndefined();
    expect(await find('r3999', { ownerId: OTHER_GUILD })).toBeDefined();
    expect(keys().length).toBeLessThan(3_200);
  });
});

describe('keeping it', () => {
  const alerts = [
    {
      id: 'ref1',
      wallet,
      channelId: CHANNEL,
      event: { kind: 'activity', item: trade() },
      seenAtMs: 5,
    },
  ] as const;
  const groups = [{ kind: 'alert', alerts }] as const;
  const watched = { get: () => ({ ownerId: GUILD }) as Watch };

  const keeper = (given: Partial<Parameters<typeof createDetailsKeeper>[0]>) =>
    createDetailsKeeper({
      records: openRecords().records,
      registry: watched,
      knowledgeOf: async () => undefined,
      recordFor: () => expect.unreachable(),
      nowMs: () => 1_800_000_000_000,
      log: quietLog(),
      ...given,
    });

  it('never stands in the way of an alert: a store that fails is logged, and no more', async () => {
    const { log, lines } = collectingLog();
    const { records, find } = openRecords();
    const full = { ...records, set: async () => Promise.reject(new Error('disk full')) };
    await keeper({ records: full, log })(CHANNEL, groups)('900000000000000001');
    expect(await find('ref1')).toBeUndefined();
    expect(lines.map(({ event }) => event)).toEqual(['details.not_kept']);
  });

  it('is for channels that watch the wallet', async () => {
    const { records, find } = openRecords();
    const unwatched = keeper({ records, registry: { get: () => undefined } });
    await unwatched(CHANNEL, groups)('900000000000000001');
    expect(await find('ref1')).toBeUndefined();
    await keeper({ records })(CHANNEL, groups)('900000000000000001');
    expect(await find('ref1')).toMatchObject({ seenAtMs: 5, position: null, record: null });
  });

  it('is found while the message is on its way, and stored once with its id; not at all if it was not sent', async () => {
    const { records, find, keys } = openRecords();
    const keep = keeper({ records });
    const failed = keep(CHANNEL, groups);
    await turn();
    expect(await find('ref1')).toMatchObject({ seenAtMs: 5 });
    expect(keys()).toEqual([]);
    await failed(null);
    expect(await find('ref1')).toBeUndefined();
    await keep(CHANNEL, groups)('900000000000000001');
    expect(await find('ref1')).toMatchObject({ messageId: '900000000000000001' });
    expect(keys()).toHaveLength(1);
  });
});
