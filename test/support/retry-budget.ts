import { createRetryBudget } from '../../src/delivery/refused/retry-budget.ts';
import type { Machine } from '../../src/lib/machine.ts';

/** All tries that an address may have; each channel is its own payer. */
export function retryBudgetOf(machine: Pick<Machine, 'monotonicMs' | 'sleep'>) {
  return createRetryBudget(machine, {
    share: 1,
    accountIn: (channelId) => ({ payer: channelId, owner: channelId, weight: 1 }),
  });
}
