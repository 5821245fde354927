import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChartRenderer } from '../../src/charts/render.ts';
import { chartLanguage } from '../../src/charts/text.ts';
import { scoresFields } from '../../src/digests/scores-field.ts';
import { assertEmbedLimits } from '../../src/embeds/limits.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { imageSize } from '../../src/sandbox/discord/image.ts';
import { scoresPicture } from '../../src/scores/chart.ts';
import { scoresCsv } from '../../src/scores/csv.ts';
import { scoresEmbed } from '../../src/scores/embed.ts';
import { rankWallets, type WalletScore } from '../../src/scores/ranking.ts';
import { checksummed, type WalletAddress } from '../../src/venue/address.ts';
import { parseMarkdown } from '../embeds/discord-markdown.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { randomRuns } from '../support/thorough.ts';
import { anyStanding, standing } from './samples.ts';

const CHANNEL = '<#100000000000000002>';
const OPENED = 1_790_000_000;
const LANGUAGES = LANGUAGE_TAGS.map(languageFor);

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as WalletAddress;
const wallet = (index: number, label: string, of: WalletScore['standing']): WalletScore => ({
  wallet: address(index),
  label,
  standing: of,
});

const anyWallets = fc
  .array(fc.tuple(fc.option(hostileText(), { nil: undefined }), fc.option(anyStanding)), { maxLength: 40 })
  .map((wallets) =>
    wallets.map(([label, of], index): WalletScore => ({ wallet: address(index), label, standing: of })),
  );

describe('the ranking', () => {
  it('is by return less error, has every wallet once, and the same order however they come', () => {
    fc.assert(
      fc.property(
        anyWallets.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const ranking = rankWallets(all);
          const { ranked, unranked, silent } = ranking;
          expect([...ranked, ...unranked, ...silent].map((one) => one.wallet).toSorted()).toEqual(
            all.map((one) => one.wallet).toSorted(),
          );
          const bounds = ranked.map(({ standing: { lowerBound } }) => lowerBound ?? Number.NaN);
          expect(bounds).toEqual(bounds.toSorted((a, b) => b - a));
          expect(ranked.every(({ standing: { score } }) => score.markets >= 20)).toBe(true);
          expect(unranked.every(({ standing: { lowerBound } }) => lowerBound === null)).toBe(true);
          expect(rankWallets(shuffled)).toEqual(ranking);
        },
      ),
    );
  });

  it('puts a sure gain before a great one by chance', () => {
    const lucky = wallet(
      1,
      'Lucky',
      standing(0.4, { lowerBound: 0.4 - 0.5, withOverdue: { perDollar: 0.4, error: 0.5 } }),
    );
    const steady = wallet(2, 'Steady', standing(0.1));
    expect(rankWallets([lucky, steady]).ranked.map(({ label }) => label)).toEqual(['Steady', 'Lucky']);
  });
});

