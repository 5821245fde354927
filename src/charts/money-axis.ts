import type { Language } from '../language/language.ts';

export const MINUS = '−';
/** From this size on amounts are written with the language's short words for thousands and more, if it has any. */
const COMPACT_FROM = 1e4;
/** The smallest range of an axis, USDC. */
const LEAST_SPAN = 0.01;
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
  const { values } = roundValues(low, high);
  const format = new Intl.NumberFormat(language.tag, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumSignificantDigits: 3,
    notation: Math.max(...values.map(Math.abs)) < COMPACT_FROM ? 'standard' : 'compact',
    useGrouping: 'always',
  });
  return values.map((value) => ({ value, label: `${value < 0 ? MINUS : ''}${format.format(Math.abs(value))}` }));
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
