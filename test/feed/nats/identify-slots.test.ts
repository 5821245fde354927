import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createIdentifySlots } from '../../../src/feed/nats/identify-slots.ts';

it('turns to log in are five seconds apart in each bucket, in the order of the questions, and none is wasted', () => {
  const asked = fc.array(fc.record({ afterMs: fc.nat({ max: 8_000 }), bucket: fc.nat({ max: 2 }) }), { maxLength: 30 });
  fc.assert(
    fc.property(asked, (questions) => {
      let nowMs = 0;
      const slots = createIdentifySlots(() => nowMs);
      const last = new Map<number, number>();
      for (const { afterMs, bucket } of questions) {
        nowMs += afterMs;
        const waitMs = slots.take(bucket);
        const turnMs = nowMs + waitMs;
        const before = last.get(bucket);
        if (before === undefined) expect(waitMs).toBe(0);
        else {
          expect(turnMs - before).toBeGreaterThan(5_000);
          if (waitMs > 0) expect(turnMs - before).toBeLessThan(6_000);
        }
        last.set(bucket, turnMs);
      }
    }),
  );
});
