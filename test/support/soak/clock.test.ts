import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SoakClock } from './clock.ts';

/** So short that many timers fire at the same moment. */
const END_MS = 4;

describe('virtual time', () => {
  it('comes to each timer that is not cleared, the earliest first, in the order in which they were set', async () => {
    const timers = fc.array(
      fc.record({ atMs: fc.nat(2 * END_MS), isCleared: fc.boolean(), nextMs: fc.nat(END_MS) }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(timers, async (plan) => {
        const clock = new SoakClock(0);
        const seen: { readonly atMs: number; readonly order: number }[] = [];
        let set = 0;
        const setAt = (atMs: number, then: () => void) => {
          const order = set;
          set += 1;
          return clock.at(atMs, () => {
            expect(clock.nowMs).toBe(atMs);
            seen.push({ atMs, order });
            then();
          });
        };
        let expected = 0;
        for (const { atMs, isCleared, nextMs } of plan) {
          const id = setAt(atMs, () => void setAt(atMs + nextMs, () => {}));
          if (isCleared) clock.timers.clearTimeout(id);
          else if (atMs <= END_MS) expected += atMs + nextMs <= END_MS ? 2 : 1;
        }
        await clock.runUntil(END_MS);
        expect(seen).toHaveLength(expected);
        expect(clock.nowMs).toBe(END_MS);
        const inOrder = seen.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order);
        expect(seen).toEqual(inOrder);
        expect(clock.waiting).toBe(set - seen.length - plan.filter((one) => one.isCleared).length);
      }),
    );
  });
});
