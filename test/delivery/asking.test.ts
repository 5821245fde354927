import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { deliveryWorkerOf } from '../support/delivery-worker.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { turns } from './channel.ts';

const [ONE, OTHER] = ['100000000000000001', '100000000000000002'] as const;

/** A worker whose only source has nothing, and notes the channels that it is asked about. */
function openWorker(
  channelIds: readonly string[],
  given: Partial<Parameters<typeof deliveryWorkerOf>[1]> = {},
  onAsked = () => {},
) {
  const asked: string[] = [];
  const channelQueues = channelQueuesIn(documentStore(), () => 0);
  const source = {
    name: 'alert' as const,
    async next(channelId: string) {
      asked.push(channelId);
      onAsked();
      return Number.POSITIVE_INFINITY;
    },
    drop: async () => 0,
    channels: () => channelIds,
  };
  const machine = testMachine({ nowMs: () => 0, monotonicMs: () => 0, sleep: async () => {} });
  const worker = deliveryWorkerOf(machine, { sources: [source], channelQueues, ...given });
  onTestFinished(worker.stop);
  return { worker, channelQueues, asked };
}

describe('a worker', () => {
  it('asks nothing of a channel before all that waits for it is known', async () => {
    const read = new Set<string>([ONE]);
    const { worker, asked } = openWorker([ONE, OTHER], { isKnown: (id) => read.has(id) });
    worker.start();
    worker.reconsider(OTHER);
    await worker.onTaken(OTHER);
    await turns(20);
    expect(asked).toEqual([ONE]);
    read.add(OTHER);
    worker.reconsider(OTHER);
    await turns(20);
    expect(asked).toEqual([ONE, OTHER]);
  });

  it('tries a blocked channel again by and by, and one that is left alone only when it is unblocked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { worker, channelQueues, asked } = openWorker([], { isRechecked: (id) => id !== OTHER });
    const block = { reason: 'closed', cause: 'unknown' as const, isGone: false, sinceMs: 0 };
    for (const channelId of [ONE, OTHER]) await channelQueues.update(channelId, { block });
    worker.start();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    await vi.waitFor(() => expect(asked).toEqual([ONE]), 20_000);
    expect([ONE, OTHER].map((channelId) => worker.block(channelId))).toEqual([null, block]);
    await worker.unblock(OTHER);
    await vi.waitFor(() => expect(asked).toEqual([ONE, OTHER]), 20_000);
  });

  it('decides in one channel a turn of the event loop, where many begin at once, and in all of them', async () => {
    let turn = 0;
    let isCounting = true;
    const count = () => {
      turn += 1;
      if (isCounting) setImmediate(count);
    };
    const channels = Array.from({ length: 50 }, (_, index) => `2000000000000000${index + 10}`);
    const askedIn: number[] = [];
    const { worker } = openWorker(channels, {}, () => void askedIn.push(turn));
    count();
    worker.start();
    await expect.poll(() => askedIn.length).toBe(channels.length);
    isCounting = false;
    expect(new Set(askedIn).size).toBe(channels.length);
  });
});
