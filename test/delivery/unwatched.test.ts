import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { World } from '../embeds/world.ts';
import { moment } from '../support/moment.ts';
import { WALLET_A } from '../support/wallets.ts';
import { CHANNEL, openChannel, turns } from './channel.ts';

const NOTHING_HAPPENS_FOR_MS = 3_600_000;

function openPolledChannel(fates: World['fates'] = []) {
  const channel = openChannel({ cooldownSeconds: 600 });
  channel.world.isPolled = true;
  channel.world.fates = fates;
  return { ...channel, run: channel.run, worker: channel.run.deliveryWorker };
}

describe('a channel that does not want its alerts any more', () => {
  it('drops what waits at once, also while it cannot be written', async () => {
    const { world, run, foundEach, found, worker, wait, shown } = openPolledChannel(['forbidden']);
    await foundEach(10_000, 'before');
    expect(worker.block(CHANNEL)).not.toBeNull();
    world.unwanted.add(CHANNEL);
    worker.reconsider(CHANNEL);
    await wait(1_000);
    expect(run.outbox.pending(CHANNEL)).toEqual([]);
    world.unwanted.delete(CHANNEL);
    await found('after');
    await worker.unblock(CHANNEL);
    await wait(10_000);
    expect(shown()).toEqual(['after']);
  });

  it('drops it also where the program ended before it could', async () => {
    const { world, foundEach, wait, restart } = openPolledChannel(['forbidden']);
    await foundEach(10_000, 'before');
    world.unwanted.add(CHANNEL);
    const next = restart();
    await wait(10_000);
    expect(next.outbox.pending(CHANNEL)).toEqual([]);
    expect(next.deliveryWorker.block(CHANNEL)).not.toBeNull();
  });
});

describe('a channel that is forgotten', () => {
  it('leaves nothing in the store, and gets nothing afterwards, whatever was under way', async () => {
    for (const fates of [
      [],
      ['serverError', 'serverError'],
      ['banned'],
      ['lostAfter'],
      ['forbidden'],
    ] as const) {
      for (let count = 0; count < 40; count += 1) {
        const { world, run, found, worker, wait } = openPolledChannel([...fates]);
        await found('a');
        await turns(count);
        world.unwanted.add(CHANNEL);
        await worker.forget(CHANNEL);
        const posted = world.posted.length;
        await run.outbox.forget(WALLET_A, () => false);
        await wait(NOTHING_HAPPENS_FOR_MS);
        const where = `${count} turns, ${fates.join(' ')}`;
        expect([...world.disk.keys()], where).toEqual([]);
        expect(world.posted, where).toHaveLength(posted);
      }
    }
  });

  it('is not waited for longer than for what is being sent', async () => {
    const { world, foundEach, worker, queues } = openPolledChannel(['serverError']);
    await foundEach(500, 'a');
    const atMs = world.nowMs;
    world.unwanted.add(CHANNEL);
    await worker.forget(CHANNEL);
    expect(world.nowMs).toBe(atMs);
    expect(queues()).toEqual([]);
  });

  it('loses nothing of a watch that begins before Discord has answered what was being sent', async () => {
    const { world, found, worker, wait, shown } = openPolledChannel();
    const answered = moment();
    world.answering = answered.reached;
    await found('a');
    await turns(40);
    world.unwanted.add(CHANNEL);
    const forgotten = worker.forget(CHANNEL);
    await turn();
    world.unwanted.delete(CHANNEL);
    await found('b');
    answered.reach();
    await forgotten;
    await wait(60_000);
    expect(shown()).toEqual(['a', 'b']);
  });

  it('delivers again once it is watched again, also at once', async () => {
    for (let count = 0; count < 40; count += 1) {
      const { world, foundEach, found, worker } = openPolledChannel(['serverError']);
      await found('a');
      await turns(count);
      const forgotten = worker.forget(CHANNEL);
      await found('b');
      await forgotten;
      await foundEach(60_000, 'c');
      expect(world.posted.at(-1)?.alerts, `${count} turns`).toContain('c');
    }
  });
});
