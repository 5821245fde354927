import { describe, expect, it } from 'vitest';
import { createTroubleLog } from '../../../src/lib/log/trouble-log.ts';
import type { Machine } from '../../../src/lib/machine.ts';
import { testMachine } from '../../support/machine.ts';

function openTroubleLog({ hasEnd = true } = {}) {
  const clock = { nowMs: 0 };
  const lines: unknown[] = [];
  const line = (fields: object) => void lines.push(fields);
  const log = { warn: line, info: line } as unknown as Machine['log'];
  const over = hasEnd ? { event: 'over' } : undefined;
  const machine = testMachine({ log, monotonicMs: () => clock.nowMs });
  const trouble = createTroubleLog(machine, 'warn', { event: 'failing' }, over);
  return { clock, lines, trouble };
}

describe('a trouble that comes again and again', () => {
  it('is logged at its beginning, once a minute while it lasts, and at its end with a count', () => {
    const { clock, lines, trouble } = openTroubleLog();
    for (; clock.nowMs <= 150_000; clock.nowMs += 100)
      trouble.failed('A', { reason: `at ${clock.nowMs}` });
    trouble.succeeded('A');
    expect(lines).toEqual([
      { event: 'failing', reason: 'at 0' },
      { event: 'failing', reason: 'at 60000', failures: 601, lastedSeconds: 60 },
      { event: 'failing', reason: 'at 120000', failures: 1201, lastedSeconds: 120 },
      { event: 'over', failures: 1501, lastedSeconds: 150 },
    ]);
    // The next one is another one, and begins at once.
    trouble.failed('A', { reason: 'again' });
    expect(lines.at(-1)).toEqual({ event: 'failing', reason: 'again' });
  });

  it('is over once all that failed works again', () => {
    const { lines, trouble } = openTroubleLog();
    for (const thing of ['A', 'B', 'A']) trouble.failed(thing, { reason: thing });
    trouble.succeeded('C');
    trouble.succeeded('A');
    expect(lines).toEqual([{ event: 'failing', reason: 'A' }]);
    trouble.succeeded('B');
    trouble.succeeded('B');
    expect(lines.slice(1)).toEqual([{ event: 'over', failures: 3, lastedSeconds: 0 }]);
  });

  it('that nothing ends is logged once a minute at most', () => {
    const { clock, lines, trouble } = openTroubleLog({ hasEnd: false });
    for (; clock.nowMs < 180_000; clock.nowMs += 1_000) {
      trouble.failed('A', { reason: 'no' });
      trouble.succeeded('A');
    }
    expect(lines).toHaveLength(3);
  });
});
