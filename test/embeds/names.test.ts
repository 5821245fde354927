import { CREATE_FLAGS, messageForm } from '@walletbell/local-discord/discord/forms/message';
import type { APIEmbed } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { walletCardEmbed } from '../../commands/lists/card.ts';
import { choosable, marketChoices } from '../../commands/shared/market-choices.ts';
import type { AlertGroup, WalletEvent } from '../../src/alerts/alert.ts';
import { detailsEmbeds } from '../../src/details/embed.ts';
import { digestEmbed } from '../../src/digests/embed.ts';
import type { WalletFigures } from '../../src/digests/stats.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { activityRows } from '../../src/embeds/item-lines.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { escapeText, plainText } from '../../src/embeds/text/escape.ts';
import { plainEmsIn } from '../../src/embeds/text/width.ts';
import { ENGLISH, LANGUAGE_TAGS, type Language, languageFor } from '../../src/language/language.ts';
import { Exact } from '../../src/lib/exact.ts';
import { heldEmbed } from '../../src/lookups/market-message.ts';
import { type AlertMessage, renderMessage } from '../../src/messages/message.ts';
import { marketOf } from '../../src/portfolio/market.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { trade, transfer } from '../support/records.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { AT, agreed, alertOf, tradeEvent } from './every-alert.ts';
import { linkTemplate } from './hostile-items.ts';
import { resultOf } from './result-of.ts';
import { KNOWN_TITLES, UNSEEN_TITLES } from './text/real-titles.ts';
import { renumbered, simulatedTitles, turned } from './text/turned-titles.ts';

const links = createLinks({
  MARKET_URL: linkTemplate('MARKET_URL', 'https://venue.example/{marketId}'),
});
const WALLET = walletOfDigit('a');
const OTHER_WALLET = walletOfDigit('b');
const discordTakes = messageForm({ allowedFlags: CREATE_FLAGS });

type Pair = readonly [one: string, other: string];

/** Pairs of a family: a title, and what it is with one word or digit changed. */
function pairsOf(titles: readonly string[]): Pair[] {
  return titles.flatMap((title) =>
    [...turned(title), ...renumbered(title)].map((other) => [title, other] as const),
  );
}

const REAL = pairsOf([...KNOWN_TITLES, ...UNSEEN_TITLES]);
const SIMULATED = pairsOf(simulatedTitles().filter((_, index) => index % 40 === 0));
const ALL_PAIRS = [...REAL, ...SIMULATED];
/** Every so many of these pairs: half of them of long titles. */
const STEP = IS_THOROUGH ? 4 : 36;
const PAIRS = [ALL_PAIRS.filter(([one]) => one.length > 70), ALL_PAIRS].flatMap((pairs) =>
  pairs.filter((_, index) => index % STEP === 0),
);

/** Titles of which something might be cut, drawn or read in a wrong way. */
const AWKWARD: readonly Pair[] = [
  ['Rain', 'Snow'],
  ['A'.repeat(200), `${'A'.repeat(199)}B`],
  [
    `Will ${'the finance ministry publish '.repeat(6)}it in May?`,
    `Will ${'the finance ministry publish '.repeat(6)}it in June?`,
  ],
  [
    'ビットコインの価格は2026年9月28日の正午の時点で11万ドルを上回っているでしょうか？',
    'ビットコインの価格は2026年9月28日の正午の時点で11万ドルを下回っているでしょうか？',
  ],
  ['雨'.repeat(120), `${'雨'.repeat(119)}雪`],
  [
    'هل يفوز فريق الميناء في المباراة النهائية يوم 14 يونيو من هذا العام؟',
    'هل يخسر فريق الميناء في المباراة النهائية يوم 14 يونيو من هذا العام؟',
  ],
  ['👩‍👩‍👧'.repeat(40), `${'👩‍👩‍👧'.repeat(39)}👨‍👩‍👧`],
  ['Will the mayor of the city leave or not?', 'Will the mayor of the city leave or no?'],
  [
    'Will it be the end of all of this for the rest of us in the town of Lakeview?',
    'Will it be the end of all of this for the rest of us at the town of Lakeview?',
  ],
  [
    'Will **the Senate** [not] publish `the new` budget_plan before January 8, 2026?',
    'Will **the Senate** [now] publish `the new` budget_plan before January 8, 2026?',
  ],
];

