import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { randomRuns } from '../support/thorough.ts';

const { usdc: formatUsdc, quantity: formatQuantity, shares: formatShares } = ENGLISH.format;
const { cents: formatCents, percent: formatPercent, duration: formatDuration } = ENGLISH.format;
const runs = randomRuns(2000);
const plainSpaces = (text: string) => text.replaceAll(/\s/g, ' ');
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('money', () => {
  it.each([
    [12345.67, '$12,345.67'],
    [0, '$0.00'],
    [-0, '$0.00'],
    [0.1 + 0.2, '$0.30'],
    [1.005, '$1.01'],
    [-5, '−\u2060$5.00'],
    [0.01, '$0.01'],
    [0.0049, '<$0.01'],
    [-1e-9, '−<$0.01'],
    [999_999_999_999.99, '$999,999,999,999.99'],
    [1.5e21, '$1.5E21'],
    [Number.MAX_VALUE, '$1.8E308'],
    [Number.NaN, 'unknown'],
    [Number.POSITIVE_INFINITY, 'unknown'],
  ])('%d reads %s', (usdc, text) => expect(formatUsdc(usdc)).toBe(text));

  it('says settings without cents where they have none, and hours as they are typed', () => {
    const { settingUsdc, hours } = languageFor('en-US').format;
    expect([50, 49.5, 1_000, 0.01].map(settingUsdc)).toEqual(['$50', '$49.50', '$1,000', '$0.01']);
    expect([24, 1, 0.5, 1.5, 100 / 3_600].map(hours)).toEqual([
      '24 h',
      '1 h',
      '30 min',
      '1 h 30 min',
      '1 min 40 s',
    ]);
  });

  it('never shows something as nothing, nor nothing as something', () => {
    fc.assert(
      fc.property(finite, (usdc) => {
        expect(formatUsdc(usdc) === '$0.00').toBe(usdc === 0);
        expect(formatQuantity(usdc) === '0').toBe(usdc === 0);
      }),
      runs,
    );
  });
});

describe('shares', () => {
  it.each([
    [1234.5, '1,235 shares'],
    [234.56, '234.6 shares'],
    [999.94, '999.9 shares'],
    [999.96, '1,000 shares'],
    [99.994, '99.99 shares'],
    [12_345_678.9, '12,345,679 shares'],
    [1, '1 share'],
    [0, '0 shares'],
    [0.30000000000000004, '0.3 shares'],
    [0.001, '<0.01 shares'],
    [2.999, '3 shares'],
    [1e15, '1E15 shares'],
  ])('%d reads %s', (shares, text) => expect(formatShares(shares)).toBe(text));

  it.each([
    ['fr', 0, '0 part'],
    ['fr', 1, '1 part'],
    ['fr', 1.5, '1,5 part'],
    ['fr', 1.999, '2 parts'],
    ['fr', 0.001, '<0,01 part'],
    ['fr', 1e6, '1 000 000 parts'],
    ['pt-BR', 1.5, '1,5 ação'],
    ['pt-BR', 0, '0 ação'],
    ['es-ES', 1.5, '1,5 acciones'],
    ['es-ES', 0, '0 acciones'],
    ['es-ES', 1.001, '1 acción'],
    ['de', 0, '0 Anteile'],
    ['de', 1, '1 Anteil'],
    ['en-US', -1, '−1 share'],
  ] as const)('in %s, %d reads %s', (tag, shares, text) => {
    expect(plainSpaces(languageFor(tag).format.shares(shares))).toBe(text);
  });

  it('have the form that the language gives to the figure beside them, whichever it is', () => {
    for (const tag of ['en-US', 'de', 'es-ES', 'fr', 'pt-BR'] as const) {
      const { shares } = languageFor(tag).format;
      const rules = new Intl.PluralRules(tag);
      const one = shares(1).replace('1 ', '');
      for (const hundredths of Array.from({ length: 401 }, (_, index) => index)) {
        const isOne = shares(hundredths / 100).endsWith(` ${one}`);
        expect([tag, hundredths, isOne]).toEqual([
          tag,
          hundredths,
          rules.select(hundredths / 100) === 'one',
        ]);
      }
    }
  });
});

it.each([
  [99.99, '$99.99'],
  [99.995, '$100'],
  [-12_345.67, '−\u2060$12,346'],
  [0, '$0.00'],
  [0.001, '<$0.01'],
  [1.5e21, '$1.5E21'],
  [Number.NaN, 'unknown'],
])('money in a first line: %d reads %s', (usdc, text) =>
  expect(ENGLISH.format.roundUsdc(usdc)).toBe(text),
);

it.each([
  [63.5, '63.5%'],
  [63.44, '63.4%'],
  [0, '0%'],
  [-1_234.5, '−1,234.5%'],
  [Number.NaN, 'unknown%'],
])('a percentage of %d reads %s', (percent, text) => expect(formatPercent(percent)).toBe(text));

