import { groupBy } from '../lib/group-by.ts';
import { HOUR_SECONDS } from '../lib/time.ts';
import { isNamedByToken, outcomeHash, shortHash } from './market-keys.ts';
import type { ActivityItem } from './records.ts';

/** Payouts this close to each other are the same; figures have six decimals. */
const TOLERANCE = 1e-6;

/** Evidence of one redemption on its market. */
export interface Redemption {
  /** Short hashes. */
  readonly market: string;
  readonly outcome: string;
  readonly txHash: string;
  readonly wallet: string;
  readonly atSeconds: number;
  /** USDC a share, above 0 and up to 1. */
  readonly payout: number;
}

/** End of a market. */
export interface Settlement {
  readonly market: string;
  /**
   * USDC a share of the outcomes that got something, see {@link payoutOf}. Empty: redemptions
   * contradict each other, and what was said of the market before does not hold.
   */
  readonly payouts: ReadonlyMap<string, number>;
  /**
   * Unix seconds from which it counts: a full hour, so that it tells nobody whose redemption it
   * was.
   */
  readonly atSeconds: number;
}

/**
 * Reads what a record says of how its market ended; undefined if nothing. A payout of 0 says
 * nothing, because a missing figure reads as 0; nor does a record without condition id, token id or
 * outcome index.
 *
 * @param wallet whose record it is
 */
export function redemptionOf(item: ActivityItem, wallet: string): Redemption | undefined {
  const payout = item.quantity > 0 ? item.grossValue / item.quantity : 0;
  const isNamed = item.conditionId !== '' && item.tokenId !== '' && item.outcomeIndex >= 0;
  if (item.action !== 'Redeem' || !isNamed || payout <= TOLERANCE || payout > 1 + TOLERANCE) {
    return undefined;
  }
  return {
    market: shortHash(item.conditionId),
    outcome: outcomeHash(item),
    txHash: item.txHash.toLowerCase(),
    wallet,
    atSeconds: item.time,
    payout: payout > 1 - TOLERANCE ? 1 : payout,
  };
}

/**
 * Concludes from its redemptions how a market ended. A payout of 1 says that this outcome won and
 * the others lost: two transactions that agree, or one an hour ago. Of a fraction two wallets and
 * two transactions must agree. Null while nothing is certain, and where redemptions contradict each
 * other.
 *
 * @param redemptions of one market
 * @param nowSeconds Unix seconds
 */
export function settle(redemptions: readonly Redemption[], nowSeconds: number): Settlement | null {
  const [first] = redemptions;
  const certain = certainOf(redemptions);
  const latestSeconds = Math.max(...certain.map(({ knownSeconds }) => knownSeconds));
  const atSeconds = Math.ceil(latestSeconds / HOUR_SECONDS) * HOUR_SECONDS;
  if (
    first === undefined ||
    certain.length === 0 ||
    atSeconds > nowSeconds ||
    isContradicted(redemptions)
  ) {
    return null;
  }
  return {
    market: first.market,
    payouts: new Map(certain.map(({ outcome, payout }) => [outcome, payout])),
    atSeconds,
  };
}

/**
 * Tells whether redemptions of one market cannot all be true: two payouts of one outcome, one that
 * won alone beside another that got something, or payouts that are together more than a dollar.
 */
export function isContradicted(redemptions: readonly Redemption[]): boolean {
  const byOutcome = [...groupBy(redemptions, ({ outcome }) => outcome).values()];
  const isUnequal = byOutcome.some((said) =>
    said.some(({ payout }) => !isSamePayout(payout, said[0].payout)),
  );
  const hasTwoWinners = byOutcome.length > 1 && redemptions.some(({ payout }) => payout === 1);
  return (
    isUnequal ||
    hasTwoWinners ||
    total(certainOf(redemptions).map(({ payout }) => payout)) > 1 + TOLERANCE
  );
}

/**
 * USDC a share that an outcome got. Undefined where that is not known: of a market that paid
 * fractions, until these come to a dollar, and of an outcome without a token id, which may be one
 * that has another name.
 */
export function payoutOf(
  { payouts }: Pick<Settlement, 'payouts'>,
  outcome: string,
): number | undefined {
  if (!isNamedByToken(outcome)) return undefined;
  const payout = payouts.get(outcome);
  if (payout === undefined && isComplete(payouts)) return 0;
  return payout;
}

/** Tells whether all that the market paid is known: outcomes that are not named got nothing. */
export function isComplete(payouts: ReadonlyMap<string, number>): boolean {
  return total([...payouts.values()]) > 1 - TOLERANCE;
}

/** Tells whether two payouts are the same but for rounding. */
export function isSamePayout(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE;
}

/** The outcomes whose payout is certain, and Unix seconds since when. */
function certainOf(redemptions: readonly Redemption[]) {
  const certain = [];
  for (const [outcome, said] of groupBy(redemptions, (one) => one.outcome)) {
    const [{ payout }] = said;
    const inOrder = said.toSorted((a, b) => a.atSeconds - b.atSeconds);
    const [first = said[0]] = inOrder;
    const second = inOrder.find(
      ({ txHash, wallet }) => txHash !== first.txHash && (payout === 1 || wallet !== first.wallet),
    );
    const aloneSeconds = payout < 1 ? Number.POSITIVE_INFINITY : first.atSeconds + HOUR_SECONDS;
    const knownSeconds = Math.min(second?.atSeconds ?? Number.POSITIVE_INFINITY, aloneSeconds);
    if (knownSeconds !== Number.POSITIVE_INFINITY) certain.push({ outcome, payout, knownSeconds });
  }
  return certain;
}

function total(payouts: readonly number[]): number {
  return payouts.reduce((sum, payout) => sum + payout, 0);
}
