import { Decimal } from 'decimal.js';

/**
 * Decimals whose sums and products are never rounded: 1,400 digits hold any product of two JSON numbers, from 10⁶¹⁶ down to
 * 10⁻⁶⁴⁸, and digits to carry. Divide with `quotient`, which costs a tenth of a division to so many digits.
 */
export const Exact = Decimal.clone({ precision: 1_400, toExpNeg: -30, toExpPos: 30 });
export type Exact = Decimal;

const Ratio = Decimal.clone({ precision: 50 });

/** Digits kept behind the point where a division is stored: far below a millionth of a cent. */
const STORED_DIGITS = 15;

/** A division, rounded to 50 digits. */
export function quotient(dividend: Decimal.Value, divisor: Decimal.Value): Exact {
  return new Exact(Ratio.div(dividend, divisor));
}

/** The exact sum of numbers as they were written in JSON: 0.1 and 0.2 are 0.3. */
export function sum(numbers: Iterable<number>): Exact {
  let total = new Exact(0);
  for (const number of numbers) total = total.plus(number);
  return total;
}

/** As it is stored: plain decimal text. */
export function stored(value: Exact): string {
  return value.toDecimalPlaces(STORED_DIGITS).toFixed();
}
