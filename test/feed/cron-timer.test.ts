import { describe, expect, it } from 'vitest';
import { createCronTimes } from '../../src/feed/cron.ts';
import { createCronTimer } from '../../src/feed/cron-timer.ts';
import { collectingLog } from '../support/log.ts';
import { SoakClock } from '../support/soak/clock.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const START_MS = Date.parse('2026-11-21T00:00:00Z');

/** A metronome whose wall clock can be set; times of its ticks are told by the clock that never jumps. */
function cronTimerOf(pattern: string, startMs = START_MS) {
  const world = new SoakClock(0);
  const clock = { offsetMs: startMs };
  const { log, lines } = collectingLog();
  const ticks: number[] = [];
  const wallTicks: string[] = [];
  const cronTimer = createCronTimer({
    times: createCronTimes(pattern, () => 0),
    onTick: () => {
      ticks.push(world.nowMs);
      wallTicks.push(new Date(world.nowMs + clock.offsetMs).toISOString());
    },
    nowMs: () => world.nowMs + clock.offsetMs,
    monotonicMs: () => world.nowMs,
    log,
    timers: world.timers,
  });
  const longest = () => Math.max(...ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)));
  const shortest = () => Math.min(...ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)));
  return { world, clock, cronTimer, ticks, wallTicks, lines, longest, shortest };
}

describe('the metronome', () => {
  it('ticks at once and then at each time of the pattern', async () => {
    const { world, cronTimer, ticks } = cronTimerOf('*/5 * * * * *', START_MS + 2_000);
    cronTimer.start();
    expect(cronTimer.msToNext()).toBe(3_000);
    await world.runUntil(14_000);
    cronTimer.stop();
    await world.runUntil(60_000);
    expect(ticks).toEqual([0, 3_000, 8_000, 13_000]);
  });

  it.each([3 * HOUR_MS, -3 * HOUR_MS, 400 * 24 * HOUR_MS, -400 * 24 * HOUR_MS])(
    'goes on when the clock is set by %d ms, and says so once',
    async (byMs) => {
      const { world, clock, cronTimer, ticks, lines, longest } = cronTimerOf('*/5 * * * * *');
      cronTimer.start();
      await world.runUntil(62_300);
      clock.offsetMs += byMs;
      await world.runUntil(2 * MINUTE_MS);
      expect(longest()).toBeLessThanOrEqual(6_000);
      expect(ticks.length).toBeLessThanOrEqual(26);
      expect(lines).toEqual([expect.objectContaining({ event: 'clock.jumped', byMs })]);
    },
  );

  it('does not tick twice when the clock is corrected by a little, again and again', async () => {
    const { world, clock, cronTimer, shortest, longest, lines } = cronTimerOf('*/5 * * * * *');
    cronTimer.start();
    for (let second = 1; second < 120; second += 1) {
      await world.runUntil(second * 1000 + 2);
      clock.offsetMs += second % 2 === 0 ? 700 : -700;
    }
    expect(shortest()).toBeGreaterThan(3_500);
    expect(longest()).toBeLessThan(6_500);
    expect(lines).toEqual([]);
  });

  it('has a daily tick once when up to three hours come again, and anew when the clock was plainly wrong', async () => {
    const { world, clock, cronTimer, wallTicks } = cronTimerOf('30 2 * * *');
    cronTimer.start();
    await world.runUntil(3 * HOUR_MS);
    clock.offsetMs -= 3 * HOUR_MS;
    await world.runUntil(8 * HOUR_MS);
    expect(wallTicks).toEqual(['2026-11-21T00:00:00.000Z', '2026-11-21T02:30:00.000Z']);
    clock.offsetMs -= 100 * 24 * HOUR_MS;
    await world.runUntil(32 * HOUR_MS);
    expect(wallTicks.slice(2)).toEqual(['2026-08-14T02:30:00.000Z']);
  });

  it('ticks once for all that a sleeping machine has left out', async () => {
    const { world, clock, cronTimer, wallTicks } = cronTimerOf('30 2 * * *');
    cronTimer.start();
    await world.runUntil(HOUR_MS);
    clock.offsetMs += 72 * HOUR_MS;
    await world.runUntil(HOUR_MS + MINUTE_MS);
    expect(wallTicks).toHaveLength(2);
    await world.runUntil(3 * HOUR_MS);
    expect(wallTicks.slice(2)).toEqual(['2026-11-24T02:30:00.000Z']);
  });

  it('goes on after a tick that failed, and says when it was held up', async () => {
    const world = new SoakClock(0);
    const { log, lines } = collectingLog();
    const held = { ms: 0 };
    let ticks = 0;
    const cronTimer = createCronTimer({
      times: createCronTimes('*/5 * * * * *', () => 0),
      onTick: () => {
        ticks += 1;
        if (ticks === 2) throw new Error('a fault');
      },
      nowMs: () => START_MS + world.nowMs + held.ms,
      monotonicMs: () => world.nowMs + held.ms,
      log,
      timers: world.timers,
    });
    cronTimer.start();
    await world.runUntil(6_000);
    held.ms = 20_000;
    await world.runUntil(11_000);
    cronTimer.stop();
    expect(ticks).toBe(4);
    expect(lines.map(({ event }) => event)).toEqual(['poll.tick_failed', 'poll.tick_late']);
  });
});
