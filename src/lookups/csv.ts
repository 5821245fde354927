import { stringify } from 'csv-stringify/sync';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import { inTurns } from '../lib/async/turns.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/formulas.ts';

const BYTES_LIMIT = 1_000_000;

/** Headings and the fields that stand below them. */
const ACTIVITY_COLUMNS = {
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
const FLOW_COLUMNS = {
  time_utc: 'time',
  type: 'type',
  amount_usdc: 'amount',
  counterparty: 'address',
  tx_hash: 'txHash',
} as const;

/** Trades and redemptions as a table, newest first, at most 1 MB. `net_usdc` is positive where USDC left the wallet. */
export function activityCsv(items: readonly ActivityItem[]) {
  return table(ACTIVITY_COLUMNS, items);
}

/** Deposits and withdrawals as a table, with the same limit. */
export function flowsCsv(items: readonly TransferItem[]) {
  return table(FLOW_COLUMNS, items);
}

export type Csv = Awaited<ReturnType<typeof table>>;

/** @returns also how many rows it has, and how many records were left out because the file would be too large */
async function table<Field extends string>(
  columns: Readonly<Record<string, Field>>,
  items: readonly Readonly<Record<Field, string | number | null>>[],
) {
  const lines = [stringify([Object.keys(columns)])];
  const fields = Object.values(columns);
  let bytes = Buffer.byteLength(lines[0] ?? '');
  writing: for await (const piece of inTurns(items)) {
    for (const item of piece) {
      const line = stringify([fields.map((field) => cell(field, item[field]))]);
      bytes += Buffer.byteLength(line);
      if (bytes > BYTES_LIMIT) break writing;
      lines.push(line);
    }
  }
  const rows = lines.length - 1;
  return { data: Buffer.from(lines.join('')), rows, left: items.length - rows };
}

/** A figure with all its digits and no exponent, 0.0000001; one line of text that no spreadsheet runs. */
function cell(field: string, value: string | number | null): string {
  if (typeof value !== 'number') return escapeFormulas((value ?? '').replace(/\p{Cc}+/gu, ' '));
  return field === 'time' ? new Date(value * 1000).toISOString().replace('.000', '') : new Exact(value).toFixed();
}
