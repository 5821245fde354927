import { createRetryBudget } from '../../src/delivery/refused/retry-budget.ts';
import type { Machine } from '../../src/lib/machine.ts';

/**
 * Creates a retry budget with the address's full share of retries, in which each channel is its own
 * payer.
 */
export function retryBudgetOf(machine: Machine) {
  return createRetryBudget(machine, {
    share: 1,
    accountIn: (channelId) => ({ payer: channelId, owner: channelId, weight: 1 }),
  });
}
