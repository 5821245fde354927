import { stringify } from 'csv-stringify/sync';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import { Exact } from '../lib/exact.ts';
import { escapeFormulas } from '../lib/formulas.ts';
import { inTurns } from '../lib/turns.ts';

const ROWS_LIMIT = 2_000;
const BYTES_LIMIT = 1_000_000;

export interface Csv {
  readonly data: Buffer;
  readonly rows: number;
  /** Records that were left out, because the file would be too large. */
  readonly left: number;
}

type Row = readonly string[];

/** Trades and redemptions as a table, newest first, at most 2,000 rows and 1 MB. `net_usdc` is positive where USDC left the wallet. */
export function activityCsv(items: readonly ActivityItem[]): Promise<Csv> {
  return table(
    [
      'time_utc',
      'action',
      'outcome',
      'shares',
      'price_cents',
      'gross_usdc',
      'fee_usdc',
      'net_usdc',
      'liquidity_role',
      'market_title',
      'market_id',
      'market_slug',
      'event_slug',
      'condition_id',
      'token_id',
      'tx_hash',
    ],
    items,
    (item) => [
      time(item.time),
      text(item.action),
      text(item.positionSide),
      figure(item.quantity),
      figure(item.price),
      figure(item.grossValue),
      figure(item.fee),
      figure(item.transferNetAmount),
      text(item.liquidityRole ?? ''),
      text(item.marketTitle),
      text(item.marketId),
      text(item.marketSlug),
      text(item.eventSlug),
      text(item.conditionId),
      text(item.tokenId),
      text(item.txHash),
    ],
  );
}

/** Deposits and withdrawals as a table, with the same limits. */
export function flowsCsv(items: readonly TransferItem[]): Promise<Csv> {
  return table(['time_utc', 'type', 'amount_usdc', 'counterparty', 'tx_hash'], items, (item) => [
    time(item.time),
    text(item.type),
    figure(item.amount),
    text(item.address),
    text(item.txHash),
  ]);
}

async function table<Item>(header: Row, items: readonly Item[], row: (item: Item) => Row): Promise<Csv> {
  const lines = [stringify([header])];
  let bytes = Buffer.byteLength(lines[0] ?? '');
  writing: for await (const piece of inTurns(items.slice(0, ROWS_LIMIT))) {
    for (const item of piece) {
      const line = stringify([row(item)]);
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
