import type { ActivityItem } from '../domain/records.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import { escapeText, wordAmongFigures } from './text/escape.ts';

const OUTCOMES_NAMED = 3;

/** What fills that belong together come to. All sums are exact. */
export type FillSums = ReturnType<typeof sumUp>;

/** Adds up the fills of a group: at least one. */
export function sumUp(items: readonly ActivityItem[]) {
  const shares = sum(items.map(({ quantity }) => quantity));
  const weighted = sum(items.map(({ price, quantity }) => new Exact(price).times(quantity)));
  const prices = items.map(({ price }) => price);
  const times = items.map(({ time }) => time);
  return {
    fills: items.length,
    transactions: new Set(items.map(({ txHash }) => txHash.toLowerCase())).size,
    shares,
    /** Volume-weighted; null if no shares changed hands. */
    averageCents: shares.isZero() ? null : quotient(weighted, shares),
    lowestCents: Math.min(...prices),
    highestCents: Math.max(...prices),
    grossUsdc: sum(items.map(({ grossValue }) => grossValue)),
    feeUsdc: sum(items.map(({ fee }) => fee)),
    /** Positive: USDC left the wallet. */
    netUsdc: sum(items.map(({ transferNetAmount }) => transferNetAmount)),
    /** Unix seconds. */
    firstSeconds: Math.min(...times),
    lastSeconds: Math.max(...times),
  };
}

/** The newest of the items: a market's titles may change. */
export function newestOf(items: readonly ActivityItem[]): ActivityItem {
  return items.reduce((newest, item) => (item.time >= newest.time ? item : newest));
}

/** The outcomes of items: of redemptions perhaps several, `Yes + No`. @param escaping as in `wordAmongFigures` */
export function outcomeNames(
  items: readonly ActivityItem[],
  maxCodePoints: number,
  fallback: string,
  escaping = escapeText,
): string {
  const sides = [...new Set(items.map(({ positionSide }) => positionSide))];
  const named = sides.slice(0, OUTCOMES_NAMED).map((side) => wordAmongFigures(side, maxCodePoints, fallback, escaping));
  return [...named, ...(sides.length > OUTCOMES_NAMED ? ['…'] : [])].join(' + ');
}

/**
 * Which way USDC went, as the wallet sees it (`net`: neither), and how much, not negative. The venue's sign rule: a positive
 * `transferNetAmount` left the wallet, a negative one came back to it. The sign decides even where the action suggests the
 * opposite.
 */
export function readFlow(transferNetAmount: number) {
  if (transferNetAmount > 0) return { direction: 'paid', usdc: transferNetAmount } as const;
  if (transferNetAmount < 0) return { direction: 'received', usdc: -transferNetAmount } as const;
  return { direction: 'net', usdc: transferNetAmount } as const;
}
