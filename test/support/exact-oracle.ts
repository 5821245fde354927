/** Decimal places of the smallest double, and some to spare. */
const SCALE = 400;

/**
 * Returns a JSON number as an integer multiple of 10⁻⁴⁰⁰, read from its decimal text without
 * rounding.
 */
export function scaled(value: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (match === null) throw new RangeError(`${value} is no number of JSON.`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const size = BigInt(whole + fraction) * 10n ** BigInt(SCALE + Number(exponent) - fraction.length);
  return sign === '-' ? -size : size;
}

/** Returns a decimal text without an exponent, such as `-0.05`, in the same unit. */
export function scaledText(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return text.startsWith('-') ? -size : size;
}

/** Returns the nearest double. */
export function nearest(sum: bigint): number {
  const size = String(sum < 0n ? -sum : sum).padStart(SCALE + 1, '0');
  const value = Number(`${size.slice(0, -SCALE)}.${size.slice(-SCALE)}`);
  return sum < 0n ? -value : value;
}
