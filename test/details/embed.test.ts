import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DetailsView, detailsEmbeds } from '../../src/details/embed.ts';
import type { Knowledge } from '../../src/details/knowledge-lines.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { EMBED_LIMITS, embedSize } from '../../src/embeds/text/limits.ts';
import { ENGLISH, LANGUAGE_TAGS, type Language, languageFor } from '../../src/language/language.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import { type MarkdownKind, parseMarkdown } from '../embeds/discord-markdown.ts';
import { known } from '../embeds/every-alert.ts';
import {
  anyActivity,
  anyContext,
  anyResult,
  anySize,
  hostileLinks,
  linkTemplate,
} from '../embeds/hostile-items.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { resultOf } from '../embeds/result-of.ts';
import { anyChannelRecord, channelRecord, standing } from '../scores/samples.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { trade } from '../support/records.ts';
import { randomRuns, within } from '../support/thorough.ts';

const AT = 1_790_000_000;
const wallet = `0x${'a'.repeat(40)}` as WalletAddress;
const record = { ...channelRecord(6.3, { withoutEnd: 2 }), before: standing(1, { won: 5 }, 25) };
const position = { ...known, sharesBefore: '1000', sharesAfter: '2234.5', entryCents: 58.2 };

const { result } = resultOf(trade({ time: AT, action: 'Redeem' }), {
  paid: '186.534567',
  fees: '1.25',
});

function viewOf(items: readonly ActivityItem[], changes: Partial<DetailsView> = {}): DetailsView {
  const [first, ...others] = items;
  if (first === undefined) throw new Error('There is nothing to show.');
  return {
    wallet,
    reference: 'a1b2c3d4',
    label: 'Whale',
    items: [first, ...others],
    missing: 0,
    cutAfter: null,
    skipped: 0,
    postedAtMs: (AT + 10) * 1000,
    changedAtMs: null,
    knowledge: {
      when: 'atAlert',
      position,
      size: null,
      results: [],
      record,
      seenAtMs: (AT + 5) * 1000,
    },
    links: createLinks({}),
    language: ENGLISH,
    ...changes,
  };
}

const textOf = (view: DetailsView) =>
  detailsEmbeds(view)
    .withFile(true)
    .flatMap(({ title, description, fields = [] }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ])
    .join('\n');

const longLinks = createLinks({
  MARKET_URL: linkTemplate('MARKET_URL', `https://venue.example/${'m'.repeat(400)}/{marketSlug}`),
  TX_URL: linkTemplate('TX_URL', `https://scan.example/${'t'.repeat(250)}/{txHash}`),
  WALLET_URL: linkTemplate('WALLET_URL', `https://venue.example/${'w'.repeat(900)}/{address}`),
});

const decimals = [
  '0',
  '1',
  '-12.5',
  '0.000000000000001',
  '9'.repeat(60),
  `-${'8'.repeat(30)}.${'7'.repeat(15)}`,
];
const decimal = fc.constantFrom(...decimals);
const anyRecord = fc.option(anyChannelRecord);
const anyKnowledge: fc.Arbitrary<Knowledge> = fc.oneof(
  fc.record({
    when: fc.constant('atAlert' as const),
    position: fc.option(anyContext),
    size: fc.option(anySize),
    results: fc.array(anyResult, { maxLength: 2 }),
    record: anyRecord,
    seenAtMs: fc.integer({ min: 0, max: 99_999_999_999_000 }),
  }),
  fc.record({
    when: fc.constant('asOfNow' as const),
    position: fc.option(
      fc.record({
        shares: decimal,
        entryCents: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
        cost: decimal,
      }),
    ),
    record: anyRecord,
  }),
);
const HARMLESS: readonly MarkdownKind[] = ['text', 'link', 'timestamp', 'code'];

