import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChartRenderer } from '../../src/charts/render.ts';
import {
  createDigestComposer,
  digestPicture,
  type PictureData,
} from '../../src/digests/compose.ts';
import { digestEmbed, scheduleWords } from '../../src/digests/embed.ts';
import { type Schedule, WEEKDAYS } from '../../src/digests/schedule.ts';
import type { WalletFigures } from '../../src/digests/stats.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { withSign } from '../../src/language/number-format.ts';
import { Exact } from '../../src/lib/exact.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { parseMarkdown } from '../embeds/discord-markdown.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { anyChannelRecord, channelRecord } from '../scores/samples.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { testMachine } from '../support/machine.ts';
import { sampleTrade } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { walletOf } from '../support/wallets.ts';

const START = Date.UTC(2026, 9, 12, 16) / 1000;
const DAY = 86_400;
const HOUR = 3_600;
const LANGUAGES = LANGUAGE_TAGS.map(languageFor);
const FOREIGN = LANGUAGES.filter((language) => language !== ENGLISH);

const links = createLinks({ MARKET_URL: 'https://venue.example/{marketSlug}' });
const schedule: Schedule = {
  every: 'week',
  atMinutes: 60,
  weekday: 'Wednesday',
  timeZone: 'Europe/Berlin',
};

const usdc = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => new Exact(cents).div(100)),
  fc.double({ min: -1e20, max: 1e20, noNaN: true }).map((value) => new Exact(value)),
);
const paid = usdc.map((value) => value.abs());
const since = fc.option(fc.integer({ min: START, max: START + DAY }));
const largest = fc.record({
  timeSeconds: fc.integer({ min: START, max: START + DAY }),
  usdc: fc.double({ min: 0, max: 1e20, noNaN: true }),
  action: fc.constantFrom('Buy' as const, 'Sell' as const),
  side: hostileText(),
  priceCents: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
  marketTitle: hostileText(),
  marketId: fc.constant('1'),
  marketSlug: hostileText(),
  eventSlug: fc.constant('weather'),
});
const settled = fc.record({
  key: fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5', 'm6'),
  market: fc.option(
    fc.record({
      marketTitle: hostileText(),
      marketId: fc.constant('1'),
      marketSlug: hostileText(),
      eventSlug: fc.constant('weather'),
    }),
  ),
  sides: fc.array(fc.record({ side: hostileText(), payout: fc.constantFrom(0, 0.5, 1) }), {
    minLength: 1,
    maxLength: 4,
  }),
});
const gap = fc.option(fc.constant({ fromSeconds: START + 60, toSeconds: START + 60 }));
const format = fc.record({
  label: fc.option(hostileText(), { nil: undefined }),
  trades: fc.nat(2_000),
  redemptions: fc.nat({ max: 3 }),
  transfers: fc.nat({ max: 3 }),
  bought: paid,
  sold: paid,
  redeemed: paid,
  deposited: paid,
  withdrawn: paid,
  largest: fc.option(largest, { nil: undefined }),
  record: fc.option(anyChannelRecord),
  watchedSinceSeconds: since,
  tradesSinceSeconds: since,
  transfersSinceSeconds: fc.oneof(since, fc.constant('never' as const)),
  tradesGap: gap,
  transfersGap: gap,
  isBehind: fc.boolean(),
  settled: fc.array(settled, { maxLength: 3 }),
  verdictChange: fc.constantFrom('began' as const, 'ended' as const, null),
});
const nothing = {
  trades: 0,
  redemptions: 0,
  transfers: 0,
  deposited: new Exact(0),
  withdrawn: new Exact(0),
};
const texts = fc.record({
  schedule: fc.record({
    every: fc.constantFrom('day' as const, 'week' as const),
    atMinutes: fc.integer({ min: 0, max: 1_439 }),
    weekday: fc.constantFrom(...WEEKDAYS),
    timeZone: fc.constantFrom('Europe/Berlin', 'America/Argentina/ComodRivadavia'),
  }),
  people: fc.array(fc.tuple(format, fc.boolean()), { maxLength: 4 }),
  times: fc.constantFrom(1, 3, 40, 50),
  picture: fc.option(fc.constant('digest.png')),
});

function textOf({
  people,
  times,
  ...text
}: typeof texts extends fc.Arbitrary<infer Value> ? Value : never) {
  const wallets = Array.from({ length: times }, () => people)
    .flat()
    .map(([wallet, isQuiet], index) => ({
      ...wallet,
      wallet: walletOf(index),
      ...(isQuiet ? nothing : {}),
    }));
  const period = { fromSeconds: START, toSeconds: START + DAY };
  return { ...text, wallets, period, reference: 'abcdefgh', links };
}

/**
 * What a text says that is not words: dates, links and addresses, in the order of the English text
 * or another.
 */
function parts(text: string): string[] {
  return (text.match(/<t:\d+:\w>|\]\(https:[^)]*\)|0x0+\d*…\d+/g) ?? []).toSorted();
}

