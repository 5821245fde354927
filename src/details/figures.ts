import { signOf } from '../embeds/context-lines.ts';
import type { Language } from '../language/language.ts';
import { Exact } from '../lib/exact.ts';

/** Digits behind the point of what is worked out by a division. */
const ROUNDED_DIGITS = 6;

/** A moment to the second, in the reader's own zone. @param seconds Unix seconds */
export function moment(seconds: number): string {
  return `<t:${seconds}:d> <t:${seconds}:T>`;
}

/** A price that was worked out: after ≈ where it has been rounded. */
export function roundedCents(cents: Exact | number, { exact }: Language): string {
  return rounded(new Exact(cents), exact.cents);
}

/** The same of an amount of USDC. */
export function roundedUsdc(usdc: Exact | number | string, { exact }: Language): string {
  return rounded(new Exact(usdc), exact.usdc);
}

/** The same with its sign. */
export function signedUsdcText(usdc: Exact, { exact }: Language): string {
  return rounded(usdc, (figure) => signOf(usdc) + exact.usdc(figure.abs()));
}

/** A number of shares with its unit and all its digits. */
export function sharesText(shares: Exact | string, { texts, exact }: Language): string {
  const figure = new Exact(shares);
  return texts.format.shares(exact.quantity(figure), figure.toNumber());
}

function rounded(whole: Exact, write: (figure: Exact) => string): string {
  const figure = whole.toDecimalPlaces(ROUNDED_DIGITS);
  return `${figure.eq(whole) ? '' : '≈ '}${write(figure)}`;
}
