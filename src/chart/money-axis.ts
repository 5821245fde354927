export const MINUS = '−';
const UNITS: readonly (readonly [size: number, exponent: number, letter: string])[] = [
  [1e12, 12, 'T'],
  [1e9, 9, 'B'],
  [1e6, 6, 'M'],
  [1e4, 3, 'K'],
];
/** More decimals than USDC has would only take room. */
const DECIMALS_LIMIT = 6;
/** Less than the least amount of USDC needs no axis of its own. */
const LEAST_SPAN = 1e-6;
const whole = new Intl.NumberFormat('en-US');

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
export function moneyTicks(low: number, high: number, wanted = 5): MoneyTick[] {
  const least = Math.min(0, low);
  const most = Math.max(0, high);
  const span = most === least ? 1 : Math.max(LEAST_SPAN, most - least);
  const { factor, exponent } = roundStep(span / wanted);
  const step = multiple(factor, exponent);
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  const values = Array.from({ length: last - first + 1 }, (_, index) => multiple((first + index) * factor, exponent));
  const size = Math.max(...values.map(Math.abs));
  return values.map((value) => ({ value, label: label(value, size, exponent) }));
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

function label(value: number, size: number, stepExponent: number): string {
  const sign = value < 0 ? MINUS : '';
  if (value === 0) return '$0';
  if (stepExponent < -DECIMALS_LIMIT || size >= 1e15)
    return `${sign}$${Math.abs(value).toExponential().replace('+', '')}`;
  const unit = UNITS.find(([from]) => size >= from);
  if (unit === undefined) {
    const decimals = Math.max(0, -stepExponent);
    return `${sign}$${decimals === 0 ? whole.format(Math.abs(value)) : Math.abs(value).toFixed(decimals)}`;
  }
  const [, exponent, letter] = unit;
  return `${sign}$${(Math.abs(value) / 10 ** exponent).toFixed(Math.max(0, exponent - stepExponent))}${letter}`;
}
