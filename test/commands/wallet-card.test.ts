import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardList, readCard, type WalletCard, walletCardEmbed } from '../../commands/lists/card.ts';
import type { CommandContext } from '../../commands/shared/context.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { activityRows, isOneRow } from '../../src/embeds/item-lines.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { EMBED_LIMITS, embedSize } from '../../src/embeds/text/limits.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { PageScan } from '../../src/lookups/page-scan.ts';
import { rowsFrom } from '../../src/lookups/page-scan.ts';
import { type AccountsQuestion, type CameBack, openOf } from '../../src/portfolio/came-back.ts';
import { newPortfolio, type Portfolio } from '../../src/portfolio/portfolio.ts';
import { isKnown } from '../../src/portfolio/positions/position.ts';
import { EMPTY_RECORD } from '../../src/portfolio/record/record.ts';
import { addActivity, addTransfers } from '../../src/portfolio/update.ts';
import { newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { anyActivity } from '../embeds/hostile-items.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { scannedPages } from '../lookups/scanned-pages.ts';
import {
  add,
  type Fraction,
  fraction,
  isLess,
  type OracleHolding,
  oracle,
  subtract,
} from '../portfolio/oracle.ts';
import { anyChannelRecord, channelRecord, standing } from '../scores/samples.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { redemption, sale, trade, transfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { watchOf } from '../support/watch.ts';
import { anyLanguage, expectOurMarkup, pageOf, wallet } from './list-samples.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A midnight, so that whole hours and days are the lengths of time themselves. */
const NOW = 20_778 * DAY;
const links = createLinks({
  MARKET_URL: 'https://venue.example/{eventSlug}/{marketSlug}',
  WALLET_URL: 'https://venue.example/u/{address}',
  TX_URL: 'https://venue.example/tx/{txHash}',
});

/** As of a wallet that no channel watches. */
function questionOf({ accounts }: Pick<Portfolio, 'accounts'>): AccountsQuestion {
  const settlementOf = () => undefined;
  return { accounts, record: EMPTY_RECORD, fromSeconds: 0, nowSeconds: NOW, settlementOf };
}

/** 212 markets, of which 58 have no known end. */
const cameBack: CameBack = {
  untilSeconds: NOW - 20 * DAY + HOUR,
  markets: 212,
  paidUsdc: '48200',
  backUsdc: '52100',
  withoutEnd: { markets: 58, paidUsdc: '9300' },
  sign: '+',
  gainUsdc: '3900',
};

function cardOf(changes: Partial<WalletCard>): WalletCard {
  const portfolio = newPortfolio(0, true);
  return {
    label: 'Whale',
    wallet,
    portfolio,
    coverage: null,
    record: null,
    cameBack: null,
    open: openOf(questionOf(changes.portfolio ?? portfolio)),
    links,
    language: ENGLISH,
    nowSeconds: NOW,
    scannedFromSeconds: NOW,
    ...changes,
  };
}

/** What the embed says: its description, and its fields with their lines. */
const linesOf = (changes: Partial<WalletCard>, space = 6_000) => {
  const { description, fields = [] } = walletCardEmbed(cardOf(changes), space);
  return [
    description,
    ...fields.map(({ name, value }) => `${name} | ${value.replaceAll('\n', ' | ')}`),
  ];
};

const scanOf = (items: readonly ActivityItem[], changes: Partial<PageScan<ActivityItem>> = {}) =>
  scannedPages(wallet, items, {
    newestSeconds: items[0]?.time ?? 0,
    oldestSeconds: items.at(-1)?.time ?? 0,
    ...changes,
  });

const listOf = (
  items: readonly ActivityItem[],
  shownLinks = links,
  label: string | null = 'Whale',
  language = ENGLISH,
) =>
  pageOf<ActivityItem>({
    ...{ label, language, scan: scanOf(items), links: shownLinks, totals: 'x'.repeat(800) },
    rows: (linked) =>
      activityRows(rowsFrom(items, 0, 10, isOneRow), linked, language, {
        nowSeconds: NOW,
        isCut: false,
      }),
  });

/** A trade or redemption of so long ago, with the amounts that follow from the others. */
function recordAgo(
  action: 'Buy' | 'Sell' | 'Redeem',
  agoSeconds: number,
  of: {
    readonly tokenId: string;
    readonly conditionId?: string;
    readonly quantity: number;
    readonly price: number;
    readonly fee: number;
  },
): ActivityItem {
  const grossValue = Math.round(of.quantity * of.price) / 100;
  const net =
    Math.round((action === 'Buy' ? grossValue + of.fee : of.fee - grossValue) * 100) / 100;
  const make = { Buy: trade, Sell: sale, Redeem: redemption }[action];
  return make({ ...of, time: NOW - agoSeconds, grossValue, transferNetAmount: net });
}

/**
 * Trades of a month in one market: two buys and a sale of half, a market that is closed, and one
 * that is held.
 */
const story = [
  recordAgo('Buy', 20 * DAY, { tokenId: '1', quantity: 100, price: 40, fee: 0 }),
  recordAgo('Sell', 19 * DAY, { tokenId: '1', quantity: 100, price: 50, fee: 0 }),
  recordAgo('Buy', 5 * DAY, { tokenId: '2', quantity: 200, price: 30, fee: 1 }),
  recordAgo('Buy', 3 * HOUR, { tokenId: '2', quantity: 100, price: 60, fee: 1 }),
  recordAgo('Sell', HOUR, { tokenId: '2', quantity: 150, price: 50, fee: 1 }),
];

describe('a wallet card', () => {
  it('shows what is known of a wallet, and since when', () => {
    const { portfolio } = addActivity(newPortfolio(0, true), story, NOW);
    const record = { ...channelRecord(14.3), before: standing(-2, {}, 30) };
    const embed = walletCardEmbed(cardOf({ portfolio, record, cameBack }), 6_000);
    expect(embed.title).toBe('Whale');
    expect(embed.timestamp, 'as of now').toBeUndefined();
    expect(embed.description?.split('\n')).toEqual([
      '**Better than luck** · **+14.3¢** a share, luck alone explains up to +12.4¢',
      '-# 31 markets · won 61%, paid for 55%',
      '-# before you watched it: **−2¢** a share · 30 markets',
    ]);
    expect(embed.fields).toEqual([
      {
        name: 'Returned · $52,100 on $48,200 paid',
        value: `at least **+\u2060$3,900** (+8.1%)\n-# 212 markets entered by <t:${NOW - 20 * DAY}:d> · 58 unresolved ($9,300 paid), counted as $0`,
      },
      {
        name: 'Open · 1 market · $61.00 paid',
        value:
          '**Yes $61.00** · [Will it rain in Paris?](https://venue.example/weather/rain-in-paris)',
      },
      {
        name: 'Usual trade · $60.00',
        value: 'only 5 trades · Volume 24 h **$135** · 30 d **$285**',
      },
    ]);
    const late = walletCardEmbed(cardOf({ portfolio, scannedFromSeconds: NOW - HOUR }), 6_000);
    expect(late.timestamp, 'of an hour ago').toBe(new Date((NOW - HOUR) * 1000).toISOString());
  });

  it('says of what came back a gain or a loss only where unknown ends cannot turn it, and none too early', () => {
    const ended = { ...cameBack, withoutEnd: { markets: 0, paidUsdc: '0' } };
    const said = (of: CameBack | null) =>
      linesOf({ record: channelRecord(1), cameBack: of }).find((line) =>
        line?.startsWith('Returned'),
      );
    const markets = `-# 212 markets entered by <t:${NOW - 20 * DAY}:d>`;
    expect(said(ended)).toBe(
      `Returned · $52,100 on $48,200 paid | **+\u2060$3,900** (+8.1%) | ${markets}`,
    );
    const lost = { ...ended, backUsdc: '46900', sign: '-', gainUsdc: '-1300' } as const;
    expect(said(lost)).toBe(
      `Returned · $46,900 on $48,200 paid | **−\u2060$1,300** (−2.7%) | ${markets}`,
    );
    const turned = { ...cameBack, backUsdc: '46900', sign: '', gainUsdc: null } as const;
    expect(said(turned)).toBe(
      `Returned · $46,900 on $48,200 paid | ${markets} · 58 unresolved ($9,300 paid), counted as $0`,
    );
    expect(said(null)).toBe('Returned | too early for a sum');
    expect(linesOf({}).join(), 'of a wallet that no channel watches nothing is').not.toContain(
      'Came',
    );
  });

  it('counts markets without a known end once, beside what came back', () => {
    const record = channelRecord(-1, { withoutEnd: 9 });
    expect(linesOf({ record })[0]).toContain('31 markets · 9 unresolved\n');
    expect(linesOf({ record, cameBack })[0]).not.toContain('unresolved');
  });

  it('shows as open neither what has been settled nor what stands in what came back', () => {
    const { portfolio } = addActivity(newPortfolio(0, true), story, NOW);
    const [market] = new Set(portfolio.positions.map((position) => position.market));
    const settlement = {
      market: market ?? '',
      payouts: new Map(portfolio.positions.map(({ outcome }) => [outcome, 1])),
      atSeconds: NOW,
    };
    const open = openOf({ ...questionOf(portfolio), settlementOf: () => settlement });
    expect(linesOf({ portfolio }).join()).toContain('Open · 1 market · $61.00 paid | ');
    expect(linesOf({ portfolio, open }).join()).not.toContain('Open');
  });

  it('says from which records it is made, and nothing of what it does not know', () => {
    const coverage = scanOf(story.toReversed(), { cursor: 'more' });
    const kept = addActivity(newPortfolio(NOW - 40 * DAY, false), story, NOW).portfolio;
    const cut = { ...kept, sinceSeconds: NOW - 3 * DAY, isWhole: false, positions: [] };
    expect(linesOf({ portfolio: cut, coverage, open: null })).toEqual([
      `-# Based on the newest 5 records, back to <t:${NOW - 20 * DAY}:f>.`,
      'Usual trade · $60.00 | only 5 trades · Volume 24 h **$135**',
    ]);
  });

  it('of a wallet that nobody watches is made from the list alone, and does not make a sale of unknown shares a profit', async () => {
    const items = story.slice(-2).toReversed();
    const scan = scanOf(items, { cursor: 'more' });
    const list = await cardList(scan, NOW);
    expect(linesOf({ ...list, coverage: scan })).toEqual([
      `-# Based on the newest 2 records, back to <t:${NOW - 3 * HOUR}:f>.`,
      'Usual trade · $60.00 | only 2 trades',
    ]);
    const { portfolio: unread } = await cardList(scanOf(items, { skipped: 1 }), NOW);
    expect(linesOf({ portfolio: unread, coverage: scan }).join()).not.toContain('Volume');
  });

  it('of a wallet that nobody watches covers the newest 300 records, however far one turns', async () => {
    const items = Array.from({ length: 400 }, (_, n) =>
      trade({ time: NOW - n * HOUR, grossValue: 1 }),
    );
    const scan = scanOf(items.slice(0, 300), { cursor: 'more' });
    const first = await cardList(scan, NOW);
    scan.items.push(...items.slice(300));
    scan.scanned = 400;
    scan.oldestSeconds = items.at(-1)?.time ?? 0;
    scan.cursor = null;
    const later = await cardList(scan, NOW);
    expect(later.portfolio).toEqual(first.portfolio);
    expect(linesOf({ ...later })[0]).toContain(
      `-# Based on the newest 300 records, back to <t:${NOW - 299 * HOUR}:f>.`,
    );
    const whole = await cardList(scanOf(items.slice(0, 300)), NOW);
    expect(linesOf({ ...whole })[0]).toContain('-# Based on all 300 records.');
  });

  it('knows what a sale came to that is listed before the purchase of its second, also where a turn of the loop is between', async () => {
    const elsewhere = Array.from({ length: 99 }, (_, n) =>
      trade({ time: NOW - 200 + n, tokenId: '9', conditionId: '9' }),
    );
    const second = [sale({ time: NOW - 9, quantity: 10 }), trade({ time: NOW - 9, quantity: 10 })];
    const { portfolio } = await cardList(scanOf([...elsewhere, ...second].toReversed()), NOW);
    expect(portfolio.positions.every(isKnown)).toBe(true);
  });

  it('is of what is stored only once the wallet was polled for this server, whoever watched it before', async () => {
    const newest = scanOf(story.toReversed());
    const { portfolio } = await cardList(newest, NOW);
    const stored = newKnowledge(portfolio);
    const joined = { atSeconds: NOW - HOUR, knownSinceSeconds: 0 };
    const watch = watchOf({ wallet, sinceSeconds: NOW - HOUR, joined });
    const known = async (lastSeconds: number | null, isStored = true) => {
      const card = await readCard(
        {
          watchesForAll: () => [watch],
          labelOf: () => null,
          knowledge: async () => (isStored ? stored : undefined),
          recordFor: () => channelRecord(1),
          accountsFor: (kept: { readonly portfolio: Portfolio }) => questionOf(kept.portfolio),
          feed: { lastSeconds: () => lastSeconds },
          links,
          venueNowSeconds: () => NOW,
          language: ENGLISH,
        } as unknown as CommandContext,
        { wallet, typed: '', asOfSeconds: NOW },
        newest,
      );
      return card?.(6_000);
    };
    const asFirst = await known(null, false);
    expect(asFirst?.description).toContain('Based on all 5 records.');
    expect(await known(null)).toEqual(asFirst);
    expect(await known(NOW - HOUR - 1)).toEqual(asFirst);
    expect((await known(NOW - HOUR))?.description).not.toContain('Based on');
  });

  it('says of few markets that it is too early', () => {
    expect(linesOf({ record: channelRecord(50, { enoughAtSeconds: NOW }, 7) })[0]).toBe(
      `**Too early to say** · 7 markets · first verdict around <t:${Math.ceil(NOW / DAY) * DAY}:d>\n-# won 100%, paid for 55% · buys up to <t:1795219200:d>`,
    );
  });

  it('gives usual sizes of the last trades, and the dearest of many positions', () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      recordAgo('Buy', DAY - n, {
        tokenId: `${n}`,
        conditionId: `${n}`,
        quantity: 2 * (n + 1),
        price: 50,
        fee: 0,
      }),
    );
    const { portfolio } = addActivity(newPortfolio(0, true), many, NOW);
    const lines = linesOf({ portfolio });
    expect(lines.at(-1)).toMatch(/^Usual trade · \$20\.00 \| rarely above \$38\.00 · Volume /);
    const openLine = (all: readonly (string | undefined)[]) =>
      all.find((line) => line?.startsWith('Open'))?.replaceAll(/ · \[[^|]*/g, ' ');
    expect(openLine(lines)).toBe(
      'Open · 40 markets · $820 paid | **Yes $40.00** | **Yes $39.00** | **Yes $38.00** ',
    );
    expect(openLine(linesOf({ portfolio }, 190)), 'positions give way').toBe(
      'Open | 40 markets · $820 paid',
    );
  });
});

