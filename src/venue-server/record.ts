import { createHash } from 'node:crypto';
import { parseAddress, type WalletAddress } from '../domain/address.ts';
import { type ActivityItem, activityItemSchema, type TransferItem, transferItemSchema } from '../domain/records.ts';
import type { SqlValue } from '../lib/sqlite.ts';
import { txKey } from './page-query.ts';

/** A record as it enters the ledger. `wallet` in any accepted spelling; it becomes the item's `trader`. */
export type LedgerRecord =
  | { readonly kind: 'activity'; readonly wallet: string; readonly block: number; readonly item: ActivityItem }
  | { readonly kind: 'transfer'; readonly wallet: string; readonly item: TransferItem };

/** A record as the ledger's tables keep it. */
export interface Row {
  readonly kind: LedgerRecord['kind'];
  readonly digest: Buffer;
  /** Column values before digest and occurrence, and the item as the last. */
  readonly columns: readonly SqlValue[];
  readonly itemJson: string;
}

/** The columns of each table that a record fills by itself. */
export const COLUMNS: Readonly<Record<LedgerRecord['kind'], readonly string[]>> = {
  activity: ['wallet', 'time', 'block', 'tx', 'market'],
  transfer: ['wallet', 'time'],
};

/** @throws Error if the address, the block or a field cannot be kept */
export function toRow(record: LedgerRecord): Row {
  const { key, address } = walletKey(record.wallet);
  if (record.kind === 'transfer') {
    const itemJson = JSON.stringify(transferItemSchema.parse(record.item));
    return {
      kind: 'transfer',
      digest: digestOf(['transfer', address, itemJson]),
      columns: [key, record.item.time],
      itemJson,
    };
  }
  if (!Number.isSafeInteger(record.block) || record.block < 0) {
    throw new Error(`Expected a block height of 0 or more, got ${record.block}.`);
  }
  // The schema's order of fields makes the text canonical: equal items, equal texts.
  const itemJson = JSON.stringify(activityItemSchema.parse({ ...record.item, trader: address }));
  const { time, txHash, marketId } = record.item;
  return {
    kind: 'activity',
    digest: digestOf(['activity', address, String(record.block), itemJson]),
    columns: [key, time, record.block, txKey(txHash), marketId],
    itemJson,
  };
}

function digestOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest().subarray(0, 16);
}

/**
 * The twenty bytes by which the tables know a wallet, and its address as items show it.
 *
 * @throws Error that says what an address is
 */
export function walletKey(wallet: string): { readonly key: Buffer; readonly address: WalletAddress } {
  const parsed = parseAddress(wallet);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { key: Buffer.from(parsed.address.slice(2), 'hex'), address: parsed.address };
}
