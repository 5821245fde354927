import { expect, onTestFinished } from 'vitest';
import { type LedgerRecord, openLedger } from '../src/ledger.ts';
import type { ActivityItem } from '../src/records.ts';
import { createSimulator } from '../src/simulator/simulator.ts';
import { START_SECONDS } from './support.ts';

/** Creates a simulated world that lasts until the test ends. Its clock moves only when set. */
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
    /** Live records in the order in which they entered the ledger. */
    entered: entered as readonly LedgerRecord[],
    /** Sets the clock to this many seconds after the start. */
    setSeconds(seconds: number) {
      nowSeconds = START_SECONDS + seconds;
    },
    /** Sets the clock to this many seconds after the start, and ticks. */
    async until(seconds: number) {
      nowSeconds = START_SECONDS + seconds;
      const before = entered.length;
      const returned = await simulator.tick();
      expect(entered.slice(before)).toEqual(returned);
    },
    /** Returns a wallet's activity as the venue lists it, but oldest first. */
    listed: async (address: string) => (await ledger.allActivity(address)).reverse(),
  };
}

export const activityOf = (records: readonly LedgerRecord[]): ActivityItem[] =>
  records.flatMap((record) => (record.kind === 'activity' ? [record.item] : []));
export const kindOf = ({ item }: LedgerRecord) => ('action' in item ? item.action : item.type);
