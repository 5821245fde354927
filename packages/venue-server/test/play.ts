import { expect, onTestFinished } from 'vitest';
import { type LedgerRecord, openLedger } from '../src/ledger.ts';
import type { ActivityItem } from '../src/records.ts';
import { createSimulator } from '../src/simulator/simulator.ts';
import { START_SECONDS } from './support.ts';

/** A simulated world, until the test ends; its clock stands still until it is moved. */
export async function play(seed: string) {
  const ledger = await openLedger({ path: ':memory:' });
  onTestFinished(ledger.close);
  let nowSeconds = START_SECONDS;
  const entered: LedgerRecord[] = [];
  const onRecord = (record: LedgerRecord) => void entered.push(record);
  const simulator = createSimulator({ ledger, seed, nowSeconds: () => nowSeconds, onRecord });
  return {
    ledger,
    simulator,
    /** In the order in which they entered the ledger, without those of the backfill. */
    entered: entered as readonly LedgerRecord[],
    /** Moves the clock to so many seconds after the start. */
    setSeconds(seconds: number) {
      nowSeconds = START_SECONDS + seconds;
    },
    /** Moves the clock to so many seconds after the start, and plays. */
    async until(seconds: number) {
      nowSeconds = START_SECONDS + seconds;
      const before = entered.length;
      const returned = await simulator.tick();
      expect(entered.slice(before)).toEqual(returned);
    },
    /** As the venue lists them, oldest first. */
    listed: async (address: string) => (await ledger.allActivity(address)).reverse(),
  };
}

export const activityOf = (records: readonly LedgerRecord[]): ActivityItem[] =>
  records.flatMap((record) => (record.kind === 'activity' ? [record.item] : []));
export const kindOf = ({ item }: LedgerRecord) => ('action' in item ? item.action : item.type);