it('details of a redemption for nothing begin with the loss, as the alert did', () => {
  const item = trade({ time: AT, action: 'Redeem', transferNetAmount: 0, positionSide: 'Yes' });
  const lost: TradeContext = { ...position, sharesAfter: '0', isClosed: true, realized: '-718.48' };
  const titleWith = (changes: Partial<TradeContext>) => {
    const then = { size: null, results: [], record, seenAtMs: AT * 1000 };
    const knowledge: Knowledge = { when: 'atAlert', ...then, position: { ...lost, ...changes } };
    return detailsEmbeds(viewOf([item], { knowledge })).withFile(false)[0]?.title;
  };
  expect(titleWith({})).toBe('Details: Whale lost **$718** on **Yes**');
  expect(titleWith({ realized: null })).toBe('Details: Whale REDEEM **Yes $0.00**');
});

describe.each(LANGUAGE_TAGS)('what the venue does not say, in %s', (tag) => {
  const language = languageFor(tag);
  const { roles, money, fills } = language.texts.details;
  const unsaid = { liquidityRole: null, fee: 0, time: AT };
  const links = createLinks({ TX_URL: 'https://scan.example/tx/{txHash}' });
  const said = (items: readonly ActivityItem[]) =>
    detailsEmbeds(viewOf(items, { links, language }))
      .withFile(true)
      .map(({ description }) => description)
      .join('\n');
  const words = [
    roles.maker,
    roles.taker,
    roles.unknown,
    money.noFees,
    money.fees(''),
    fills.fee(''),
  ]
    .map((word) => word.trim())
    .concat('none-', 'scan.example');

  it('is not said of fills without role, fee and hash', () => {
    const items = [1, 2].map((nth) => trade({ ...unsaid, txHash: `none-${nth}` }));
    for (const some of [items, items.slice(0, 1)])
      for (const word of words) expect(said(some)).not.toContain(word);
  });

  it('is said where it is known of all', () => {
    const known = [trade({ time: AT, fee: 0 }), trade({ time: AT, fee: 0 })];
    expect(said(known)).toContain(roles.taker);
    expect(said(known)).toContain(money.noFees);
    const mixed = [trade({ time: AT, fee: 2 }), trade(unsaid)];
    expect(said(mixed)).toContain(`${roles.unknown} 1`);
    const [, , summed = ''] = said(mixed).split('\n');
    expect(summed).toContain('$');
    expect(summed).not.toContain(money.fees(language.exact.usdc(2)));
  });
});

