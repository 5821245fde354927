import { readFileSync } from 'node:fs';
import { imageSize } from '@walletbell/local-discord/discord/image';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backTicks, moneyTicks, rangeLabel, timeTicks } from '../../src/charts/axes.ts';
import { chartLanguage, drawable } from '../../src/charts/chart.ts';
import { chartFontFile, createChartRenderer } from '../../src/charts/render.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { flowsChart, tradesChart } from '../../src/lookups/list-charts.ts';
import { hostileText } from '../embeds/hostile-text.ts';
import { scaled } from '../support/exact-oracle.ts';
import { redemption, sale, trade, transfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { boxesOf } from './boxes.ts';

const NOW = 1_795_257_000;
const utc = (text: string) => Date.parse(`${text}Z`) / 1000;

/** What charts are drawn in: those of the languages that the font has letters for. */
const DRAWN_IN = LANGUAGE_TAGS.map(languageFor).filter(
  (language) => chartLanguage(language) === language,
);

/**
 * The characters that a TrueType font has a glyph for: its table `cmap`, format 12 or 4 (OpenType,
 * "cmap").
 */
function glyphsOf(path: string): (codePoint: number) => boolean {
  const font = readFileSync(path);
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const cmap = font.readUInt32BE(
    (tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0) + 8,
  );
  const encodings = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) =>
    font.readUInt32BE(cmap + 8 + index * 8),
  );
  const at =
    encodings.map((offset) => cmap + offset).find((place) => font.readUInt16BE(place) === 4) ?? 0;
  expect(font.readUInt16BE(at)).toBe(4);
  const segments = font.readUInt16BE(at + 6) / 2;
  return (codePoint) => {
    for (let index = 0; index < segments; index += 1) {
      const end = at + 14 + index * 2;
      if (codePoint > font.readUInt16BE(end)) continue;
      const start = end + 2 + segments * 2;
      const first = font.readUInt16BE(start);
      if (codePoint < first) return false;
      const delta = font.readUInt16BE(start + segments * 2);
      const range = start + segments * 4;
      const rangeOffset = font.readUInt16BE(range);
      if (rangeOffset === 0) return (codePoint + delta) % 65_536 !== 0;
      const glyph = font.readUInt16BE(range + rangeOffset + (codePoint - first) * 2);
      return glyph !== 0;
    }
    return false;
  };
}

describe('text in a chart', () => {
  it('has no character that the font does not draw, whatever is written', () => {
    const hasGlyph = glyphsOf(chartFontFile());
    for (let codePoint = 0; codePoint < 0x1_1000; codePoint += 1) {
      const kept = drawable(`x${String.fromCodePoint(codePoint)}x`, 10, '');
      for (const character of kept) {
        if (!hasGlyph(character.codePointAt(0) ?? 0))
          throw new Error(`U+${codePoint.toString(16)} is kept`);
      }
    }
  });

  it.each([
    ['Whale', 'Whale'],
    ['  Öl & <b>Gas</b>\n', 'Öl & <b>Gas</b>'],
    ['東京 Tokyo 🗼 Tower', 'Tokyo Tower'],
    ['東京🗼', 'none'],
    ['...', 'none'],
    ['\u202eevil', 'evil'],
    ['a'.repeat(50), `${'a'.repeat(19)}…`],
    ['Москва €5', 'Москва €5'],
  ])('%j reads %j', (text, drawn) => expect(drawable(text, 20, 'none')).toBe(drawn));
});