const itemIn = (marketTitle: string, marketId: string, changes: Partial<ActivityItem> = {}) =>
  trade({
    time: AT,
    trader: WALLET,
    txHash: `0x${marketId}`,
    conditionId: `0x${marketId}`,
    tokenId: marketId,
    marketId,
    marketTitle,
    ...changes,
  });

/** Events of every kind that names a market. */
const EVENTS: Readonly<Record<string, (title: string, marketId: string) => WalletEvent[]>> = {
  purchase: (title, marketId) => [{ kind: 'activity', item: itemIn(title, marketId) }],
  sale: (title, marketId) => [
    {
      ...tradeEvent({}, { sharesBefore: '5556', realized: '1200.5', costOfSold: '3300' }),
      item: itemIn(title, marketId, { action: 'Sell', transferNetAmount: -785.11 }),
    } as WalletEvent,
  ],
  result: (title, marketId) => [resultOf(itemIn(title, marketId), { sides: ['Yes'] })],
  settled: (title, marketId) => [
    resultOf(itemIn(title, marketId), { settled: [{ side: 'Yes', payout: 0 }], received: '0' }),
  ],
  redemption: (title, marketId) => {
    const item = itemIn(title, marketId, { action: 'Redeem', transferNetAmount: -283.28, fee: 0 });
    return [{ kind: 'activity', item }, resultOf(item)];
  },
  amended: (title, marketId) => [
    {
      kind: 'amended',
      item: itemIn(title, marketId),
      before: { quantity: 1, transferNetAmount: 500 },
      identities: [],
      atSeconds: AT,
    },
  ],
};
const consensusOf = (title: string, marketId: string): WalletEvent[] => [
  { kind: 'consensus', consensus: { ...agreed, market: marketOf(itemIn(title, marketId)) } },
];

function groupOf(events: readonly WalletEvent[], kind: AlertGroup['kind'] = 'alert'): AlertGroup {
  const [first, ...others] = events.map(alertOf);
  if (first === undefined) throw new Error('There is nothing to send.');
  return { kind, alerts: [first, ...others] };
}

function messageOf(
  groups: readonly AlertGroup[],
  { isCompact = false, language = ENGLISH, ageSeconds = 8 } = {},
): AlertMessage {
  const sentAtMs = (AT + ageSeconds) * 1000;
  const labelOf = () => 'Whale with a name';
  const { body, included } = renderMessage(groups, {
    links,
    language,
    sentAtMs,
    labelOf,
    isCompact,
  });
  const taken = discordTakes.safeParse({ ...body, allowed_mentions: { parse: [] } });
  expect(taken.error?.issues ?? []).toEqual([]);
  for (const embed of body.embeds) assertEmbedLimits(embed);
  expect(included).toBe(groups.length);
  return body;
}

const textOf = ({ title = '', description = '', fields = [] }: APIEmbed) =>
  [title, description, ...fields.map(({ value }) => value)].join('\n');

/** A market's name in a text, by its link. */
function nameIn(text: string, marketId: string): string {
  const end = text.indexOf(`](https://venue.example/${marketId})`);
  expect(end, text).toBeGreaterThan(0);
  return text.slice(text.lastIndexOf('[', end) + 1, end);
}

const namesIn = (text: string) => [nameIn(text, '7'), nameIn(text, '8')] as const;

const OTHERS = ['Will it rain?', 'Will it snow?'];

/** The alerts of a pair of markets among others. */
const among = (kind: keyof typeof EVENTS, [one, other]: Pair): AlertGroup[] =>
  [one, ...OTHERS, other].map((title, index) => {
    const marketId = title === one ? '7' : title === other ? '8' : `${index}`;
    return groupOf(EVENTS[kind]?.(title, marketId) ?? []);
  });