describe('the details of an alert', () => {
  it(
    'are taken by Discord and do nothing, whatever venue and server write, in every language',
    () => {
      fc.assert(
        fc.property(
          fc.array(anyActivity, { minLength: 1, maxLength: 40 }),
          anyKnowledge,
          fc.option(hostileText()),
          fc.constantFrom(hostileLinks, longLinks),
          fc.constantFrom(...LANGUAGE_TAGS),
          fc.constantFrom(null, 0, 17),
          (items, knowledge, label, links, tag, missing) => {
            const language = languageFor(tag);
            const changes = {
              knowledge,
              label,
              links,
              language,
              missing,
              skipped: 3,
              cutAfter: 1_000,
            };
            const { left, withFile } = detailsEmbeds(viewOf(items, changes));
            for (const embeds of [withFile(true), withFile(false)]) {
              for (const embed of embeds) assertEmbedLimits(embed);
              const sizes = embeds.map(embedSize);
              expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(
                EMBED_LIMITS.totalPerMessage,
              );
              const texts = embeds.flatMap(({ description = '', fields = [] }) => [
                description,
                ...fields.map(({ value }) => value),
              ]);
              const harmful = texts
                // Small print is no list.
                .flatMap((text) => parseMarkdown(text.replaceAll(/^-# /gm, '')))
                .flatMap((node) => (node.kind === 'strong' ? node.children : [node]))
                .filter(
                  ({ kind, url = '' }) =>
                    !HARMLESS.includes(kind) ||
                    (kind === 'link' && !/^https:\/\/(?:venue|scan)\.example\//.test(url)),
                );
              expect(harmful).toEqual([]);
              expect(texts.join('\n')).not.toMatch(
                /@everyone|@here|<@[!&]?\d|undefined|NaN|\[object/u,
              );
            }
            expect(left).toBeLessThan(items.length);
          },
        ),
        randomRuns(160),
      );
    },
    within(120_000),
  );

  it('list every record or say how many are in the file', () => {
    const many = Array.from({ length: 300 }, (_, n) => trade({ time: AT - n, quantity: n + 1 }));
    const { left, withFile } = detailsEmbeds(viewOf(many));
    const lines = withFile(true)[1]?.description?.split('\n') ?? [];
    expect(lines.length - 1 + left).toBe(300);
    expect(lines.at(-1)).toBe(`… and ${left} more. All of them are in the file.`);
    expect(withFile(false)[1]?.description).toMatch(/Discord didn’t take the file here\.$/);
    const few = detailsEmbeds(viewOf(many.slice(0, 9)));
    expect([few.left, few.withFile(false)[1]?.description?.split('\n').length]).toEqual([0, 9]);
  });

  it('of an alert that grew say when it last did, and what the wallet did meanwhile', () => {
    const bought = trade({ time: AT, quantity: 1_300 });
    const grown = textOf(viewOf([bought], { changedAtMs: (AT + 73) * 1000 }));
    expect(grown).toContain(`Posted <t:${AT + 10}:T> · 10 s late · last change <t:${AT + 73}:T>`);
    expect(grown).toContain('average entry 58.2¢ · sold 65.5 shares in between');
    // Where records are missing nobody knows.
    expect(textOf(viewOf([bought], { missing: 1 }))).not.toContain('in between');
    const usual = textOf(viewOf([trade({ time: AT, quantity: 1_234.5 })]));
    expect(usual).not.toMatch(/in between|last change/);
  });

  it('say what was known and as of when, and what the marks mean', () => {
    const sale = trade({
      action: 'Sell',
      time: AT,
      quantity: 221.19,
      transferNetAmount: -12.3456789,
    });
    const sold = {
      ...position,
      sharesBefore: '181.48',
      sharesAfter: '16.29',
      realized: '-24.8',
      costOfSold: '442.857142',
      oppositeShares: '0.5',
    };
    const size = { usdc: 5000.25, median: 250, p95: 900.48021, trades: 200 };
    const then: Knowledge = {
      when: 'atAlert',
      position: sold,
      size,
      results: [result],
      record,
      seenAtMs: AT * 1000,
    };
    expect(
      textOf(viewOf([sale], { knowledge: then }))
        .split('\n')
        .slice(10),
    ).toEqual([
      'Position at the time of the alert',
      '181.48 → 16.29 shares · average entry 58.2¢ · bought 56 shares in between',
      'Realized **−\u2060$24.80** (−5.6%) at average cost, after listed fees',
      'Also holds 0.5 shares on other outcomes',
      'Result of the alerts here: **+\u2060$96.745433** (+51.9%) · paid $186.534567 · received $283.28 · fees $1.25',
      'Trade of $5,000.25 in total; 95% of its last 200 trades were $900.48 or less',
      'Record at the time of the alert',
      '**Could be luck** · **+6.3¢** a share, luck alone explains up to +12.4¢',
      '31 markets · won 61%, paid for 55% · 2 of 31 unresolved, counted as $0 · buys up to <t:1795219200:d>',
      'before you watched it: **+1¢** a share · 25 markets',
      '-# What its buys returned is on its card: **Activity** below',
    ]);
    const usual = { ...then, size: { ...size, usdc: 900.48 } };
    expect(textOf(viewOf([sale], { knowledge: usual })), 'no size that is usual').not.toMatch(
      /Trade of|95%/,
    );
    const held = { shares: '7', entryCents: 1 / 3, cost: '2.3333333333' };
    const now: Knowledge = { when: 'asOfNow', position: held, record: null };
    const text = textOf(
      viewOf([sale], { knowledge: now, missing: null, cutAfter: 1_000, skipped: 1 }),
    );
    expect(text).toContain(
      'Holds 7 shares · average entry ≈ 0.333333¢ · cost ≈ $2.333333, listed fees included',
    );
    expect(text).toContain('Only the newest 1,000 records were read.\n1 record couldn’t be read.');
    expect(text).toContain('position and record are as of now.');
    expect(text).toContain('some may belong to another alert.');
    expect(textOf(viewOf([sale], { missing: 2 }))).toContain(
      'The exchange no longer lists 2 of the alert’s records.',
    );
  });
});

/** Words of our own, in small letters. */
function ownWords(text: string): Set<string> {
  const own = text.replace(/<t:\d+:\w>|`[^`]+`|0x[\da-f…]+/gi, ' ');
  return new Set(own.toLowerCase().match(/\p{Script=Latin}{2,}/gu) ?? []);
}

const ALIKE: Readonly<Record<string, readonly string[]>> = {
  en: [],
  de: 'also so was details dollar position maker taker in trades trade bot an wallet'.split(' '),
  es: 'total no maker taker bot wallet'.split(' '),
  fr: [
    ...'total action transaction transactions maker taker bot wallet trade trades'.split(' '),
    ...'position positions dollar net record verdict'.split(' '),
  ],
  pt: 'total as no maker taker bot'.split(' '),
  ja: [],
  zh: [],
};

describe.each(LANGUAGE_TAGS.filter((tag) => tag !== ENGLISH.tag))('in %s', (tag) => {
  it('no English is left, and every time and link is there', () => {
    const odd = { marketTitle: 'Ψ0?', positionSide: 'Ω1', txHash: '0x12' };
    const items = (action: string) => [
      trade({ ...odd, action, time: AT, price: 60 }),
      trade({ ...odd, action, time: AT - 9, liquidityRole: 'MAKER' }),
      trade({ ...odd, action, time: AT - 9, liquidityRole: null, txHash: '0x13' }),
    ];
    const full = {
      ...position,
      realized: '5',
      costOfSold: '7',
      oppositeShares: '4',
      isFirstInMarket: true,
    };
    const size = { usdc: 5, median: 2, p95: 3, trades: 30 };
    const now = { shares: '7', entryCents: 5, cost: '2.5' };
    const ranked = { record: channelRecord(5, { oneIn: 4 }), seenAtMs: AT * 1000 };
    const unranked = { record: channelRecord(5, { enoughAtSeconds: AT }, 7), seenAtMs: AT * 1000 };
    const knowledges: readonly Knowledge[] = [
      { when: 'atAlert', position: full, size, results: [result], ...ranked },
      { when: 'atAlert', position: null, size: null, results: [], ...unranked },
      { when: 'asOfNow', position: now, record: null },
      { when: 'asOfNow', position: now, record },
      { when: 'asOfNow', position: null, record },
    ];
    for (const [index, knowledge] of knowledges.entries()) {
      const action = ['Buy', 'Sell', 'Redeem', 'Σ', 'Buy'][index] ?? 'Buy';
      const missing = index === 0 ? null : 2;
      const textIn = (language: Language) =>
        textOf(
          viewOf(items(action), {
            label: 'Ξ2',
            knowledge,
            language,
            missing,
            cutAfter: 9,
            skipped: 2,
          }),
        );
      const [text, english] = [textIn(languageFor(tag)), textIn(ENGLISH)];
      const left = [...ownWords(text)].filter(
        (word) => ownWords(english).has(word) && ALIKE[tag.slice(0, 2)]?.includes(word) !== true,
      );
      expect(left).toEqual([]);
      const marks = (shown: string) => (shown.match(/<t:\d+:\w>|\]\([^)]+\)/g) ?? []).toSorted();
      expect(marks(text)).toEqual(marks(english));
    }
  });
});
