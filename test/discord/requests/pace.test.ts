import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPace } from '../../../src/discord/requests/pace.ts';
import { testMachine } from '../../support/machine.ts';

/** When requests go that come at these times, each as soon as it may, ms. */
function sentMs(perSecond: number, arrivalsMs: readonly number[]): number[] {
  let nowMs = 0;
  const pace = createPace(testMachine({ monotonicMs: () => nowMs }), perSecond);
  return arrivalsMs.map((arrivalMs) => {
    nowMs = Math.max(nowMs, arrivalMs);
    nowMs += pace.waitMs();
    pace.take();
    return nowMs;
  });
}

const rates = fc.integer({ min: 1, max: 60 });
const arrivals = fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 120 })), {
  minLength: 1,
  maxLength: 12,
});
/** A second, and by how much two requests may come closer on their way. */
const SECOND_MS = 1_050;
/** Less than any wait; sums of fractions are off by less. */
const TINY_MS = 1e-6;

describe('the pace of requests', () => {
  it('is at most so many in any second, and ten of these at once', () => {
    fc.assert(
      fc.property(rates, arrivals, (perSecond, gusts) => {
        let atMs = 0;
        const arrivalsMs = gusts.flatMap(([gapMs, count]) => {
          atMs += gapMs;
          return Array.from({ length: count }, () => atMs);
        });
        const sent = sentMs(perSecond, arrivalsMs);
        const leastMs = (requests: number) =>
          Math.min(...sent.slice(requests).map((at, index) => at - (sent[index] ?? 0)));
        expect(leastMs(perSecond)).toBeGreaterThanOrEqual(SECOND_MS - TINY_MS);
        const burst = Math.min(10, perSecond);
        expect(leastMs(burst)).toBeGreaterThanOrEqual(SECOND_MS / perSecond - TINY_MS);
      }),
    );
  });

  it('is even from the second second on while there is always something to send, and all of the rate', () => {
    fc.assert(
      fc.property(rates, (perSecond) => {
        const sent = sentMs(
          perSecond,
          Array.from({ length: 5 * perSecond }, () => 0),
        );
        const burst = Math.min(10, perSecond);
        expect(sent.slice(0, burst).every((at) => at === 0)).toBe(true);
        for (const [index, at] of sent.entries()) {
          if (index > perSecond)
            expect(at - (sent[index - 1] ?? 0)).toBeCloseTo(SECOND_MS / perSecond, 6);
        }
      }),
    );
  });

  it('stands still for as long as it is told, and not for less where it is told of less', () => {
    let nowMs = 0;
    const pace = createPace(testMachine({ monotonicMs: () => nowMs }), 50);
    pace.throttle(700);
    pace.throttle(300);
    expect(pace.waitMs()).toBe(700);
    nowMs = 700;
    expect(pace.waitMs()).toBe(0);
  });
});