describe('a card above a full list', () => {
  it('gives up links and positions before anything else, and never more of the message than the list leaves', () => {
    const items = Array.from({ length: 10 }, (_, n) =>
      trade({
        time: NOW - n,
        quantity: 1_234_567.89,
        marketTitle: `${n} ${'long '.repeat(30)}`,
        tokenId: `${n}`,
        conditionId: `${n}`,
      }),
    );
    const written = addActivity(newPortfolio(0, true), [...items].reverse(), NOW).portfolio;
    const portfolio = addTransfers(written, [transfer()], 0, NOW);
    const shapes = new Set<string>();
    for (let padding = 0; padding < 60; padding += 3) {
      const path = 'a'.repeat(padding);
      const padded = createLinks({
        MARKET_URL: `https://venue.example/${path}/{eventSlug}/{marketSlug}`,
        TX_URL: `https://venue.example/${path}/{txHash}`,
      });
      const list = listOf(items, padded);
      const card = walletCardEmbed(
        cardOf({ portfolio, record: channelRecord(12.3), links: padded }),
        Math.min(720, EMBED_LIMITS.totalPerMessage - embedSize(list)),
      );
      expect(embedSize(list) + embedSize(card)).toBeLessThanOrEqual(6_000);
      const field = card.fields?.find(({ name }) => name.startsWith('Open'));
      expect(field?.name).toMatch(/^Open · 10 markets · \$/);
      expect(card.footer).toBeUndefined();
      const rows = field?.value.split('\n') ?? [];
      shapes.add(`${rows.length} rows, ${rows.filter((row) => row.includes('](')).length} links`);
    }
    expect(shapes).toEqual(new Set(['3 rows, 3 links', '3 rows, 0 links']));
  });
});

