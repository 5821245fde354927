import { createSleep } from '../../src/lib/async/sleep.ts';
import type { Machine } from '../../src/lib/machine.ts';
import { quietLog } from './log.ts';

/** Returns a machine with the real clocks and a quiet log, except for what a test overrides. */
export function testMachine(given: Partial<Machine> = {}): Machine {
  return {
    log: quietLog(),
    nowMs: Date.now,
    monotonicMs: () => performance.now(),
    sleep: createSleep(),
    random: Math.random,
    onFailpoint: () => {},
    ...given,
  };
}
