import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAddress } from '../src/address.ts';
import {
  type ActivityFilters,
  activityPageQuery,
  type Query,
  transfersPageQuery,
} from '../src/http/page-query.ts';
import { connect } from '../src/ledger/sqlite.ts';
import { type Ledger, openLedger } from '../src/ledger.ts';
import { temporaryFolder } from './helpers.ts';
import {
  activities,
  activity,
  buy,
  deposit,
  hashOf,
  OTHER_WALLET,
  START_SECONDS,
  serveInTest,
  transfer,
  WALLET,
  WALLET_SHOWN,
} from './support.ts';

let directory: string;
let path: string;
let ledger: Ledger;
beforeEach(async () => {
  directory = temporaryFolder();
  path = join(directory, 'new folder', 'ledger.sqlite');
  ledger = await openLedger({ path });
});
afterEach(() => ledger.close());

const parsed = readAddress(WALLET);
if (!parsed.ok) throw new Error(parsed.reason);
const { address } = parsed;
const newest = { after: null, limit: 50 };

describe('the ledger', () => {
  it('keeps all of many twins of one batch and of the next: equal in every figure, within one transaction', async () => {
    const batch = Array.from({ length: 600 }, (_, n) => (n % 3 === 0 ? transfer() : activity()));
    for (const expected of [400, 800]) {
      const ids = await ledger.addAll(batch);
      expect(new Set(ids.filter((_, n) => n % 3 !== 0)).size).toBe(400);
      expect(await ledger.allActivity(WALLET)).toHaveLength(expected);
    }
    expect(await ledger.counts()).toEqual({ activity: 800, transfers: 400 });
  });

  it('takes records back, and never uses their ids again', async () => {
    const first = await ledger.addActivity(WALLET, 7, buy());
    expect(await ledger.remove('activity', first)).toBe(true);
    expect(await ledger.remove('activity', first)).toBe(false);
    expect(await ledger.allActivity(WALLET)).toEqual([]);
    expect(await ledger.addActivity(WALLET, 7, buy())).toBeGreaterThan(first);
    const transfer = await ledger.addTransfer(WALLET, deposit());
    expect(await ledger.remove('transfer', transfer)).toBe(true);
    expect(await ledger.counts()).toEqual({ activity: 1, transfers: 0 });
  });

  it('knows a wallet in every spelling and keeps wallets apart', async () => {
    await ledger.addActivity(WALLET_SHOWN, 7, buy({ trader: WALLET_SHOWN }));
    await ledger.addActivity(OTHER_WALLET, 7, buy({ trader: OTHER_WALLET }));
    expect(await ledger.allActivity(WALLET)).toEqual([buy({ trader: WALLET })]);
    expect(await ledger.allActivity(OTHER_WALLET)).toEqual([buy({ trader: OTHER_WALLET })]);
  });

  it('adds a batch as a whole or not at all', async () => {
    const good = activity();
    await expect(ledger.addAll([good, activity({ price: 200 })])).rejects.toThrow(/price/);
    await expect(ledger.addAll([good, { ...good, wallet: '0x12' }])).rejects.toThrow(
      /isn’t a wallet address/,
    );
    await expect(ledger.addAll([good, activity({}, -1)])).rejects.toThrow(/block height/);
    expect(await ledger.counts()).toEqual({ activity: 0, transfers: 0 });
    expect(await ledger.addAll([good, good])).toHaveLength(2);
  });

  it('returns the ids of a batch in its order, also of both kinds mixed', async () => {
    const batch = Array.from({ length: 40 }, (_, n) =>
      n % 4 === 0 ? transfer({ amount: n }) : activity({ quantity: n }),
    );
    const ids = await ledger.addAll(batch);
    expect(await ledger.remove('activity', ids[18] ?? -1)).toBe(true);
    expect(await ledger.remove('transfer', ids[20] ?? -1)).toBe(true);
    expect((await ledger.allActivity(WALLET)).map((item) => item.quantity)).not.toContain(18);
    expect((await ledger.allTransfers(WALLET)).map((item) => item.amount)).not.toContain(20);
    expect(await ledger.counts()).toEqual({ activity: 29, transfers: 9 });
  });

  it('keeps the order of many writers at once', async () => {
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        n % 3 === 0
          ? ledger.addAll([activity({ quantity: n }, 1)])
          : ledger.addActivity(WALLET, 1, buy({ quantity: n })),
      ),
    );
    const quantities = (await ledger.allActivity(WALLET)).map((item) => item.quantity);
    expect(quantities).toEqual(Array.from({ length: 200 }, (_, n) => 199 - n));
  });

  it('keeps records and cursors over a restart', async () => {
    await ledger.addAll(activities(3, (n) => ({ time: START_SECONDS + n })));
    const before = await serveInTest({ ledger });
    const { nextCursor } = await before.activity('?limit=2');
    await before.stop();
    ledger = await openLedger({ path });
    const after = await serveInTest({ ledger });
    const { items } = await after.activity(`?cursor=${encodeURIComponent(nextCursor ?? '')}`);
    expect(items).toMatchObject([{ time: START_SECONDS }]);
  });

  it('finishes what it was asked before it closes, and refuses what comes later', async () => {
    const asked = [
      ledger.addActivity(WALLET, 1, buy()),
      ledger.activityPage(address, {}, newest),
      ledger.counts(),
    ];
    await ledger.close();
    await Promise.all(asked);
    await expect(ledger.addActivity(WALLET, 1, buy())).rejects.toThrow(/is closed/);
    await expect(ledger.counts()).rejects.toThrow(/is closed/);
  });

  it('refuses a file that is not a ledger, and names it', async () => {
    const text = join(directory, 'notes.txt');
    await writeFile(
      text,
      'These are notes, and they are longer than the header of a database would be.\n'.repeat(20),
    );
    await expect(openLedger({ path: text })).rejects.toThrow(
      /Cannot open the ledger .*notes\.txt: .*not a database/,
    );
    const foreign = join(directory, 'foreign.sqlite');
    const others = await connect(foreign, 'create');
    await others.exec(
      "CREATE TABLE keyv (key TEXT PRIMARY KEY, value TEXT); INSERT INTO keyv VALUES ('a', 'b')",
    );
    await others.close();
    await expect(openLedger({ path: foreign })).rejects.toThrow(
      /foreign\.sqlite: .*another program/,
    );
    await expect(openLedger({ path: directory })).rejects.toThrow(/Cannot open the ledger/);
  });
});

