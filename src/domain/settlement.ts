import { groupBy } from '../lib/group-by.ts';
import { HOUR_SECONDS } from '../lib/time.ts';
import { isNamedByToken, outcomeHash, shortHash } from './market-keys.ts';
import type { ActivityItem } from './records.ts';

/** Maximum difference of equal payouts; figures have six decimals. */
const TOLERANCE = 1e-6;

/** Evidence of one redemption for its market. */
export interface Redemption {
  /** Short hash of the market; the next three fields are short hashes as well. */
  readonly market: string;
  readonly outcome: string;
  readonly txHash: string;
  readonly wallet: string;
  readonly atSeconds: number;
  /** USDC per share, above 0 and at most 1. */
  readonly payout: number;
}

/** Settlement of a market. */
export interface Settlement {
  readonly market: string;
  /**
   * USDC per share of the outcomes that paid, see {@link payoutOf}. Empty if redemptions contradict
   * each other, so that an earlier settlement of the market is invalid.
   */
  readonly payouts: ReadonlyMap<string, number>;
  /**
   * Unix seconds from which it counts: a full hour, so that it does not reveal whose redemption it
   * was.
   */
  readonly atSeconds: number;
}

/**
 * Returns what a record shows about its market's settlement; undefined if nothing. A payout of 0
 * shows nothing, because a missing figure is read as 0; nor does a record without condition id,
 * token id or outcome index.
 *
 * @param wallet the record's wallet
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
 * Infers a market's settlement from its redemptions. A payout of 1 means that this outcome won and
 * the others lost; it needs two transactions that agree, or one an hour ago. For a fraction, two
 * wallets and two transactions must agree. Null if nothing is certain, or if redemptions contradict
 * each other.
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
 * Whether redemptions of one market contradict each other: different payouts of one outcome, a sole
 * winner besides another outcome that paid, or payouts that add up to more than a dollar.
 */
export function isContradicted(redemptions: readonly Redemption[]): boolean {
  const byOutcome = [...groupBy(redemptions, ({ outcome }) => outcome).values()];
  const isUnequal = byOutcome.some((ofOutcome) =>
    ofOutcome.some(({ payout }) => !isSamePayout(payout, ofOutcome[0].payout)),
  );
  const hasTwoWinners = byOutcome.length > 1 && redemptions.some(({ payout }) => payout === 1);
  return (
    isUnequal ||
    hasTwoWinners ||
    total(certainOf(redemptions).map(({ payout }) => payout)) > 1 + TOLERANCE
  );
}

/**
 * Returns an outcome's payout in USDC per share. Undefined if unknown: for a market that paid
 * fractions, until these add up to a dollar, and for an outcome without a token id, which may be
 * the same as another one under a different name.
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

/** Whether the market's whole payout is known; outcomes that are not named then paid nothing. */
export function isComplete(payouts: ReadonlyMap<string, number>): boolean {
  return total([...payouts.values()]) > 1 - TOLERANCE;
}

/** Whether two payouts are equal except for rounding. */
export function isSamePayout(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE;
}

/**
 * Returns the outcomes with a certain payout, and the time from which it was known, in Unix
 * seconds.
 */
function certainOf(redemptions: readonly Redemption[]) {
  const certain = [];
  for (const [outcome, ofOutcome] of groupBy(redemptions, (one) => one.outcome)) {
    const [{ payout }] = ofOutcome;
    const inOrder = ofOutcome.toSorted((a, b) => a.atSeconds - b.atSeconds);
    const [first = ofOutcome[0]] = inOrder;
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
