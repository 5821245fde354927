import * as z from 'zod';
import { ACTIONS } from '../../domain/records.ts';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { isClosed } from '../positions/position.ts';

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
  action: z.enum(ACTIONS),
  /** The venue's names of market and outcome, such as `510767` and `Yes`. */
  marketId: z.string(),
  side: z.string(),
  shares: z.number(),
  /** USDC a share, 0 to 1. */
  price: z.number(),
  feeUsdc: z.number(),
  /** The venue's `transferNetAmount`. Positive: USDC left the wallet; negative: it came back. */
  netUsdc: z.number(),
});
export type RecordFill = Readonly<z.infer<typeof recordFillSchema>>;

/**
 * The first purchase of a market and what has become of its shares: all Buy records of one outcome
 * in the transaction of the market's earliest purchase. Whatever the wallet does later in that
 * market is a choice made with knowledge; the first purchase is what somebody who follows the
 * wallet would have had, and a fair price makes its mean result 0.
 */
export const firstPurchaseSchema = z.object({
  ...placed,
  /** Unix seconds of the end of its last share; null while some are left. */
  closedSeconds: z.number().nullable(),
  /** Shares bought, and those of them that were not sold, redeemed or matched. */
  shares: z.number(),
  left: z.number(),
  /** Σ shares × price, USDC without fees. */
  grossUsdc: z.number(),
  /** USDC paid for the shares, and come back for them, fees in both. */
  paidUsdc: z.number(),
  backUsdc: z.number(),
  /** USDC a share that a settlement pays for what is left; left out without one. */
  payout: z.number().exactOptional(),
});
export type FirstPurchase = z.infer<typeof firstPurchaseSchema>;

/**
 * The first purchase of a market.
 *
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
 * Adds a later record of the market, first in, first out. A sale or redemption of the outcome takes
 * from the first lot first. A purchase of another outcome takes as many shares out at 1 − its
 * price: a share of each is worth a dollar whatever happens. Other purchases, and shares beyond the
 * lot, change nothing. What the wallet itself gets for settled shares stands in the place of what
 * the settlement pays.
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

/** A fill that was counted, and as it is now; undefined where it is not counted. */
export interface AmendedFill {
  readonly before: RecordFill | undefined;
  readonly after: RecordFill | undefined;
}

/** The fills with one of them replaced; null where it is not among them. */
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
 * The first purchase of a market once a record that was counted has other figures. A sale of shares
 * that are all gone stays as it was counted: nobody knows how much of it was of this purchase.
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

/** Ends what is left as the market ended. Where that is contradicted, it has no end any more. */
export function settleFirstPurchase(first: FirstPurchase, settlement: Settlement): FirstPurchase {
  if (settlement.payouts.size === 0) {
    const { payout: _, ...unsettled } = first;
    return { ...unsettled, closedSeconds: isUsedUp(first) ? first.closedSeconds : null };
  }
  const payout = payoutOf(settlement, first.outcome);
  if (payout === undefined || first.left === 0) return first;
  return { ...first, payout, closedSeconds: first.closedSeconds ?? settlement.atSeconds };
}

/** Result of the shares, in cents a share: what came back less what was paid. */
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