describe('the answer', () => {
  const overdue = standing(0.063, {
    overdue: 3,
    givenUp: 2,
    withOverdue: { perDollar: 0.012, error: 0.06 },
    lowerBound: -0.048,
  });
  const whale = { ...overdue, score: { ...overdue.score, open: 12, oldestOpenSeconds: OPENED } };
  const ranking = rankWallets([
    wallet(1, 'Whale', whale),
    wallet(2, 'Shark', standing(0.1)),
    wallet(3, 'Minnow', standing(-0.2, {}, 12)),
    wallet(4, 'New', { ...standing(0, { withOverdue: { perDollar: 0, error: null } }, 0), won: 0 }),
    wallet(5, 'Quiet', null),
  ]);

  it('shows what counts first, what it rests on in small, and the others apart', () => {
    const { description } = scoresEmbed(CHANNEL, ranking, null, ENGLISH);
    expect(description?.split('\n')).toEqual([
      `What the alerts in ${CHANNEL} came to`,
      expect.stringMatching(
        /^-# Return per dollar at the alerts’ prices, after fees, ± one standard error\. Ranked by/,
      ),
      '',
      '**1.** Shark · **+10%** ± 5%',
      '-# 19 of 31 closed markets won',
      '**2.** Whale · **+1.2%** ± 6%',
      `-# 19 of 31 closed markets won · closed ones alone +6.3% ± 5% · 12 open, oldest since <t:${OPENED}:d> · 3 over 30 days old, counted as lost · 2 given up`,
      '',
      '**Not ranked: fewer than 20 closed markets**',
      '• Minnow · **−20%** ± 5% · 12 of 12 closed markets won',
      '• New · none closed yet',
      '',
      '-# No purchase alerted yet: 1 wallet',
    ]);
  });

  it('writes figures as each language does', () => {
    const german = scoresEmbed(CHANNEL, ranking, null, languageFor('de')).description ?? '';
    expect(german).toContain('**+1,2\u00a0%** ± 6\u00a0%');
    expect(german).toContain('19 von 31 abgeschlossenen Märkten gewonnen');
  });

  it('says when scores appear where there is none', () => {
    for (const language of LANGUAGES) {
      const { description } = scoresEmbed(CHANNEL, rankWallets([wallet(1, 'Quiet', null)]), null, language);
      expect(description).toBe(language.texts.scores.nothing);
    }
    expect(scoresEmbed(CHANNEL, rankWallets([]), null, ENGLISH).description).toMatch(/^No scores yet:/);
  });

  it('counts what does not fit, and leaves nobody out of the count', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), (ranked, unranked) => {
        const all = [
          ...Array.from({ length: ranked }, (_, index) => wallet(index, `R${index}`, standing(index / 100))),
          ...Array.from({ length: unranked }, (_, index) => wallet(100 + index, `U${index}`, standing(0, {}, 3))),
        ];
        const { description = '' } = scoresEmbed(CHANNEL, rankWallets(all), null, ENGLISH);
        const shown = (description.match(/\*\*\d+\.\*\* R|• U/g) ?? []).length;
        const more = [...description.matchAll(/… and (\d+) more/g)].reduce((sum, [, count]) => sum + Number(count), 0);
        expect(shown + more).toBe(ranked + unranked);
      }),
    );
  });

  it('keeps to every limit in every language, with hostile labels and whatever figures, and has no markup but its own', () => {
    fc.assert(
      fc.property(anyWallets, fc.constantFrom(...LANGUAGES), (wallets, language) => {
        const embed = scoresEmbed(CHANNEL, rankWallets(wallets), 'scores.png', language);
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
  it('is drawn of the ranked wallets, with a ring where overdue markets make a difference', async () => {
    const ranking = rankWallets([
      wallet(1, 'Whale & <b>', standing(0.063, { overdue: 1, withOverdue: { perDollar: 0.012, error: 0.06 } })),
      wallet(2, '東京', standing(-0.1)),
    ]);
    const svg = scoresPicture(ranking, ENGLISH) ?? '';
    expect(svg.match(/<circle/g)).toHaveLength(3);
    expect(svg.match(/fill="none" stroke="#ffb454"/g)).toHaveLength(1);
    expect(svg).toContain('1. Whale &#38; &#60;b&#62;');
    expect(svg).toContain('2. 0x0000…0002');
    expect(imageSize(await createChartRenderer().png(svg))).toEqual({
      width: 1_200,
      height: (112 + 2 * 34 + 50) * 1.5,
    });
  });

  it('cuts off what lies far beyond the others, with an arrow and its figure, so that those can be read', () => {
    const others = [0.12, 0.05, -0.08].map((share, index) => wallet(index + 2, `W${index}`, standing(share)));
    const placesOf = (svg: string) => [...svg.matchAll(/<circle cx="([-\d.]+)"/g)].map(([, x]) => Number(x));
    const alone = scoresPicture(rankWallets(others), ENGLISH) ?? '';
    const svg = scoresPicture(rankWallets([wallet(1, 'Lucky', standing(9)), ...others]), ENGLISH) ?? '';
    expect(placesOf(svg)).toHaveLength(3);
    expect(svg).toContain('>+900%</text>');
    expect(svg).toContain(ENGLISH.texts.scores.chart.beyond);
    expect(svg.match(/<polygon/g)).toHaveLength(2);
    expect(alone).not.toMatch(/polygon|Beyond/);
    const widthOf = (places: readonly number[]) => Math.max(...places) - Math.min(...places);
    expect(widthOf(placesOf(svg))).toBeGreaterThan(widthOf(placesOf(alone)) / 4);
  });

  it('has none without a ranked wallet', () => {
    expect(scoresPicture(rankWallets([wallet(1, 'Small', standing(0.5, {}, 19))]), ENGLISH)).toBeNull();
  });

  it('keeps every dot and bar on its panel, whatever the figures, with labels of the axis that rise', () => {
    fc.assert(
      fc.property(anyWallets, fc.constantFrom(...LANGUAGES), (wallets, language) => {
        const svg = scoresPicture(rankWallets(wallets), language);
        if (svg === null) return;
        const places = [...svg.matchAll(/<circle cx="([-\d.]+)"|<line x1="([-\d.]+)"/g)].map(([, dot, line]) =>
          Number(dot ?? line),
        );
        for (const place of places) {
          expect(place).toBeGreaterThanOrEqual(28 + 250 - 0.01);
          expect(place).toBeLessThanOrEqual(800);
        }
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        expect(svg.match(/<circle[^>]*fill="#4da3ff"/g)?.length).toBeLessThanOrEqual(10);
      }),
      randomRuns(100),
    );
  });

  it('is titled in words that fit, in every language that it is drawn in', () => {
    for (const language of LANGUAGES) {
      const { title, ranked, closed } = chartLanguage(language).texts.scores.chart;
      expect(title.length, language.tag).toBeLessThanOrEqual(45);
      expect(ranked.length + closed.length, language.tag).toBeLessThanOrEqual(46);
    }
  });
});

describe('the file', () => {
  it('has every wallet in the order of the ranking, with all figures, and no formula', () => {
    fc.assert(
      fc.property(anyWallets, (wallets) => {
        const ranking = rankWallets(wallets);
        const rows: Record<string, string>[] = parse(scoresCsv(ranking), { columns: true });
        const { ranked, unranked, silent } = ranking;
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
    const [row] = parse(
      scoresCsv(
        rankWallets([
          wallet(
            1,
            'Whale',
            standing(0.063, {
              overdue: 3,
              givenUp: 2,
              withOverdue: { perDollar: 0.012, error: 0.06 },
              lowerBound: -0.048,
            }),
          ),
        ]),
      ),
      { columns: true },
    ) as Record<string, string>[];
    expect(row).toMatchObject({
      rank: '1',
      closed_markets: '31',
      won: '19',
      return_per_dollar: '0.063',
      standard_error: '0.05',
      over_30_days_open: '3',
      return_with_those_lost: '0.012',
      its_standard_error: '0.06',
      lower_bound: '-0.048',
      given_up: '2',
    });
  });
});

describe('a digest’s field', () => {
  const ranked = (count: number) =>
    Array.from({ length: count }, (_, index) => wallet(index, `W${index}`, standing(-index / 100)));

  it('names the three best and the three worst, by rank', () => {
    const [field] = scoresFields(ranked(12), ENGLISH);
    expect(field).toMatchObject({ name: 'Scores: best and worst of 12' });
    expect(field?.value.match(/\*\*(\d+)\.\*\*/g)).toEqual([
      '**1.**',
      '**2.**',
      '**3.**',
      '**10.**',
      '**11.**',
      '**12.**',
    ]);
  });

  it('names all of up to six, each once, and is not there without a ranked wallet', () => {
    expect(scoresFields(ranked(5), ENGLISH)[0]?.value.split('\n')).toHaveLength(5);
    expect(scoresFields(ranked(6), ENGLISH)).toMatchObject([{ name: 'Scores' }]);
    expect(scoresFields([wallet(1, 'Small', standing(0.5, {}, 19)), wallet(2, 'Quiet', null)], ENGLISH)).toEqual([]);
  });

  it('fits, whatever the labels hold', () => {
    fc.assert(
      fc.property(anyWallets, fc.constantFrom(...LANGUAGES), (wallets, language) => {
        assertEmbedLimits({ description: 'digest', fields: scoresFields(wallets, language) });
      }),
    );
  });
});
