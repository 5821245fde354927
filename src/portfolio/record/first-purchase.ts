import * as z from 'zod';
import { ACTIONS } from '../../domain/records.ts';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { isClosed } from '../positions/position.ts';

const placed = {
  /** Short hashes. A market without an event counts as an event of its own. */
  market: z.string(),
  event: z.string(),
  outcome: z.string(),
  txHash: z.string(),
  /** Time of the trade or redemption, in Unix seconds. */
  atSeconds: z.number(),
};

/** The parts of a trade or redemption that matter for a wallet's track record. Shares above 0. */
export const recordFillSchema = z.object({
  ...placed,
  action: z.enum(ACTIONS),
  /** The venue's names of market and outcome, for example `510767` and `Yes`. */
  marketId: z.string(),
  side: z.string(),
  shares: z.number(),
  /** USDC per share, 0 to 1. */
  price: z.number(),
  feeUsdc: z.number(),
  /**
   * The venue's `transferNetAmount`. Positive: USDC left the wallet; negative: USDC was returned.
   */
  netUsdc: z.number(),
});
export type RecordFill = Readonly<z.infer<typeof recordFillSchema>>;

/**
 * The first purchase in a market and the outcome of its shares: all Buy records of one outcome in
 * the transaction of the market's earliest purchase. Later trades in that market depend on how it
 * went, but the first purchase is what someone copying the wallet would have had, and at fair
 * prices its mean result is 0.
 */
export const firstPurchaseSchema = z.object({
  ...placed,
  /** Time when its last share was resolved, in Unix seconds; null while some are left. */
  closedSeconds: z.number().nullable(),
  /** Number of shares bought, and number of these that were not sold, redeemed or matched. */
  shares: z.number(),
  left: z.number(),
  /** Σ shares × price, USDC without fees. */
  grossUsdc: z.number(),
  /** USDC paid for the shares, and returned for them, both including fees. */
  paidUsdc: z.number(),
  backUsdc: z.number(),
  /** USDC per share that a settlement pays for the remaining shares; left out without one. */
  payout: z.number().exactOptional(),
});
export type FirstPurchase = z.infer<typeof firstPurchaseSchema>;

/**
 * Returns the first purchase of a market.
 * @param fill a Buy
 */
export function openFirstPurchase({ shares, price, netUsdc, ...fill }: RecordFill): FirstPurchase {
  const { market, event, outcome, txHash, atSeconds } = fill;
  const amounts = {
    shares,
    left: shares,
    grossUsdc: shares * price,
    paidUsdc: netUsdc,
    backUsdc: 0,
  };
  return {
    market,
    event,
    outcome,
    txHash,
    atSeconds,
    closedSeconds: null,
    ...amounts,
  };
}

/**
 * Applies a later record of the market, first in, first out. A sale or redemption of the outcome
 * takes shares from the first lot. A purchase of another outcome closes as many shares at 1 − its
 * price, because one share of each is worth a dollar whatever happens. Other purchases, and shares
 * beyond the lot, change nothing. Amounts that the wallet itself receives for settled shares
 * replace what the settlement pays.
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
  if (!isSameOutcome && (fill.action !== 'Buy' || first.payout !== undefined)) return first;
  const taken = Math.min(fill.shares, first.left);
  const backPerShare = isSameOutcome
    ? -fill.netUsdc / fill.shares
    : 1 - fill.price - fill.feeUsdc / fill.shares;
  const after = {
    ...first,
    left: first.left - taken,
    backUsdc: first.backUsdc + taken * backPerShare,
  };
  return {
    ...after,
    closedSeconds: first.closedSeconds ?? (isUsedUp(after) ? fill.atSeconds : null),
  };
}

/** A counted fill before and after a change; undefined if it is not counted. */
export interface AmendedFill {
  readonly before: RecordFill | undefined;
  readonly after: RecordFill | undefined;
}

/** Returns the fills with one of them replaced; null if it is not among them. */
export function replaceFill(
  fills: readonly RecordFill[],
  { before, after }: AmendedFill,
): RecordFill[] | null {
  const index = fills.findIndex((fill) => before !== undefined && isSameFill(fill, before));
  if (index < 0) return null;
  return fills.toSpliced(index, 1, ...(after === undefined ? [] : [after]));
}

function isSameFill(one: RecordFill, other: RecordFill): boolean {
  const names = ['outcome', 'action', 'shares', 'price', 'netUsdc', 'feeUsdc'] as const;
  return (
    one.txHash.toLowerCase() === other.txHash.toLowerCase() &&
    names.every((name) => one[name] === other[name])
  );
}

/**
 * Returns the first purchase of a market after the figures of a counted record have changed. If all
 * shares are gone, a sale remains as it was counted, because it is unknown how much of it was of
 * this purchase.
 */
export function amendFirstPurchase(
  first: FirstPurchase,
  { before, after }: AmendedFill,
): FirstPurchase {
  if (before === undefined || before.market !== first.market) return first;
  if (before.outcome !== first.outcome) return first;
  const moreShares = (after?.shares ?? 0) - before.shares;
  const moreUsdc = (after?.netUsdc ?? 0) - before.netUsdc;
  if (before.action !== 'Buy') {
    if (first.left === 0 || moreShares > first.left) return first;
    return { ...first, left: first.left - moreShares, backUsdc: first.backUsdc - moreUsdc };
  }
  if (before.txHash !== first.txHash) return first;
  const grossUsdc =
    first.grossUsdc + (after ? after.shares * after.price : 0) - before.shares * before.price;
  const shares = first.shares + moreShares;
  const left = first.left === 0 ? 0 : first.left + moreShares;
  if (shares <= 0 || left < 0) return first;
  return { ...first, shares, left, grossUsdc, paidUsdc: first.paidUsdc + moreUsdc };
}

/**
 * Settles the remaining shares as the market ended. If the settlement is contradicted, they are
 * unresolved again.
 */
export function settleFirstPurchase(first: FirstPurchase, settlement: Settlement): FirstPurchase {
  if (settlement.payouts.size === 0) {
    const { payout: _, ...unsettled } = first;
    return { ...unsettled, closedSeconds: isUsedUp(first) ? first.closedSeconds : null };
  }
  const payout = payoutOf(settlement, first.outcome);
  if (payout === undefined || first.left === 0) return first;
  return { ...first, payout, closedSeconds: first.closedSeconds ?? settlement.atSeconds };
}

/** Returns the result in cents per share: the amount returned minus the amount paid. */
export function centsPerShare({
  backUsdc,
  left,
  payout = 0,
  paidUsdc,
  shares,
}: FirstPurchase): number {
  return ((backUsdc + left * payout - paidUsdc) / shares) * 100;
}

function isUsedUp({ left, shares }: FirstPurchase): boolean {
  return isClosed({ shares: left, bought: shares });
}
