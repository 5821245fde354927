import { type Exact, sum } from '../lib/exact.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';

/** How many records of a kind, and their USDC. */
export interface Total {
  readonly count: number;
  readonly usdc: Exact;
}

/** What a wallet traded, in USDC. */
export interface ActivityTotals {
  /** Gross values, before fees. */
  readonly bought: Total;
  readonly sold: Total;
  readonly redeemed: Total;
  /** Records of other actions. */
  readonly others: number;
  readonly fees: Exact;
  /** By the venue's rule: positive left the wallet, negative came back to it. */
  readonly net: Exact;
}

export function activityTotals(items: readonly ActivityItem[]): ActivityTotals {
  const of = (action: string): Total => {
    const chosen = items.filter((item) => item.action === action);
    return { count: chosen.length, usdc: sum(chosen.map(({ grossValue }) => grossValue)) };
  };
  const [bought, sold, redeemed] = [of('Buy'), of('Sell'), of('Redeem')];
  return {
    bought,
    sold,
    redeemed,
    others: items.length - bought.count - sold.count - redeemed.count,
    fees: sum(items.map(({ fee }) => fee)),
    net: sum(items.map(({ transferNetAmount }) => transferNetAmount)),
  };
}

/** What went into a wallet and out of it, in USDC. */
export interface FlowTotals {
  readonly deposited: Total;
  readonly withdrawn: Total;
  /** Records of other types; their direction is not known. */
  readonly others: number;
  /** Deposits less withdrawals. */
  readonly net: Exact;
}

export function flowTotals(items: readonly TransferItem[]): FlowTotals {
  const of = (type: string): Total => {
    const chosen = items.filter((item) => item.type === type);
    return { count: chosen.length, usdc: sum(chosen.map(({ amount }) => amount)) };
  };
  const [deposited, withdrawn] = [of('deposit'), of('withdrawal')];
  return {
    deposited,
    withdrawn,
    others: items.length - deposited.count - withdrawn.count,
    net: deposited.usdc.minus(withdrawn.usdc),
  };
}
