import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCronTimer } from '../../src/feed/cron-timer.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * A timer that runs on a wall clock that can be set; `ticks` are the monotonic times, `wallTicks`
 * what the wall clock showed.
 */
function timerOf(pattern: string) {
  const { log, lines } = collectingLog();
  const ticks: number[] = [];
  const wallTicks: string[] = [];
  const startMs = performance.now();
  const timer = createCronTimer(testMachine({ log }), pattern);
  timer.start(async () => {
    ticks.push(Math.round(performance.now() - startMs));
    wallTicks.push(new Date().toISOString());
  });
  const gapsMs = () => ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0));
  return { timer, ticks, wallTicks, lines, gapsMs };
}

const setClock = (byMs: number) => vi.setSystemTime(Date.now() + byMs);

/** In Berlin's time, as vitest.config.ts has it. */
describe('the cron timer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T00:00:02Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ticks at once and then at each time of the pattern, until it is stopped', async () => {
    const { timer, ticks } = timerOf('*/5 * * * * *');
    expect(timer.msToNext()).toBe(3 * SECOND_MS);
    await vi.advanceTimersByTimeAsync(14 * SECOND_MS);
    timer.stop();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(ticks).toEqual([0, 3_000, 8_000, 13_000]);
  });

  it('reads a pattern in local time', async () => {
    const { timer, wallTicks } = timerOf('30 1 * * *');
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    timer.stop();
    expect(wallTicks.slice(1)).toEqual(['2026-11-21T00:30:00.000Z']);
  });

  it.each([3 * HOUR_MS, -3 * HOUR_MS, 400 * 24 * HOUR_MS, -400 * 24 * HOUR_MS])(
    'goes on when the clock is set by %d ms, and says so once',
    async (byMs) => {
      const { timer, gapsMs, lines } = timerOf('*/5 * * * * *');
      await vi.advanceTimersByTimeAsync(62_300);
      setClock(byMs);
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
      timer.stop();
      expect(Math.max(...gapsMs())).toBeLessThanOrEqual(8 * SECOND_MS);
      expect(gapsMs().length).toBeLessThanOrEqual(26);
      expect(lines).toEqual([expect.objectContaining({ event: 'clock.jumped', byMs })]);
    },
  );

  it.each([
    ['autumn, when an hour comes twice', '2026-10-24T23:59:02Z'],
    ['spring, when an hour is left out', '2026-03-29T00:59:02Z'],
  ])('never stands still in %s', async (_when, start) => {
    vi.setSystemTime(Date.parse(start));
    const { timer, gapsMs } = timerOf('*/5 * * * * *');
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    timer.stop();
    expect(Math.max(...gapsMs())).toBeLessThanOrEqual(8 * SECOND_MS);
  });

  it('ticks once for all that a sleeping machine has left out', async () => {
    const { timer, wallTicks } = timerOf('30 9 * * *');
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    setClock(72 * HOUR_MS);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(wallTicks).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(12 * HOUR_MS);
    timer.stop();
    expect(wallTicks.slice(2)).toEqual(['2026-11-24T08:30:00.000Z']);
  });

  it('goes on after a tick that failed', async () => {
    const { log, lines } = collectingLog();
    const timer = createCronTimer(testMachine({ log }), '*/5 * * * * *');
    let ticks = 0;
    timer.start(async () => {
      ticks += 1;
      if (ticks === 2) throw new Error('a fault');
    });
    await vi.advanceTimersByTimeAsync(14 * SECOND_MS);
    timer.stop();
    expect(ticks).toBe(4);
    expect(lines.map(({ event }) => event)).toEqual(['poll.tick_failed']);
  });
});
