import * as z from 'zod';

const placed = {
  /** Short hashes; a market without an event is an event of its own. */
  market: z.string(),
  event: z.string(),
  outcome: z.string(),
  txHash: z.string(),
  /** Unix seconds of the trade or redemption. */
  atSeconds: z.number(),
};

/** A trade or redemption as far as the record of a wallet depends on it. Shares above 0. */
export const recordFillSchema = z.object({
  ...placed,
  action: z.enum(['Buy', 'Sell', 'Redeem']),
  shares: z.number(),
  /** USDC a share, 0 to 1. */
  price: z.number(),
  feeUsdc: z.number(),
  /** The venue's `transferNetAmount`. Positive: USDC left the wallet; negative: it came back. */
  netUsdc: z.number(),
});
export type RecordFill = Readonly<z.infer<typeof recordFillSchema>>;

/**
 * The first purchase of a market and what has become of its shares: all Buy records of one outcome in the transaction of the
 * market's earliest purchase. Whatever the wallet does later in that market is a choice made with knowledge; the first
 * purchase is what somebody who follows the wallet would have had, and a fair price makes its mean result 0.
 */
export const firstPurchaseSchema = z.object({
  ...placed,
  /** Unix seconds of the end of its last share; null while some are left. */
  closedSeconds: z.number().nullable(),
  /** Shares bought, and those of them that were not sold, redeemed, matched or settled. */
  shares: z.number(),
  left: z.number(),
  /** Σ shares × price, USDC without fees. */
  grossUsdc: z.number(),
  /** USDC paid for the shares, and come back for them, fees in both. */
  paidUsdc: z.number(),
  backUsdc: z.number(),
  /** Shares that a settlement paid and the wallet has not redeemed, and USDC a share that it paid. */
  settled: z.object({ shares: z.number(), payout: z.number() }).exactOptional(),
});
export type FirstPurchase = z.infer<typeof firstPurchaseSchema>;

/** Nothing is left where what is left is less than this share of what was bought, and fewer shares than a cent can be worth. */
const DUST_PART = 0.001;
const DUST_SHARES = 0.01;

/** The first purchase of a market. @param fill a Buy */
export function openFirstPurchase({ shares, price, netUsdc, ...fill }: RecordFill): FirstPurchase {
  const { market, event, outcome, txHash, atSeconds } = fill;
  const amounts = { shares, left: shares, grossUsdc: shares * price, paidUsdc: netUsdc, backUsdc: 0 };
  return { market, event, outcome, txHash, atSeconds, closedSeconds: null, ...amounts };
}

/**
 * Adds a later record of the market, first in, first out. A sale or redemption of the outcome takes from the first lot
 * first. A purchase of another outcome takes as many shares out at 1 − its price: a share of each is worth a dollar
 * whatever happens. Other purchases, and shares beyond the lot, change nothing. What the wallet itself gets for settled
 * shares stands in the place of what the settlement paid.
 *
 * @returns the very same object if nothing has changed
 */
export function applyToFirstPurchase(first: FirstPurchase, fill: RecordFill): FirstPurchase {
  const isSameOutcome = fill.outcome === first.outcome;
  if (fill.action === 'Buy' && isSameOutcome) {
    if (fill.txHash !== first.txHash) return first;
    return {
      ...first,
      closedSeconds: null,
      shares: first.shares + fill.shares,
      left: first.left + fill.shares,
      grossUsdc: first.grossUsdc + fill.shares * fill.price,
      paidUsdc: first.paidUsdc + fill.netUsdc,
    };
  }
  if (!isSameOutcome && fill.action !== 'Buy') return first;
  if (isSameOutcome && first.settled !== undefined) return takeSettled(first, first.settled, fill);
  if (first.left === 0) return first;
  const taken = Math.min(fill.shares, first.left);
  const backPerShare = isSameOutcome ? -fill.netUsdc / fill.shares : 1 - fill.price - fill.feeUsdc / fill.shares;
  return takeOut(first, taken, backPerShare, fill.atSeconds);
}

/** Pays what is left. @param payout USDC a share, 0 to 1 */
export function settleFirstPurchase(first: FirstPurchase, payout: number, atSeconds: number): FirstPurchase {
  if (first.left === 0) return first;
  const shares = first.left + (first.settled?.shares ?? 0);
  return { ...takeOut(first, first.left, payout, atSeconds), settled: { shares, payout } };
}

/** Takes back what a settlement paid: it is contradicted. */
export function unsettleFirstPurchase(first: FirstPurchase): FirstPurchase {
  const { settled, ...rest } = first;
  if (settled === undefined) return first;
  const { shares, payout } = settled;
  return { ...rest, closedSeconds: null, left: rest.left + shares, backUsdc: rest.backUsdc - shares * payout };
}

/** What the shares came to, in cents a share: what came back less what was paid. */
export function centsPerShare({ backUsdc, paidUsdc, shares }: FirstPurchase): number {
  return ((backUsdc - paidUsdc) / shares) * 100;
}

function takeSettled(
  { settled: _, ...first }: FirstPurchase,
  { shares, payout }: NonNullable<FirstPurchase['settled']>,
  fill: RecordFill,
): FirstPurchase {
  const taken = Math.min(fill.shares, shares);
  const backUsdc = first.backUsdc + taken * (-fill.netUsdc / fill.shares - payout);
  return taken === shares
    ? { ...first, backUsdc }
    : { ...first, backUsdc, settled: { shares: shares - taken, payout } };
}

function takeOut(first: FirstPurchase, taken: number, backPerShare: number, atSeconds: number): FirstPurchase {
  const left = first.left - taken;
  const isClosed = left < DUST_SHARES && left < first.shares * DUST_PART;
  return {
    ...first,
    left,
    backUsdc: first.backUsdc + taken * backPerShare,
    closedSeconds: isClosed ? (first.closedSeconds ?? atSeconds) : null,
  };
}
