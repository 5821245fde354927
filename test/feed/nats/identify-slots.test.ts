import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createIdentifySlots } from '../../../src/feed/nats/feed-server.ts';

it('turns to log in are five seconds apart in each bucket, and whoever asks waits for the next one alone', () => {
  const asked = fc.array(
    fc.record({ afterMs: fc.nat({ max: 8_000 }), bucket: fc.nat({ max: 2 }) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(asked, (questions) => {
      let nowMs = 0;
      const take = createIdentifySlots(() => nowMs);
      const last = new Map<number, number>();
      for (const { afterMs, bucket } of questions) {
        nowMs += afterMs;
        const waitMs = take(bucket);
        const before = last.get(bucket);
        if (waitMs === 0) {
          expect(nowMs - (before ?? -6_000)).toBeGreaterThan(5_000);
          last.set(bucket, nowMs);
        } else expect(nowMs + waitMs - (before ?? Number.NaN)).toBeLessThan(6_000);
      }
    }),
  );
});
