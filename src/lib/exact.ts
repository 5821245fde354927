import { Decimal } from 'decimal.js';

/** Decimal arithmetic with more digits than any figure of the venue has, apart from whatever else uses the library. */
export const Exact = Decimal.clone({ precision: 50, toExpNeg: -30, toExpPos: 30 });
export type Exact = Decimal;

/** Digits kept behind the point where a division is stored: far below a millionth of a cent. */
const STORED_DIGITS = 15;

/** As it is stored: plain decimal text. */
export function stored(value: Exact): string {
  return value.toDecimalPlaces(STORED_DIGITS).toFixed();
}
