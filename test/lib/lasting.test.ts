import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSightings } from '../../src/lib/async/lasting.ts';

const LIMIT_MS = 10_000;
const SILENT_MS = 5_000;

it('what lasts is what has been seen for the limit without a silence and without an end', () => {
  const steps = fc.array(fc.record({ afterMs: fc.nat({ max: 6_000 }), isOver: fc.boolean() }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, (row) => {
      let nowMs = 0;
      const sightings = createSightings(LIMIT_MS, SILENT_MS, () => nowMs);
      /** When it was seen since the last end or silence. */
      let seenMs: number[] = [];
      for (const { afterMs, isOver } of row) {
        nowMs += afterMs;
        if (isOver) {
          sightings.over();
          seenMs = [];
          continue;
        }
        if (nowMs - (seenMs.at(-1) ?? nowMs) > SILENT_MS) seenMs = [];
        seenMs.push(nowMs);
        const expected = {
          isFirst: seenMs.length === 1,
          hasLasted: nowMs - (seenMs[0] ?? nowMs) >= LIMIT_MS,
        };
        expect(sightings.seen()).toEqual(expected);
      }
    }),
  );
});
