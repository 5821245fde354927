import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText, plainText } from '../../../src/embeds/text/escape.ts';
import { distinctNames, shortName } from '../../../src/embeds/text/short-name.ts';
import { plainEmsIn } from '../../../src/embeds/text/width.ts';
import { weightOf } from '../../../src/embeds/text/word-weights.ts';
import { countGraphemes } from '../../../src/lib/text/cut-text.ts';
import { randomRuns } from '../../support/thorough.ts';
import { hostileText } from '../hostile-text.ts';
import { KNOWN_TITLES, UNSEEN_TITLES } from './real-titles.ts';
import { simulatedTitles, turned } from './turned-titles.ts';

/** Letters that a market's name has at least wherever it is cut. */
const WIDTH = 36;
const SIMULATED_TITLES = simulatedTitles();
const TITLES = [...KNOWN_TITLES, ...UNSEEN_TITLES, ...SIMULATED_TITLES];

/** Titles that read alike although they are not the same. */
function alike(titles: readonly string[], short: (title: string) => string): string[][] {
  const byName = new Map<string, string[]>();
  for (const title of new Set(titles)) {
    byName.set(short(title), [...(byName.get(short(title)) ?? []), title]);
  }
  return [...byName.values()].filter((group) => group.length > 1);
}

/** Places of the words that a short name has as a whole. */
function keptWords(all: readonly string[], shown: string): Set<number> {
  const whole = (word: string) => word.replace(/[.,:;]$/, '');
  const kept = new Set<number>();
  let from = 0;
  for (const word of shown.split(/[ …]+/).map(whole)) {
    const place = all.findIndex((other, index) => index >= from && whole(other) === word);
    if (place < 0) continue;
    kept.add(place);
    from = place + 1;
  }
  return kept;
}

/** These words with … for each hole. A mark before a hole counts, though it is not shown. */
function written(all: readonly string[], kept: ReadonlySet<number>): string {
  const holes = all.map((word, index) => (kept.has(index) ? word : '…')).join(' ');
  return holes
    .replace(/…( …)+/g, '…')
    .replace(/^… /, '…')
    .replace(/ …/g, '…');
}

