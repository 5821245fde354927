import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { decimalText, Exact, quotient, stored } from '../../lib/exact.ts';

/**
 * A trade or redemption as far as a position depends on it, as it is stored: Unix seconds, action, shares (above 0), cents a share,
 * and the venue's `transferNetAmount` in USDC. Positive: it left the wallet; negative: it came back.
 */
export const fillSchema = z
  .tuple([z.number(), z.enum(['Buy', 'Sell', 'Redeem']), z.number(), z.number(), z.number()])
  .readonly();
export type Fill = z.infer<typeof fillSchema>;

/** The item as a fill; undefined for an action that the contract does not describe, and for 0 shares. */
export function fillOf({ time, action, quantity, price, transferNetAmount }: ActivityItem): Fill | undefined {
  if ((action !== 'Buy' && action !== 'Sell' && action !== 'Redeem') || quantity <= 0) return undefined;
  return [time, action, quantity, price, transferNetAmount];
}

type FillPlace = readonly [timeSeconds: number, action: string, ...unknown[]];

/** The order of fills: by time, and within a second purchases first, since nobody sells what is not there yet. */
export function compareFills([aSeconds, a]: FillPlace, [bSeconds, b]: FillPlace): number {
  return aSeconds - bSeconds || Number(b === 'Buy') - Number(a === 'Buy');
}

/** What is held of one outcome. Decimal texts, as {@link stored} writes them. */
export const holdingSchema = z.object({
  shares: decimalText,
  /** USDC paid for the held shares, fees included, by average cost. */
  cost: decimalText,
  /** Cents × shares of the held shares; divided by the shares it is the average entry price. */
  entry: decimalText,
  /** Shares bought since nothing was held. */
  bought: decimalText,
  /** Unix seconds of the first purchase since nothing was held; 0 if nothing is. */
  sinceSeconds: z.number(),
  /** USDC gained by sales and redemptions: proceeds − average cost, fees included. */
  realized: decimalText,
  /** USDC that the shares sold or redeemed had cost. */
  costOfSold: decimalText,
  /** Shares sold or redeemed beyond those known to be held. Unless it is 0, all the rest is a guess. */
  unknownSold: decimalText,
});
export type Holding = z.infer<typeof holdingSchema>;

export const EMPTY_HOLDING: Holding = {
  shares: '0',
  cost: '0',
  entry: '0',
  bought: '0',
  sinceSeconds: 0,
  realized: '0',
  costOfSold: '0',
  unknownSold: '0',
};

/** Fewer shares than this are a rounding of figures with six decimals (USDC has six), not a holding. */
export const DUST_SHARES = new Exact('0.000001');
/** A share pays $1 at the most: so many are worth no more than a cent. */
const CENT_SHARES = new Exact('0.01');
const CLOSED_PART = new Exact('0.001');

/**
 * Applies a fill by average cost: a sale of the part p of the holding takes p of its cost and entry along, so that the
 * averages of the rest stay.
 *
 * @returns the holding after it, USDC that it realized (null for a purchase), and what the shares sold or redeemed had cost
 */
export function applyFill(before: Holding, [timeSeconds, action, shares, priceCents, netUsdc]: Fill) {
  if (action === 'Buy') {
    const after = {
      ...before,
      shares: stored(new Exact(shares).plus(before.shares)),
      cost: stored(new Exact(before.cost).plus(netUsdc)),
      entry: stored(new Exact(shares).times(priceCents).plus(before.entry)),
      bought: stored(new Exact(shares).plus(before.bought)),
      sinceSeconds: before.shares === '0' ? timeSeconds : before.sinceSeconds,
    };
    return { after, realized: null, costOfSold: '0' };
  }
  const left = new Exact(before.shares).minus(shares);
  const isAll = left.lt(DUST_SHARES);
  const part = isAll ? new Exact(1) : quotient(shares, before.shares);
  const costOfSold = part.times(before.cost);
  const realized = new Exact(netUsdc).negated().minus(costOfSold);
  const unknownSold = left.lt(DUST_SHARES.negated()) ? stored(left.negated().plus(before.unknownSold)) : undefined;
  const after = {
    ...before,
    ...(isAll
      ? EMPTY_HOLDING
      : {
          shares: stored(left),
          cost: stored(new Exact(before.cost).minus(costOfSold)),
          entry: stored(new Exact(before.entry).minus(part.times(before.entry))),
        }),
    realized: stored(realized.plus(before.realized)),
    costOfSold: stored(costOfSold.plus(before.costOfSold)),
    unknownSold: unknownSold ?? before.unknownSold,
  };
  return { after, realized: stored(realized), costOfSold: stored(costOfSold) };
}

/** Whether nothing is held, or no more than a cent's worth and under a thousandth of what was bought. */
export function isClosed({ shares, bought }: Holding): boolean {
  if (shares === '0') return true;
  return CENT_SHARES.gte(shares) && CLOSED_PART.times(bought).gt(shares);
}

/** The average entry price in cents, `entry / shares`; null if nothing is held. */
export function averageEntryCents({ entry, shares }: Holding): number | null {
  return new Exact(shares).isZero() ? null : quotient(entry, shares).toNumber();
}
