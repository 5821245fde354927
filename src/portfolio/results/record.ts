import * as z from 'zod';
import { decimalText, Exact, stored } from '../../lib/exact.ts';

/** A position that is open for longer than this counts as lost where wallets are compared: losers are never redeemed. */
const OVERDUE_SECONDS = 30 * 86_400;

/** Sums over markets that suffice for a mean return and its error. USDC: paid with fees, received after fees. */
export const returnSumsSchema = z.object({
  markets: z.number(),
  paid: decimalText,
  received: decimalText,
  /** Sums of paid², received² and paid·received. */
  paidPaid: z.number(),
  receivedReceived: z.number(),
  paidReceived: z.number(),
});
export type ReturnSums = z.infer<typeof returnSumsSchema>;
export const NO_MARKETS: ReturnSums = {
  markets: 0,
  paid: '0',
  received: '0',
  paidPaid: 0,
  receivedReceived: 0,
  paidReceived: 0,
};

/** How a wallet's alerts did in one channel: sums over closed markets. */
export const recordSchema = returnSumsSchema.extend({
  channelId: z.string(),
  /** Closed markets that gained. */
  won: z.number(),
  /** USDC over closed markets. */
  fees: decimalText,
  /** Markets that were abandoned before they were closed. */
  abandoned: z.number(),
  /** Those of them that had been open for more than 30 days by then: what was still held of them counts as lost. */
  overdue: returnSumsSchema,
});
export type ScoreRecord = z.infer<typeof recordSchema>;

/** What was paid and received in one market, USDC, and the fees that are in both. */
interface Amounts {
  readonly paid: Exact;
  readonly received: Exact;
  readonly fees: Exact;
}

/** Whether a position has been open for more than 30 days. @param openedSeconds Unix seconds, as `nowSeconds` */
export function isOverdue({ openedSeconds }: { readonly openedSeconds: number }, nowSeconds: number): boolean {
  return nowSeconds - openedSeconds > OVERDUE_SECONDS;
}

export function addMarket(sums: ReturnSums, { paid, received }: Pick<Amounts, 'paid' | 'received'>): ReturnSums {
  return {
    markets: sums.markets + 1,
    paid: stored(paid.plus(sums.paid)),
    received: stored(received.plus(sums.received)),
    paidPaid: sums.paidPaid + paid.times(paid).toNumber(),
    receivedReceived: sums.receivedReceived + received.times(received).toNumber(),
    paidReceived: sums.paidReceived + paid.times(received).toNumber(),
  };
}

export function addSums(one: ReturnSums, other: ReturnSums): ReturnSums {
  return {
    markets: one.markets + other.markets,
    paid: stored(new Exact(one.paid).plus(other.paid)),
    received: stored(new Exact(one.received).plus(other.received)),
    paidPaid: one.paidPaid + other.paidPaid,
    receivedReceived: one.receivedReceived + other.receivedReceived,
    paidReceived: one.paidReceived + other.paidReceived,
  };
}

/** Counts a closed market in the record of a channel. */
export function countClosed(records: readonly ScoreRecord[], channelId: string, amounts: Amounts): ScoreRecord[] {
  return changeRecord(records, channelId, (record) => ({
    ...record,
    ...addMarket(record, amounts),
    won: record.won + (amounts.received.gt(amounts.paid) ? 1 : 0),
    fees: stored(amounts.fees.plus(record.fees)),
  }));
}

/** Counts an abandoned market in the record of a channel. @param lost if it was overdue: what it had come to by then */
export function countAbandoned(
  records: readonly ScoreRecord[],
  channelId: string,
  lost: Amounts | null,
): ScoreRecord[] {
  return changeRecord(records, channelId, (record) => ({
    ...record,
    abandoned: record.abandoned + 1,
    overdue: lost === null ? record.overdue : addMarket(record.overdue, lost),
  }));
}

function changeRecord(
  records: readonly ScoreRecord[],
  channelId: string,
  change: (record: ScoreRecord) => ScoreRecord,
): ScoreRecord[] {
  const before = records.find((record) => record.channelId === channelId) ?? {
    channelId,
    ...NO_MARKETS,
    won: 0,
    fees: '0',
    abandoned: 0,
    overdue: NO_MARKETS,
  };
  return [...records.filter((record) => record.channelId !== channelId), change(before)];
}
