import { Decimal } from 'decimal.js';
import * as z from 'zod';

/**
 * Decimal arithmetic that never rounds: any sum or product of JSON numbers (10⁻³²⁴ to 10³⁰⁸, 17
 * digits) has fewer digits than this precision. For divisions use {@link quotient}, because `div`
 * would compute all 1,400 digits.
 */
export const Exact = Decimal.clone({ precision: 1_400, toExpNeg: -30, toExpPos: 30 });
export type Exact = Decimal;

const Rounded = Decimal.clone({ precision: 50 });

/** Digits after the point in stored decimals, far below a millionth of a cent. */
const STORED_DIGITS = 15;

/** A stored decimal as written by {@link toDecimalText}: plain digits, no exponent. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/);

/** Writes the decimal as plain text, rounded to 15 digits after the point: `0.1`, `-12.5`. */
export function toDecimalText(value: Exact): string {
  return value.toDecimalPlaces(STORED_DIGITS).toFixed();
}

/** Returns the exact sum; 0.1 and 0.2 give 0.3. JSON numbers are used as written. */
export function sum(values: Iterable<number | string | Exact>): Exact {
  let total = new Exact(0);
  for (const value of values) total = total.plus(value);
  return total;
}

/**
 * Returns `dividend / divisor`, to 50 significant digits.
 *
 * @param divisor not 0
 */
export function quotient(
  dividend: number | string | Exact,
  divisor: number | string | Exact,
): Exact {
  return new Exact(Rounded.div(dividend, divisor));
}