describe('a chart’s language', () => {
  it('is the reader’s own, or English for Japanese and Chinese', () => {
    expect(DRAWN_IN.map(({ tag }) => tag)).toEqual([
      'de',
      'en-US',
      'es-419',
      'es-ES',
      'fr',
      'pt-BR',
    ]);
    for (const tag of ['ja', 'zh-CN']) expect(chartLanguage(languageFor(tag))).toBe(ENGLISH);
  });

  it('writes amounts, dates and words in characters that the font draws', () => {
    const hasGlyph = glyphsOf(chartFontFile());
    const aYear = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1) / 1000);
    for (const language of DRAWN_IN) {
      const { chart } = language.texts.digest;
      const texts = [
        chart.volumePerHour('UTC'),
        chart.volumePerDay('UTC'),
        chart.others,
        ...[0.5, 7_000, 40_000, 3e6, 3e9, 3e12]
          .flatMap((high) => moneyTicks(-high, high, language))
          .map(({ label }) => label),
        ...aYear
          .flatMap((from) =>
            [from, from - 90 * 86_400].flatMap((early) =>
              timeTicks(early, from + 86_400, language),
            ),
          )
          .map(({ label }) => label),
        ...aYear.map((from) => rangeLabel(from, from + 400 * 86_400, language)),
      ];
      for (const character of new Set(texts.join(''))) {
        const codePoint = character.codePointAt(0) ?? 0;
        expect(hasGlyph(codePoint), `${language.tag}: U+${codePoint.toString(16)}`).toBe(true);
      }
      // Four entries of the legend are in a line: three names of twelve letters, and this one.
      expect(chart.others.length).toBeLessThanOrEqual(7);
    }
  });
});

describe('the axis of money', () => {
  const value = fc.oneof(
    // Below a cent nothing is told apart.
    fc
      .double({ min: -1e15, max: 1e15, noNaN: true })
      .map((usdc) => (Math.abs(usdc) < 0.005 ? 0 : usdc)),
    fc.integer({ min: -1e6, max: 1e6 }).map((cents) => cents / 100),
  );

  it('has three round ticks, from below the lowest to above the highest value, with zero, and wastes little', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const ticks = moneyTicks(low, high, ENGLISH);
        const [first = 0, middle = 0, last = 0] = ticks.map((tick) => tick.value);
        expect(ticks).toHaveLength(3);
        expect(first).toBeLessThanOrEqual(low);
        expect(last).toBeGreaterThanOrEqual(high);
        expect([first, middle, last].filter((tick) => tick === 0)).toHaveLength(1);
        const exact = [first, middle, last].map(scaled);
        const [below = 0n, above = 0n] = [1, 2].map(
          (index) => (exact[index] ?? 0n) - (exact[index - 1] ?? 0n),
        );
        const step = below < above ? below : above;
        expect(String(step).replace(/0+$/, '')).toMatch(/^([1234568]|15|25)$/);
        expect([1n, 2n]).toContain((below < above ? above : below) / step);
        expect(below < above ? above % step : below % step).toBe(0n);
        const span = Math.max(0.01, Math.max(0, high) - Math.min(0, low));
        if (low !== 0 || high !== 0) expect(last - first).toBeLessThanOrEqual(3.01 * span);
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(3);
      }),
      randomRuns(1_000),
    );
  });

  it('labels each tick with its value, and with nothing else', () => {
    const sizes: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
    fc.assert(
      fc.property(value, (high) => {
        for (const { value: tick, label } of moneyTicks(0, high, ENGLISH)) {
          const [, sign, figure, unit = ''] = /^(−?)\$([\d.,]+)([KMBT]?)$/.exec(label) ?? [];
          const read =
            Number(figure?.replaceAll(',', '')) * (sizes[unit] ?? 1) * (sign === '−' ? -1 : 1);
          expect(read).toBeCloseTo(tick, 6);
          expect(label.length).toBeLessThanOrEqual(10);
        }
      }),
      randomRuns(1_000),
    );
  });

  it('labels each tick with its value, and with nothing else, also in other languages', () => {
    const sizes: Readonly<Record<string, number>> = {
      ...{ 'Mio.': 1e6, 'Mrd.': 1e9, 'Bio.': 1e12 },
      ...{ mil: 1e3, M: 1e6, 'mil\u00a0M': 1e9, B: 1e12 },
      ...{ k: 1e3, Md: 1e9, Bn: 1e12 },
      ...{ mi: 1e6, bi: 1e9, tri: 1e12 },
    };
    const others = fc.constantFrom(...DRAWN_IN.filter((language) => language !== ENGLISH));
    const digits = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: -4, max: 11 }));
    fc.assert(
      fc.property(others, digits, (language, [figure, exponent]) => {
        const ticks = moneyTicks(-figure * 10 ** exponent, figure * 10 ** exponent, language);
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
        for (const { value: tick, label } of ticks) {
          const [, sign, before, number = '', unit = '', after] =
            /^(−?)(\$\s?)?([\d.,\u202f]+)(?:\s(\p{L}+\.?(?:\sM)?))?(\s\$)?$/u.exec(label) ?? [];
          expect([before, after].filter((dollar) => dollar !== undefined)).toHaveLength(1);
          const point = language.tag === 'es-419' ? '.' : ',';
          const plain = number
            .replaceAll(point === '.' ? ',' : /[.\u202f]/g, '')
            .replace(point, '.');
          expect(Number(plain) * (sizes[unit] ?? 1) * (sign === '−' ? -1 : 1)).toBeCloseTo(tick, 4);
          expect(number, 'with its thousands apart').not.toMatch(/\d{4}/);
          expect(label.length).toBeLessThanOrEqual(12);
        }
      }),
      randomRuns(400),
    );
  });

  it.each([
    [0, 850, ['$0', '$500', '$1,000']],
    [-2_150, 1_930, ['−$2,500', '$0', '$2,500']],
    [-465, 805, ['−$500', '$0', '$1,000']],
    [-0.03, 1_000, ['−$500', '$0', '$1,000']],
    [-5, 0, ['−$5', '−$2.5', '$0']],
    [0, 0.3, ['$0', '$0.15', '$0.3']],
    [0, 12_345, ['$0', '$8K', '$16K']],
    [0, 3_300_000, ['$0', '$2M', '$4M']],
  ])('%d to %d reads %j', (low, high, labels) => {
    expect(moneyTicks(low, high, ENGLISH).map(({ label }) => label)).toEqual(labels);
  });
});

