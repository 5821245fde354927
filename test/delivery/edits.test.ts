import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EDIT_SPACING_MS, EDITABLE_MS, JOIN_WINDOW_MS } from '../../src/delivery/plan/announced.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { put } from '../embeds/put.ts';
import { Run, settle, World } from '../embeds/world.ts';
import { activityItem, transferItem, WALLET } from '../venue/samples.ts';

const CHANNEL = '100000000000000001';
const ROLE = '100000000000000009';
const FOREVER = Number.POSITIVE_INFINITY;

interface Fill {
  readonly usdc?: number;
  readonly action?: string;
  readonly market?: number;
}

/** A channel with one wallet, and a bot that can be killed. */
function setUp(settings: Partial<WatchSettings> = {}, stepsToLive = FOREVER) {
  const world = new World();
  const wish = (changed: Partial<WatchSettings>) =>
    void world.settings.set(`${CHANNEL}:${WALLET}`, { ...DEFAULT_SETTINGS, ...changed });
  wish(settings);
  let run = new Run(world, stepsToLive);
  const put1 = (id: string, event: Parameters<typeof put>[3][0]['event']) =>
    put(run.outbox, WALLET, {}, [{ id, event, seenAtMs: world.nowMs, channels: [CHANNEL] }]);
  return {
    world,
    wish,
    get run() {
      return run;
    },
    fill(id: string, { usdc = 1, action = 'Buy', market = 0 }: Fill = {}) {
      const names = { action, marketId: `${market}`, conditionId: `0x${market}` };
      return put1(id, { kind: 'activity', item: { ...activityItem(), transferNetAmount: usdc, ...names } });
    },
    deposit: (id: string) => put1(id, { kind: 'transfer', item: transferItem() }),
    wait: (ms: number) => settle(world, ms),
    restart(downMs = 0) {
      run.isAlive = false;
      world.sleepers = [];
      world.nowMs += downMs;
      run = new Run(world, FOREVER);
    },
    shown: () => world.posted.map(({ alerts }) => alerts.join(' ')),
    queues: () => [...world.disk.keys()].filter((key) => key.startsWith('queue:')),
  };
}

