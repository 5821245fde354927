import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isBetterThanLuck,
  judge,
  type KeptVerdict,
  luckCentsOf,
} from '../../../src/portfolio/record/verdict.ts';
import { playChannels } from '../../bench/record/channels.ts';
import { seededRandom } from '../../bench/schedule-random.ts';
import { standing } from '../../scores/samples.ts';

/** A standing with an error of one cent. */
const edge = (cents: number) => standing(cents, { errorCents: 1 });
const better: KeptVerdict = { state: 'better', among: 1, changedSeconds: 1 };

describe('the plain rule', () => {
  it('asks more of the best of many: z of 0.95^(1/k)', () => {
    for (const [ranked, z] of [
      [1, 1.645],
      [5, 2.319],
      [10, 2.568],
      [25, 2.87],
      [100, 3.284],
    ] as const) {
      expect(isBetterThanLuck(edge(z + 0.01), ranked)).toBe(true);
      expect(isBetterThanLuck(edge(z - 0.01), ranked)).toBe(false);
    }
  });
});

describe('a verdict', () => {
  it('begins at the z of eight times as many wallets, which is what luck alone is said to reach', () => {
    for (const [among, z] of [
      [1, 2.49],
      [5, 3.02],
      [10, 3.22],
    ] as const) {
      expect(luckCentsOf(edge(0), among)).toBeCloseTo(z, 2);
      expect(judge(undefined, edge(z - 0.01), among, 7)).toBeUndefined();
      expect(judge(undefined, edge(z + 0.01), among, 7)).toEqual({
        state: 'better',
        among,
        changedSeconds: 7,
      });
    }
  });

  it('ends half a standard error below the plain rule, and says where that is because more wallets are compared', () => {
    expect(judge(better, edge(1.15), 1, 7)).toBe(better);
    expect(judge(better, edge(1.14), 1, 7)).toEqual({
      state: 'ended',
      among: 1,
      changedSeconds: 7,
    });
    expect(judge(better, edge(1.9), 5, 7)).toBe(better);
    const outdone = judge(better, edge(1.8), 5, 7);
    expect(outdone).toEqual({ state: 'moreCompared', among: 1, changedSeconds: 7 });
    expect(judge(outdone, edge(1.8), 5, 9)).toBe(outdone);
    expect(judge(outdone, edge(1.1), 5, 9), 'not for that any more').toEqual({
      ...outdone,
      state: 'ended',
    });
    expect(judge(outdone, edge(3.1), 5, 9)).toEqual({
      state: 'better',
      among: 5,
      changedSeconds: 9,
    });
  });

  it('ends with a record that is ranked no more, and never begins with one', () => {
    for (const unranked of [undefined, standing(90, { isRanked: false }), standing(90, {}, 19)]) {
      expect(judge(better, unranked, 1, 7)).toEqual({
        state: 'ended',
        among: 1,
        changedSeconds: 7,
      });
      expect(judge(undefined, unranked, 1, 7)).toBeUndefined();
    }
  });

  it('changes nothing more when it is judged again by the same', () => {
    const anyEdge = fc.double({ min: -5, max: 8, noNaN: true });
    const among = fc.integer({ min: 1, max: 500 });
    const kept = fc.option(
      fc.record({
        state: fc.constantFrom('better', 'moreCompared', 'ended'),
        among,
        changedSeconds: fc.nat(5),
      }),
      { nil: undefined },
    );
    fc.assert(
      fc.property(kept, anyEdge, among, (before, cents, now) => {
        const after = judge(before, edge(cents), now, 7);
        expect(judge(after, edge(cents), now, 9)).toBe(after);
      }),
    );
  });
});

describe('channels that are judged after every market, up to 360', () => {
  const REPEATS = { 1: 200, 5: 80, 10: 60 } as const;

  it.each([1, 5, 10] as const)(
    'of %i wallets without skill: at most 12 in 100 ever call one better than luck',
    (size) => {
      const channels = REPEATS[size];
      expect(
        playChannels(channels, size, 0, seededRandom(11)).channelsWithBetter / channels,
      ).toBeLessThanOrEqual(0.12);
    },
  );

  it('find four of five wallets with ten cents, and change their mind twice about a wallet at most', () => {
    const channels = 10;
    const { found, changes } = playChannels(channels, 10, 0.1, seededRandom(11));
    expect(found / (channels * 10)).toBeGreaterThan(0.8);
    expect(changes / (channels * 10)).toBeLessThanOrEqual(2);
  });
});
