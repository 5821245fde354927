import type { LedgerRecord } from '@walletbell/venue-server/ledger';

/** A destination of alerts that compares the expected with the received ones. */
export interface Destination {
  /**
   * Expects an alert for a wallet's record.
   *
   * @param atMs epoch ms, before the venue could show the record
   */
  expect(record: LedgerRecord, atMs: number): void;
  /** Returns the number of records that have not arrived. */
  missing(): number;
  /** Resolves when something has arrived, or the signal aborts. */
  change(signal: AbortSignal): Promise<void>;
  /** Returns statistics of the received alerts; those in `FAULTS` must be 0. */
  report(): Readonly<Record<string, number>>;
}

/** Statistics of a report that indicate a fault. */
const FAULTS = [
  'lost',
  'duplicated',
  'early',
  'gaps',
  'outOfOrder',
  'unexpected',
  'unverified',
  'skipped',
];

/** Returns the faults in a report; empty if there are none. */
export function faultsIn(report: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(report).filter(([name, count]) => FAULTS.includes(name) && count > 0),
  );
}
