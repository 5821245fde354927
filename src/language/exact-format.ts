import { Exact } from '../lib/exact.ts';
import type { NumberTexts } from './en/figures.ts';
import { withSign } from './number-format.ts';

const MINUS = '−';
/**
 * Maximum characters of a figure without an exponent, and maximum digits with one; no real figure
 * has as many.
 */
const PLAIN_MAX = 40;
const DIGITS_MAX = 30;

/**
 * Figures with all their digits, formatted for a language without rounding. Examples in English.
 */
export interface ExactFormat {
  /** An amount of USDC, with at least two decimals: `$12,345.6789`, `−$5.00`. */
  readonly usdc: (usdc: Exact | number | string) => string;
  /** A bare number: `1,234.567891`. */
  readonly quantity: (quantity: Exact | number | string) => string;
  /** A price per share in cents: `63.512¢`. */
  readonly cents: (priceCents: Exact | number | string) => string;
}

/** @param tag of the language, BCP 47 */
export function createExactFormat(
  tag: string,
  { currencyDisplay, cents }: NumberTexts,
): ExactFormat {
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0, useGrouping: 'always' });
  const point =
    new Intl.NumberFormat(tag).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ??
    '.';
  const dollar = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay,
    maximumFractionDigits: 0,
  });
  const [before = '', after = ''] = dollar.format(0).split(whole.format(0));

  /** @param digits minimum number of decimals */
  const unsigned = (figure: Exact, digits: number): string => {
    const plain = figure.abs().toFixed();
    if (plain.length > PLAIN_MAX) {
      return figure.abs().toSignificantDigits(DIGITS_MAX).toExponential();
    }
    const [integer = '0', fraction = ''] = plain.split('.');
    const shown = fraction.padEnd(digits, '0');
    return `${whole.format(BigInt(integer))}${shown === '' ? '' : point + shown}`;
  };
  const sign = (figure: Exact) => (figure.isNegative() && !figure.isZero() ? MINUS : '');
  const quantity = (value: Exact | number | string) => {
    const figure = new Exact(value);
    return sign(figure) + unsigned(figure, 0);
  };
  return {
    usdc(value) {
      const figure = new Exact(value);
      return withSign(sign(figure), `${before}${unsigned(figure, 2)}${after}`);
    },
    quantity,
    cents: (value) => cents(quantity(value)),
  };
}
