import { actionKind, transferKind } from '../domain/kinds.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
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

/** Totals of these items, added to others. */
export function activityTotals(items: readonly ActivityItem[], before: ActivityTotals | null = null): ActivityTotals {
  const of = (kind: ReturnType<typeof actionKind>) => items.filter(({ action }) => actionKind(action) === kind);
  const grossOf = ({ grossValue }: ActivityItem) => grossValue;
  return {
    bought: added(of('buy'), grossOf, before?.bought),
    sold: added(of('sell'), grossOf, before?.sold),
    redeemed: added(of('redeem'), grossOf, before?.redeemed),
    others: (before?.others ?? 0) + of('other').length,
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
  const of = (kind: ReturnType<typeof transferKind>) => items.filter(({ type }) => transferKind(type) === kind);
  const amountOf = ({ amount }: TransferItem) => amount;
  const deposited = added(of('deposit'), amountOf, before?.deposited);
  const withdrawn = added(of('withdrawal'), amountOf, before?.withdrawn);
  const others = (before?.others ?? 0) + of('other').length;
  return { deposited, withdrawn, others, net: deposited.usdc.minus(withdrawn.usdc) };
}

function added<Item>(items: readonly Item[], usdcOf: (item: Item) => number, before?: Total): Total {
  const usdc = sum([before?.usdc ?? 0, ...items.map(usdcOf)]);
  return { count: (before?.count ?? 0) + items.length, usdc };
}