function digestOf([one, other]: Pair) {
  const figures = (marketTitle: string, marketId: string, digit: string): WalletFigures => {
    const market = marketOf(itemIn(marketTitle, marketId));
    return {
      ...{ wallet: walletOfDigit(digit), label: 'Whale', trades: 3, redemptions: 0, transfers: 0 },
      ...{ bought: new Exact(10_000 + Number(marketId)), sold: new Exact(0) },
      ...{ redeemed: new Exact(0), deposited: new Exact(0), withdrawn: new Exact(0) },
      largest: {
        ...{ timeSeconds: AT, usdc: 10_000 + Number(marketId), action: 'Buy', side: 'Yes' },
        ...{ priceCents: 50.5, ...market },
      },
      ...{ record: null, verdictChange: null, isBehind: false },
      settled: [{ key: marketId, market, sides: [{ side: 'Yes', payout: 1 }] }],
      ...{ watchedSinceSeconds: null, tradesGap: null, transfersGap: null },
      ...{ tradesSinceSeconds: null, transfersSinceSeconds: null },
    };
  };
  const wallets = [figures(one, '7', 'b'), figures(other, '8', 'c')];
  const schedule = { every: 'day', atMinutes: 0, weekday: 'Monday', timeZone: 'UTC' } as const;
  const period = { fromSeconds: AT - 86_400, toSeconds: AT };
  const reference = 'abcdefgh';
  return digestEmbed({
    schedule,
    period,
    wallets,
    reference,
    links,
    picture: null,
    language: ENGLISH,
  });
}

function cardOf(pair: Pair): APIEmbed {
  const items = pair.map((title, index) => itemIn(title, `${7 + index}`));
  const { portfolio } = addActivity(newPortfolio(0, true), items, AT);
  const held = new Set(portfolio.positions.map(({ market }) => market));
  return walletCardEmbed(
    {
      ...{ label: 'Whale', wallet: WALLET, portfolio, coverage: null, record: null },
      ...{ cameBack: null, open: { markets: 2, paidUsdc: '1570', held }, nowSeconds: AT },
      ...{ scannedFromSeconds: AT, links, language: ENGLISH },
    },
    6_000,
  );
}

/** Places that name several markets at once: the names that they show of a pair. */
const PLACES: Readonly<Record<string, (pair: Pair) => readonly [string, string]>> = {
  ...Object.fromEntries(
    Object.keys(EVENTS).map((kind) => [
      `rows: ${kind}`,
      (pair: Pair) => namesIn(messageOf(among(kind, pair)).embeds.map(textOf).join('\n')),
    ]),
  ),
  'rows that are late': (pair) =>
    namesIn(
      messageOf(among('sale', pair), { ageSeconds: 9_000, language: languageFor('fr') })
        .embeds.map(textOf)
        .join('\n'),
    ),
  'rows of a compact channel': (pair) =>
    namesIn(messageOf(among('purchase', pair), { isCompact: true }).embeds.map(textOf).join('\n')),
  'a catch-up': (pair) => {
    const events = among('purchase', pair).flatMap(({ alerts }) =>
      alerts.map(({ event }) => event),
    );
    const { embeds } = messageOf([groupOf(events, 'late')], { ageSeconds: 9_000 });
    return namesIn(embeds.map(textOf).join('\n'));
  },
  'a menu of Details': (pair) => {
    const { components } = messageOf(among('purchase', pair));
    const options = components.flatMap((row) =>
      row.components.flatMap((part) => ('options' in part ? part.options : [])),
    );
    const said = options.flatMap(({ description }) => description?.split(' · ').at(-1) ?? []);
    return [said[0] ?? '', said[3] ?? ''];
  },
  'settled markets of a digest': (pair) => namesIn(textOf(digestOf(pair))),
  'a card': (pair) => namesIn(textOf(cardOf(pair))),
  '/activity': (pair) => {
    const rows = pair.map((title, index) => [itemIn(title, `${7 + index}`)]);
    return namesIn(activityRows(rows, links, ENGLISH, { nowSeconds: 0, isCut: false }).join('\n'));
  },
  '/market': (pair) => {
    const markets = pair.map((title, index) => {
      const outcome = { side: 'Yes', shares: '100', entryCents: 50, cost: '1234.5' };
      return { market: marketOf(itemIn(title, `${7 + index}`)), held: () => [[outcome]] };
    });
    return namesIn(textOf(heldEmbed(markets, { ended: 0, paused: 0 }, links, ENGLISH)));
  },
  suggestions: (pair) => {
    const markets = pair.map((title, index) => choosable(marketOf(itemIn(title, `${7 + index}`))));
    const [one, other] = marketChoices('', markets);
    return [one?.name ?? '', other?.name ?? ''];
  },
};

