import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPace } from '../../src/delivery/pace.ts';
import { testMachine } from '../support/machine.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

describe('the pace of messages to people', () => {
  it('gives turns in the order in which they are asked for, never two closer than it says, and at once when nobody was before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 12 }), async (pausesMs) => {
        const { now, sleep, pass } = createVirtualTime();
        const pace = createPace(testMachine({ monotonicMs: now, sleep }), 100, new AbortController().signal);
        const asked: number[] = [];
        const turns: [number: number, atMs: number][] = [];
        for (const [number, pauseMs] of pausesMs.entries()) {
          await pass(pauseMs);
          asked.push(now());
          void pace().then(() => turns.push([number, now()]));
        }
        await pass(100 * pausesMs.length);
        expect(turns.map(([number]) => number)).toEqual([...pausesMs.keys()]);
        let before = Number.NEGATIVE_INFINITY;
        for (const [number, atMs] of turns) {
          expect(atMs).toBe(Math.max(asked[number] ?? 0, before + 100));
          before = atMs;
        }
      }),
      { numRuns: 50 },
    );
  });

  it('ends all waiting when the process stops', async () => {
    const { now, sleep } = createVirtualTime();
    const stopping = new AbortController();
    const pace = createPace(testMachine({ monotonicMs: now, sleep }), 60_000, stopping.signal);
    await pace();
    const waiting = expect(pace()).rejects.toThrow();
    stopping.abort();
    await waiting;
  });
});
