import { createRetryBudget } from '../../src/delivery/refused/retry-budget.ts';
import { createSendGate } from '../../src/delivery/send-gate.ts';
import { createDeliveryWorker } from '../../src/delivery/worker.ts';
import type { Machine } from '../../src/lib/machine.ts';

type Parts = Parameters<typeof createDeliveryWorker>[1];

/**
 * Creates a delivery worker with the address's full share of retries, in which each channel is its
 * own payer. The gateway's cache knows nothing about the channels, unless `parts` say otherwise.
 */
export function deliveryWorkerOf(
  machine: Machine,
  parts: Pick<Parts, 'sources' | 'channelQueues'> & Partial<Parts>,
) {
  return createDeliveryWorker(machine, {
    gate: createSendGate(machine),
    retryBudget: createRetryBudget(machine, {
      share: 1,
      accountIn: (channelId) => ({ payer: channelId, owner: channelId, weight: 1 }),
    }),
    isKnown: () => true,
    reachOf: () => ({ kind: 'unknown', lacks: null }),
    isRechecked: () => true,
    onRefused() {},
    ...parts,
  });
}
