import { payoutOf, type Settlement } from '../domain/settlement.ts';
import { SETTLEMENTS_LIMIT } from '../feed/interface.ts';
import { HOUR_SECONDS } from '../lib/time.ts';
import { type Account, isHeld, lastSecondsOf, sumsOf } from '../portfolio/accounts/account.ts';
import type { Market } from '../portfolio/market.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';

/** Maximum time from a redemption to the settlement that it proves, in seconds. */
const REDEEMED_BEFORE_SECONDS = 2 * HOUR_SECONDS;

/** A settled market, with the payouts of outcomes that a wallet traded there. */
export interface SettledMarket {
  /** From `entryKeys`. */
  readonly key: string;
  /** Null if its name is no longer kept. */
  readonly market: Market | null;
  /** USDC per share of each outcome; at least one. */
  readonly sides: readonly { readonly side: string; readonly payout: number }[];
}

/**
 * Returns the markets that were settled in a period, among those that a wallet held then or had
 * recently traded in. Winners and losers are found in the same way: by the market's settlement,
 * which does not depend on this wallet's redemptions.
 *
 * @param settlementsOf returns settlements of up to 1,000 markets
 */
export async function settledIn(
  { accounts, positions }: WalletKnowledge['portfolio'],
  { fromSeconds, toSeconds }: Readonly<Record<'fromSeconds' | 'toSeconds', number>>,
  settlementsOf: (markets: readonly string[]) => Promise<readonly Settlement[]>,
): Promise<SettledMarket[]> {
  const asked = accounts.markets.filter((account) => mayEndAfter(account, fromSeconds));
  const byKey = new Map(asked.map((account) => [account.market, account]));
  const found: SettledMarket[] = [];
  for (let from = 0; from < asked.length; from += SETTLEMENTS_LIMIT) {
    const keys = asked.slice(from, from + SETTLEMENTS_LIMIT).map(({ market }) => market);
    for (const settlement of await settlementsOf(keys)) {
      const { market: key, atSeconds } = settlement;
      const account = byKey.get(key);
      if (account === undefined || atSeconds < fromSeconds || atSeconds >= toSeconds) continue;
      const sides = sidesOf(account, settlement);
      const market = positions.find((position) => position.market === key) ?? null;
      if (sides.length > 0) found.push({ key, market, sides });
    }
  }
  return found;
}

/** Whether the market may have been settled after that time, and was not exited long before it. */
function mayEndAfter(account: Account, fromSeconds: number): boolean {
  if ((account.settled?.atSeconds ?? fromSeconds) < fromSeconds) return false;
  return isHeld(account) || lastSecondsOf(account) >= fromSeconds - REDEEMED_BEFORE_SECONDS;
}

function sidesOf(account: Account, settlement: Settlement): SettledMarket['sides'] {
  const sides = [];
  for (const [outcome, side] of sumsOf(account)?.left ?? []) {
    const payout = payoutOf(settlement, outcome);
    if (payout !== undefined) sides.push({ side, payout });
  }
  return sides;
}
