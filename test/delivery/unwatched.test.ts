import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/watches/watch-settings.ts';
import { put } from '../embeds/put.ts';
import { Run, settle, World } from '../embeds/world.ts';
import { activityItem, WALLET } from '../venue/samples.ts';

const CHANNEL = '100000000000000001';
const NOTHING_HAPPENS_FOR_MS = 3_600_000;

function setUp(fates: World['fates'] = []) {
  const world = new World();
  world.settings.set(`${CHANNEL}:${WALLET}`, { ...DEFAULT_SETTINGS, cooldownSeconds: 600 });
  world.isPolled = true;
  world.fates = fates;
  const run = new Run(world, Number.POSITIVE_INFINITY);
  const found = (id: string) =>
    put(run.outbox, WALLET, {}, [
      { id, event: { kind: 'activity', item: activityItem() }, seenAtMs: world.nowMs, channels: [CHANNEL] },
    ]);
  return { world, run, found, worker: run.deliveryWorker };
}

describe('a channel that does not want its alerts any more', () => {
  it('drops what waits at once, also while it cannot be written', async () => {
    const { world, run, found, worker } = setUp(['forbidden']);
    await found('before');
    await settle(world, 10_000);
    expect(worker.block(CHANNEL)).not.toBeNull();
    world.unwanted.add(CHANNEL);
    worker.reconsider(CHANNEL);
    await settle(world, 1_000);
    expect(run.outbox.pending(CHANNEL)).toEqual([]);
    world.unwanted.delete(CHANNEL);
    await found('after');
    await worker.unblock(CHANNEL);
    await settle(world, 10_000);
    expect(world.posted.map(({ alerts }) => alerts)).toEqual([['after']]);
  });

  it('drops it also where the program ended before it could', async () => {
    const { world, run, found } = setUp(['forbidden']);
    await found('before');
    await settle(world, 10_000);
    run.isAlive = false;
    world.unwanted.add(CHANNEL);
    const next = new Run(world, Number.POSITIVE_INFINITY);
    await settle(world, 10_000);
    expect(next.outbox.pending(CHANNEL)).toEqual([]);
    expect(next.deliveryWorker.block(CHANNEL)).not.toBeNull();
  });
});

describe('a channel that is forgotten', () => {
  it('leaves nothing in the store, and gets nothing afterwards, whatever was under way', async () => {
    for (const fates of [[], ['serverError', 'serverError'], ['banned'], ['lostAfter'], ['forbidden']] as const) {
      for (let turns = 0; turns < 40; turns += 1) {
        const { world, run, found, worker } = setUp([...fates]);
        await found('a');
        for (let count = 0; count < turns; count += 1) await turn();
        world.unwanted.add(CHANNEL);
        await worker.forget(CHANNEL);
        const posted = world.posted.length;
        await run.outbox.forget(WALLET, () => false);
        await settle(world, NOTHING_HAPPENS_FOR_MS);
        const where = `${turns} turns, ${fates.join(' ')}`;
        expect([...world.disk.keys()], where).toEqual([]);
        expect(world.posted, where).toHaveLength(posted);
      }
    }
  });

  it('is not waited for longer than for what is being sent', async () => {
    const { world, found, worker } = setUp(['serverError']);
    await found('a');
    await settle(world, 500);
    const atMs = world.nowMs;
    world.unwanted.add(CHANNEL);
    await worker.forget(CHANNEL);
    expect(world.nowMs).toBe(atMs);
    expect([...world.disk.keys()].filter((key) => key.startsWith('queue:'))).toEqual([]);
  });

  it('loses nothing of a watch that begins before Discord has answered what was being sent', async () => {
    const { world, found, worker } = setUp();
    let answer = () => {};
    world.answering = new Promise((resolve) => {
      answer = resolve;
    });
    await found('a');
    for (let count = 0; count < 40; count += 1) await turn();
    world.unwanted.add(CHANNEL);
    const forgotten = worker.forget(CHANNEL);
    await turn();
    world.unwanted.delete(CHANNEL);
    await found('b');
    answer();
    await forgotten;
    await settle(world, 60_000);
    expect(world.posted.map(({ alerts }) => alerts)).toEqual([['a'], ['b']]);
  });

  it('delivers again once it is watched again, also at once', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const { world, found, worker } = setUp(['serverError']);
      await found('a');
      for (let count = 0; count < turns; count += 1) await turn();
      const forgotten = worker.forget(CHANNEL);
      await found('b');
      await forgotten;
      await found('c');
      await settle(world, 60_000);
      expect(world.posted.at(-1)?.alerts, `${turns} turns`).toContain('c');
    }
  });
});
