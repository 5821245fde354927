import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JOIN_WINDOW_MS } from '../../src/delivery/plan/announced.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { randomRuns } from '../support/thorough.ts';
import { CHANNEL, deposit, fillAlert, openChannel, ROLE } from './channel.ts';

/** A channel in which nothing is edited. */
function openAnnouncements(settings: Partial<WatchSettings> = {}) {
  const channel = openChannel(settings);
  channel.world.takesEdits = false;
  const { world } = channel;
  return { ...channel, sentAtMs: () => world.posted.map(({ atMs }) => atMs) };
}

describe('a purchase in pieces in an announcement channel', () => {
  it('is said with its first piece, and once more with the rest of two minutes', async () => {
    const { world, foundEach, found, wait, shown, sentAtMs, queues } = openAnnouncements();
    const startMs = world.nowMs;
    for (const piece of ['a', 'b', 'c', 'd']) {
      await foundEach(30_000, piece);
    }
    await found(deposit('paid in'));
    await wait();
    expect(shown()).toEqual(['a', 'b c d', 'paid in']);
    expect(sentAtMs().slice(0, 2)).toEqual([startMs, startMs + JOIN_WINDOW_MS]);
    expect(world.posted.map(({ earlierUsdc }) => earlierUsdc)).toEqual([
      [undefined],
      ['1'],
      [undefined],
    ]);
    expect(world.posted.flatMap(({ editedAtMs }) => editedAtMs)).toEqual([]);
    expect(queues()).toEqual([]);
  });

  it('holds no other alert, and is another one after two minutes', async () => {
    const { foundEach, found, wait, shown } = openAnnouncements();
    await foundEach(1_000, 'a');
    await found('b');
    await foundEach(1_000, fillAlert('other market', { market: 1 }));
    expect(shown()).toEqual(['a', 'other market']);
    await wait(JOIN_WINDOW_MS);
    await foundEach(1, 'c');
    expect(shown()).toEqual(['a', 'other market', 'b', 'c']);
  });

  it('is heard, and mentions a role, with the piece that reaches the amount, which waits for nothing', async () => {
    const mention = { roleId: ROLE, minUsdc: 1_000, cooldownSeconds: 0 };
    const { world, foundEach, wait, shown } = openAnnouncements({ mention, silentBelowUsdc: 50 });
    for (const [id, usdc] of [
      ['quiet', 1],
      ['quiet too', 2],
      ['heard', 50],
      ['more', 60],
      ['called', 1_000],
      ['no second call', 1_000],
    ] as const) {
      await foundEach(10_000, fillAlert(id, { usdc }));
    }
    expect(shown()).toEqual(['quiet', 'quiet too heard', 'more called']);
    await wait(JOIN_WINDOW_MS);
    expect(shown()).toEqual(['quiet', 'quiet too heard', 'more called', 'no second call']);
    expect(world.posted.map(({ isSilent, roleIds }) => [isSilent, roleIds])).toEqual([
      [true, []],
      [false, []],
      [false, [ROLE]],
      [false, []],
    ]);
  });

  it('is said before a sale that comes while its rest is gathered', async () => {
    const { foundEach, found, wait, shown } = openAnnouncements();
    await foundEach(10_000, 'a', 'b');
    await found(fillAlert('sold', { action: 'Sell' }));
    await wait();
    expect(shown()).toEqual(['a', 'b sold']);
  });

  const piece = fc.record({
    market: fc.nat(1),
    action: fc.constantFrom('Buy', 'Buy', 'Buy', 'Sell', 'Redeem'),
    usdc: fc.constantFrom(1, 40, 200),
    pauseMs: fc.constantFrom(0, 1_000, 30_000, 119_000, 200_000),
    trouble: fc.constantFrom('none', 'none', 'none', 'restart', 'lostAfter', 'serverError'),
  });

  it('is in exactly one message, which is never edited, whatever comes between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const { world, found, wait, shown, restart, queues } = openAnnouncements({
          silentBelowUsdc: 100,
        });
        for (const [index, { pauseMs, trouble, ...what }] of pieces.entries()) {
          if (trouble === 'lostAfter' || trouble === 'serverError') world.fates = [trouble];
          await found(fillAlert(`f${index}`, what));
          if (trouble === 'restart') restart();
          await wait(pauseMs);
        }
        await wait();
        const all = shown().flatMap((text) => text.split(' '));
        expect(all.toSorted()).toEqual(pieces.map((_, index) => `f${index}`).toSorted());
        expect(world.posted.flatMap(({ editedAtMs }) => editedAtMs)).toEqual([]);
        expect(queues()).toEqual([]);
      }),
      randomRuns(120),
    );
  });
});

it('a message that Discord’s rate limit holds back for long is sent when that is over', async () => {
  const { world, found, wait, sentAtMs } = openAnnouncements();
  const startMs = world.nowMs;
  world.fates = ['limited'];
  await found('a');
  await wait();
  expect(sentAtMs()).toEqual([startMs + 20_000]);
  expect(world.posted.map(({ channelId }) => channelId)).toEqual([CHANNEL]);
});