describe('the way to a page', () => {
  const after = { timeSeconds: START_SECONDS, id: 5 };
  const PLACE = '(time,rowid)<(?,?)';
  const key = Buffer.from(address.slice(2), 'hex');
  /** Returns SQLite's query plan, one step per line. */
  const explain = async ({ sql, params }: Query) => {
    const connection = await connect(path, 'read');
    const steps = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params);
    await connection.close();
    return steps.map(({ detail }) => detail);
  };
  const shapes: readonly (readonly [string, ActivityFilters, string])[] = [
    ['no filter', {}, `activity_by_time (wallet=? AND ${PLACE})`],
    [
      'a time range',
      { fromTimestamp: 1, toTimestamp: 2 },
      `activity_by_time (wallet=? AND time>? AND ${PLACE})`,
    ],
    ['a block range', { fromBlock: 1, toBlock: 2 }, `activity_by_time (wallet=? AND ${PLACE})`],
    ['one market', { marketIds: ['1'] }, `activity_by_market (wallet=? AND market=? AND ${PLACE})`],
    [
      'many markets',
      { marketIds: ['1', '2', '3'] },
      `activity_by_market (wallet=? AND market=? AND ${PLACE})`,
    ],
    ['a transaction', { txHash: hashOf(1) }, `activity_by_tx (wallet=? AND tx=? AND ${PLACE})`],
    [
      'everything',
      {
        txHash: hashOf(1),
        marketIds: ['1', '2'],
        fromBlock: 1,
        toBlock: 2,
        fromTimestamp: 1,
        toTimestamp: 2,
      },
      `activity_by_tx (wallet=? AND tx=? AND time>? AND ${PLACE})`,
    ],
  ];

  it.each(shapes)(
    'of activity with %s is an index, and no table is scanned',
    async (_, filters, index) => {
      for (const page of [newest, { after, limit: 100 }]) {
        const plan = await explain(activityPageQuery(key, filters, page));
        expect(plan.join('\n')).toContain(index);
        expect(plan.filter((step) => /SCAN (activity|record|transfer)/.test(step))).toEqual([]);
        const isMerged = (filters.marketIds?.length ?? 0) > 1 && filters.txHash === undefined;
        // Only the keys of a few markets' pages are sorted, at most a page of each.
        expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(isMerged ? 1 : 0);
      }
    },
  );

  it('of transfers is an index', async () => {
    const plan = await explain(transfersPageQuery(key, { after, limit: 50 }));
    expect(plan).toEqual([`SEARCH transfer USING INDEX transfer_by_time (wallet=? AND ${PLACE})`]);
  });

  it('of a block range finds records whose blocks and times disagree', async () => {
    const seconds = { 10: 500, 20: 400, 15: 600, 90000: 450 };
    for (const [block, time] of Object.entries(seconds))
      await ledger.addAll([
        activity({ time: START_SECONDS + time, quantity: Number(block) }, Number(block)),
      ]);
    const found = async (filters: ActivityFilters) =>
      (await ledger.activityPage(address, filters, newest)).items.map(
        (item) => JSON.parse(item).quantity,
      );
    expect(await found({ fromBlock: 10, toBlock: 20 })).toEqual([15, 10, 20]);
    expect(await found({ fromBlock: 20 })).toEqual([90_000, 20]);
  });

  it('of a block range is narrowed to the times of these blocks', async () => {
    await ledger.addAll(
      Array.from({ length: 3_000 }, (_, n) =>
        activity({ time: START_SECONDS + n, quantity: n }, n * 1_000),
      ),
    );
    const page = await ledger.activityPage(address, { fromBlock: 20_000, toBlock: 24_000 }, newest);
    expect(page.items.map((item) => JSON.parse(item).quantity)).toEqual([24, 23, 22, 21, 20]);
    expect(page.next).toBeNull();
    expect((await ledger.activityPage(address, { fromBlock: 9_000_000 }, newest)).items).toEqual(
      [],
    );
  });
});
