import { describe, expect, it } from 'vitest';
import { EDIT_SPACING_MS, EDITABLE_MS, JOIN_WINDOW_MS } from '../../src/delivery/plan/announced.ts';
import { variants } from '../support/thorough.ts';
import { CHANNEL, deposit, fillAlert, openChannel, ROLE, turns } from './channel.ts';

describe('a purchase in pieces', () => {
  it('grows in its message, which is changed no more often than every few seconds', async () => {
    const { world, foundEach, wait, shown } = openChannel();
    for (let second = 0; second < 30; second += 1) {
      await foundEach(1_000, `f${second}`);
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
    const { foundEach, wait, shown, queues, run } = openChannel();
    await foundEach(JOIN_WINDOW_MS, 'a');
    await foundEach(1, 'b');
    expect(shown()).toEqual(['a b']);
    await foundEach(EDIT_SPACING_MS, 'c');
    expect(shown()).toEqual(['a b', 'c']);
    expect(queues()).toHaveLength(1);
    await wait(EDITABLE_MS + 1_000);
    expect(queues()).toEqual([]);
    expect(run.outbox.channels()).toEqual([]);
  });

  it('is held neither by the minimum nor by the cooldown that it has passed', async () => {
    const { world, foundEach, wait, shown } = openChannel({ minUsdc: 100, cooldownSeconds: 600 });
    await foundEach(10_000, fillAlert('large', { usdc: 100 }), fillAlert('small', { usdc: 3 }));
    expect(shown()).toEqual(['large small']);
    // An edit begins no cooldown.
    await wait(JOIN_WINDOW_MS);
    await foundEach(600_000, fillAlert('next', { usdc: 100 }));
    expect(shown()).toEqual(['large small', 'next']);
    expect((world.posted[1]?.atMs ?? 0) - (world.posted[0]?.atMs ?? 0)).toBe(600_000);
  });

  it('gets another message for fills that are to be heard, or mention a role, where its message did not', async () => {
    const mention = { roleId: ROLE, minUsdc: 1_000, cooldownSeconds: 0 };
    const { world, foundEach, shown } = openChannel({ mention, silentBelowUsdc: 50 });
    await foundEach(10_000, fillAlert('quiet', { usdc: 1 }), fillAlert('quiet too', { usdc: 2 }));
    expect(shown()).toEqual(['quiet quiet too']);
    await foundEach(
      10_000,
      fillAlert('heard', { usdc: 50 }),
      fillAlert('called', { usdc: 1_000 }),
      fillAlert('no second call', { usdc: 1_000 }),
    );
    expect(shown()).toEqual(['quiet quiet too', 'heard', 'called no second call']);
    expect(world.posted.map(({ isSilent, roleIds }) => [isSilent, roleIds])).toEqual([
      [true, []],
      [false, []],
      [false, [ROLE]],
    ]);
  });

  it('does not go on in an older message when a newer one has shown some of it', async () => {
    const { foundEach, found, wait, shown } = openChannel({ silentBelowUsdc: 50 });
    await foundEach(10_000, 'quiet');
    await found(
      fillAlert('heard', { usdc: 50 }),
      fillAlert('sold', { usdc: 50, action: 'Sell', market: 1 }),
    );
    await wait(10_000);
    await foundEach(10_000, 'late');
    expect(shown()).toEqual(['quiet', 'heard late sold']);
  });

  it.each(['Sell', 'Redeem'])(
    'is another one, in a message below and heard, once a %s of it has been announced',
    async (action) => {
      const mention = { roleId: ROLE, minUsdc: 1_000, cooldownSeconds: 0 };
      const { world, foundEach, shown, restart } = openChannel({ mention });
      await foundEach(
        10_000,
        fillAlert('bought', { usdc: 2_500 }),
        fillAlert('out', { usdc: 2_600, action }),
      );
      restart();
      await foundEach(10_000, fillAlert('bought again', { usdc: 2_500 }));
      await foundEach(JOIN_WINDOW_MS, fillAlert('its rest', { usdc: 2 }));
      expect(shown()).toEqual(['bought', 'out', 'bought again its rest']);
      expect(world.posted.map(({ roleIds }) => roleIds)).toEqual([[ROLE], [ROLE], [ROLE]]);
      expect(world.posted.map(({ earlierUsdc }) => earlierUsdc)).toEqual([
        [undefined],
        [undefined],
        [undefined],
      ]);
    },
  );

  it('keeps each turn where the channel’s last word is the last trade’s: in a sale after the second purchase as well', async () => {
    const { foundEach, shown } = openChannel();
    for (const [id, action] of [
      ['b1', 'Buy'],
      ['s1', 'Sell'],
      ['b2', 'Buy'],
      ['s2', 'Sell'],
      ['s3', 'Sell'],
    ] as const) {
      await foundEach(10_000, fillAlert(id, { action }));
    }
    expect(shown()).toEqual(['b1', 's1', 'b2', 's2 s3']);
  });

  it('shows a fill from before the sale above it, however late it is found', async () => {
    const { foundEach, shown, world } = openChannel();
    const at = (seconds: number) => ({ ageMs: -seconds * 1_000 });
    await foundEach(
      10_000,
      fillAlert('bought', at(0)),
      fillAlert('out', { action: 'Sell', ...at(8) }),
      fillAlert('before', at(3)),
      fillAlert('after', at(9)),
    );
    expect(shown()).toEqual(['bought before', 'out', 'after']);
    expect(world.posted.map(({ isSilent }) => isSilent)).toEqual([false, false, false]);
  });

  it('is remembered among the latest alone, and not at all where it has very many fills', async () => {
    const { world, foundEach, found, wait, queues } = openChannel();
    const remembered = (): string[][] =>
      (JSON.parse(world.disk.get(queues()[0] ?? '') ?? '{}').growing ?? []).map(
        ({ groups }: { groups: { alerts: { id: string }[] }[] }) =>
          groups.flatMap(({ alerts }) => alerts.map(({ id }) => id)),
      );
    for (let market = 0; market < 130; market += 1) {
      await foundEach(100, fillAlert(`m${market}`, { market }));
    }
    expect(remembered().map(([first]) => first)).toEqual(
      Array.from({ length: 120 }, (_, index) => `m${index + 10}`),
    );
    await found(
      ...Array.from({ length: 310 }, (_, count) => fillAlert(`many${count}`, { market: 99 })),
    );
    await wait(EDIT_SPACING_MS);
    const shown = world.posted.flatMap(({ alerts }) => alerts);
    expect(shown.filter((id) => id.startsWith('many'))).toHaveLength(310);
    expect(remembered().flat().length).toBeLessThanOrEqual(300);
    expect(remembered().length).toBeGreaterThan(10);
  });

  it('drops what the channel does not want any more, also of an edit that is under way', async () => {
    const { world, foundEach, shown, run } = openChannel();
    await foundEach(EDIT_SPACING_MS, 'a');
    world.fates = ['serverError'];
    await foundEach(100, 'b');
    world.unwanted.add(CHANNEL);
    await foundEach(60_000, 'c');
    expect(shown()).toEqual(['a']);
    expect(run.outbox.channels()).toEqual([]);
  });

  it('is sent again where the message is deleted or cannot be changed: none of it is lost', async () => {
    const { world, foundEach, shown } = openChannel();
    await foundEach(EDIT_SPACING_MS, 'a');
    const [first] = world.posted;
    if (first !== undefined) first.isDeleted = true;
    await foundEach(EDIT_SPACING_MS, 'b');
    expect(shown()).toEqual(['a', 'b']);
    world.poisoned.add('a');
    world.poisoned.add('b');
    await foundEach(EDIT_SPACING_MS, 'c');
    expect(shown()).toEqual(['a', 'b', 'c']);
  });

  it('keeps what its message shows when Discord will never take one of the new fills', async () => {
    const { world, foundEach, shown, run } = openChannel();
    await foundEach(EDIT_SPACING_MS, 'a');
    world.poisoned.add('bad');
    await foundEach(EDIT_SPACING_MS, 'bad', 'b');
    expect(shown()).toEqual(['a', 'b']);
    expect(run.deliveryWorker.deadLetters(CHANNEL).map(({ alert }) => alert.id)).toEqual(['bad']);
  });

  it('lets other alerts go at once while its edit fails', async () => {
    const { world, foundEach, shown } = openChannel();
    await foundEach(EDIT_SPACING_MS, 'a');
    world.fates = Array.from({ length: 4 }, () => 'serverError' as const);
    await foundEach(5_000, 'b');
    const atMs = world.nowMs;
    world.fates = ['ok', 'serverError', 'serverError'];
    await foundEach(120_000, deposit('paid in'));
    expect(shown()).toEqual(['a b', 'paid in']);
    expect(world.posted[1]?.atMs).toBe(atMs);
  });

  it('grows in a message that was in doubt only once the history has shown it', async () => {
    const { world, foundEach, found, shown, restart } = openChannel();
    world.fates = ['lostAfter'];
    await found('a');
    await turns(20);
    restart(90_000);
    await turns(20);
    expect(world.historyReads).toBe(1);
    expect([...world.details.values()], 'Details know it').toEqual(['m1']);
    await foundEach(20_000, 'b');
    expect(world.historyReads).toBe(1);
    expect(shown()).toEqual(['a b']);
  });

  /**
   * An edit that Discord has taken, of which nobody knows after a restart; something else was sent
   * meanwhile.
   */
  const inDoubt = async (settings: {
    readonly canReadHistory: boolean;
    readonly downMs: number;
  }) => {
    const channel = openChannel();
    const { world, foundEach, found, wait } = channel;
    world.canReadHistory = settings.canReadHistory;
    await foundEach(EDIT_SPACING_MS, 'a');
    world.fates = ['lostAfter'];
    await found('b');
    await turns(20);
    expect(channel.shown()).toEqual(['a b']);
    // What is sent before it is settled does not make the channel forget the message.
    await found(deposit('paid in'));
    channel.restart(settings.downMs);
    await wait(10_000);
    return channel;
  };

  it('reads the message whose edit is in doubt, and says nothing twice, however late that is', async () => {
    for (const downMs of [0, 30 * 60_000]) {
      const { world, shown } = await inDoubt({ canReadHistory: true, downMs });
      expect(shown()).toEqual(['a b', 'paid in']);
      expect(world.messageReads).toBe(1);
      expect(world.posted[0]?.editedAtMs).toHaveLength(1);
    }
  });

  it('takes an edit back whose outcome nobody may read when nobody would see it any more', async () => {
    const { shown } = await inDoubt({ canReadHistory: false, downMs: 30 * 60_000 });
    expect(shown()).toEqual(['a', 'paid in', 'b']);
  });

  it.each(['held', 'archived'] as const)(
    'gets another message at once where an edit is %s, and is said once',
    async (fate) => {
      for (const before of [
        [],
        ['lostAfter'],
        ['lostBefore'],
        ['serverError', 'lostAfter'],
      ] as const) {
        const { world, foundEach, shown } = openChannel();
        await foundEach(EDIT_SPACING_MS, 'a');
        world.fates = [...before, fate];
        const atMs = world.nowMs;
        await foundEach(EDIT_SPACING_MS, 'b');
        const isTaken = before.some((earlier) => earlier === 'lostAfter');
        expect(shown()).toEqual(isTaken ? ['a b'] : ['a', 'b']);
        const isFirst = before.length === 0;
        if (isFirst) expect(world.posted[1]?.atMs).toBe(atMs);
      }
    },
  );

  it('is in exactly one message, wherever the bot is killed and however long it is away', async () => {
    const away = variants([0, 90_000, 30 * 60_000], (downMs) => downMs !== 90_000);
    for (const downMs of away) {
      for (const fate of ['ok', 'lostAfter', 'lostBefore'] as const) {
        for (let steps = 1; steps <= 24; steps += 1) {
          const setup = openChannel({}, steps);
          const { world } = setup;
          void setup.found('a');
          await setup.wait(EDIT_SPACING_MS + 1_000);
          world.fates = [fate];
          for (const id of ['b', 'c']) {
            void setup.found(id);
            await setup.wait(1_000);
          }
          world.fates = [];
          setup.restart(downMs);
          await setup.wait();
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
