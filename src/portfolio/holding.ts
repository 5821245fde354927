import { z } from 'zod';
import { Exact, quotient, stored } from '../lib/exact.ts';

/** A trade or redemption as far as a position depends on it. */
export interface Fill {
  readonly timeSeconds: number;
  readonly action: 'Buy' | 'Sell' | 'Redeem';
  readonly shares: number;
  readonly priceCents: number;
  readonly feeUsdc: number;
  /** Positive: USDC left the wallet; negative: it came back. The venue's `transferNetAmount`. */
  readonly netUsdc: number;
}

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

/** What is held of one outcome, as it is stored: decimal texts. */
export const holdingSchema = z.object({
  shares: decimal,
  /** USDC paid for the shares that are held, fees included, by average cost. */
  cost: decimal,
  /** Cents times shares of the shares that are held: divided by the shares, the average price of entry. */
  entry: decimal,
  /** USDC of fees, of all fills. */
  fees: decimal,
  /** USDC gained or lost by sales and redemptions of known shares, fees included, by average cost. */
  realized: decimal,
  /** USDC that the shares sold or redeemed, as far as known, had cost. */
  costOfSold: decimal,
  /** Shares sold or redeemed beyond what was known to be held. */
  unknownSold: decimal,
});
export type Holding = z.infer<typeof holdingSchema>;

export const EMPTY: Holding = {
  shares: '0',
  cost: '0',
  entry: '0',
  fees: '0',
  realized: '0',
  costOfSold: '0',
  unknownSold: '0',
};

/** Less than this many shares is the rounding of figures with six decimals (USDC has six), not a position. */
const DUST = new Exact('0.000001');

/** What one fill has changed. */
export interface Step {
  readonly after: Holding;
  /** USDC realized by it on known shares; null for a purchase, and where no share was known. */
  readonly realized: string | null;
  /** Shares of a sale or redemption that were not known to be held. */
  readonly unknownShares: string;
}

/**
 * Average cost: a sale or redemption takes its share of the cost along; what remains keeps its average. A sale of more
 * than is known realizes a profit on the known part alone, in proportion to the shares: the rest is counted, never
 * invented a cost for.
 */
export function applyFill(before: Holding, fill: Fill): Step {
  const quantity = new Exact(fill.shares);
  const fees = new Exact(before.fees).plus(fill.feeUsdc);
  const held = new Exact(before.shares);
  const cost = new Exact(before.cost);
  const entry = new Exact(before.entry);
  if (fill.action === 'Buy') {
    const after = {
      ...before,
      shares: stored(held.plus(quantity)),
      cost: stored(cost.plus(fill.netUsdc)),
      entry: stored(entry.plus(quantity.times(fill.priceCents))),
      fees: stored(fees),
    };
    return { after, realized: null, unknownShares: '0' };
  }
  const left = held.minus(quantity);
  const isAll = left.lt(DUST);
  const known = isAll ? held : quantity;
  const unknown = left.lt(DUST.negated()) ? left.negated() : new Exact(0);
  const part = held.isZero() ? new Exact(0) : isAll ? new Exact(1) : quotient(known, held);
  const costOut = cost.times(part);
  const proceeds = new Exact(fill.netUsdc).negated();
  const knownProceeds = unknown.isZero() ? proceeds : quotient(proceeds.times(known), quantity);
  const realized = held.isZero() ? new Exact(0) : knownProceeds.minus(costOut);
  const after = {
    shares: isAll ? '0' : stored(left),
    cost: isAll ? '0' : stored(cost.minus(costOut)),
    entry: isAll ? '0' : stored(entry.minus(entry.times(part))),
    fees: stored(fees),
    realized: stored(new Exact(before.realized).plus(realized)),
    costOfSold: stored(new Exact(before.costOfSold).plus(held.isZero() ? 0 : costOut)),
    unknownSold: stored(new Exact(before.unknownSold).plus(unknown)),
  };
  return { after, realized: held.isZero() ? null : stored(realized), unknownShares: stored(unknown) };
}

/** The average price of entry in cents; null if nothing is held. */
export function averageEntryCents(holding: Holding): number | null {
  const shares = new Exact(holding.shares);
  return shares.isZero() ? null : quotient(holding.entry, shares).toNumber();
}
