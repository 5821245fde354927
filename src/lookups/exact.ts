import { Decimal } from 'decimal.js';

/** Decimals wide enough that a sum of any JSON numbers is exact: from 10³⁰⁸ down to 10⁻³²⁴, and digits to carry. */
export const Exact = Decimal.clone({ precision: 700 });
export type Exact = Decimal;

/** The exact sum of numbers as they were written in JSON: 0.1 and 0.2 are 0.3. */
export function sum(numbers: Iterable<number>): Exact {
  let total = new Exact(0);
  for (const number of numbers) total = total.plus(number);
  return total;
}
