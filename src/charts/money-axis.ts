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
/** What steps are multiples of: digits, and the power of ten that they are counted in. */
const FACTORS = [
  [1, 0],
  [15, -1],
  [2, 0],
  [25, -1],
  [3, 0],
  [4, 0],
  [5, 0],
  [6, 0],
  [8, 0],
] as const;
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
 * Round values of USDC that enclose a range, see `roundValues`, with their labels.
 *
 * @param low lowest value, finite
 * @param high highest value, finite, not below `low`
 */
export function moneyTicks(low: number, high: number, language: Language): MoneyTick[] {
  const { values, exponent } = roundValues(low, high);
  const size = Math.max(...values.map(Math.abs));
  const label = labelsOf(language.tag, size, exponent);
  return values.map((value) => ({ value, label: `${value < 0 ? MINUS : ''}${label(Math.abs(value))}` }));
}

/**
 * Three round values that enclose a range, from the least up; more do not fit on a phone. Zero is always one of them, for
 * amounts are compared by length; it is an end, or between ends that may be twice as far from it on one side.
 *
 * @param low lowest value, finite
 * @param high highest value, finite, not below `low`
 * @returns `exponent`: of the last digit of the values
 */
export function roundValues(low: number, high: number) {
  const [least, most] = [Math.max(0, -low), Math.max(0, high)];
  const span = least + most === 0 ? 1 : Math.max(LEAST_SPAN, least + most);
  const base = Math.floor(Math.log10(span)) - 1;
  const isBoth = least > 0 && most > 0;
  const scales = [base, base + 1].flatMap((power) =>
    FACTORS.map(([digits, exponent]) => {
      const step = multiple(digits, power + exponent);
      const counts = [Math.ceil(least / step), Math.ceil(most / step)] as const;
      const drawn = isBoth ? counts[0] + counts[1] : 2;
      return { digits, exponent: power + exponent, counts, length: drawn * step };
    }),
  );
  const fitting = scales.filter(({ counts: [below, above] }) => below + above <= (isBoth ? 3 : 2));
  const { digits, exponent, counts } = fitting.reduce((best, one) => (one.length < best.length ? one : best));
  const steps = isBoth ? [-counts[0], 0, counts[1]] : least > 0 ? [-2, -1, 0] : [0, 1, 2];
  return { values: steps.map((count) => multiple(count * digits, exponent)), exponent };
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
