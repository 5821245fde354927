import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { Exact } from '../../src/lib/exact.ts';

/** As people write figures: up to fifteen digits, eight of them behind the point. */
const usual = fc
  .tuple(fc.boolean(), fc.nat(9_999_999), fc.nat(99_999_999))
  .map(([isNegative, whole, part]) =>
    Number(`${isNegative ? '-' : ''}${whole}.${String(part).padStart(8, '0')}`),
  );

const plainSpaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** The figure in a text: the last mark that is no group is the point. */
function read(text: string, tag: string): string {
  const parts = new Intl.NumberFormat(tag).formatToParts(0.5);
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const digits = [...text]
    .filter((character) => /[\d−]/.test(character) || character === point)
    .join('');
  return digits.replace('−', '-').replace(point, '.');
}

describe.each(LANGUAGE_TAGS)('in %s a figure with all its digits', (tag) => {
  const { exact } = languageFor(tag);

  it('is the one that the venue gave', () => {
    fc.assert(
      fc.property(usual, (figure) => {
        for (const text of [exact.quantity(figure), exact.usdc(figure), exact.cents(figure)]) {
          expect(new Exact(figure).eq(read(text, tag)), text).toBe(true);
        }
      }),
    );
  });

  it('stays short, and says how large it is, whatever it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (figure) => {
        for (const text of [exact.quantity(figure), exact.usdc(figure), exact.cents(figure)]) {
          expect(text.length).toBeLessThan(70);
          expect(text).toMatch(/\d/);
        }
      }),
    );
  });
});

describe('a figure with all its digits', () => {
  it('is written as the language writes it', () => {
    const written = LANGUAGE_TAGS.map((tag) => [
      tag,
      plainSpaces(languageFor(tag).exact.usdc('-12345.6789')),
    ]);
    expect(Object.fromEntries(written)).toMatchObject({
      'en-US': '−\u2060$12,345.6789',
      de: '−12.345,6789 $',
      'es-ES': '−12.345,6789 $',
      'es-419': '−\u2060$12,345.6789',
      fr: '−12 345,6789 $',
      'pt-BR': '−US$ 12.345,6789',
      ja: '−\u2060$12,345.6789',
      'zh-CN': '−\u2060$12,345.6789',
    });
    const { exact } = languageFor('en-US');
    expect([5, '0.1', 0, -0].map(exact.usdc)).toEqual(['$5.00', '$0.10', '$0.00', '$0.00']);
    expect([exact.cents(63.5), exact.quantity(1e-7)]).toEqual(['63.5¢', '0.0000001']);
    expect(exact.quantity('1234567890123456789.123456789')).toBe(
      '1,234,567,890,123,456,789.123456789',
    );
    expect(exact.quantity(1.5e300)).toBe('1.5e+300');
  });
});