/** Places of which Discord sets the end: a hundred characters. */
const BOUNDED = ['a menu of Details'];

describe('names of markets in one message', () => {
  it('are asserted for pairs of a family, by the hundred', () => {
    expect(REAL.length).toBeGreaterThan(1_000);
    expect(SIMULATED.length).toBeGreaterThan(100);
    expect(PAIRS.length).toBeGreaterThan(50);
  });

  it.each(Object.entries(PLACES))('differ wherever two markets do: %s', (place, shownOf) => {
    const pairs = BOUNDED.includes(place) ? PAIRS : [...PAIRS, ...AWKWARD];
    for (const pair of pairs) {
      const [one, other] = shownOf(pair);
      expect(one, pair.join(' | ')).not.toBe(other);
      expect([one, other].filter((name) => name.trim() === '')).toEqual([]);
    }
  });

  it.each(BOUNDED)('are within Discord’s limits whatever they are: %s', (place) => {
    for (const pair of AWKWARD) expect(PLACES[place]?.(pair)).toHaveLength(2);
  });

  it('have as much room as they need to tell markets of a family apart, in every language', () => {
    const title = 'Will the highest temperature in Austin be between 82-83°F on April 29?';
    for (const tag of LANGUAGE_TAGS) {
      const groups = among('sale', [title, title.replace('April', 'May')]);
      const { embeds } = messageOf(groups, { language: languageFor(tag), ageSeconds: 9_000 });
      const [name] = namesIn(embeds.map(textOf).join('\n'));
      expect(plainEmsIn(name)).toBeGreaterThan(16);
      expect(name, 'which temperature, on which day').toMatch(/82-83°F.* 29\?/);
    }
  });
});

describe('a row', () => {
  it('gives up “part of” for the market first, then the time, the usual size and the tenths of the price', () => {
    const title = 'Will the finance ministry of Lakeview publish the new budget before June 15?';
    const size = { usdc: 786, median: 100, p95: 900, trades: 60 };
    const bought = { ...tradeEvent({}, { size }), item: itemIn(title, '7') } as WalletEvent;
    const isSaid = (labelLength: number) => {
      const groups = [
        { ...groupOf([bought]), earlierUsdc: '17214.89' },
        {
          ...groupOf([bought]),
          alerts: [{ ...alertOf(bought, 1), wallet: OTHER_WALLET }] as const,
        },
      ];
      const { body } = renderMessage(groups, {
        ...{ links, language: ENGLISH, sentAtMs: (AT + 300) * 1000, isCompact: true },
        labelOf: () => 'W'.repeat(labelLength),
      });
      const [row = ''] = body.embeds[0]?.description?.split('\n') ?? [];
      expect(plainEmsIn(nameIn(row, '7'))).toBeGreaterThan(15);
      return ['part of', '<t:', '× usual', '63.5¢'].map((part) => row.includes(part));
    };
    const said = Array.from({ length: 24 }, (_, index) => isSaid(index + 1));
    for (const parts of said) expect(parts).toEqual(parts.toSorted());
    expect(said.at(-1)).toEqual([false, false, false, false]);
    expect(new Set(said.map(String)).size).toBeGreaterThan(1);
  });
});