describe('the axis of time', () => {
  it.each([
    ['2026-11-21T12:28', '2026-11-21T12:32', ['12:28', '12:30', '12:32']],
    ['2026-11-21T08:10', '2026-11-21T12:40', ['10:00', '12:00']],
    ['2026-11-20T20:00', '2026-11-21T12:40', ['21 Nov', '06:00', '12:00']],
    ['2026-11-01T20:00', '2026-11-21T12:40', ['2 Nov', '9 Nov', '16 Nov']],
    ['2026-06-01T20:00', '2026-11-21T12:40', ['Jul 2026', 'Sep 2026', 'Nov 2026']],
    ['2019-06-01T00:00', '2026-11-21T12:40', ['2020', '2025']],
  ])('%s to %s: %j', (from, to, labels) => {
    const ticks = timeTicks(utc(from), utc(to), ENGLISH);
    expect(ticks.map(({ label }) => label)).toEqual(labels);
  });

  it.each([
    ['de', ['3. Aug', '10. Aug', '17. Aug'], ['Jul 2026', 'Sep 2026', 'Nov 2026']],
    ['es-ES', ['3 ago', '10 ago', '17 ago'], ['jul 2026', 'sept 2026', 'nov 2026']],
    ['fr', ['3 août', '10 août', '17 août'], ['juil. 2026', 'sept. 2026', 'nov. 2026']],
    ['pt-BR', ['3 ago.', '10 ago.', '17 ago.'], ['jul. 2026', 'set. 2026', 'nov. 2026']],
  ])('names days and months in %s: %j', (tag, days, months) => {
    const labels = (from: string, to: string) =>
      timeTicks(utc(from), utc(to), languageFor(tag)).map(({ label }) => label);
    expect(labels('2026-08-01T20:00', '2026-08-21T12:40')).toEqual(days);
    expect(labels('2026-06-01T20:00', '2026-11-21T12:40')).toEqual(months);
  });

  it('has one to three ticks, in order and inside, whatever the times', () => {
    const time = fc.integer({ min: 0, max: 99_999_999_999 });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b) + 60];
        const ticks = timeTicks(from, to, ENGLISH).map(({ seconds }) => seconds);
        expect([1, 2, 3]).toContain(ticks.length);
        expect(ticks).toEqual(ticks.toSorted((x, y) => x - y));
        for (const seconds of ticks) expect(seconds >= from && seconds <= to).toBe(true);
      }),
      randomRuns(1_000),
    );
  });

  it('names days where it is long, and counts back where the reader’s own clock matters', () => {
    const range = (from: string, to: string) => rangeLabel(utc(from), utc(to), ENGLISH);
    expect(range('2026-11-21T08:10', '2026-11-21T12:40')).toBe('21 Nov 2026');
    expect(range('2026-11-20T08:10', '2026-11-21T12:40')).toBe('20 Nov – 21 Nov 2026');
    expect(range('2025-12-20T08:10', '2026-11-21T12:40')).toBe('20 Dec 2025 – 21 Nov 2026');
    const back = (seconds: number, tag = 'en-US') =>
      backTicks(NOW - seconds, NOW, languageFor(tag)).map(({ label }) => label);
    expect(back(15 * 60)).toEqual(['−15 min', '−10 min', '−5 min']);
    expect(back(24 * 3_600, 'de')).toEqual(['−24 h', '−12 h']);
    expect(back(7 * 86_400)).toEqual(['−6 d', '−4 d', '−2 d']);
  });

  it('says how long ago trades began where the last is as new as the list, and never a time of UTC', () => {
    const noteOf = (times: readonly number[], language = ENGLISH) =>
      tradesChart(
        times.map((ago) => trade({ time: NOW - ago })),
        'x',
        NOW,
        language,
      )?.svg ?? '';
    expect(noteOf([10, 900])).toContain('per minute · last 15 min<');
    expect(noteOf([600, 40_000])).toContain('· last 12 h<');
    expect(noteOf([3_600, 7 * 86_400], languageFor('fr'))).toContain('· 7 derniers jours<');
    expect(noteOf([86_400, 86_400 + 900])).toMatch(/per minute · \d+ \w{3} 20\d\d/);
    const ago = fc.integer({ min: 0, max: 400 * 86_400 });
    fc.assert(
      fc.property(fc.array(ago, { minLength: 1, maxLength: 5 }), (times) => {
        expect(noteOf(times)).not.toMatch(/UTC|\d\d:\d\d/);
      }),
    );
  });
});

