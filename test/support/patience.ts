import { createPatience } from '../../src/delivery/patience.ts';
import type { Machine } from '../../src/lib/machine.ts';

/** All tries that an address may have; each channel is its own payer. */
export function patienceOf(machine: Pick<Machine, 'monotonicMs' | 'sleep'>) {
  return createPatience(machine, {
    share: 1,
    accountIn: (channelId) => ({ payer: channelId, owner: channelId, weight: 1 }),
  });
}