describe('an alert of its own', () => {
  const kinds = Object.entries({ ...EVENTS, consensus: consensusOf });

  it.each(kinds)('has the whole name, in full and compact: %s', (_kind, eventsOf) => {
    for (const title of [...PAIRS, ...AWKWARD].flat()) {
      for (const isCompact of [false, true]) {
        const { content, embeds } = messageOf([groupOf(eventsOf(title, '7'))], { isCompact });
        const whole = escapeText(title, 1_000, '');
        const [line = ''] = content.split('\n');
        const isWhole = line.endsWith(` · ${whole}`);
        if (isWhole) continue;
        // Escapes count, too.
        const most = escapeText(title, 256, '');
        expect(embeds[0]?.title, title).toBe(most);
        expect(plainEmsIn(line.split(' · ').at(-1) ?? '')).toBeGreaterThan(6);
      }
    }
  });

  it.each(kinds)('says on a lock screen which market it is: %s', (_kind, eventsOf) => {
    const lineOf = (title: string) => messageOf([groupOf(eventsOf(title, '7'))]).content;
    for (const [one, other] of PAIRS) expect(lineOf(one)).not.toBe(lineOf(other));
  });

  it('has the whole name in its Details', () => {
    for (const title of PAIRS.map(([one]) => one)) {
      const [embed] = detailsEmbeds({
        ...{ wallet: WALLET, reference: 'a1', label: null, items: [itemIn(title, '7')] },
        ...{ postedAtMs: AT * 1000, changedAtMs: null, links, language: ENGLISH },
        ...{ missing: 0, cutAfter: null, skipped: 0 },
        knowledge: { when: 'asOfNow', record: null, position: null },
      }).withFile(false);
      expect(nameIn(embed?.description ?? '', '7').length).toBeGreaterThanOrEqual(title.length);
    }
  });
});

describe('several alerts', () => {
  it.each(LANGUAGE_TAGS)('are counted on a lock screen, with the largest trade: %s', (tag) => {
    const language: Language = languageFor(tag);
    const { severalOf, largest } = language.texts.alerts.headline;
    const moved = { kind: 'transfer', item: transfer({ time: AT, amount: 99_000 }) } as const;
    const trades = ['1', '2', '3'].map((id) =>
      groupOf([{ kind: 'activity', item: itemIn('Will it rain?', id, { quantity: Number(id) }) }]),
    );
    const { content } = messageOf([groupOf([moved]), ...trades], { language });
    expect(content).toContain(severalOf('4', 4, '**Whale with a name**'));
    const [, said = ''] = content.split(` · ${largest('')}`);
    expect(said).toMatch(/^\S+ \*\*Yes /u);
    expect(content).not.toMatch(/99|rain/);
    expect(plainText(content, 200, '')).not.toContain('undefined');
  });

  it('of several wallets are counted with these', () => {
    const groups = ['1', '2', '3', '4'].map((id, index) => {
      const { alerts } = groupOf([{ kind: 'activity', item: itemIn('Will it rain?', id) }]);
      const wallet = walletOfDigit('ab'[index % 2] ?? 'a');
      return { kind: 'alert' as const, alerts: [{ ...alerts[0], wallet }] as const };
    });
    expect(messageOf(groups).content).toBe(
      '🟢 4 alerts of 2 wallets · largest: **Whale with a name** BUY **Yes $785** at 63.5¢',
    );
  });

  it('that are results say which side was held', () => {
    const groups = ['Yes', 'No'].map((side, index) =>
      groupOf([resultOf(itemIn('Will it rain?', `${7 + index}`), { sides: [side] })]),
    );
    const rows = messageOf(groups).embeds[0]?.description?.split('\n') ?? [];
    expect(rows.map((row) => /closed \*\*(Yes|No)\*\* /.exec(row)?.[1])).toEqual(['Yes', 'No']);
  });
});
