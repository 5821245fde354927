import type { LedgerRecord } from '@walletbell/venue-server/ledger';

/** Somewhere alerts go to, with an account of what has to come there and what has come. */
export interface Destination {
  /**
   * A wallet did this.
   *
   * @param atMs epoch ms, before the venue could show it
   */
  expect(record: LedgerRecord, atMs: number): void;
  /** Number of records that have not come. */
  missing(): number;
  /** Resolves when something has come, or the signal aborts. */
  change(signal: AbortSignal): Promise<void>;
  /** Figures of what has come; those of `FAULTS` are to be 0. */
  report(): Readonly<Record<string, number>>;
}

/** Figures of a report that tell of a fault. */
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

/** What a report tells of faults; nothing if there are none. */
export function faultsIn(report: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(report).filter(([name, count]) => FAULTS.includes(name) && count > 0),
  );
}
