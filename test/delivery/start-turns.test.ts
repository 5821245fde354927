import { expect, it, onTestFinished } from 'vitest';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { deliveryWorkerOf } from '../support/delivery-worker.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';

const CHANNELS = Array.from({ length: 50 }, (_, index) => `2000000000000000${index + 10}`);

it('decides in one channel a turn of the event loop, where many begin at once, and in all of them', async () => {
  const machine = testMachine();
  let turns = 0;
  let isCounting = true;
  const count = () => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  const askedIn: number[] = [];
  const worker = deliveryWorkerOf(machine, {
    sources: [
      {
        name: 'alert',
        async next() {
          askedIn.push(turns);
          return Number.POSITIVE_INFINITY;
        },
        drop: async () => 0,
        channels: () => CHANNELS,
      },
    ],
    channelQueues: channelQueuesIn(documentStore(), () => 0),
  });
  onTestFinished(worker.stop);
  count();
  worker.start();
  await expect.poll(() => askedIn.length).toBe(CHANNELS.length);
  isCounting = false;
  expect(new Set(askedIn).size).toBe(CHANNELS.length);
});
