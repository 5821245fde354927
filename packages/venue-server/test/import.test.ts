import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFile } from '../src/import.ts';
import { type Ledger, openLedger } from '../src/ledger.ts';
import { randomRuns, temporaryFolder } from './helpers.ts';
import {
  activities,
  buy,
  deposit,
  OTHER_WALLET,
  redeem,
  START_SECONDS,
  serveInTest,
  transfer,
  WALLET,
  WALLET_SHOWN,
} from './support.ts';

let directory: string;
let ledger: Ledger;
let files = 0;
beforeEach(async () => {
  directory = temporaryFolder();
  ledger = await openLedger({ path: ':memory:' });
});
afterEach(() => ledger.close());

const activityLine = (item = buy(), block = 7) => JSON.stringify({ kind: 'activity', block, item });
const transferLine = (item = deposit(), wallet = WALLET) => JSON.stringify(transfer(item, wallet));

async function load(lines: readonly string[] | string, into = ledger) {
  files += 1;
  const file = join(directory, `${files}.jsonl`);
  await writeFile(
    file,
    typeof lines === 'string' ? lines : lines.map((line) => `${line}\n`).join(''),
  );
  const told: { readonly line: number; readonly reason: string }[] = [];
  return { ...(await importFile(into, file, (bad) => told.push(bad))), told };
}

