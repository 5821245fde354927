import { setImmediate as turn } from 'node:timers/promises';
import type { MessageSource } from '../../src/delivery/message-source.ts';
import { createRetryBudget } from '../../src/delivery/refused/retry-budget.ts';
import { channelQueuesIn } from './channel-queues.ts';
import { deliveryWorkerOf } from './delivery-worker.ts';
import { documentStore } from './documents.ts';
import { testMachine } from './machine.ts';
import { createVirtualTime } from './virtual-time.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 10 * MINUTE_MS;
const PAYERS = 3;

/** Returns the largest number of these times, in ascending order, within any ten minutes. */
export function mostInWindow(timesMs: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [index, atMs] of timesMs.entries()) {
    while ((timesMs[first] ?? atMs) <= atMs - WINDOW_MS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/**
 * Makes a worker retry blocked channels every minute. All of them have something to send, and
 * Discord rejects all of it. This is what happens when an owner keeps changing something in their
 * servers.
 *
 * @returns the time of each rejection in ms, the number of tried channels, and the number still
 *   waiting at the end
 */
export async function tryRefusedChannels(of: {
  readonly channels: number;
  readonly minutes: number;
}) {
  const time = createVirtualTime();
  const machine = testMachine({
    nowMs: time.now,
    monotonicMs: time.now,
    sleep: time.sleep,
    random: () => 0.5,
  });
  const retryBudget = createRetryBudget(machine, {
    share: 1,
    accountIn(channelId) {
      const [payer = ''] = channelId.split('/');
      return { payer, owner: payer, weight: 1 };
    },
  });
  const channelQueues = channelQueuesIn(documentStore(), time.now);
  const channels = Array.from({ length: of.channels }, (_, n) => `${n % PAYERS}/${n}`);
  const block = { reason: 'closed', cause: 'permission' as const, isGone: false, sinceMs: 0 };
  for (const channelId of channels) await channelQueues.update(channelId, { block });
  const refusedMs: number[] = [];
  const tried = new Set<string>();
  const source: MessageSource = {
    name: 'alert',
    next: async (channelId) => ({
      async send() {
        refusedMs.push(time.now());
        tried.add(channelId);
        const refusal = { code: 50013, status: 403, method: 'POST', message: 'no' };
        throw Object.assign(new Error('no'), refusal);
      },
      onMessageGone: async () => {},
      reject: async () => {},
    }),
    drop: async () => 0,
    channels: () => channels,
  };
  const worker = deliveryWorkerOf(machine, {
    sources: [source],
    channelQueues,
    retryBudget,
  });
  const turns = async (most: number) => {
    for (let count = 0; count < most; count += 1) await turn();
  };
  const idle = () => turns(40);
  worker.start();
  for (let minute = 0; minute < of.minutes; minute += 1) {
    for (const channelId of channels) await worker.unblock(channelId);
    // Each starting channel gets its own turn of the event loop.
    await turns(2 * channels.length);
    await time.pass(MINUTE_MS, idle);
  }
  await worker.stop();
  return { refusedMs, tried: tried.size, left: retryBudget.waiting };
}
