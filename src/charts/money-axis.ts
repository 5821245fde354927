import type { Language } from '../language/language.ts';

export const MINUS = '−';
/** From which size on amounts are counted in which power of ten, where the language has a short word for it. */
const UNITS: readonly (readonly [size: number, exponent: number])[] = [
  [1e12, 12],
  [1e9, 9],
  [1e6, 6],
  [1e4, 3],
];
/** USDC has six decimals; smaller steps are labelled with exponents. */
const DECIMALS_LIMIT = 6;
/** The smallest range of an axis: the smallest amount of USDC. */
const LEAST_SPAN = 1e-6;
const DOLLARS = {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 0,
} as const;

/** A tick of the axis: USDC, and its label. */
export interface MoneyTick {
  readonly value: number;
  readonly label: string;
}

/**
 * Round values of USDC that enclose a range, from the least up: whole multiples of 1, 2 or 5 times a power of ten.
 * Zero is always inside, for amounts are compared by length.
 *
 * @param low lowest value, finite
 * @param high highest value, finite, not below `low`
 * @param wanted about how many steps
 */
export function moneyTicks(low: number, high: number, language: Language, wanted = 5): MoneyTick[] {
  const { values, exponent } = roundValues(low, high, wanted);
  const size = Math.max(...values.map(Math.abs));
  const label = labelsOf(language.tag, size, exponent);
  return values.map((value) => ({ value, label: `${value < 0 ? MINUS : ''}${label(Math.abs(value))}` }));
}

/**
 * Round values that enclose a range and zero, from the least up: whole multiples of 1, 2 or 5 times a power of ten, whose
 * exponent is given along.
 *
 * @param low lowest value, finite
 * @param high highest value, finite, not below `low`
 * @param wanted about how many steps
 */
export function roundValues(
  low: number,
  high: number,
  wanted: number,
): { readonly values: readonly number[]; readonly exponent: number } {
  const least = Math.min(0, low);
  const most = Math.max(0, high);
  const span = most === least ? 1 : Math.max(LEAST_SPAN, most - least);
  const { factor, exponent } = roundStep(span / wanted);
  const step = multiple(factor, exponent);
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  const values = Array.from({ length: last - first + 1 }, (_, index) => multiple((first + index) * factor, exponent));
  return { values, exponent };
}

/** The least of 1, 2 and 5 times a power of ten that is not below the size. */
function roundStep(size: number): { readonly factor: number; readonly exponent: number } {
  const exponent = Math.floor(Math.log10(size));
  const factor = [1, 2, 5].find((candidate) => multiple(candidate, exponent) >= size);
  return factor === undefined ? { factor: 1, exponent: exponent + 1 } : { factor, exponent };
}

/** Read from its decimal digits, so that no tick is 0.30000000000000004. */
function multiple(digits: number, exponent: number): number {
  return Number(`${digits}e${exponent}`);
}

/** How amounts up to a size are written: `$1,500`, `$12.5K`; in other languages `1.500 $`, `1,5 Mio. $`. */
function labelsOf(tag: string, size: number, stepExponent: number): (amount: number) => string {
  const plain = (amount: number) => new Intl.NumberFormat(tag, DOLLARS).formatToParts(amount);
  const decimal = new Intl.NumberFormat(tag).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  const zero = around(plain(0), '0');
  if (stepExponent < -DECIMALS_LIMIT || size >= 1e15) {
    return (amount) =>
      amount === 0 ? zero : around(plain(0), amount.toExponential().replace('+', '').replace('.', decimal));
  }
  const { exponent, parts } = unitOf(tag, size) ?? { exponent: 0, parts: plain(0) };
  const decimals = Math.max(0, exponent - stepExponent);
  const format = new Intl.NumberFormat(tag, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return (amount) => (amount === 0 ? zero : around(parts, format.format(amount / 10 ** exponent)));
}

/**
 * The power of ten that amounts of a size are counted in, and one of it as the language writes it. Null where it writes
 * them out: German has a short word for a million, but none for a thousand; Spanish counts a thousand millions.
 */
function unitOf(tag: string, size: number): { exponent: number; parts: Intl.NumberFormatPart[] } | null {
  const unit = UNITS.find(([from]) => size >= from);
  if (unit === undefined) return null;
  const parts = new Intl.NumberFormat(tag, { ...DOLLARS, notation: 'compact' }).formatToParts(10 ** unit[1]);
  if (!parts.some(({ type }) => type === 'compact')) return null;
  const digits = parts.filter(({ type }) => type === 'integer').map(({ value }) => value);
  return { exponent: unit[1] - (digits.join('').length - 1), parts };
}

/** The parts with another number in place of theirs; currency sign and unit stay. */
function around(parts: readonly Intl.NumberFormatPart[], figure: string): string {
  const place = parts.findIndex(({ type }) => type === 'integer');
  return parts
    .map(({ type, value }, index) => {
      if (index === place) return figure;
      return type === 'integer' || type === 'group' ? '' : value;
    })
    .join('');
}
