import { type ActionKind, actionKind, type TransferKind, transferKind } from '../domain/kinds.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import { Exact, sum } from '../lib/exact.ts';

/** The number of records of one kind, and the sum of their USDC, exact. */
export interface Total {
  readonly count: number;
  readonly usdc: Exact;
}

const NOTHING: Total = { count: 0, usdc: new Exact(0) };

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

/** Totals of these items, added to others. */
export function activityTotals(items: readonly ActivityItem[], before: ActivityTotals | null = null): ActivityTotals {
  const totalOf = (kind: ActionKind, { count, usdc }: Total = NOTHING): Total => {
    const chosen = items.filter(({ action }) => actionKind(action) === kind);
    return { count: count + chosen.length, usdc: sum([usdc, ...chosen.map(({ grossValue }) => grossValue)]) };
  };
  return {
    bought: totalOf('buy', before?.bought),
    sold: totalOf('sell', before?.sold),
    redeemed: totalOf('redeem', before?.redeemed),
    others: (before?.others ?? 0) + items.filter(({ action }) => actionKind(action) === 'other').length,
    fees: sum([before?.fees ?? 0, ...items.map(({ fee }) => fee)]),
    net: sum([before?.net ?? 0, ...items.map(({ transferNetAmount }) => transferNetAmount)]),
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

/** Totals of these items, added to others. */
export function flowTotals(items: readonly TransferItem[], before: FlowTotals | null = null): FlowTotals {
  const totalOf = (kind: TransferKind, { count, usdc }: Total = NOTHING): Total => {
    const chosen = items.filter(({ type }) => transferKind(type) === kind);
    return { count: count + chosen.length, usdc: sum([usdc, ...chosen.map(({ amount }) => amount)]) };
  };
  const [deposited, withdrawn] = [totalOf('deposit', before?.deposited), totalOf('withdrawal', before?.withdrawn)];
  return {
    deposited,
    withdrawn,
    others: (before?.others ?? 0) + items.filter(({ type }) => transferKind(type) === 'other').length,
    net: deposited.usdc.minus(withdrawn.usdc),
  };
}
