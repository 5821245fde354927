import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from '../../src/discord/quotas/buckets.ts';
import { testMachine } from '../support/machine.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

describe('the pace of messages to people', () => {
  it('gives turns in the order in which they are asked for, never two closer than it says, and at once when nobody was before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 12 }), async (pausesMs) => {
        const { now, sleep, pass } = createVirtualTime();
        const { signal } = new AbortController();
        const buckets = createTokenBuckets(testMachine({ monotonicMs: now, sleep }), () => ({
          capacity: 1,
          everyMs: 100,
        }));
        const asked: number[] = [];
        const turns: [number: number, atMs: number][] = [];
        for (const [number, pauseMs] of pausesMs.entries()) {
          await pass(pauseMs);
          asked.push(now());
          void buckets.turn('all', signal).then(() => turns.push([number, now()]));
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
    const machine = testMachine({ monotonicMs: now, sleep });
    const buckets = createTokenBuckets(machine, () => ({ capacity: 1, everyMs: 60_000 }));
    await buckets.turn('all', stopping.signal);
    const waiting = expect(buckets.turn('all', stopping.signal)).rejects.toThrow();
    stopping.abort();
    await waiting;
  });
});