describe('the figures of a card', () => {
  const units = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((cents) => cents / 100);
  const history = fc
    .array(
      fc.record({
        tokenId: fc.constantFrom('1', '2', '3', '4'),
        action: fc.constantFrom('Buy' as const, 'Buy' as const, 'Sell' as const, 'Redeem' as const),
        hoursAgo: fc
          .integer({ min: 0, max: 45 * 24 })
          .map((hours) => (hours > 48 ? Math.floor(hours / 24) * 24 : hours)),
        quantity: fc.oneof(fc.constant(10), units(500)),
        price: fc.integer({ min: 1, max: 99 }),
        fee: units(2),
      }),
      { minLength: 1, maxLength: 40 },
    )
    .map((drawn) =>
      drawn
        .toSorted((a, b) => a.hoursAgo - b.hoursAgo)
        .map(({ action, hoursAgo, ...of }) => recordAgo(action, hoursAgo * HOUR, of)),
    );

  /** The figure after some words, as a fraction; null for `<$0.01`, which is as good as nought. */
  const shown = (text: string, texts: RegExp): Fraction | null => {
    const found = new RegExp(`${texts.source}([+−]?)\\$([\\d,.]+)`).exec(text);
    return found === null
      ? null
      : fraction(`${found[1] === '−' ? '-' : ''}${found[2]?.replaceAll(',', '')}`);
  };
  const rounds = (figure: Fraction | null, exact: Fraction) => {
    const { n, d } = subtract(figure ?? fraction(0), exact);
    // From $100 on without cents, whatever the sign.
    const isRound =
      n !== 0n &&
      figure !== null &&
      !(isLess(figure, fraction(99)) && isLess(fraction(-99), figure));
    return (n < 0n ? -n : n) * 1_000n <= (isRound ? 501n : 6n) * d;
  };
  const total = (format: readonly Fraction[]) => format.reduce(add, fraction(0));

  it('agree with exact fractions over whatever was scanned', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (items) => {
        const scan = scanOf(items);
        const text = linesOf({ ...(await cardList(scan, NOW)), coverage: scan }).join('\n');
        for (const [name, days] of [
          ['24 h', 1],
          ['30 d', 30],
        ] as const) {
          const traded = items.filter(
            ({ time, action }) => time >= NOW - days * DAY && action !== 'Redeem',
          );
          const exact = total(traded.map(({ grossValue }) => fraction(grossValue)));
          expect(
            rounds(shown(text, new RegExp(`${name}(?:, \\d+ d)* \\*\\*`)), exact),
            `${name} in ${text}`,
          ).toBe(true);
        }
        const holdings = [...new Set(items.map(({ tokenId }) => tokenId))].map(
          (outcome): OracleHolding =>
            oracle(items.filter(({ tokenId }) => tokenId === outcome).toReversed()),
        );
        // What is sold or redeemed beyond what was bought counts for nothing.
        if (holdings.some(({ unknownSold }) => unknownSold.n > 0n)) return;
        const isOpen = ({ shares }: OracleHolding) => shares.n > 0n;
        // A hundredth of a share that is left of many counts as closed: what is left of few does
        // not, and has tests of its own.
        if (
          holdings.some((holding) => isOpen(holding) && !isLess(fraction('0.01'), holding.shares))
        )
          return;
        const open = holdings.filter(isOpen);
        expect(/Open [|·] /.test(text)).toBe(open.length > 0);
        if (open.length > 0) {
          const paid = total(open.map(({ cost }) => cost));
          expect(rounds(shown(text, /Open [|·] \d+ markets? · /), paid), text).toBe(true);
        }
      }),
      randomRuns(120),
    );
  });
});

