import { Resvg } from '@resvg/resvg-js';
import { imageSize } from '@walletbell/local-discord/discord/image';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartLanguage } from '../../src/charts/chart.ts';
import { chartFontFile, createChartRenderer } from '../../src/charts/render.ts';
import { checksummed, type WalletAddress } from '../../src/domain/address.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { scoresPicture } from '../../src/scores/chart.ts';
import { scoresEmbed } from '../../src/scores/embed.ts';
import { rankWallets, scoresCsv, type WalletScore } from '../../src/scores/ranking.ts';
import { parseMarkdown } from '../embeds/discord-markdown.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { assertEmbedLimits } from '../support/embed-limits.ts';
import { randomRuns } from '../support/thorough.ts';
import { anyCameBack, anyChannelRecord, channelRecord } from './samples.ts';

const CHANNEL = '<#100000000000000002>';
const MATURE_TO = 1_795_219_200;
const LANGUAGES = LANGUAGE_TAGS.map(languageFor);

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as WalletAddress;
const wallet = (index: number, label: string, of: WalletScore['record']): WalletScore => ({
  wallet: address(index),
  label,
  record: of,
});

const anyWallets = fc
  .array(fc.tuple(fc.option(hostileText(), { nil: undefined }), fc.option(anyChannelRecord)), {
    maxLength: 40,
  })
  .map((wallets) =>
    wallets.map(
      ([label, of], index): WalletScore => ({ wallet: address(index), label, record: of }),
    ),
  );

const ranking = rankWallets;

describe('the ranking', () => {
  it('is by verdict, then by edge, has every wallet once, and the same order however they come', () => {
    fc.assert(
      fc.property(
        anyWallets.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const { ranked, unranked, silent } = ranking(all);
          expect([...ranked, ...unranked, ...silent].map((one) => one.wallet).toSorted()).toEqual(
            all.map((one) => one.wallet).toSorted(),
          );
          const places = ranked.map(({ record }) => [
            record.verdict === 'better' ? 0 : 1,
            -(record.since.edgeCents ?? Number.NaN),
          ]);
          const inOrder = places.toSorted(([a = 0, x = 0], [b = 0, y = 0]) => a - b || x - y);
          expect(places).toEqual(inOrder);
          expect(ranked.every(({ record }) => record.since.isRanked)).toBe(true);
          expect(unranked.some(({ record }) => record.since.isRanked)).toBe(false);
          expect(ranking(shuffled)).toEqual(ranking(all));
        },
      ),
    );
  });

  it('puts a proven edge before a greater one that could be luck', () => {
    const lucky = wallet(1, 'Lucky', { ...channelRecord(40, { errorCents: 50 }), verdict: 'none' });
    const proven = wallet(2, 'Proven', channelRecord(16));
    expect(ranking([lucky, proven]).ranked.map(({ label }) => label)).toEqual(['Proven', 'Lucky']);
  });
});

