import { createHash } from 'node:crypto';
import { readAddress, type WalletAddress } from './address.ts';
import { txKey } from './http/page-query.ts';
import type { SqlValue } from './ledger/sqlite.ts';
import {
  type ActivityItem,
  activityItemSchema,
  type TransferItem,
  transferItemSchema,
} from './records.ts';

/**
 * A record as it enters the ledger. `wallet` may have any accepted spelling; it becomes the item's
 * `trader`.
 */
export type LedgerRecord =
  | {
      readonly kind: 'activity';
      readonly wallet: string;
      readonly block: number;
      readonly item: ActivityItem;
    }
  | { readonly kind: 'transfer'; readonly wallet: string; readonly item: TransferItem };

/** The columns of each table that come from the record itself. */
export const COLUMNS: Readonly<Record<LedgerRecord['kind'], readonly string[]>> = {
  activity: ['wallet', 'time', 'block', 'tx', 'market'],
  transfer: ['wallet', 'time'],
};

/**
 * Returns a row of the ledger's tables: the values of `COLUMNS`, the digest of the record's fields,
 * and its item.
 *
 * @throws Error if the address, the block or a field cannot be stored
 */
export function toRow(record: LedgerRecord) {
  const { kind } = record;
  const { key, address } = walletKey(record.wallet);
  // The schema's order of fields makes the text canonical: equal items have equal texts.
  if (kind === 'transfer') {
    const itemJson = JSON.stringify(transferItemSchema.parse(record.item));
    const columns: SqlValue[] = [key, record.item.time];
    return { kind, digest: digestOf([kind, address, itemJson]), columns, itemJson };
  }
  const { block, item } = record;
  if (!Number.isSafeInteger(block) || block < 0) {
    throw new Error(`Expected a block height of 0 or more, got ${block}.`);
  }
  const itemJson = JSON.stringify(activityItemSchema.parse({ ...item, trader: address }));
  const columns: SqlValue[] = [key, item.time, block, txKey(item.txHash), item.marketId];
  return { kind, digest: digestOf([kind, address, String(block), itemJson]), columns, itemJson };
}
export type Row = ReturnType<typeof toRow>;

function digestOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest().subarray(0, 16);
}

/**
 * Returns a wallet's key in the tables (twenty bytes), and its address as shown in items.
 *
 * @throws Error that explains what an address is
 */
export function walletKey(wallet: string): {
  readonly key: Buffer;
  readonly address: WalletAddress;
} {
  const parsed = readAddress(wallet);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { key: Buffer.from(parsed.address.slice(2), 'hex'), address: parsed.address };
}