/** Number of markets that a text names. */
function rows(text: string): number {
  return text.match(/^• /gm)?.length ?? 0;
}

describe('a digest in every language', () => {
  it('fits Discord’s limits and says the same, with hostile labels, and many wallets', () => {
    fc.assert(
      fc.property(texts, (drawn) => {
        const text = textOf(drawn);
        const english = digestEmbed({ ...text, language: ENGLISH });
        for (const language of LANGUAGES) {
          const embed = digestEmbed({ ...text, language });
          assertEmbedLimits(embed);
          const { title = '', description = '', footer, image } = embed;
          expect(footer?.text.endsWith(' · #abcdefgh'), 'its reference is found again').toBe(true);
          expect(image).toEqual(english.image);
          for (const { kind, url, children } of parseMarkdown(description)) {
            expect(['text', 'strong', 'timestamp', 'heading', 'link']).toContain(kind);
            if (kind === 'strong') expect(children.map((child) => child.kind)).toEqual(['text']);
            if (kind === 'link') expect(url).toMatch(/^https:\/\/venue\.example\//);
          }
          expect(description).toContain(language.format.quantity(text.wallets.length));
          // Two wallets have room for all that there is to say of them, but for markets that have
          // long names: where a language needs more words, it names fewer.
          const isAsFull = rows(description) === rows(english.description ?? '');
          if (text.wallets.length <= 2 && isAsFull) {
            expect(parts(description)).toEqual(parts(english.description ?? ''));
          }
          if (language === ENGLISH) continue;
          expect(title).not.toBe(english.title);
          expect(description).not.toBe(english.description);
          expect(footer?.text).not.toBe(english.footer?.text);
        }
      }),
      randomRuns(40),
    );
  });

  const wallet: WalletFigures = {
    wallet: walletOf(1),
    label: 'Whale',
    trades: 1_234,
    redemptions: 77,
    transfers: 4_321,
    bought: new Exact('12345.6'),
    sold: new Exact('2000.5'),
    redeemed: new Exact('31.25'),
    deposited: new Exact('5000'),
    withdrawn: new Exact('1250.75'),
    largest: {
      timeSeconds: START + 60,
      usdc: 777.5,
      action: 'Sell',
      side: 'Yes',
      priceCents: 63.5,
      marketTitle: 'Will it rain?',
      marketId: '1',
      marketSlug: 'rain',
      eventSlug: 'weather',
    },
    record: null,
    watchedSinceSeconds: START + 50,
    tradesGap: null,
    transfersGap: null,
    tradesSinceSeconds: START + 100,
    transfersSinceSeconds: START + 200,
    isBehind: true,
    settled: [],
    verdictChange: null,
  };
  const text = {
    schedule,
    period: { fromSeconds: START, toSeconds: START + 7 * DAY },
    wallets: [wallet, { ...wallet, ...nothing, wallet: walletOf(2), label: undefined }],
    reference: 'abcdefgh',
    links,
    picture: null,
  };

  it.each(LANGUAGES)(
    'has every figure as $tag writes it, and nothing of another language or of none',
    (language) => {
      const { description = '' } = digestEmbed({ ...text, language });
      const { roundUsdc: money, quantity, cents } = language.format;
      for (const figure of [
        ...[14_346.1, 777.5].map(money),
        language.format.compactUsdc(28_692.2),
        withSign('+', money(3_749.25)),
        quantity(77),
        quantity(1_234),
        cents(63.5),
        `<t:${START + 50}:f>`,
        `<t:${START + 100}:f>`,
        `<t:${START + 200}:f>`,
        '**Whale**',
        'Yes',
        '[Will it rain?](https://venue.example/rain)',
      ]) {
        expect(description).toContain(figure);
      }
      expect(description).not.toMatch(/undefined|\[object|NaN|=>/);
      if (language === ENGLISH) return;
      const english = [
        'volume ',
        ...'flow Realized transfers SELL complete seen watch known'.split(' '),
        'could not',
      ];
      for (const word of english) {
        if (word === 'volume ' && (language.tag === 'fr' || language.tag === 'pt-BR')) continue;
        expect(description).not.toContain(word);
      }
    },
  );

  it('says one, two and many in good grammar', () => {
    for (const [tag, count, line] of [
      ['de', 1, /^⚠️ 1 Wallet konnte seit /],
      ['de', 2, /^⚠️ 2 Wallets konnten seit /],
      ['fr', 1, /^⚠️ 1 wallet n’a pas pu être consulté /],
      ['es-ES', 2, /^⚠️ 2 wallets no se pudieron /],
      ['ja', 2, /^⚠️ 2ウォレットは、/],
    ] as const) {
      const wallets = Array.from({ length: count }, () => wallet);
      expect(digestEmbed({ ...text, wallets, language: languageFor(tag) }).description).toMatch(
        line,
      );
    }
  });

  it('has its time in the title, by the clock of its zone', () => {
    // From Monday at 18:00 of Berlin’s summer to a Monday at 17:00 of its winter.
    const period = { fromSeconds: START, toSeconds: START + 14 * DAY };
    for (const language of LANGUAGES) {
      const { title } = digestEmbed({ ...text, period, language });
      expect(title).toMatch(/^\S+.* · .*12.*18:00.*26.*17:00$/);
      expect(title?.startsWith(language.texts.digest.title.week)).toBe(true);
    }
    const { title } = digestEmbed({ ...text, period, language: ENGLISH });
    expect(title?.replace(/\s/g, ' ')).toBe('Weekly digest · Oct 12, 18:00 – Oct 26, 17:00');
  });

  it('names its time by the weekdays and words of the language', () => {
    const texts = (tag: string, changes: Partial<Schedule> = {}) =>
      scheduleWords({ ...schedule, ...changes }, languageFor(tag));
    const all = [
      'Every Wednesday at 01:00 (Europe/Berlin)',
      'Jeden Mittwoch um 01:00 Uhr (Europe/Berlin)',
      'Cada miércoles a la 01:00 (Europe/Berlin)',
      'Chaque mercredi à 01:00 (Europe/Berlin)',
      'Toda quarta-feira à 01:00 (Europe/Berlin)',
      '毎週水曜日 01:00（Europe/Berlin）',
      '每星期三 01:00（Europe/Berlin）',
    ];
    expect(LANGUAGE_TAGS.map((tag) => texts(tag))).toEqual(expect.arrayContaining(all));
    expect(texts('es-ES', { every: 'day', atMinutes: 570 })).toBe(
      'Cada día a las 09:30 (Europe/Berlin)',
    );
    for (const tag of LANGUAGE_TAGS) {
      expect(new Set(WEEKDAYS.map((weekday) => texts(tag, { weekday }))).size).toBe(7);
    }
  });
});

describe('the picture of a digest in every language', () => {
  const wallets = Array.from({ length: 5 }, (_, index) => {
    const item = {
      ...sampleTrade(),
      time: START + index * HOUR + 60,
      grossValue: 25_000 * (index + 1),
    };
    const { portfolio } = addActivity(newPortfolio(0, true), [item], START + DAY);
    return { wallet: walletOf(index), label: `trader ${index}`, volume: portfolio.volume };
  });
  const data: Omit<PictureData, 'language'> = {
    schedule: { ...schedule, every: 'day' },
    period: { fromSeconds: START, toSeconds: START + DAY },
    wallets,
  };

  it('is drawn in the language, and in English where the font has no glyphs', () => {
    const english = digestPicture({ ...data, language: ENGLISH })?.svg;
    for (const language of FOREIGN) {
      const svg = digestPicture({ ...data, language })?.svg;
      if (/^(ja|zh)/.test(language.tag)) expect(svg).toBe(english);
      else expect(svg).not.toBe(english);
      expect(svg?.match(/<rect/g)?.length).toBe(english?.match(/<rect/g)?.length);
    }
    const german = digestPicture({ ...data, language: languageFor('de') })?.svg;
    for (const texts of [
      'Volumen pro Stunde, Europe/Berlin',
      '>andere<',
      '>160.000\u00a0$<',
      '>13. Okt<',
    ]) {
      expect(german).toContain(texts);
    }
  });

  it('is described in the channel’s language, whatever it is drawn in; the rest of what is sent is the same', async () => {
    const dueMs = (START + DAY) * 1000;
    const digest = {
      ownerId: '100000000000000001',
      channelId: '100000000000000002',
      schedule: { ...schedule, every: 'day' as const, atMinutes: 1_080 },
      doneUntilMs: 0,
      coveredMs: null,
      offSinceMs: null,
      underWay: null,
    };
    const announced: unknown[] = [];
    for (const tag of ['en-US', 'fr', 'ja']) {
      const compose = createDigestComposer(testMachine({ nowMs: () => dueMs }), {
        registry: {
          ofChannel: () =>
            wallets.map(({ wallet, label }) => ({ wallet, label, sinceSeconds: 0 }) as Watch),
        },
        knowledgeOf: async (wallet) => {
          const volume = wallets.find((other) => other.wallet === wallet)?.volume ?? [];
          return newKnowledge({ ...newPortfolio(0, true), volume });
        },
        recordFor: () => channelRecord(0, {}, 0),
        verdicts: { keptOf: () => undefined },
        feed: { settlements: async () => [] },
        isRead: () => true,
        charts: createChartRenderer(),
        links,
        languageOf: (channelId) => languageFor(channelId === digest.channelId ? tag : 'en-US'),
      });
      const underWay = { dueMs, fromMs: dueMs - DAY * 1000, startedAtMs: dueMs };
      const { embeds, picture } = (await compose(digest, underWay, 'abcdefgh')).body;
      expect(embeds[0]?.footer?.text).toMatch(/ · #abcdefgh$/);
      expect(picture?.name).toBe('digest.png');
      announced.push(picture?.description);
    }
    expect(announced).toEqual([
      'Traded volume per hour',
      'Volume échangé par heure',
      '1時間ごとの取引高',
    ]);
  });
});
