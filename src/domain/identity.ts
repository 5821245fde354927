import { hash } from 'node:crypto';
import type { ActivityItem, TransferItem } from './records.ts';

/**
 * The identity of a record: a hash of its transaction and its figures, 12 characters. Titles, slugs and pictures may be
 * re-worded, and a reorganised chain may move a transaction to another second, without making it another record. The order
 * of the fields is fixed: stored detection states depend on it.
 */
export function activityIdentity(item: ActivityItem): string {
  return shortHash([
    item.txHash.toLowerCase(),
    item.action,
    item.tokenId,
    item.positionSide,
    item.price,
    item.quantity,
    item.fee,
    item.grossValue,
    item.transferNetAmount,
    item.liquidityRole,
  ]);
}

/** The identity of a deposit or withdrawal; see {@link activityIdentity}. */
export function transferIdentity(item: TransferItem): string {
  return shortHash([item.txHash.toLowerCase(), item.type, item.amount, item.address.toLowerCase()]);
}

/** Of what a page shows and cannot be read: the same whenever it is shown, if its transaction and its figures are. */
export function rawIdentity(raw: unknown): string {
  const fields = typeof raw === 'object' && raw !== null ? FIGURES.map((name) => Reflect.get(raw, name)) : [raw];
  return shortHash(fields);
}

const FIGURES = [
  ...['txHash', 'time', 'action', 'tokenId', 'positionSide', 'price', 'quantity', 'fee', 'grossValue'],
  ...['transferNetAmount', 'type', 'amount'],
];

function shortHash(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 12);
}
