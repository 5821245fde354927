import type { Machine } from '../machine.ts';
import { HOUR_MS } from '../time.ts';
import type { Account } from './account.ts';

/** Number of payers in a log line. */
const NAMED = 10;

interface Counted {
  count: number;
  readonly byOwner: Map<string, number>;
}

/**
 * Counts what payers use, such as polls, and logs once an hour the ten that used most.
 *
 * @param line fields of each line
 */
export function createBusiestPayers({ log, sleep }: Machine, line: { readonly event: string }) {
  const byPayer = new Map<string, Counted>();

  const logPayers = (): void => {
    if (byPayer.size === 0) return;
    const payers = Array.from(byPayer, ([payer, { count, byOwner }]) => ({
      payer,
      // The guild that an operator can find and block, because a payer is only a hash.
      guild: ownerWithMost(byOwner),
      count: Math.round(count),
    }));
    const busiest = payers.toSorted((one, other) => other.count - one.count).slice(0, NAMED);
    const total = payers.reduce((sum, { count }) => sum + count, 0);
    log.info({ ...line, total, payers: payers.length, busiest });
    byPayer.clear();
  };

  return {
    /** @param amount part of one use, if several share it */
    count({ payer, owner }: Account, amount = 1): void {
      const counted = byPayer.get(payer) ?? { count: 0, byOwner: new Map() };
      byPayer.set(payer, counted);
      counted.count += amount;
      counted.byOwner.set(owner, (counted.byOwner.get(owner) ?? 0) + amount);
    },
    /** Logs once an hour until `signal` is aborted, unless nothing was used. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await sleep(HOUR_MS, signal);
        if (!signal.aborted) logPayers();
      }
    },
  };
}

function ownerWithMost(byOwner: ReadonlyMap<string, number>): string | null {
  let most: readonly [owner: string | null, count: number] = [null, 0];
  for (const each of byOwner) if (each[1] > most[1]) most = each;
  return most[0];
}
