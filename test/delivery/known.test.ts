import { expect, it, onTestFinished } from 'vitest';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { deliveryWorkerOf } from '../support/delivery-worker.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { notingSource, turns } from './channel.ts';

it('asks nothing of a channel before all that waits for it is known', async () => {
  const [known, unknown] = ['100000000000000001', '100000000000000002'];
  const read = new Set([known]);
  const asked: string[] = [];
  const machine = testMachine();
  const worker = deliveryWorkerOf(machine, {
    sources: [notingSource(asked, [known, unknown])],
    channelQueues: channelQueuesIn(documentStore(), () => 0),
    isKnown: (channelId) => read.has(channelId),
  });
  onTestFinished(worker.stop);
  worker.start();
  worker.reconsider(unknown);
  await worker.onTaken(unknown);
  await turns(20);
  expect(asked).toEqual([known]);
  read.add(unknown);
  worker.reconsider(unknown);
  await turns(20);
  expect(asked).toEqual([known, unknown]);
});
