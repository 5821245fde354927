import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINES, type ListPage } from '../../commands/lists/list-message.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import { activityRows, isOneRow, transferRow } from '../../src/embeds/item-lines.ts';
import { createLinks, type Links } from '../../src/embeds/links.ts';
import { textLength } from '../../src/embeds/text/escape.ts';
import { ENGLISH, type Language } from '../../src/language/language.ts';
import { type Filters, NO_FILTERS, readFilters } from '../../src/lookups/filters.ts';
import { describeActivityTotals, describeFlowTotals } from '../../src/lookups/list-summary.ts';
import type { PageScan } from '../../src/lookups/page-scan.ts';
import { rowsFrom } from '../../src/lookups/page-scan.ts';
import { parseMarkdown } from '../embeds/discord-markdown.ts';
import { anyActivity } from '../embeds/hostile-items.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { scannedPages } from '../lookups/scanned-pages.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { orRefusal } from '../support/or-refusal.ts';
import { trade, transfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { anyLanguage, expectOurMarkup, pageOf, wallet } from './list-samples.ts';

const NOW = 1_795_257_000;
const DAY = 86_400;
const linksTo = (venue: string) =>
  createLinks({
    MARKET_URL: `https://${venue}/{eventSlug}/{marketSlug}`,
    TX_URL: 'https://scan.example/{txHash}',
    WALLET_URL: 'https://scan.example/u/{address}',
  });

const scanOf = <Item>(items: readonly Item[], changes: Partial<PageScan<Item>> = {}) =>
  scannedPages(wallet, items, { newestSeconds: NOW, oldestSeconds: NOW - 1_000, ...changes });

const links = linksTo('venue.example');

const rowsOf =
  (items: readonly ActivityItem[], language = ENGLISH) =>
  (links: Links) =>
    activityRows(rowsFrom(items, 0, LINES, isOneRow), links, language, {
      nowSeconds: NOW,
      isCut: false,
    });

const tradesPage = async (items: ActivityItem[], changes: Partial<ListPage<ActivityItem>> = {}) => {
  const totals = await describeActivityTotals(items, ENGLISH);
  return pageOf({ scan: scanOf(items), rows: rowsOf(items), totals, links, ...changes });
};

describe('a page of a list', () => {
  it('names a market once for the trades that follow each other in it', async () => {
    const { description } = await tradesPage([
      trade({ quantity: 1, time: NOW }),
      trade({ quantity: 2, time: NOW - 60 }),
      trade({
        quantity: 3,
        time: NOW - 86_400,
        marketId: '7',
        conditionId: '0x7',
        marketTitle: 'Snow?',
      }),
    ]);
    expect(description?.split('\n')).toEqual([
      expect.stringContaining('`0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed` · [open the wallet]'),
      '[Will it rain in Paris?](https://venue.example/weather/rain-in-paris)',
      `**Bought Yes $785** · 1 at 63.5¢ · <t:${NOW}:t>`,
      `**Bought Yes $785** · 2 at 63.5¢ · <t:${NOW - 60}:t>`,
      '[Snow?](https://venue.example/weather/rain-in-paris)',
      `**Bought Yes $785** · 3 at 63.5¢ · <t:${NOW - 86_400}:d> <t:${NOW - 86_400}:t>`,
    ]);
  });

  it('adds up nothing of records without any name of their market', () => {
    const nameless = { action: 'Redeem', conditionId: '', marketId: '', marketSlug: '' };
    expect(
      isOneRow(
        trade({ ...nameless, marketTitle: 'Rain?' }),
        trade({ ...nameless, marketTitle: 'Snow?' }),
      ),
    ).toBe(false);
  });

  it('shows fills of one purchase in one line, with what all of them come to', async () => {
    const fill = { price: 45.9, txHash: '0xaa' };
    const { description } = await tradesPage([
      trade({ ...fill, quantity: 20, transferNetAmount: 9.18, time: NOW }),
      trade({ ...fill, quantity: 80.5, transferNetAmount: 36.95, time: NOW - 1 }),
      trade({ ...fill, quantity: 20.43, transferNetAmount: 9.38, time: NOW - 59 }),
      trade({
        ...fill,
        quantity: 1,
        positionSide: 'No',
        outcomeIndex: 1,
        tokenId: '502',
        time: NOW - 59,
      }),
      trade({ ...fill, quantity: 3, action: 'Sell', transferNetAmount: -1, time: NOW - 59 }),
      trade({
        ...fill,
        quantity: 4,
        action: 'Sell',
        transferNetAmount: -1,
        time: NOW - 59,
        txHash: '0xbb',
      }),
    ]);
    const [, , ...rows] = description?.split('\n') ?? [];
    expect(rows).toEqual([
      `**Bought Yes $55.51** · 120.9 at 45.9¢ · 3 fills · <t:${NOW}:t>`,
      `**Bought No $785** · 1 at 45.9¢ · <t:${NOW - 59}:t>`,
      `**Sold Yes $2.00** · 7 at 45.9¢ · 2 fills · <t:${NOW - 59}:t>`,
    ]);
  });

  it('does not pass for whole what may go on', () => {
    const items = [trade(), trade()];
    const rows = rowsFrom(items, 0, LINES, isOneRow);
    expect(activityRows(rows, links, ENGLISH, { nowSeconds: NOW, isCut: true })[0]).toContain(
      '2 fills …',
    );
  });

  it('gives totals of all that was read, not of the page alone', async () => {
    const { fields } = await tradesPage(
      Array.from({ length: 30 }, () => trade({ grossValue: 0.1, fee: 0.01 })),
    );
    expect(fields?.[0]?.value).toBe(
      '30 buys $3.00\nFees $0.30 · paid $23,553 · received $0.00\n-# All 30 records.',
    );
  });

  it('leaves links out before it leaves records out', async () => {
    const long = linksTo(`venue.example/${'a'.repeat(1_000)}`);
    const items = Array.from({ length: 10 }, (_, n) =>
      trade({
        quantity: n + 1,
        marketTitle: `Rain ${n}?`,
        marketId: `${n}`,
        conditionId: `0x${n}`,
      }),
    );
    const { description, footer } = await tradesPage(items, { links: long });
    for (const { quantity } of items) expect(description).toContain(` · ${quantity} at 63.5¢`);
    expect(footer?.text).toBe('Page 1, newest first');
  });

  it('says by what it is narrowed, and that nothing matches', async () => {
    const typed: Record<string, string> = { market: 'Rain-In-Paris', action: 'Buy', from: '2h' };
    const filters = readFilters(
      (option) => typed[option] ?? null,
      NOW,
      () => undefined,
    );
    const { description } = await tradesPage([], { filters });
    expect(description).toContain(`Only buys · market rain-in-paris · from <t:${NOW - 7_200}:f>`);
    expect(description).toContain('Nothing matches.');
  });
});

describe('totals of transfers', () => {
  const items = [
    transfer({ time: NOW - 100, amount: 0.1 }),
    transfer({ time: NOW - DAY, amount: 0.2 }),
    transfer({ time: NOW - DAY - 1, amount: 1_000, type: 'withdrawal' }),
    transfer({ time: NOW - 6 * DAY, amount: 3 }),
  ];
  const totals = async (changes: Partial<PageScan<TransferItem>>) => {
    const text = await describeFlowTotals(
      scanOf(items, { oldestSeconds: NOW - 6 * DAY, ...changes }),
      NOW,
      ENGLISH,
    );
    return text.split('\n');
  };

  it('come for each length of time, in one line where they are equal', async () => {
    expect(await totals({})).toEqual([
      '**24 h:** in $0.30 (2) · out $0.00 (0) · net **+\u2060$0.30**',
      '**7 d, 30 d, All time:** in $3.30 (3) · out $1,000 (1) · net **−\u2060$997**',
    ]);
  });

  it('are not given for a time that the scan does not reach back to', async () => {
    expect(await totals({ cursor: 'more' })).toEqual([
      '**24 h:** in $0.30 (2) · out $0.00 (0) · net **+\u2060$0.30**',
      '**Read so far:** in $3.30 (3) · out $1,000 (1) · net **−\u2060$997**',
      'Unknown for 7 d, 30 d: the records read so far don’t go back that far.',
    ]);
    expect((await totals({ isFromTop: false }))[0]).toContain('**Read so far:**');
  });
});

/** The filters for a market as it is typed; none if it is refused, which must not repeat markup. */
function filtersOf(market: string | null, language: Language): Filters {
  const typed = (option: string) => (option === 'market' ? market : null);
  const read = orRefusal(() => readFilters(typed, NOW, () => undefined), language);
  if (typeof read !== 'string') return read;
  const nodes = parseMarkdown(read);
  expect(nodes.every(({ kind }) => kind === 'text' || kind === 'code')).toBe(true);
  return NO_FILTERS;
}

describe('whatever the venue and people write', () => {
  const item = fc
    .tuple(
      anyActivity,
      fc.record({
        amount: fc.oneof(
          fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
          fc.double({ min: 0, max: 1e7, noNaN: true }),
        ),
        type: fc.oneof(fc.constantFrom('deposit', 'withdrawal'), hostileText(4)),
        address: hostileText(4),
        marketId: fc.constantFrom('1', '2'),
      }),
    )
    .map(([drawn, changes]) => ({ ...drawn, ...changes }));
  const page = fc.record({
    items: fc.array(item, { minLength: 1, maxLength: 12 }),
    label: fc.option(hostileText(8)),
    market: fc.option(hostileText(3)),
    isActivity: fc.boolean(),
    isPart: fc.boolean(),
    language: anyLanguage,
  });

  it('a page keeps to every limit in every language, pings nobody, and has no markup or link but our own', async () => {
    await fc.assert(
      fc.asyncProperty(page, async ({ items, label, market, isActivity, isPart, language }) => {
        const filters = filtersOf(market, language);
        const scan = scanOf(items, { cursor: isPart ? 'more' : null, isFromTop: !isPart });
        const embed = isActivity
          ? pageOf({
              ...{ label, filters, language, links, scan, rows: rowsOf(items, language) },
              totals: await describeActivityTotals(items, language),
            })
          : pageOf<TransferItem>({
              ...{ label, filters, language, links, scan, names: language.texts.lists.flows },
              rows: (shown) =>
                items.slice(0, LINES).map((one) => transferRow(one, shown, language)),
              totals: await describeFlowTotals(scan, NOW, language),
            });
        assertEmbedLimits(embed);
        const smallPrint = /\n-# (?=[^\n]*$)/;
        const texts = [
          (embed.description ?? '').replace(/^-# /, ''),
          ...(embed.fields ?? []).map(({ value }) => value.replace(smallPrint, '\n')),
        ];
        for (const text of texts) expect(textLength(text)).toBeGreaterThan(0);
        expectOurMarkup(embed, texts, ['text', 'link', 'timestamp', 'code']);
      }),
      randomRuns(120),
    );
  });
});