describe('whatever the venue and people write', () => {
  const size = fc.oneof(
    fc.double({ min: 0, max: 1e15, noNaN: true }),
    fc.double({ min: 0, max: 1e4, noNaN: true }),
  );
  const placed = fc.record({
    time: fc.integer({ min: NOW - 40 * DAY, max: NOW }),
    quantity: size,
    grossValue: size,
    fee: size,
    transferNetAmount: size,
    tokenId: fc.constantFrom('1', '2', '3', '4', '5', '6', '7'),
  });
  const item = fc.tuple(anyActivity, placed).map(([drawn, changes]) => ({ ...drawn, ...changes }));
  const usdc = fc.double({ min: 0, max: 1e12, noNaN: true }).map((amount) => amount.toFixed(2));
  const count = fc.nat(5_000);
  const anyCameBack = fc.record<CameBack>({
    untilSeconds: fc.integer({ min: 0, max: NOW }),
    markets: count,
    paidUsdc: usdc,
    backUsdc: usdc,
    withoutEnd: fc.record({ markets: count, paidUsdc: usdc }),
    sign: fc.constantFrom('+', '-', ''),
    gainUsdc: fc.option(usdc),
  });
  const told = fc.record({
    items: fc.array(item, { minLength: 1, maxLength: 12 }),
    label: fc.option(hostileText(8)),
    isWhole: fc.boolean(),
    /** Of sales of unknown shares no position is known. */
    isBuyer: fc.boolean(),
    record: fc.option(anyChannelRecord),
    cameBack: fc.option(anyCameBack),
    amount: size,
    longLinks: fc.boolean(),
    language: anyLanguage,
  });

  it('a card and its list keep to every limit together in every language, ping nobody, and have no markup or link but our own', () => {
    const far = createLinks({
      MARKET_URL: `https://venue.example/${'a'.repeat(120)}/{marketId}`,
      TX_URL: `https://venue.example/${'a'.repeat(100)}/{txHash}`,
    });
    fc.assert(
      fc.property(
        told,
        ({ items, label, isWhole, isBuyer, record, cameBack, amount, longLinks, language }) => {
          const shownLinks = longLinks ? far : links;
          const made = isBuyer ? items.map((one) => ({ ...one, action: 'Buy' })) : items;
          const newestFirst = made.toSorted((a, b) => b.time - a.time);
          const list = listOf(newestFirst, shownLinks, label, language);
          const moved = [
            transfer({ time: NOW - DAY, amount }),
            transfer({ time: NOW, amount, type: 'withdrawal' }),
          ];
          const written = addActivity(
            newPortfolio(isWhole ? 0 : NOW - 40 * DAY, isWhole),
            newestFirst.toReversed(),
            NOW,
          ).portfolio;
          const portfolio = addTransfers(written, moved, 0, NOW);
          const card = walletCardEmbed(
            cardOf({ portfolio, label, record, cameBack, links: shownLinks, language }),
            EMBED_LIMITS.totalPerMessage - embedSize(list),
          );
          assertEmbedLimits(card);
          expect(embedSize(card) + embedSize(list)).toBeLessThanOrEqual(6_000);
          const said = [card.description ?? '', ...(card.fields ?? []).map(({ value }) => value)];
          const texts = said.map((text) => text.replace(/^-# /gm, ''));
          expectOurMarkup(card, texts, ['text', 'link', 'timestamp']);
        },
      ),
      randomRuns(150),
    );
  });
});
