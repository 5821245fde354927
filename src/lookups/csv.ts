import { stringify } from 'csv-stringify/sync';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import { inTurns } from '../lib/async/turns.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/formulas.ts';

const ROWS_LIMIT = 2_000;
const BYTES_LIMIT = 1_000_000;

/** The columns of a table: the heading, and what stands in a row. */
type Columns<Item> = readonly (readonly [heading: string, cell: (item: Item) => string])[];

/** Trades and redemptions as a table, newest first, at most 2,000 rows and 1 MB. `net_usdc` is positive where USDC left the wallet. */
export function activityCsv(items: readonly ActivityItem[]) {
  return table(ACTIVITY_COLUMNS, items);
}

const ACTIVITY_COLUMNS: Columns<ActivityItem> = [
  ['time_utc', (item) => time(item.time)],
  ['action', (item) => text(item.action)],
  ['outcome', (item) => text(item.positionSide)],
  ['shares', (item) => figure(item.quantity)],
  ['price_cents', (item) => figure(item.price)],
  ['gross_usdc', (item) => figure(item.grossValue)],
  ['fee_usdc', (item) => figure(item.fee)],
  ['net_usdc', (item) => figure(item.transferNetAmount)],
  ['liquidity_role', (item) => text(item.liquidityRole ?? '')],
  ['market_title', (item) => text(item.marketTitle)],
  ['market_id', (item) => text(item.marketId)],
  ['market_slug', (item) => text(item.marketSlug)],
  ['event_slug', (item) => text(item.eventSlug)],
  ['condition_id', (item) => text(item.conditionId)],
  ['token_id', (item) => text(item.tokenId)],
  ['tx_hash', (item) => text(item.txHash)],
];

/** Deposits and withdrawals as a table, with the same limits. */
export function flowsCsv(items: readonly TransferItem[]) {
  return table(FLOW_COLUMNS, items);
}

const FLOW_COLUMNS: Columns<TransferItem> = [
  ['time_utc', (item) => time(item.time)],
  ['type', (item) => text(item.type)],
  ['amount_usdc', (item) => figure(item.amount)],
  ['counterparty', (item) => text(item.address)],
  ['tx_hash', (item) => text(item.txHash)],
];

export type Csv = Awaited<ReturnType<typeof table>>;

/** @returns also how many rows it has, and how many records were left out because the file would be too large */
async function table<Item>(columns: Columns<Item>, items: readonly Item[]) {
  const lines = [stringify([columns.map(([heading]) => heading)])];
  let bytes = Buffer.byteLength(lines[0] ?? '');
  writing: for await (const piece of inTurns(items.slice(0, ROWS_LIMIT))) {
    for (const item of piece) {
      const line = stringify([columns.map(([, cell]) => cell(item))]);
      bytes += Buffer.byteLength(line);
      if (bytes > BYTES_LIMIT) break writing;
      lines.push(line);
    }
  }
  const rows = lines.length - 1;
  return { data: Buffer.from(lines.join('')), rows, left: items.length - rows };
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '');
}

/** All digits, no exponent: 0.0000001. */
function figure(value: number): string {
  return new Exact(value).toFixed();
}

/** One line of text that no spreadsheet runs. */
function text(value: string): string {
  return escapeFormulas(value.replace(/\p{Cc}+/gu, ' '));
}
