import {
  type ActionKind,
  type ActivityItem,
  actionKind,
  type TransferItem,
  type TransferKind,
  transferKind,
} from '../feed/interface.ts';
import { type Exact, sum } from '../lib/exact.ts';

/** The number of records of one kind, and the sum of their USDC, exact. */
export interface Total {
  readonly count: number;
  readonly usdc: Exact;
}

/** Totals of trades and redemptions, USDC, exact. */
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

/** Totals of these items. */
export function activityTotals(items: readonly ActivityItem[]): ActivityTotals {
  const totalOf = (kind: ActionKind): Total => {
    const chosen = items.filter(({ action }) => actionKind(action) === kind);
    return { count: chosen.length, usdc: sum(chosen.map(({ grossValue }) => grossValue)) };
  };
  const [bought, sold, redeemed] = [totalOf('buy'), totalOf('sell'), totalOf('redeem')];
  return {
    bought,
    sold,
    redeemed,
    others: items.length - bought.count - sold.count - redeemed.count,
    fees: sum(items.map(({ fee }) => fee)),
    net: sum(items.map(({ transferNetAmount }) => transferNetAmount)),
  };
}

/** Totals of deposits and withdrawals, USDC, exact. */
export interface FlowTotals {
  readonly deposited: Total;
  readonly withdrawn: Total;
  /** Records of other types; their direction is not known. */
  readonly others: number;
  /** Deposits − withdrawals. */
  readonly net: Exact;
}

/** Totals of these items. */
export function flowTotals(items: readonly TransferItem[]): FlowTotals {
  const totalOf = (kind: TransferKind): Total => {
    const chosen = items.filter(({ type }) => transferKind(type) === kind);
    return { count: chosen.length, usdc: sum(chosen.map(({ amount }) => amount)) };
  };
  const [deposited, withdrawn] = [totalOf('deposit'), totalOf('withdrawal')];
  return {
    deposited,
    withdrawn,
    others: items.length - deposited.count - withdrawn.count,
    net: deposited.usdc.minus(withdrawn.usdc),
  };
}
