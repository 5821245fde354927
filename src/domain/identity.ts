import { hash } from 'node:crypto';
import type { ActivityItem, TransferItem } from './records.ts';

/**
 * The identity of a record: a hash of its transaction and its figures, 12 characters. Titles, slugs and pictures may be
 * re-worded, and a reorganised chain may move a transaction to another second, without making it another record. The order
 * of the fields is fixed: stored detection states depend on it.
 */
export function activityIdentity(item: ActivityItem): string {
  const { txHash, action, tokenId, positionSide, liquidityRole } = item;
  const texts = `${text(txHash.toLowerCase())}${text(action)}${text(tokenId)}${text(positionSide)}${text(liquidityRole ?? '-')}`;
  return shortHash(`${texts}${item.price},${item.quantity},${item.fee},${item.grossValue},${item.transferNetAmount}`);
}

/** The identity of a deposit or withdrawal; see {@link activityIdentity}. */
export function transferIdentity({ txHash, type, amount, address }: TransferItem): string {
  return shortHash(`${text(txHash.toLowerCase())}${text(type)}${text(address.toLowerCase())}${amount}`);
}

/** Of what a page shows and cannot be read: the same whenever it is shown, if its transaction and its figures are. */
export function rawIdentity(raw: unknown): string {
  const fields = typeof raw === 'object' && raw !== null ? FIGURES.map((name) => Reflect.get(raw, name)) : [raw];
  return shortHash(JSON.stringify(fields));
}

const FIGURES = [
  ...['txHash', 'time', 'action', 'tokenId', 'positionSide', 'price', 'quantity', 'fee', 'grossValue'],
  ...['transferNetAmount', 'type', 'amount'],
];

/** Behind its length, so that no two records come to the same. Takes half as long as JSON. */
function text(value: string): string {
  return `${value.length}:${value}`;
}

function shortHash(figures: string): string {
  return hash('sha256', figures, 'base64url').slice(0, 12);
}
