import * as z from 'zod';
import { decimalText, Exact, quotient, stored } from '../../lib/exact.ts';

/** A trade or redemption as far as a position depends on it. */
export interface Fill {
  /** Unix seconds. */
  readonly timeSeconds: number;
  readonly action: 'Buy' | 'Sell' | 'Redeem';
  /** Above 0. */
  readonly shares: number;
  readonly priceCents: number;
  readonly feeUsdc: number;
  /** The venue's `transferNetAmount`. Positive: USDC left the wallet; negative: it came back. */
  readonly netUsdc: number;
}

/** What is held of one outcome. Decimal texts, as {@link stored} writes them. */
export const holdingSchema = z.object({
  shares: decimalText,
  /** USDC paid for the held shares, fees included, by average cost. */
  cost: decimalText,
  /** Cents × shares of the held shares; divided by the shares it is the average entry price. */
  entry: decimalText,
  /** USDC of fees, of all fills. */
  fees: decimalText,
  /** USDC gained by sales and redemptions of known shares: proceeds − average cost, fees included. */
  realized: decimalText,
  /** USDC that the known shares among those sold or redeemed had cost. */
  costOfSold: decimalText,
  /** Shares sold or redeemed beyond those known to be held. */
  unknownSold: decimalText,
});
export type Holding = z.infer<typeof holdingSchema>;

export const EMPTY_HOLDING: Holding = {
  shares: '0',
  cost: '0',
  entry: '0',
  fees: '0',
  realized: '0',
  costOfSold: '0',
  unknownSold: '0',
};

/** Fewer shares than this are a rounding of figures with six decimals (USDC has six), not a holding. */
export const DUST_SHARES = new Exact('0.000001');

/** What one fill has changed. */
export interface FillResult {
  readonly after: Holding;
  /** USDC that it realized on known shares; null for a purchase, and if no share was known. */
  readonly realized: string | null;
  /** Shares of a sale or redemption that were not known to be held. */
  readonly unknownShares: string;
}

/**
 * Applies a fill by average cost: a sale of the part p of the holding takes p of its cost and entry along, so that the
 * averages of the rest stay. A sale beyond the known shares realizes a profit on these alone, with their part of the
 * proceeds; the others are counted as unknown and given no cost.
 */
export function applyFill(before: Holding, fill: Fill): FillResult {
  return fill.action === 'Buy' ? applyPurchase(before, fill) : applySale(before, fill);
}

function applyPurchase(before: Holding, fill: Fill): FillResult {
  const quantity = new Exact(fill.shares);
  const after = {
    ...before,
    shares: stored(quantity.plus(before.shares)),
    cost: stored(new Exact(before.cost).plus(fill.netUsdc)),
    entry: stored(quantity.times(fill.priceCents).plus(before.entry)),
    fees: stored(new Exact(before.fees).plus(fill.feeUsdc)),
  };
  return { after, realized: null, unknownShares: '0' };
}

function applySale(before: Holding, fill: Fill): FillResult {
  const quantity = new Exact(fill.shares);
  const held = new Exact(before.shares);
  const left = held.minus(quantity);
  const isAll = left.lt(DUST_SHARES);
  const unknown = left.lt(DUST_SHARES.negated()) ? left.negated() : new Exact(0);
  const fees = stored(new Exact(before.fees).plus(fill.feeUsdc));
  const unknownSold = stored(unknown.plus(before.unknownSold));
  if (held.isZero()) {
    return { after: { ...before, fees, unknownSold }, realized: null, unknownShares: stored(unknown) };
  }
  const part = isAll ? new Exact(1) : quotient(quantity, held);
  const costOfSold = part.times(before.cost);
  const proceeds = new Exact(fill.netUsdc).negated();
  const knownProceeds = unknown.isZero() ? proceeds : quotient(proceeds.times(held), quantity);
  const realized = knownProceeds.minus(costOfSold);
  const after = {
    shares: isAll ? '0' : stored(left),
    cost: isAll ? '0' : stored(new Exact(before.cost).minus(costOfSold)),
    entry: isAll ? '0' : stored(new Exact(before.entry).minus(part.times(before.entry))),
    fees,
    realized: stored(realized.plus(before.realized)),
    costOfSold: stored(costOfSold.plus(before.costOfSold)),
    unknownSold,
  };
  return { after, realized: stored(realized), unknownShares: stored(unknown) };
}

/** The average entry price in cents, `entry / shares`; null if nothing is held. */
export function averageEntryCents({ entry, shares }: Holding): number | null {
  return new Exact(shares).isZero() ? null : quotient(entry, shares).toNumber();
}
