import { setTimeout as delay } from 'node:timers/promises';
import type { Machine } from '../../src/lib/machine.ts';
import { quietLog } from './log.ts';

/** The real clocks and a quiet log, but for what a test gives. */
export function testMachine(given: Partial<Machine> = {}): Machine {
  return {
    log: quietLog(),
    nowMs: Date.now,
    monotonicMs: () => performance.now(),
    sleep: (delayMs, signal) => delay(Math.max(0, delayMs), undefined, { signal }).catch(() => {}),
    random: Math.random,
    onFailpoint: () => {},
    ...given,
  };
}