describe('a short name', () => {
  it.each([
    ['Will Ethereum reach $5,000 in September?', 36, '…Ethereum reach $5,000 in September?'],
    ['Highest temperature in Reykjavík ≥ 35 °C this week?', 28, 'Highest… Reykjavík ≥ 35 °C…'],
    ['Real Almería vs. Harbor City: will Real Almería win?', 28, 'Real Almería… Harbor… win?'],
    [
      'Will the Senate not publish the new budget before January 8?',
      30,
      '…Senate not… before January 8?',
    ],
    // All names cut a little, in place of the last one left out.
    [
      'Will the Philadelphia Phillies win the 2025 World Series?',
      36,
      '…Philadel… Phillies win… 2025 World…',
    ],
    // A word longer than half the width.
    ['Will Donaudampfschifffahrtskapitän Müller win?', 28, '…Donaudampfschi… Müller win?'],
    ['0x5f3759df5f3759df5f3759df', 12, '0x5f3759df5…'],
    // Without spaces the middle goes first, but for figures and directions.
    [
      'ビットコインは10月31日までに11万ドルを超えて取引を終えますか？',
      28,
      'ビットコインは10月31日までに11万ドルを超…終…',
    ],
    ['will-ether-close-september-above-4200-dollars-1234', 28, '…close-…above-4200-…1234'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2, '👩‍👩‍👧…'],
    ['Will it rain?', 13, 'Will it rain?'],
    ['', 5, ''],
  ])('of %j within %d is %j', (title, width, expected) =>
    expect(shortName(title, width)).toBe(expected),
  );

  it('is never longer than its width, in letters as in ems', () => {
    const lengths = [countGraphemes, plainEmsIn];
    for (const title of [...KNOWN_TITLES.slice(0, 100), ...SIMULATED_TITLES.slice(0, 50)]) {
      for (const measure of lengths) {
        for (const width of [1, 2, 5, 13, 28, WIDTH]) {
          expect(measure(shortName(title, width, measure)), title).toBeLessThanOrEqual(width);
        }
      }
    }
    const width = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(hostileText(), width, fc.constantFrom(...lengths), (text, most, measure) => {
        const cleaned = plainText(text, 4000, '-');
        expect(measure(shortName(cleaned, most, measure))).toBeLessThanOrEqual(most);
      }),
      randomRuns(800),
    );
  });

  it('leaves out no word in whose place a lighter one stays', () => {
    for (const title of [...KNOWN_TITLES, ...UNSEEN_TITLES, ...SIMULATED_TITLES.slice(0, 300)]) {
      for (const width of [18, 28, WIDTH]) {
        const shown = shortName(title, width);
        const all = title.split(' ');
        const weights = all.map((word, index) => weightOf(word, index === 0));
        const kept = keptWords(all, shown);
        const isBegun = (word: string) => shown.includes(`${word.slice(0, 3)}`);
        for (const [out, word] of all.entries()) {
          if (kept.has(out) || isBegun(word)) continue;
          for (const lighter of kept) {
            if ((weights[lighter] ?? 0) >= (weights[out] ?? 0)) continue;
            const others = new Set([...kept, out].filter((index) => index !== lighter));
            expect(countGraphemes(written(all, others)), `${shown} | ${word}`).toBeGreaterThan(
              width,
            );
          }
        }
      }
    }
  });

  it.each([
    ['of the simulated venue', SIMULATED_TITLES],
    ['of real venues', KNOWN_TITLES],
    ['of real venues by which no weight was chosen', UNSEEN_TITLES],
  ])('tells all titles apart: %s', (_name, titles) => {
    expect(titles.length).toBeGreaterThan(150);
    expect(alike(titles, (title) => shortName(title, WIDTH))).toEqual([]);
    expect(alike(titles, (title) => shortName(title, 20, plainEmsIn))).toEqual([]);
  });

  it('says which way: no title reads like its opposite', () => {
    const pairs = TITLES.flatMap((title) => turned(title).map((other) => [title, other] as const));
    expect(pairs.length).toBeGreaterThan(1000);
    expect(
      pairs.filter(([title, other]) => shortName(title, WIDTH) === shortName(other, WIDTH)),
    ).toEqual([]);
  });

  it.each([
    'Wird die Europäische Zentralbank den Leitzins im Dezember 2026 auf (über|unter) 2 Prozent setzen?',
    'Wird die Bundesregierung den Haushalt für das Jahr 2027 (vor|nach) dem 15. Dezember beschließen?',
    'Wird Bayern München die Champions League in dieser Saison (gewinnen|verlieren)?',
    'Will die Regierung der Vereinigten Staaten den Vertrag im Oktober 2026 (|nicht )unterzeichnen?',
    'Le prix du Bitcoin sera-t-il (supérieur|inférieur) à 112 000 $ le 28 septembre 2026 à midi ?',
    'La Banque centrale européenne va-t-elle annoncer une (hausse|baisse) des taux en décembre 2026 ?',
    'Le Premier ministre va-t-il démissionner (avant|après) la fin du mois de décembre 2026 ?',
    'El precio de Bitcoin estará por (encima|debajo) de 112.000 $ el 28 de septiembre de 2026?',
    'El Banco Central Europeo (subirá|reducirá) los tipos de interés en diciembre de 2026?',
    'La selección de México (ganará|perderá) el partido del Mundial el 15 de junio de 2026?',
    'O preço do Bitcoin ficará (acima|abaixo) de US$ 112.000 no dia 28 de setembro de 2026?',
    'O Banco Central do Brasil vai anunciar juros (maiores|menores) em dezembro de 2026 (sem|com) aviso?',
    'ビットコインの価格は2026年9月28日の正午の時点で11万ドルを(上回って|下回って)いるでしょうか？',
    '日本銀行は2026年12月の金融政策決定会合で政策金利を(引き上げる|引き下げる)と発表しますか？',
    '比特币的价格在2026年9月28日中午十二点整的时候会不会(高于|低于)十一万两千美元这个整数关口？',
    '欧洲中央银行会在2026年12月的货币政策会议上宣布(加息|减息)二十五个基点并且立即生效吗？',
  ])('says which way in every language: %s', (pattern) => {
    const choices = /\(([^|)]*)\|([^)]*)\)/g;
    const one = pattern.replace(choices, '$1');
    const other = pattern.replace(choices, '$2');
    expect(countGraphemes(one)).toBeGreaterThan(WIDTH);
    expect(shortName(one, WIDTH)).not.toBe(shortName(other, WIDTH));
  });

  it('keeps the mark that ends a right-to-left text', () => {
    const title = 'هل يفوز فريق الميناء في المباراة النهائية يوم 14 يونيو؟';
    const shown = escapeText(title, 20, '-');
    expect(shown).toMatch(/14.*\u200e$/u);
    expect(Array.from(shown).length).toBeLessThanOrEqual(20);
  });

  it('reads little of a text of megabytes', () => {
    const long = 'A'.repeat(4_000_000);
    expect(shortName(`${long} b`, 10)).toBe('AAAAAAAAA…');
    expect(shortName(Array(100_000).fill('word').join(' '), 10)).toBe('word word…');
  });
});

describe('names of one list', () => {
  const may = 'Will the highest temperature in Austin be between 82-83°F on May 29?';
  const april = 'Will the highest temperature in Austin be between 82-83°F on April 29?';
  const rain = 'Will it rain in Paris on the first of May of this year?';

  it('get more width where they would read alike, and only those', () => {
    expect(shortName(may, 18)).toBe(shortName(april, 18));
    const [first, second, third] = distinctNames([may, april, rain], [18, 18, 18], countGraphemes);
    expect(first).not.toBe(second);
    expect(first?.length).toBeGreaterThan(18);
    expect(third).toBe(shortName(rain, 18));
  });

  it('stay alike only where they are the same as a whole', () => {
    const twice = [...KNOWN_TITLES, ...KNOWN_TITLES];
    const all = distinctNames(
      twice,
      twice.map(() => 14),
      plainEmsIn,
    );
    const half = all.slice(0, KNOWN_TITLES.length);
    expect(all.slice(KNOWN_TITLES.length)).toEqual(half);
    expect(new Set(half).size).toBe(new Set(KNOWN_TITLES).size);
  });
});
