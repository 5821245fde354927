import { expect, it } from 'vitest';
import { createChannelClock } from '../../src/watches/channel-clock.ts';
import { defaultChannelSettings } from '../../src/watches/channel-settings.ts';
import type { Delay } from '../../src/watches/delay.ts';

const CHANNEL = '200000000000000001';
const MINUTE_MS = 60_000;

/** A channel's clock, whose delay is set as the command sets it. */
function openClock() {
  let venueMs = 1_800_000_000_000;
  let delay: Delay | null = null;
  const settings = defaultChannelSettings('100000000000000001', CHANNEL);
  const clock = createChannelClock({
    channelSettings: { get: () => ({ ...settings, delay }) },
    venueNowMs: () => venueMs,
  });
  return {
    ...clock,
    pass: (minutes: number) => {
      venueMs += minutes * MINUTE_MS;
    },
    set: (minutes: number | null) => {
      delay = minutes === null ? null : { ms: minutes * MINUTE_MS, fromMs: clock.nowMs(CHANNEL) };
    },
    behind: () => clock.lagMs(CHANNEL) / MINUTE_MS,
    until: (minutes: number) =>
      clock.untilMs(CHANNEL, clock.nowMs(CHANNEL) + minutes * MINUTE_MS) / MINUTE_MS,
  };
}

it('stands still until a longer delay has passed, and goes ahead with a shorter one', () => {
  const clock = openClock();
  expect([clock.behind(), clock.until(2)]).toEqual([0, 2]);
  clock.set(15);
  expect([clock.behind(), clock.until(2)]).toEqual([0, 17]);
  clock.pass(10);
  expect([clock.behind(), clock.until(2)]).toEqual([10, 7]);
  clock.pass(10);
  expect([clock.behind(), clock.until(2)]).toEqual([15, 2]);
  clock.set(60);
  clock.pass(30);
  expect(clock.behind()).toBe(45);
  clock.set(20);
  expect(clock.behind()).toBe(20);
  clock.set(null);
  expect([clock.behind(), clock.isLater(CHANNEL)]).toEqual([0, false]);
});

it('is not led by a time of the future, which a wrong clock has left', () => {
  const clock = openClock();
  clock.pass(600);
  clock.set(15);
  clock.pass(-600);
  expect(clock.behind()).toBe(15);
});

it('does not jump back by the delay when the venue’s clock slips back after it was set', () => {
  for (const slipMinutes of [0.001, 0.5, 1]) {
    const clock = openClock();
    clock.pass(600);
    const beforeMs = clock.nowMs(CHANNEL);
    clock.set(15);
    clock.pass(-slipMinutes);
    expect(clock.nowMs(CHANNEL)).toBe(beforeMs);
    clock.pass(slipMinutes + 14);
    expect(clock.nowMs(CHANNEL)).toBe(beforeMs);
    clock.pass(2);
    expect(clock.behind()).toBeCloseTo(15);
  }
});
