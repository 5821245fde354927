import { stringify } from 'csv-stringify/sync';
import { type ActivityItem, isFeeKnown, isTxHash, type TransferItem } from '../domain/records.ts';
import { inTurns } from '../lib/async/turns.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/text/formulas.ts';

const BYTES_LIMIT = 1_000_000;

/**
 * Headings of trades and redemptions, and their fields; `net_usdc` is positive if USDC left the
 * wallet.
 */
export const ACTIVITY_COLUMNS = {
  time_utc: 'time',
  action: 'action',
  outcome: 'positionSide',
  shares: 'quantity',
  price_cents: 'price',
  gross_usdc: 'grossValue',
  fee_usdc: 'fee',
  net_usdc: 'transferNetAmount',
  liquidity_role: 'liquidityRole',
  market_title: 'marketTitle',
  market_id: 'marketId',
  market_slug: 'marketSlug',
  event_slug: 'eventSlug',
  condition_id: 'conditionId',
  token_id: 'tokenId',
  tx_hash: 'txHash',
} as const;
/** Headings of deposits and withdrawals, and their fields. */
export const FLOW_COLUMNS = {
  time_utc: 'time',
  type: 'type',
  amount_usdc: 'amount',
  counterparty: 'address',
  tx_hash: 'txHash',
} as const;

export type Csv = Awaited<ReturnType<typeof csvOf>>;

/** Returns trades and redemptions as a table; an unknown fee or hash is an empty cell. */
export function activityCsv(items: readonly ActivityItem[]) {
  return csvOf(ACTIVITY_COLUMNS, items, (item) => ({
    ...withKnownHash(item),
    fee: isFeeKnown(item) ? item.fee : null,
  }));
}

/** Returns deposits and withdrawals as a table; an unknown hash is an empty cell. */
export function flowsCsv(items: readonly TransferItem[]) {
  return csvOf(FLOW_COLUMNS, items, withKnownHash);
}

function withKnownHash<Item extends { readonly txHash: string }>(item: Item) {
  return { ...item, txHash: isTxHash(item.txHash) ? item.txHash : null };
}

/**
 * Returns records as a table of at most 1 MB.
 *
 * @returns also the number of rows, and of records that did not fit
 */
async function csvOf<Field extends string, Item>(
  columns: Readonly<Record<string, Field>>,
  items: readonly Item[],
  rowOf: (item: Item) => Readonly<Record<Field, string | number | null>>,
) {
  const lines = [stringify([Object.keys(columns)])];
  const fields = Object.values(columns);
  let bytes = Buffer.byteLength(lines[0] ?? '');
  writing: for await (const piece of inTurns(items)) {
    for (const item of piece) {
      const row = rowOf(item);
      const line = stringify([fields.map((field) => cell(field, row[field]))]);
      bytes += Buffer.byteLength(line);
      if (bytes > BYTES_LIMIT) break writing;
      lines.push(line);
    }
  }
  const rows = lines.length - 1;
  return {
    data: Buffer.from(lines.join('')),
    rows,
    left: items.length - rows,
  };
}

/**
 * Formats a number with all its digits and no exponent, 0.0000001; or a text on one line that no
 * spreadsheet runs as a formula.
 */
function cell(field: string, value: string | number | null): string {
  if (typeof value !== 'number') return escapeFormulas((value ?? '').replace(/\p{Cc}+/gu, ' '));
  if (field !== 'time') return new Exact(value).toFixed();
  return new Date(value * 1000).toISOString().replace('.000', '');
}