describe('a purchase in pieces', () => {
  it('grows in its message, which is changed no more often than every few seconds', async () => {
    const { world, fill, wait, shown } = setUp();
    for (let second = 0; second < 30; second += 1) {
      await fill(`f${second}`);
      await wait(1_000);
    }
    await wait(EDIT_SPACING_MS);
    expect(shown()).toEqual([Array.from({ length: 30 }, (_, second) => `f${second}`).join(' ')]);
    const [message] = world.posted;
    const times = [message?.atMs ?? 0, ...(message?.editedAtMs ?? [])];
    const spacings = times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? 0));
    expect(Math.min(...spacings)).toBeGreaterThanOrEqual(EDIT_SPACING_MS);
    expect(spacings.length).toBeGreaterThanOrEqual(5);
  });

  it('gets another message for what comes later than two minutes after the first, and what it was is forgotten', async () => {
    const { fill, wait, shown, queues, run } = setUp();
    await fill('a');
    await wait(JOIN_WINDOW_MS);
    await fill('b');
    await wait(1);
    expect(shown()).toEqual(['a b']);
    await fill('c');
    await wait(EDIT_SPACING_MS);
    expect(shown()).toEqual(['a b', 'c']);
    expect(queues()).toHaveLength(1);
    await wait(EDITABLE_MS + 1_000);
    expect(queues()).toEqual([]);
    expect(run.outbox.channels()).toEqual([]);
  });

  it('takes in what is of the same wallet, market, outcome and action, and nothing else', async () => {
    const { fill, deposit, wait, shown } = setUp();
    await fill('a');
    await wait(EDIT_SPACING_MS);
    await fill('b');
    await fill('sold', { action: 'Sell' });
    await fill('elsewhere', { market: 1 });
    await deposit('paid in');
    await wait(EDIT_SPACING_MS);
    expect(shown()[0]).toBe('a b');
    expect(shown().slice(1).join(' ')).toBe('sold elsewhere paid in');
  });

  it('does not grow where each fill is announced alone, and grows in its line of a message that shows something else', async () => {
    const each = setUp({ style: 'each' });
    await each.fill('a');
    await each.wait(EDIT_SPACING_MS);
    await each.fill('b');
    await each.wait(EDIT_SPACING_MS);
    expect(each.shown()).toEqual(['a', 'b']);

    const mixed = setUp();
    const seenAtMs = mixed.world.nowMs;
    const events = ['a', 'b'].map((id) => ({
      id,
      event: { kind: 'activity' as const, item: { ...activityItem(), action: id === 'a' ? 'Buy' : 'Sell' } },
      seenAtMs,
      channels: [CHANNEL],
    }));
    await put(mixed.run.outbox, WALLET, {}, events);
    await mixed.wait(EDIT_SPACING_MS);
    await put(mixed.run.outbox, WALLET, {}, [
      { ...(events[0] as (typeof events)[0]), id: 'c', seenAtMs: seenAtMs + 1 },
    ]);
    await mixed.wait(EDIT_SPACING_MS);
    expect(mixed.shown()).toEqual(['a c b']);
  });

  it('is held neither by the minimum nor by the cooldown that it has passed', async () => {
    const { world, fill, wait, shown } = setUp({ minUsdc: 100, cooldownSeconds: 600 });
    await fill('large', { usdc: 100 });
    await wait(10_000);
    await fill('small', { usdc: 3 });
    await wait(10_000);
    expect(shown()).toEqual(['large small']);
    // An edit begins no cooldown.
    await wait(JOIN_WINDOW_MS);
    await fill('next', { usdc: 100 });
    await wait(600_000);
    expect(shown()).toEqual(['large small', 'next']);
    expect((world.posted[1]?.atMs ?? 0) - (world.posted[0]?.atMs ?? 0)).toBe(600_000);
  });

  it('gets another message for fills that are to be heard, or mention a role, where its message did not', async () => {
    const mention = { roleId: ROLE, minUsdc: 1_000, cooldownSeconds: 0 };
    const { world, fill, wait, shown } = setUp({ mention, silentBelowUsdc: 50 });
    await fill('quiet', { usdc: 1 });
    await wait(10_000);
    await fill('quiet too', { usdc: 2 });
    await wait(10_000);
    expect(shown()).toEqual(['quiet quiet too']);
    await fill('heard', { usdc: 50 });
    await wait(10_000);
    await fill('called', { usdc: 1_000 });
    await wait(10_000);
    await fill('no second call', { usdc: 1_000 });
    await wait(10_000);
    expect(shown()).toEqual(['quiet quiet too', 'heard', 'called no second call']);
    expect(world.posted.map(({ isSilent, roleIds }) => [isSilent, roleIds])).toEqual([
      [true, []],
      [false, []],
      [false, [ROLE]],
    ]);
  });

  it('does not go on in an older message when a newer one has shown some of it', async () => {
    const { world, run, fill, wait, shown } = setUp({ silentBelowUsdc: 50 });
    await fill('quiet');
    await wait(10_000);
    const item = { ...activityItem(), marketId: '0', conditionId: '0x0', transferNetAmount: 50 };
    const events = [
      { id: 'heard', item },
      { id: 'sold', item: { ...item, action: 'Sell' } },
    ];
    await put(
      run.outbox,
      WALLET,
      {},
      events.map(({ id, item: own }) => ({
        id,
        event: { kind: 'activity', item: own },
        seenAtMs: world.nowMs,
        channels: [CHANNEL],
      })),
    );
    await wait(10_000);
    await fill('late');
    await wait(10_000);
    expect(shown()).toEqual(['quiet', 'heard late sold']);
  });

  it('is remembered among the latest alone, and not at all where it has very many fills', async () => {
    const { world, fill, wait, queues } = setUp();
    const remembered = (): string[][] =>
      (JSON.parse(world.disk.get(queues()[0] ?? '') ?? '{}').growing ?? []).map(
        ({ groups }: { groups: { alerts: { id: string }[] }[] }) =>
          groups.flatMap(({ alerts }) => alerts.map(({ id }) => id)),
      );
    for (let market = 0; market < 130; market += 1) {
      await fill(`m${market}`, { market });
      await wait(100);
    }
    expect(remembered().map(([first]) => first)).toEqual(Array.from({ length: 120 }, (_, index) => `m${index + 10}`));
    for (let count = 0; count < 310; count += 1) await fill(`many${count}`, { market: 99 });
    await wait(EDIT_SPACING_MS);
    const shown = world.posted.flatMap(({ alerts }) => alerts);
    expect(shown.filter((id) => id.startsWith('many'))).toHaveLength(310);
    expect(remembered().flat().length).toBeLessThanOrEqual(300);
    expect(remembered().length).toBeGreaterThan(10);
  });

  it('drops what the channel does not want any more', async () => {
    const { world, fill, wait, shown, run } = setUp();
    await fill('a');
    await wait(1_000);
    await fill('b');
    world.unwanted.add(CHANNEL);
    await wait(60_000);
    expect(shown()).toEqual(['a']);
    expect(run.outbox.channels()).toEqual([]);
  });

  it('is sent again where the message is deleted or cannot be changed: none of it is lost', async () => {
    const { world, fill, wait, shown } = setUp();
    await fill('a');
    await wait(EDIT_SPACING_MS);
    const [first] = world.posted;
    if (first !== undefined) first.isDeleted = true;
    await fill('b');
    await wait(EDIT_SPACING_MS);
    expect(shown()).toEqual(['a', 'b']);
    world.poisoned.add('a');
    world.poisoned.add('b');
    await fill('c');
    await wait(EDIT_SPACING_MS);
    expect(shown()).toEqual(['a', 'b', 'c']);
  });

  it('keeps what its message shows when Discord will never take one of the new fills', async () => {
    const { world, fill, wait, shown, run } = setUp();
    await fill('a');
    await wait(EDIT_SPACING_MS);
    world.poisoned.add('bad');
    await fill('bad');
    await wait(EDIT_SPACING_MS);
    await fill('b');
    await wait(EDIT_SPACING_MS);
    expect(shown()).toEqual(['a', 'b']);
    expect(run.deliveryWorker.deadLetters(CHANNEL).map(({ alert }) => alert.id)).toEqual(['bad']);
  });

  it('lets other alerts go first while its edit fails', async () => {
    const { world, fill, deposit, wait, shown } = setUp();
    await fill('a');
    await wait(EDIT_SPACING_MS);
    world.fates = Array.from({ length: 4 }, () => 'serverError' as const);
    await fill('b');
    await wait(100);
    await deposit('paid in');
    world.fates = ['serverError', 'ok', 'serverError', 'serverError', 'serverError'];
    await wait(60_000);
    expect(shown()).toEqual(['a b', 'paid in']);
    expect(world.posted[1]?.atMs ?? 0).toBeLessThan(world.posted[0]?.editedAtMs[0] ?? 0);
  });

  it('grows in a message that was in doubt only once the history has shown it', async () => {
    const { world, fill, wait, shown, restart } = setUp();
    world.fates = ['lostAfter'];
    await fill('a');
    for (let count = 0; count < 20; count += 1) await turn();
    restart(90_000);
    await fill('b');
    await wait(20_000);
    expect(world.historyReads).toBe(1);
    expect(shown()).toEqual(['a b']);
  });

  it('takes an edit back whose outcome is still not known when nobody would see it any more', async () => {
    const { world, fill, deposit, wait, shown, restart } = setUp();
    await fill('a');
    await wait(EDIT_SPACING_MS);
    world.fates = ['lostAfter'];
    await fill('b');
    for (let count = 0; count < 20; count += 1) await turn();
    expect(shown()).toEqual(['a b']);
    // What is sent before it is settled does not make the channel forget the message.
    await deposit('paid in');
    restart(30 * 60_000);
    await wait(10_000);
    expect(shown()).toEqual(['a', 'paid in', 'b']);
  });

  it('is in exactly one message, wherever the bot is killed and however long it is away', async () => {
    for (const downMs of [0, 90_000, 30 * 60_000]) {
      for (const fate of ['ok', 'lostAfter', 'lostBefore'] as const) {
        for (let steps = 1; steps <= 24; steps += 1) {
          const setup = setUp({}, steps);
          const { world } = setup;
          void setup.fill('a');
          await setup.wait(EDIT_SPACING_MS + 1_000);
          world.fates = [fate];
          void setup.fill('b');
          await setup.wait(1_000);
          void setup.fill('c');
          await setup.wait(1_000);
          world.fates = [];
          setup.restart(downMs);
          await settle(world);
          const shown = setup.shown().flatMap((text) => (text === '' ? [] : text.split(' ')));
          const where = `${steps} steps, ${fate}, ${downMs} ms`;
          expect(shown.toSorted(), where).toEqual([...world.written.keys()].toSorted());
          expect(setup.queues(), where).toEqual([]);
          expect(setup.run.outbox.channels(), where).toEqual([]);
        }
      }
    }
  });
});