describe('the answer', () => {
  const shown = ranking([
    wallet(1, 'Whale', channelRecord(6.3, { withoutEnd: 9, oneIn: 2 })),
    wallet(2, 'Shark', channelRecord(16)),
    wallet(8, 'Orca', { ...channelRecord(5), verdict: 'moreCompared' }),
    wallet(9, 'Squid', channelRecord(-0.9)),
    wallet(3, 'Minnow', channelRecord(-20, { enoughAtSeconds: 1_796_000_000 }, 12)),
    wallet(4, 'Weekend', channelRecord(3, { days: 4, isRanked: false })),
    wallet(5, 'Long', channelRecord(3, { isRanked: false })),
    wallet(6, 'New', channelRecord(0, {}, 0)),
    wallet(7, 'Quiet', null),
  ]);

  it('says each verdict once, above its wallets, and what they rest on in small', () => {
    const { description } = scoresEmbed(CHANNEL, shown, null, ENGLISH);
    expect(description?.split('\n')).toEqual([
      '**Better than luck**',
      '1\\. **Shark** **+16¢** a share · 31 markets',
      '**Could be luck**',
      '2\\. Whale +6.3¢ · 31 markets · counts one market in 2',
      '3\\. Orca +5¢ · 31 markets · more wallets are compared now',
      '**No edge shown**',
      '4\\. Squid −0.9¢ · 31 markets',
      '**Too early to say**',
      '• Weekend · bought on only 4 days',
      '• Long · too many long shots to judge from 31 markets',
      '• Minnow · 12 markets · first verdict around <t:1796083200:d>',
      '-# 2 wallets: too new',
      `-# First buys in ${CHANNEL} since each wallet was added, after listed fees, at its price`,
      `-# 9 of 124 unresolved, counted as $0 · buys up to <t:${MATURE_TO}:d>`,
    ]);
  });

  it('writes figures as each language does, and says of what the first one is', () => {
    const german = scoresEmbed(CHANNEL, shown, null, languageFor('de')).description ?? '';
    expect(german).toContain('1\\. **Shark** **+16\u00a0¢** pro Anteil · 31 Märkte');
    expect(german).toContain('2\\. Whale +6,3\u00a0¢ · 31 Märkte');
  });

  it('says when scores appear where there is none', () => {
    for (const language of LANGUAGES) {
      const { description } = scoresEmbed(
        CHANNEL,
        ranking([wallet(1, 'Quiet', null)]),
        null,
        language,
      );
      expect(description).toBe(language.texts.scores.nothing);
    }
    expect(scoresEmbed(CHANNEL, ranking([]), null, ENGLISH).description).toMatch(
      /^No records yet\./,
    );
  });

  it('counts what does not fit, and leaves nobody out of the count', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (ranked, unranked) => {
          const all = [
            ...Array.from({ length: ranked }, (_, index) =>
              wallet(index, `R${index}`, channelRecord(index)),
            ),
            ...Array.from({ length: unranked }, (_, index) =>
              wallet(100 + index, `U${index}`, channelRecord(0, {}, 3)),
            ),
          ];
          const { description = '' } = scoresEmbed(CHANNEL, ranking(all), null, ENGLISH);
          const shown = (description.match(/^\d+\\\. (?:\*\*)?R|• U/gm) ?? []).length;
          const more = [...description.matchAll(/… and (\d+) more/g)].reduce(
            (sum, [, count]) => sum + Number(count),
            0,
          );
          expect(shown + more).toBe(ranked + unranked);
        },
      ),
    );
  });

  it('keeps to every limit in every language, with hostile labels and whatever figures, and has no markup but its own', () => {
    fc.assert(
      fc.property(anyWallets, fc.constantFrom(...LANGUAGES), (wallets, language) => {
        const embed = scoresEmbed(CHANNEL, ranking(wallets), 'scores.png', language);
        assertEmbedLimits(embed);
        for (const { kind } of parseMarkdown((embed.description ?? '').replaceAll('\n-# ', '\n'))) {
          expect(['text', 'strong', 'timestamp', 'mention', 'channel']).toContain(kind);
        }
        expect(JSON.stringify(embed)).not.toMatch(/undefined|NaN|\[object|@everyone|@here/);
      }),
      randomRuns(100),
    );
  });
});

