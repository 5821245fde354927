import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { randomRuns } from '../support/thorough.ts';
import { deposit, eachAfter, type Fill, fillAlert, openChannel, ROLE } from './channel.ts';

const mention = { roleId: ROLE, minUsdc: 100, cooldownSeconds: 0 };

/** A channel whose wallet is polled all the time, and in which it is quiet at these times. */
function setUp(isQuietAt: (atMs: number) => boolean, settings: Partial<WatchSettings> = {}) {
  const channel = openChannel({ mention, ...settings });
  const { world } = channel;
  world.isPolled = true;
  world.isQuietAt = isQuietAt;
  let ids = 0;
  /** Finds fills as f1, f2 and so on, or an alert as it is. */
  const found = async (what: Fill | Alert) => {
    ids += 1;
    await channel.found('id' in what ? what : fillAlert(`f${ids}`, what));
  };
  return {
    ...channel,
    foundEach: eachAfter(found, channel.wait),
    noises: () =>
      world.posted.map(({ roleIds, isSilent }) => ({ calls: roleIds.length, isSilent })),
  };
}
const SILENT = { calls: 0, isSilent: true };
const LOUD = { calls: 1, isSilent: false };

describe('in quiet hours', () => {
  it('a purchase that begins in them goes on in its message when they end', async () => {
    const endMs = openChannel().world.nowMs + 60_000;
    const { foundEach, shown, noises, world } = setUp((atMs) => atMs < endMs);
    await foundEach(70_000, { usdc: 50 });
    await foundEach(10_000, { usdc: 5_000 });
    expect(world.nowMs).toBeGreaterThan(endMs);
    expect(shown()).toEqual(['f1 f2']);
    await foundEach(10_000, { usdc: 5_000, market: 1 });
    expect(noises()).toEqual([SILENT, LOUD]);
  });

  it('the rest of a purchase is silent that began before them', async () => {
    const beginMs = openChannel().world.nowMs + 60_000;
    const { foundEach, shown, noises } = setUp((atMs) => atMs >= beginMs);
    await foundEach(70_000, { usdc: 50 });
    await foundEach(10_000, { usdc: 5_000 });
    expect(shown()).toEqual(['f1 f2']);
    expect(noises()).toEqual([{ calls: 0, isSilent: false }]);
  });

  it('a message is silent that was decided before them, and only then gets through', async () => {
    const { world, foundEach, noises, shown } = setUp(() => false);
    const beginMs = world.nowMs + 30_000;
    world.isQuietAt = (atMs) => atMs >= beginMs;
    world.fates = Array.from({ length: 8 }, () => 'serverError');
    await foundEach(1_200_000, { usdc: 5_000 });
    expect(shown()).toEqual(['f1']);
    expect(world.posted[0]?.atMs).toBeGreaterThan(beginMs);
    expect(noises()).toEqual([SILENT]);
  });

  it('a message that they silence on its way leaves the mention to the next one', async () => {
    const { world, foundEach, noises } = setUp(() => false, {
      mention: { ...mention, cooldownSeconds: 7_200 },
    });
    const [beginMs, endMs] = [world.nowMs + 30_000, world.nowMs + 1_500_000];
    world.isQuietAt = (atMs) => atMs >= beginMs && atMs < endMs;
    world.fates = Array.from({ length: 8 }, () => 'serverError');
    await foundEach(1_600_000, { usdc: 5_000 });
    await foundEach(10_000, { usdc: 5_000, market: 1 });
    expect(noises()).toEqual([SILENT, LOUD]);
  });

  it('no sound is made, whatever comes when, and nothing else is shown or left out', async () => {
    const step = fc.record({
      usdc: fc.constantFrom(1, 60, 150, 5_000),
      market: fc.integer({ min: 0, max: 1 }),
      action: fc.constantFrom('Buy', 'Buy', 'Sell'),
      waitMs: fc.constantFrom(1_000, 20_000, 70_000, 200_000),
      isDeposit: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(60_000, 150_000, 300_000),
        async (steps, lengthMs) => {
          const run = async (isQuietAt: (atMs: number) => boolean) => {
            const channel = setUp(isQuietAt);
            for (const [index, { waitMs, isDeposit, ...of }] of steps.entries()) {
              await channel.foundEach(waitMs, isDeposit ? deposit(`d${index}`) : of);
            }
            await channel.wait(600_000);
            return channel.world.posted;
          };
          const beganMs = openChannel().world.nowMs;
          const isQuietAt = (atMs: number) => Math.floor((atMs - beganMs) / lengthMs) % 2 === 0;
          const posted = await run(isQuietAt);
          for (const { roleIds, isSilent } of posted.filter((one) => isQuietAt(one.atMs)))
            expect([roleIds, isSilent]).toEqual([[], true]);
          const shownIn = (messages: typeof posted) =>
            messages.flatMap(({ alerts }) => alerts).toSorted();
          expect(shownIn(posted)).toEqual(shownIn(await run(() => false)));
        },
      ),
      randomRuns(400),
    );
  });
});
