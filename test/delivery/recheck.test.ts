import { expect, it, onTestFinished, vi } from 'vitest';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { deliveryWorkerOf } from '../support/delivery-worker.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { notingSource } from './channel.ts';

const [SERVERS, PERSONS] = ['100000000000000001', '100000000000000002'];

it('tries a blocked channel again by and by, and one that is left alone only when it is unblocked', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const channelQueues = channelQueuesIn(documentStore(), () => 0);
  const asked: string[] = [];
  const machine = testMachine({
    nowMs: () => 0,
    monotonicMs: () => 0,
    sleep: async () => {},
    random: () => 0.5,
  });
  const worker = deliveryWorkerOf(machine, {
    sources: [notingSource(asked)],
    channelQueues,
    isRechecked: (channelId) => channelId !== PERSONS,
  });
  onTestFinished(worker.stop);
  const block = { reason: 'closed', cause: 'unknown' as const, isGone: false, sinceMs: 0 };
  for (const channelId of [SERVERS, PERSONS]) await channelQueues.update(channelId, { block });
  worker.start();
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  await vi.waitFor(() => expect(asked).toEqual([SERVERS]), 20_000);
  expect([SERVERS, PERSONS].map((channelId) => worker.block(channelId))).toEqual([null, block]);
  await worker.unblock(PERSONS);
  await vi.waitFor(() => expect(asked).toEqual([SERVERS, PERSONS]), 20_000);
});
