import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlap, type Shards } from '../../src/store/marks.ts';

const shards: fc.Arbitrary<Shards> = fc
  .integer({ min: 1, max: 12 })
  .chain((count) =>
    fc
      .uniqueArray(fc.nat({ max: count - 1 }), { minLength: 1 })
      .map((ids): Shards => ({ ids, count })),
  );

describe('shards that have moved', () => {
  it('are those of a process exactly if a server can be in both, and of every process if everything has moved', () => {
    const has = ({ ids, count }: Shards, server: number) => ids.includes(server % count);
    fc.assert(
      fc.property(shards, shards, (one, other) => {
        const servers = Array.from({ length: one.count * other.count }, (_, server) => server);
        expect(overlap(one, other)).toBe(
          servers.some((server) => has(one, server) && has(other, server)),
        );
        expect([overlap(null, one), overlap(one, null)]).toEqual([true, true]);
      }),
    );
  });
});
