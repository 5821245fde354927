import { createMachine, type Machine } from '../../src/lib/machine.ts';
import { quietLog } from './log.ts';

/** Returns a machine with the real clocks and a quiet log, except for what a test overrides. */
export function testMachine(given: Partial<Machine> = {}): Machine {
  return { ...createMachine(quietLog()), ...given };
}
