import type { ActivityItem } from '../../src/domain/records.ts';

/**
 * An exact fraction of whole numbers: the independent arithmetic that the book is compared with.
 */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

/**
 * Of a decimal text, or of a number of so few digits that its shortest text is the figure itself.
 */
export function fraction(value: number | string): Fraction {
  const [, sign = '', whole = '0', decimals = ''] =
    /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  const n = BigInt(whole + decimals) * (sign === '-' ? -1n : 1n);
  return { n, d: 10n ** BigInt(decimals.length) };
}
export const add = (a: Fraction, b: Fraction): Fraction =>
  reduced(a.n * b.d + b.n * a.d, a.d * b.d);
export const subtract = (a: Fraction, b: Fraction): Fraction => add(a, { n: -b.n, d: b.d });
export const multiply = (a: Fraction, b: Fraction): Fraction => reduced(a.n * b.n, a.d * b.d);
export const divide = (a: Fraction, b: Fraction): Fraction => reduced(a.n * b.d, a.d * b.n);
export const isLess = (a: Fraction, b: Fraction): boolean => subtract(a, b).n < 0n;

/** Whether two figures differ by less than a billionth. */
export function isClose(a: Fraction, b: Fraction): boolean {
  const { n, d } = subtract(a, b);
  return (n < 0n ? -n : n) * 1_000_000_000n < d;
}

export interface OracleHolding {
  shares: Fraction;
  cost: Fraction;
  entry: Fraction;
  realized: Fraction;
  unknownSold: Fraction;
}

const ZERO = fraction(0);

/** By time; within a second purchases first. */
export function inOrder(a: ActivityItem, b: ActivityItem): number {
  if (a.time !== b.time) return a.time - b.time;
  return (a.action === 'Buy' ? 0 : 1) - (b.action === 'Buy' ? 0 : 1);
}

/**
 * Average cost over all records of one outcome in the order of their time, worked out anew from the
 * first.
 */
export function oracle(items: readonly ActivityItem[]): OracleHolding {
  const holding: OracleHolding = {
    shares: ZERO,
    cost: ZERO,
    entry: ZERO,
    realized: ZERO,
    unknownSold: ZERO,
  };
  for (const item of items.toSorted(inOrder)) {
    if (!['Buy', 'Sell', 'Redeem'].includes(item.action))
      throw new Error(`${item.action} was not drawn.`);
    const quantity = fraction(item.quantity);
    if (item.action === 'Buy') {
      holding.shares = add(holding.shares, quantity);
      holding.cost = add(holding.cost, fraction(item.transferNetAmount));
      holding.entry = add(holding.entry, multiply(quantity, fraction(item.price)));
      continue;
    }
    const known = isLess(holding.shares, quantity) ? holding.shares : quantity;
    holding.unknownSold = add(holding.unknownSold, subtract(quantity, known));
    if (holding.shares.n === 0n) continue;
    const averageCost = divide(holding.cost, holding.shares);
    const averageEntry = divide(holding.entry, holding.shares);
    const received = multiply(fraction(-item.transferNetAmount), divide(known, quantity));
    holding.realized = add(holding.realized, subtract(received, multiply(known, averageCost)));
    holding.shares = subtract(holding.shares, known);
    holding.cost = multiply(holding.shares, averageCost);
    holding.entry = multiply(holding.shares, averageEntry);
  }
  return holding;
}

function reduced(n: bigint, d: bigint): Fraction {
  const [sign, size] = d < 0n ? [-1n, -d] : [1n, d];
  const divisor = gcd(n < 0n ? -n : n, size) || 1n;
  return { n: (sign * n) / divisor, d: size / divisor };
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
