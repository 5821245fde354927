import { describe, expect, it } from 'vitest';
import { createHealth } from '../../src/poll/health.ts';
import { createRoundRobin } from '../../src/poll/round-robin.ts';
import { createTicker } from '../../src/poll/ticker.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { quietLog } from '../support/log.ts';
import { SoakClock } from '../support/soak/clock.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-11-21T00:00:00Z');

/** A ticker with five polls a tick, on a wall clock that can be set. */
function tickerOf(cron: string) {
  const clock = new SoakClock(0);
  const wall = { offsetMs: START_MS };
  const nowMs = () => clock.nowMs + wall.offsetMs;
  const pollsMs: number[] = [];
  const plannedMs: number[] = [];
  const log = quietLog();
  const schedule = createRoundRobin();
  for (let index = 0; index < 20; index += 1) {
    schedule.add({ wallet: `0x${String(index).padStart(40, '0')}` as WalletAddress, name: 'activity' });
  }
  const ticker = createTicker({
    cron,
    budget: {
      pollAllowance(untilMs) {
        plannedMs.push(untilMs - nowMs());
        return 5;
      },
      venueNowMs: () => clock.nowMs,
    },
    schedule,
    health: createHealth({ nowMs, log, onChange: () => {} }),
    async poll(endpoint) {
      pollsMs.push(clock.nowMs);
      schedule.polled(endpoint, { atSeconds: clock.nowMs / 1000, freshTimesSeconds: [], pageTimesSeconds: [] });
    },
    anyWallet: () => undefined,
    nowMs,
    monotonicMs: () => clock.nowMs,
    timers: clock.timers,
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    log,
  });
  return { clock, wall, ticker, pollsMs, plannedMs };
}

describe('the ticker', () => {
  it('spreads what the budget allows evenly over the time until the next tick', async () => {
    const { clock, ticker, pollsMs, plannedMs } = tickerOf('*/5 * * * * *');
    ticker.start();
    await clock.runUntil(9_999);
    await ticker.stop();
    expect(plannedMs).toEqual([5_000, 5_000]);
    expect(pollsMs).toEqual(Array.from({ length: 10 }, (_, index) => index * 1_000));
  });

  it.each([3 * HOUR_MS, -3 * HOUR_MS])(
    'polls on when the clock is set by %d ms in the middle of a plan',
    async (byMs) => {
      const { clock, wall, ticker, pollsMs } = tickerOf('*/5 * * * * *');
      ticker.start();
      await clock.runUntil(7_300);
      wall.offsetMs += byMs;
      await clock.runUntil(60_000);
      await ticker.stop();
      const gapsMs = pollsMs.slice(1).map((atMs, index) => atMs - (pollsMs[index] ?? 0));
      expect(Math.max(...gapsMs)).toBeLessThanOrEqual(2_000);
      expect(pollsMs.length).toBeGreaterThanOrEqual(58);
      expect(pollsMs.length).toBeLessThanOrEqual(66);
    },
  );
});