describe('the picture', () => {
  it('is drawn of the ranked wallets', async () => {
    const two = ranking([
      wallet(1, 'Whale & <b>', channelRecord(6.3)),
      wallet(2, '東京', channelRecord(-10)),
    ]);
    const svg = scoresPicture(two, ENGLISH)?.svg ?? '';
    expect(svg.match(/<circle/g)).toHaveLength(2);
    expect(svg).toContain('1. Whale &#38; &#60;b&#62;');
    expect(svg).toContain('2. 0x0000…0002');
    expect(imageSize(await createChartRenderer().png(svg))).toEqual({
      width: 1_200,
      height: (60 + 32 + 2 * 38 + 58) * 1.5,
    });
  });

  it('has round zero what luck alone explains, behind the dot of each wallet', () => {
    const svg =
      scoresPicture(ranking([wallet(1, 'Whale', channelRecord(6.3))]), ENGLISH)?.svg ?? '';
    const numbersOf = (element: RegExp) => (element.exec(svg) ?? []).slice(1).map(Number);
    const [bandFrom = 0, bandWidth = 0] = numbersOf(
      /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]*fill="#434851"/,
    );
    const [dot = 0] = numbersOf(/<circle cx="([\d.]+)"/);
    const [zero = 0] = numbersOf(/<line x1="([\d.]+)"[^>]*stroke="#8a909b"/);
    // Luck alone explains 12.4 cents a share there.
    expect(bandFrom + bandWidth / 2).toBeCloseTo(zero, 1);
    expect(((dot - zero) * 2) / bandWidth).toBeCloseTo(6.3 / 12.4, 1);
    expect(svg.indexOf('<circle')).toBeGreaterThan(svg.indexOf('#434851'));
  });

  it('cuts off what lies far beyond the others, with an arrow and its figure, so that those can be read', () => {
    const others = [1.2, 0.5, -0.8].map((edge, index) =>
      wallet(index + 2, `W${index}`, channelRecord(edge, { errorCents: 1 })),
    );
    const placesOf = (svg: string) =>
      [...svg.matchAll(/<circle cx="([-\d.]+)"/g)].map(([, x]) => Number(x));
    const alone = scoresPicture(ranking(others), ENGLISH)?.svg ?? '';
    const svg =
      scoresPicture(
        ranking([wallet(1, 'Lucky', channelRecord(90, { errorCents: 1 })), ...others]),
        ENGLISH,
      )?.svg ?? '';
    expect(placesOf(svg)).toHaveLength(3);
    expect(svg).toContain('>+90¢</text>');
    expect(svg).toContain(ENGLISH.texts.scores.chart.beyond);
    expect(svg.match(/<polygon/g)).toHaveLength(2);
    expect(alone).not.toMatch(/polygon|Beyond/);
    const widthOf = (places: readonly number[]) => Math.max(...places) - Math.min(...places);
    expect(widthOf(placesOf(svg))).toBeGreaterThan(widthOf(placesOf(alone)) / 4);
  });

  it('has none without a ranked wallet', () => {
    expect(
      scoresPicture(ranking([wallet(1, 'Small', channelRecord(50, {}, 19))]), ENGLISH),
    ).toBeNull();
  });

  it('keeps every dot and band on its panel, whatever the figures, with labels of the axis that rise', () => {
    fc.assert(
      fc.property(anyWallets, fc.constantFrom(...LANGUAGES), (wallets, language) => {
        const svg = scoresPicture(ranking(wallets), language)?.svg;
        if (svg === undefined) return;
        const places = [...svg.matchAll(/<(?:circle cx|line x1|rect x)="([-\d]+\.\d+)"/g)].map(
          ([, x]) => Number(x),
        );
        for (const place of places) {
          expect(place).toBeGreaterThanOrEqual(28 - 0.01);
          expect(place).toBeLessThanOrEqual(800);
        }
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        expect(svg.match(/<circle[^>]*fill="#4da3ff"/g)?.length).toBeLessThanOrEqual(10);
      }),
      randomRuns(100),
    );
  });

  it('has its names in a column beside which the bands begin, cut where they are too wide', () => {
    const fonts = { loadSystemFonts: false, fontFiles: [chartFontFile()] };
    const font = { ...fonts, defaultFontFamily: 'Inter' };
    const endOf = (name: string) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="99">${name}</svg>`;
      const box = new Resvg(svg, { font }).getBBox();
      if (box === undefined) throw new Error('No letter was drawn.');
      return box.x + box.width;
    };
    const names = fc.oneof(
      hostileText(),
      fc.stringMatching(/^[A-Z@W ]{1,40}$/),
      fc.stringMatching(/^[a-z*[\]0-9]{1,40}$/),
    );
    const ranked = fc.array(fc.tuple(names, fc.double({ min: -50, max: 50, noNaN: true })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(ranked, (drawn) => {
        const wallets = drawn.map(([label, edge], index) =>
          wallet(index, label, channelRecord(edge)),
        );
        const svg = scoresPicture(ranking(wallets), ENGLISH)?.svg ?? '';
        const rows = [...svg.matchAll(/<text x="28\.00"[^>]*>\d+\. [^<]*<\/text>/g)];
        expect(rows).toHaveLength(Math.min(10, wallets.length));
        const places = [...svg.matchAll(/<(?:circle cx|line x1)="([-\d.]+)"/g)];
        const start = Math.min(...places.map(([, x]) => Number(x)));
        for (const [name] of rows) expect(endOf(name)).toBeLessThan(start);
      }),
      randomRuns(30),
    );
  });

  it('is titled in words that fit, in every language that it is drawn in', () => {
    for (const language of LANGUAGES) {
      const { title } = chartLanguage(language).texts.scores.chart;
      expect(title.length, language.tag).toBeLessThanOrEqual(62);
    }
  });
});

describe('the file', () => {
  it('has every wallet in the order of the ranking, with all figures, and no formula', () => {
    fc.assert(
      fc.property(anyWallets, (wallets) => {
        const inOrder = ranking(wallets);
        const rows: Record<string, string>[] = parse(scoresCsv(inOrder, new Map()), {
          columns: true,
        });
        const { ranked, unranked, silent } = inOrder;
        expect(rows.map((row) => row['wallet'])).toEqual(
          [...ranked, ...unranked, ...silent].map((one) => checksummed(one.wallet)),
        );
        expect(rows.map((row) => row['rank'])).toEqual(
          rows.map((_, index) => (index < ranked.length ? String(index + 1) : '')),
        );
        for (const row of rows) {
          expect(row['label']).not.toMatch(/^[=+\-@\t]/);
          const { label: _, ...figures } = row;
          expect(JSON.stringify(figures)).not.toMatch(/NaN|undefined|null|\de[+-]?\d/);
        }
      }),
      randomRuns(50),
    );
    const whale = wallet(1, 'Whale', channelRecord(6.3, { withoutEnd: 9 }));
    const [row] = parse(scoresCsv(ranking([whale]), new Map()), { columns: true }) as Record<
      string,
      string
    >[];
    expect(row).toMatchObject({
      rank: '1',
      markets: '31',
      days: '12',
      won: '19',
      without_known_end: '9',
      mean_price_cents: '55',
      edge_cents: '6.3',
      standard_error_cents: '5',
      lower_bound_cents: '1.3',
      better_than_luck: 'false',
      one_market_in: '1',
    });
    const before = wallet(2, 'New', channelRecord(0, { matureToSeconds: MATURE_TO, oneIn: 2 }, 0));
    const [silent] = parse(scoresCsv(ranking([before]), new Map()), {
      columns: true,
    }) as (typeof row)[];
    expect(silent, 'how far markets are mature without one of the channel’s own').toMatchObject({
      purchases_up_to_utc: '',
      one_market_in: '',
    });
  });
});

describe('what came back, in the file', () => {
  const SUMS = [
    'came_back_up_to_utc',
    'came_back_markets',
    'came_back_without_known_end',
    'came_back_without_known_end_usdc',
    'came_back_paid_usdc',
    'came_back_usdc',
    'came_back_gain_usdc',
  ];

  it('stands beside its wallet with all digits, and is empty where it is not said', () => {
    fc.assert(
      fc.property(anyWallets, fc.array(fc.option(anyCameBack)), (wallets, drawn) => {
        const sums = new Map(
          wallets.flatMap(({ wallet: of }, index) => {
            const sum = drawn[index] ?? null;
            return sum === null ? [] : [[of, sum] as const];
          }),
        );
        const rows: Record<string, string>[] = parse(scoresCsv(ranking(wallets), sums), {
          columns: true,
        });
        const byWallet = new Map(rows.map((row) => [row['wallet'], SUMS.map((name) => row[name])]));
        for (const { wallet: of } of wallets) {
          const sum = sums.get(of);
          const expected = sum && [
            new Date(sum.untilSeconds * 1000).toISOString().replace('.000', ''),
            String(sum.markets),
            String(sum.withoutEnd.markets),
            sum.withoutEnd.paidUsdc,
            sum.paidUsdc,
            sum.backUsdc,
            sum.sign === '' ? '' : sum.gainUsdc,
          ];
          expect(byWallet.get(checksummed(of))).toEqual(expected ?? SUMS.map(() => ''));
        }
      }),
    );
  });
});
