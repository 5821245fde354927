import type { ActivityItem } from '../../feed/interface.ts';
import { groupBy } from '../../lib/group-by.ts';
import { outcomeKey, shortHash } from '../market.ts';

const HOUR_SECONDS = 3_600;
/** Payouts this close to each other are the same; figures have six decimals. */
const TOLERANCE = 1e-6;

/** What one redemption says of its market. */
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

/** How a market ended. */
export interface Settlement {
  readonly market: string;
  /** USDC a share of the outcomes that got something; others get 0. */
  readonly payouts: ReadonlyMap<string, number>;
  /** Unix seconds from which it counts: a full hour, so that it tells nobody whose redemption it was. */
  readonly atSeconds: number;
}

/**
 * What a record says of how its market ended; undefined if nothing. A payout of 0 says nothing, because a missing figure
 * reads as 0; nor does a record without condition id, token id or outcome index.
 *
 * @param wallet whose record it is
 */
export function redemptionOf(item: ActivityItem, wallet: string): Redemption | undefined {
  const payout = item.quantity > 0 ? item.grossValue / item.quantity : 0;
  const isNamed = item.conditionId !== '' && item.tokenId !== '' && item.outcomeIndex >= 0;
  if (item.action !== 'Redeem' || !isNamed || payout <= TOLERANCE || payout > 1 + TOLERANCE) return undefined;
  return {
    market: shortHash(item.conditionId),
    outcome: shortHash(outcomeKey(item)),
    txHash: item.txHash,
    wallet,
    atSeconds: item.time,
    payout: payout > 1 - TOLERANCE ? 1 : payout,
  };
}

/**
 * How a market ended, by its redemptions. A payout of 1 says that this outcome won and the others lost: two transactions
 * that agree, or one an hour ago. Of a fraction two wallets and two transactions must agree. Null while nothing is certain,
 * and where redemptions contradict each other.
 *
 * @param redemptions of one market
 * @param nowSeconds Unix seconds
 */
export function settle(redemptions: readonly Redemption[], nowSeconds: number): Settlement | null {
  const byOutcome = groupBy(redemptions, ({ outcome }) => outcome);
  const payouts = new Map<string, number>();
  let latestSeconds = Number.NEGATIVE_INFINITY;
  for (const [outcome, said] of byOutcome) {
    const [{ payout }] = said;
    if (said.some((other) => Math.abs(other.payout - payout) > TOLERANCE)) return null;
    const knownSeconds = knownFrom(said, payout);
    if (knownSeconds === null) continue;
    payouts.set(outcome, payout);
    latestSeconds = Math.max(latestSeconds, knownSeconds);
  }
  const total = [...payouts.values()].reduce((sum, payout) => sum + payout, 0);
  const isContradicted = byOutcome.size > 1 && redemptions.some(({ payout }) => payout === 1);
  const atSeconds = Math.ceil(latestSeconds / HOUR_SECONDS) * HOUR_SECONDS;
  if (isContradicted || payouts.size === 0 || total > 1 + TOLERANCE || atSeconds > nowSeconds) return null;
  const [first] = redemptions;
  return first === undefined ? null : { market: first.market, payouts, atSeconds };
}

/** Unix seconds from which an outcome's payout is certain; null while it is not. */
function knownFrom(said: readonly Redemption[], payout: number): number | null {
  const inOrder = said.toSorted((a, b) => a.atSeconds - b.atSeconds);
  const [first] = inOrder;
  if (first === undefined) return null;
  const second = inOrder.find(
    ({ txHash, wallet }) => txHash !== first.txHash && (payout === 1 || wallet !== first.wallet),
  );
  if (payout < 1) return second?.atSeconds ?? null;
  return Math.min(second?.atSeconds ?? Number.POSITIVE_INFINITY, first.atSeconds + HOUR_SECONDS);
}