describe('charts', () => {
  it('are PNGs of 1,200 × 750, also of a single record, and there is none of nothing', async () => {
    const { png } = createChartRenderer();
    for (const chart of [
      tradesChart([trade({ time: NOW })], 'x', NOW, ENGLISH),
      tradesChart([trade({ time: NOW }), sale({ time: NOW - 90_000 })], 'x', NOW, ENGLISH),
      tradesChart([redemption({ time: 0 })], 'x', NOW, ENGLISH),
      flowsChart([transfer({ time: NOW })], 'x', NOW, ENGLISH),
      flowsChart(
        [transfer({ time: NOW, amount: 0 }), transfer({ time: 99_999_999_999 })],
        'x',
        NOW,
        ENGLISH,
      ),
    ]) {
      expect(imageSize(await png(chart?.svg ?? ''))).toEqual({ width: 1_200, height: 750 });
    }
    const titleOf = (items: ActivityItem[]) => tradesChart(items, 'Whale', NOW, ENGLISH)?.alt;
    expect(titleOf([redemption()]), 'named by what it shows').toBe('Whale’s activity: Redeemed');
    expect(titleOf([redemption(), sale(), trade()])).toBe(
      'Whale’s activity: Bought, Sold, Redeemed',
    );
    for (const items of [[], [trade({ grossValue: 0 })], [trade({ action: 'Merge' })]]) {
      expect(tradesChart(items, 'x', NOW, ENGLISH)).toBeNull();
    }
    for (const items of [[], [transfer({ type: 'constructor' })]])
      expect(flowsChart(items, 'x', NOW, ENGLISH)).toBeNull();
    expect(
      flowsChart([transfer({ amount: 1e300 })], 'x', NOW, ENGLISH),
      'no picture of what is no money',
    ).toBeNull();
  });

  it('draw what was paid upwards, and what sells and redemptions brought downwards, in a colour each', () => {
    const items = [trade({ time: NOW, grossValue: 300 }), sale({ time: NOW, grossValue: 100 })];
    const svg =
      tradesChart([...items, redemption({ time: NOW, grossValue: 200 })], 'x', NOW, ENGLISH)?.svg ??
      '';
    const bars = boxesOf(svg).slice(3);
    expect(bars.map(({ fill }) => fill)).toEqual(['#37c871', '#ff6b6b', '#b48cf2']);
    const [bought, sold, redeemed] = bars;
    if (!bought || !sold || !redeemed) throw new Error('A bar is missing');
    expect(bought.height / sold.height).toBeCloseTo(3, 1);
    expect(redeemed.height / sold.height).toBeCloseTo(2, 1);
    expect(bought.y + bought.height).toBeCloseTo(sold.y, 1);
    expect(sold.y + sold.height).toBeCloseTo(redeemed.y, 1);
  });

  it('draw each bar as high as its amount, by the axis that stands beside it', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 5_000_000 }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(amounts, (cents) => {
        // A day each, so that each is a bucket of its own.
        const items = cents.map((value, index) =>
          trade({ time: NOW - index * 86_400, grossValue: value / 100 }),
        );
        const svg = tradesChart(items, 'x', NOW, ENGLISH)?.svg ?? '';
        const heights = boxesOf(svg)
          .slice(1)
          .map(({ height }) => height);
        const top = Math.max(
          ...moneyTicks(0, Math.max(...cents) / 100, ENGLISH).map(({ value }) => value),
        );
        const wanted = cents.toReversed().map((value) => Math.max(1.5, (value / 100 / top) * 254));
        expect(heights).toHaveLength(wanted.length);
        for (const [index, height] of heights.entries())
          expect(height).toBeCloseTo(wanted[index] ?? 0, 1);
      }),
    );
  });

  it('take any text, figure and time: sound SVG with as many elements as without', async () => {
    const { png } = createChartRenderer();
    const size = fc.oneof(
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: 0, max: 1e9 }),
    );
    const items = fc.array(
      fc
        .record({
          time: fc.integer({ min: 0, max: 99_999_999_999 }),
          action: fc.constantFrom('Buy', 'Sell', 'Redeem'),
          type: fc.constantFrom('deposit', 'withdrawal'),
          usdc: size,
        })
        .map(({ usdc, ...changes }) => ({
          ...trade(),
          ...transfer(),
          ...changes,
          grossValue: usdc,
          amount: usdc,
        })),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(hostileText(), items, async (text, made) => {
        for (const draw of [
          (name: string) => tradesChart(made, name, NOW, ENGLISH)?.svg ?? null,
          (name: string) => flowsChart(made, name, NOW, ENGLISH)?.svg ?? null,
        ]) {
          const svg = draw(drawable(text, 40, 'x'));
          if (svg === null) continue;
          expect(svg).not.toMatch(/NaN|Infinity|undefined/);
          expect(svg.split('<').length).toBe(draw('x')?.split('<').length);
          expect((await png(svg)).byteLength).toBeGreaterThan(1_000);
        }
      }),
      randomRuns(12),
    );
  });

  it('let the event loop turn while they are drawn', async () => {
    const corners = Array.from(
      { length: 20_000 },
      (_, index) => `L${index % 800} ${(index * 7_919) % 400}`,
    ).join('');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"><path d="M0 0${corners}" stroke="#fff" stroke-width="3"/></svg>`;
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    turn();
    await createChartRenderer().png(svg);
    isDone = true;
    expect(turns).toBeGreaterThan(20);
  });
});
