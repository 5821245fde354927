import type { Language } from '../language/language.ts';
import { Exact } from '../lib/exact.ts';

/** Digits behind the point of what is worked out by a division. */
const ROUNDED_DIGITS = 6;

/** A moment to the second, in the reader's own zone. @param seconds Unix seconds */
export function moment(seconds: number): string {
  return `<t:${seconds}:d> <t:${seconds}:T>`;
}

/** A price that was worked out: with ≈ where it has been rounded. */
export function roundedCents(cents: Exact | number, { exact }: Language): string {
  const whole = new Exact(cents);
  const rounded = whole.toDecimalPlaces(ROUNDED_DIGITS);
  return `${rounded.eq(whole) ? '' : '≈'}${exact.cents(rounded)}`;
}

/** The same of an amount of USDC. */
export function roundedUsdc(usdc: Exact | number | string, { exact }: Language): string {
  const whole = new Exact(usdc);
  const rounded = whole.toDecimalPlaces(ROUNDED_DIGITS);
  return `${rounded.eq(whole) ? '' : '≈'}${exact.usdc(rounded)}`;
}

/** A number of shares with its unit and all its digits. */
export function sharesText(shares: Exact | string, { texts, exact }: Language): string {
  const figure = new Exact(shares);
  return texts.format.shares(exact.quantity(figure), figure.toNumber());
}

/** An amount of USDC with its sign. */
export function signedUsdcText(usdc: Exact, language: Language): string {
  return `${signOf(usdc.comparedTo(0))}${roundedUsdc(usdc.abs(), language)}`;
}

function signOf(figure: number): string {
  return figure > 0 ? '+' : figure < 0 ? '−' : '';
}
