import { describe, expect, it } from 'vitest';
import { put } from '../embeds/put.ts';
import { WALLET_A } from '../support/wallets.ts';
import { CHANNEL, deposit, fillAlert, openChannel } from './channel.ts';

const MINUTE_MS = 60_000;
const CLOSED_CHANNEL = '100000000000000002';
const WALLET_WRITE = 'wallet';
const QUEUE_WRITE = 'queue';

/** A channel, and what is written for it: of the wallet's document and of the channel's queue. */
function openCounted() {
  const channel = openChannel();
  const { world } = channel;
  return {
    ...channel,
    /** Takes the writes since it was asked last. */
    writes: () => world.writes.splice(0).map((key) => key.slice(0, key.indexOf(':'))),
    /** The queue as a start finds it; undefined if there is none. */
    stored: () => JSON.parse(world.disk.get(`queue:${CHANNEL}`) ?? 'null') ?? undefined,
  };
}

describe('what is written for an alert', () => {
  it('is five writes: it is found, decided, sent, acknowledged, and in the end forgotten', async () => {
    const { foundEach, wait, writes, queues } = openCounted();
    await foundEach(4 * MINUTE_MS, fillAlert('x'));
    const untilSent = [WALLET_WRITE, QUEUE_WRITE, QUEUE_WRITE, WALLET_WRITE];
    expect(writes()).toEqual(untilSent);
    await wait();
    expect([writes(), queues()]).toEqual([[QUEUE_WRITE], []]);
  });

  it('is four writes of those that another one follows, also where the other is added to its message', async () => {
    const { world, foundEach, writes } = openCounted();
    const four = [WALLET_WRITE, QUEUE_WRITE, QUEUE_WRITE, WALLET_WRITE];
    const alerts = [fillAlert('x'), fillAlert('y', { market: 1 }), fillAlert('z')];
    for (const alert of alerts) {
      await foundEach(30_000, alert);
      expect(writes()).toEqual(four);
    }
    expect(world.posted.map(({ alerts }) => alerts)).toEqual([['x', 'z'], ['y']]);
  });

  it('says that a message is done after a minute where nothing else of the queue changes', async () => {
    const { foundEach, wait, writes, stored } = openCounted();
    await foundEach(MINUTE_MS - 1, deposit('x'));
    expect(writes()).toHaveLength(4);
    expect(stored()).toMatchObject({ message: { messageId: 'm1' } });
    await wait(2);
    expect([writes(), stored()]).toEqual([[QUEUE_WRITE], undefined]);
  });

  it('says that a message, or an edit, is done when the bot is stopped', async () => {
    const { foundEach, run, stored } = openCounted();
    await foundEach(10_000, fillAlert('x'), fillAlert('y'));
    expect(stored()).toMatchObject({ message: null, edit: { isDone: true } });
    await foundEach(10_000, fillAlert('z', { market: 1 }));
    expect(stored()).toMatchObject({ message: { messageId: 'm2' }, edit: null });
    await run.deliveryWorker.stop();
    expect(stored()).toMatchObject({ message: null, edit: null });
  });

  it('is nothing more at a start that finds a message and an edit done, and nothing is sent', async () => {
    const { world, found, wait, restart, writes, stored, ...channel } = openCounted();
    let { outbox } = channel.run;
    world.reach.set(CLOSED_CHANNEL, { kind: 'closed', lacks: '' });
    for (const alerts of [[deposit('a'), fillAlert('x')], [fillAlert('y')]]) {
      await found(...alerts);
      await wait(20_000);
      const { message, edit } = stored();
      expect([message?.messageId ?? edit?.messageId, edit?.isDone ?? true]).toEqual(['m1', true]);
      // Something else waits in the wallet's document.
      const other = { id: 'later', event: deposit('').event, seenAtMs: world.nowMs };
      await put(outbox, WALLET_A, {}, [{ ...other, channels: [CLOSED_CHANNEL] }]);
      const before = structuredClone(world.posted);
      writes();
      ({ outbox } = restart());
      await wait(20_000);
      expect([writes(), world.posted, world.historyReads]).toEqual([[], before, 0]);
      expect(outbox.pending(CHANNEL)).toEqual([]);
      expect(stored()).toMatchObject({ message, edit });
    }
    await wait();
    expect(stored()).toBeUndefined();
  });
});