describe('a price', () => {
  it.each([
    [63.5, '63.5¢'],
    [0, '0¢'],
    [100, '100¢'],
    [7.000000000000001, '7¢'],
    [0.001, '<0.01¢'],
    [99.999, '>99.99¢'],
    [99.99, '99.99¢'],
  ])('of %d cents reads %s', (price, text) => expect(formatCents(price)).toBe(text));

  it('reads as certain or impossible only if it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (price) => {
        expect(formatCents(price) === '100¢').toBe(price === 100);
        expect(formatCents(price) === '0¢').toBe(price === 0);
      }),
      runs,
    );
  });
});

describe('a duration', () => {
  it.each([
    [8, '8 s'],
    [0, '0 s'],
    [-3, '0 s'],
    [59.99, '59 s'],
    [60, '1 min'],
    [125, '2 min 5 s'],
    [3600, '1 h'],
    [11_045, '3 h 4 min'],
    [176_400, '2 d 1 h'],
    [86_400 * 20_000, '20,000 d'],
    [Number.NaN, 'unknown'],
  ])('of %d seconds reads %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  it('says at most what has passed, and all but the unit it leaves out', () => {
    const unit: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, d: 86_400 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (seconds) => {
        const texts = formatDuration(seconds).replaceAll(',', '').split(' ');
        let said = 0;
        for (let index = 0; index < texts.length; index += 2) {
          said += Number(texts[index]) * (unit[texts[index + 1] ?? ''] ?? Number.NaN);
        }
        expect(said).toBeLessThanOrEqual(seconds);
        expect(seconds - said).toBeLessThan(seconds < 3600 ? 1 : seconds < 86_400 ? 60 : 3600);
      }),
      runs,
    );
  });
});

describe('figures in every language', () => {
  /**
   * What stands between the groups of three and before the decimals, asked of another formatter
   * than the one tried.
   */
  const marks = (tag: string) => {
    const format = new Intl.NumberFormat(tag, { useGrouping: 'always', minimumFractionDigits: 1 });
    const mark = (type: string) =>
      format.formatToParts(12_345_678).find((part) => part.type === type)?.value ?? '';
    return { group: mark('group'), decimal: mark('decimal') };
  };

  it.each(LANGUAGE_TAGS)(
    'read back to within half a cent, of shares half of four digits (%s)',
    (tag) => {
      const { format } = languageFor(tag);
      const { group, decimal } = marks(tag);
      const read = (text: string) => {
        const plain = text.replaceAll(group, '').replace(decimal, '.').replace('−', '-');
        return Number(plain.replaceAll(/[^\d.-]/g, ''));
      };
      fc.assert(
        fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (figure) => {
          fc.pre(Math.abs(figure) >= 0.005 || figure === 0);
          const error = 0.005 + Math.abs(figure) * 1e-15;
          expect(Math.abs(read(format.usdc(figure)) - figure)).toBeLessThanOrEqual(error);
          const digits = String(Math.trunc(Math.abs(figure))).length;
          const half = 0.5 * 10 ** -Math.min(2, Math.max(0, 4 - digits));
          const within = half + Math.abs(figure) * 1e-15;
          expect(Math.abs(read(format.shares(figure)) - figure)).toBeLessThanOrEqual(within);
        }),
        randomRuns(300),
      );
    },
  );

  it.each([
    ['de', '−12.345,67 $', '<0,01 $', '63,5 ¢', '63,5 %', '2 d 3 h'],
    ['es-ES', '−12.345,67 $', '<0,01 $', '63,5 ¢', '63,5 %', '2 d 3 h'],
    ['fr', '−12 345,67 $', '<0,01 $', '63,5 ¢', '63,5 %', '2 j 3 h'],
    ['pt-BR', '−US$ 12.345,67', '<US$ 0,01', '63,5¢', '63,5%', '2 d 3 h'],
    ['ja', '−\u2060$12,345.67', '<$0.01', '63.5¢', '63.5%', '2日3時間'],
    ['es-419', '−\u2060$12,345.67', '<$0.01', '63.5¢', '63.5 %', '2 d 3 h'],
    ['zh-CN', '−\u2060$12,345.67', '<$0.01', '63.5¢', '63.5%', '2 天 3 小时'],
  ])('are written as its readers do (%s)', (tag, amount, tiny, price, percentage, time) => {
    const { usdc, cents, percent, duration } = languageFor(tag).format;
    // Which of the spaces it is differs with the language.
    const shown = [usdc(-12_345.67), usdc(0.001), cents(63.5), percent(63.5), duration(183_600)];
    expect(shown.map(plainSpaces)).toEqual([amount, tiny, price, percentage, time]);
    // A line must not break before the sign.
    expect(percent(63.5)).not.toContain(' ');
  });

  it('have their thousands apart from a thousand on, so that amounts in a column compare at a glance', () => {
    const { format, exact } = languageFor('es-ES');
    const written = [
      format.usdc(2527),
      format.roundUsdc(2527),
      format.shares(1000),
      exact.usdc(2527),
    ];
    expect(written.map(plainSpaces)).toEqual([
      '2.527,00 $',
      '2.527 $',
      '1.000 acciones',
      '2.527,00 $',
    ]);
  });
});
