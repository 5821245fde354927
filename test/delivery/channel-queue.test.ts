import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import {
  type DeadLetter,
  EMPTY_CHANNEL_QUEUE,
  type OutgoingMessage,
} from '../../src/delivery/channel-queue.ts';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { documentStore } from '../support/documents.ts';
import { WALLET_A as wallet } from '../support/wallets.ts';

const DAY_MS = 86_400_000;
const event: WalletEvent = {
  kind: 'gap',
  gap: { cause: 'overflow', endpoint: 'activity', fromSeconds: 1, toSeconds: 2 },
};

function openQueues() {
  const store = documentStore();
  const clock = { nowMs: 1_800_000_000_000 };
  const channelQueues = channelQueuesIn(store, () => clock.nowMs);
  const letter = (id: string, channelId = '1'): DeadLetter => ({
    alert: { id, wallet, channelId, event, seenAtMs: 0 },
    reason: 'Invalid Form Body',
    atMs: clock.nowMs,
  });
  return { store, clock, channelQueues, letter, keys: () => [...store.documents.keys()] };
}

describe('the documents of channels', () => {
  it('keep nothing of a channel to which nothing is on its way and that can be written', async () => {
    const { channelQueues, keys } = openQueues();
    const message: OutgoingMessage = {
      nonce: 'n',
      groups: [{ kind: 'alert', wallet, ids: ['a'] }],
      startedAtMs: 1,
      messageId: null,
      noise: { roleIds: [], isSilent: false },
      cooldownUpdate: { markets: {}, mentions: [] },
    };
    await channelQueues.update('1', { ...EMPTY_CHANNEL_QUEUE, message });
    expect([channelQueues.channels(), keys()]).toEqual([['1'], ['queue:1']]);
    await channelQueues.update('1', EMPTY_CHANNEL_QUEUE);
    expect([channelQueues.channels(), keys()]).toEqual([[], []]);
    expect(channelQueues.get('1')).toEqual(EMPTY_CHANNEL_QUEUE);
    await channelQueues.update('1', {
      ...EMPTY_CHANNEL_QUEUE,
      block: { reason: 'closed', cause: 'unknown' as const, isGone: false, sinceMs: 1 },
    });
    expect(keys()).toEqual(['queue:1']);
    await channelQueues.update('1', {
      ...EMPTY_CHANNEL_QUEUE,
      cooldowns: { markets: {}, mentions: { [wallet]: 1 } },
    });
    expect(keys()).toEqual(['queue:1']);
  });

  it('keep a dead letter for thirty days, also if the process runs all the time', async () => {
    const { channelQueues, letter, clock, keys } = openQueues();
    await channelQueues.addDeadLetter(letter('old'));
    clock.nowMs += 29 * DAY_MS;
    await channelQueues.addDeadLetter(letter('young', '2'));
    expect(keys()).toHaveLength(2);
    clock.nowMs += 2 * DAY_MS;
    await channelQueues.addDeadLetter(letter('new', '3'));
    expect(keys()).toEqual([`dead:2:${wallet}:young`, `dead:3:${wallet}:new`]);
    expect(channelQueues.deadLetters('1')).toEqual([]);
  });

  it('keep the hundred newest dead letters of a channel, each once', async () => {
    const { channelQueues, letter, keys } = openQueues();
    for (let index = 0; index < 150; index += 1)
      await channelQueues.addDeadLetter(letter(`l${index}`));
    await channelQueues.addDeadLetter(letter('l149'));
    expect(channelQueues.deadLetters('1').map(({ alert }) => alert.id)).toEqual(
      Array.from({ length: 100 }, (_, index) => `l${index + 50}`),
    );
    expect(keys()).toHaveLength(100);
  });
});
