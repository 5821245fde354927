import {
  channelQueueKind,
  createChannelQueueStore,
  deadLetterKind,
} from '../../src/delivery/channel-queue.ts';
import type { Store } from '../../src/store/store.ts';
import { testMachine } from './machine.ts';

/** Creates the channels' queues in a store, and loads the given stored documents. */
export function channelQueuesIn(
  store: Pick<Store, 'get' | 'set' | 'delete'>,
  nowMs: () => number = Date.now,
  stored: Iterable<readonly [key: string, document: unknown]> = [],
) {
  const machine = testMachine({ nowMs, monotonicMs: nowMs });
  const queues = channelQueueKind.open(machine, store);
  for (const [key, document] of stored) if (queues.holds(key)) queues.load(key, document);
  return createChannelQueueStore(machine, queues, deadLetterKind.open(machine, store));
}