describe('importing', () => {
  it('serves what the lines say, under the trader of an activity and the wallet of a transfer', async () => {
    const report = await load([
      activityLine(buy({ trader: WALLET_SHOWN })),
      transferLine(),
      activityLine(redeem({ trader: OTHER_WALLET })),
      transferLine(deposit({ type: 'withdrawal' }), OTHER_WALLET),
    ]);
    expect(report).toMatchObject({ added: 4, known: 0, bad: 0 });
    const venue = await serveInTest({ ledger });
    expect((await venue.activity()).items).toEqual([buy()]);
    expect((await venue.transfers()).items).toEqual([deposit()]);
    expect((await venue.get(`/v1/trader/${OTHER_WALLET}/activity`)).items).toEqual([
      redeem({ trader: OTHER_WALLET }),
    ]);
    expect((await venue.activity('?fromBlock=7&toBlock=7')).items).toHaveLength(1);
  });

  it('changes nothing the second time, and keeps the twins of the file, however far apart they stand', async () => {
    const others = activities(4_200).map((record) => JSON.stringify(record));
    const lines = [
      activityLine(),
      transferLine(),
      activityLine(),
      activityLine(buy({ price: 3 })),
      ...others,
      activityLine(),
      transferLine(),
    ];
    expect(await load(lines)).toMatchObject({ added: 4_206, known: 0 });
    const before = [await ledger.allActivity(WALLET), await ledger.allTransfers(WALLET)];
    expect(await load(lines)).toMatchObject({ added: 0, known: 4_206 });
    expect([await ledger.allActivity(WALLET), await ledger.allTransfers(WALLET)]).toEqual(before);
    expect(before.map((list) => list.length)).toEqual([4_204, 2]);
  });

  it('adds only what is new of a file that overlaps, and knows records that were added live', async () => {
    await ledger.addActivity(WALLET, 7, buy());
    expect(await load([activityLine(), activityLine(buy({ price: 1 }))])).toMatchObject({
      added: 1,
      known: 1,
    });
    expect(
      await load([activityLine(buy({ price: 1 })), activityLine(buy({ price: 2 }))]),
    ).toMatchObject({
      added: 1,
      known: 1,
    });
    expect(await load([activityLine(), activityLine()])).toMatchObject({ added: 1, known: 1 });
    expect(await ledger.counts()).toEqual({ activity: 4, transfers: 0 });
  });

  it('leaves as many of each record as the file with the most of them, whatever is imported in which order', async () => {
    const file = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (contents) => {
        const fresh = await openLedger({ path: ':memory:' });
        for (const prices of [...contents, ...contents]) {
          await load(
            prices.map((price) => activityLine(buy({ price }))),
            fresh,
          );
        }
        const most = [1, 2, 3, 4].map((price) =>
          Math.max(...contents.map((prices) => prices.filter((other) => other === price).length)),
        );
        const kept = (await fresh.allActivity(WALLET)).map((item) => item.price);
        expect([1, 2, 3, 4].map((price) => kept.filter((other) => other === price).length)).toEqual(
          most,
        );
        await fresh.close();
      }),
      randomRuns(25),
    );
  });

  it('reports each bad line with its number and reason, and loads the others', async () => {
    const bad: readonly (readonly [line: string, reason: RegExp])[] = [
      ['{"kind":"activity",', /^is not JSON/],
      [JSON.stringify({ kind: 'trade', item: buy() }), /^kind: must be "activity" or "transfer"/],
      [JSON.stringify({ kind: 'activity', item: buy() }), /^block: /],
      [activityLine(buy({ price: 100.5 })), /^item\.price: .*100/],
      [activityLine(buy({ action: 'Split' })), /^item\.action: .*"Buy"\|"Sell"\|"Redeem"/],
      [
        activityLine(buy({ recordType: 'REDEEMS' })),
        /^item\.recordType: must be REDEEMS for a Redeem, and only then/,
      ],
      [
        activityLine(redeem({ liquidityRole: 'TAKER' })),
        /^item\.liquidityRole: must be null for a Redeem/,
      ],
      [activityLine(buy({ outcomeIndex: 1 })), /^item\.outcomeIndex: must be 0 for Yes, 1 for No/],
      [activityLine(buy({ time: START_SECONDS * 1000 })), /^item\.time: /],
      [activityLine(buy({ txHash: '0x12' })), /^item\.txHash: must be 0x and 64 hex digits/],
      [
        activityLine(buy({ trader: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed' })),
        /^item\.trader: The checksum/,
      ],
      [transferLine(deposit({ amount: -4 })), /^item\.amount: /],
      [transferLine(deposit({ type: 'bridge' })), /^item\.type: /],
      [transferLine(deposit(), 'me'), /^wallet: “me” isn’t a wallet address/],
      ['null', /^the line: |^kind: /],
      [activityLine(buy({ marketTitle: 'x'.repeat(70_000) })), /^is longer than 65536 bytes/],
    ];
    const report = await load([activityLine(), '', ...bad.map(([line]) => line), transferLine()]);
    expect(report).toMatchObject({ added: 2, known: 0, bad: bad.length });
    expect(report.told).toEqual(
      bad.map(([, reason], index) => ({ line: index + 3, reason: expect.stringMatching(reason) })),
    );
  });

  it('names three faults of a line in which nearly all is wrong, and how many more there are', async () => {
    const { told } = await load([JSON.stringify({ kind: 'activity', item: {} })]);
    expect(told).toEqual([
      {
        line: 1,
        reason: expect.stringMatching(
          /^block: [^;]+; item\.\w+: [^;]+; item\.\w+: [^;]+; and \d+ more$/,
        ),
      },
    ]);
  });

  it('reads Windows line ends, a byte order mark, blank lines and a last line without an end', async () => {
    const report = await load(
      `\uFEFF${activityLine()}\r\n\r\n${transferLine()}\r\n   \n${activityLine(buy({ price: 1 }))}`,
    );
    expect(report).toMatchObject({ added: 3, bad: 0 });
  });

  it('reads titles whose bytes fall on the border of two chunks', async () => {
    const records = activities(3_000, (n) => ({ marketTitle: '🏆日本語é'.repeat(1 + (n % 60)) }));
    expect(await load(records.map((record) => JSON.stringify(record)))).toMatchObject({
      added: 3_000,
      bad: 0,
    });
    const titles = new Set((await ledger.allActivity(WALLET)).map((item) => item.marketTitle));
    expect(titles.size).toBe(60);
    expect([...titles].some((title) => title.includes('\uFFFD'))).toBe(false);
  });

  it('names a file that cannot be read, and can import afterwards', async () => {
    await expect(importFile(ledger, join(directory, 'none.jsonl'), () => {})).rejects.toThrow(
      /Cannot read .*none\.jsonl/,
    );
    expect(await load([activityLine()])).toMatchObject({ added: 1 });
  });

  it('does not quote a line that is not JSON, which may be of a wrong file with secrets', async () => {
    const { told } = await load('[{"key":"wb_live_secret"\n');
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('lets readers see the ledger meanwhile', async () => {
    const onDisk = await openLedger({ path: join(directory, 'ledger.sqlite') });
    const venue = await serveInTest({ ledger: onDisk });
    const session = await onDisk.beginImport();
    const adding = session.add(activities(3_000));
    const during = await venue.activity();
    expect([0, 50]).toContain(during.items.length);
    expect(await adding).toBe(3_000);
    await session.end();
  });
});
