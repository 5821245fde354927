import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairLru } from '../../../src/lib/fair-shares/fair-lru.ts';

const LIMIT = 100;

describe('a limit that owners share', () => {
  it('lets nobody push out what others keep, as long as they keep less', () => {
    const puts = fc.array(
      fc.record({
        owner: fc.constantFrom('greedy', 'greedy', 'greedy', 'modest', 'other'),
        id: fc.integer({ min: 0, max: 40 }),
        size: fc.integer({ min: 1, max: 30 }),
      }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(puts, (drawn) => {
        const bound = createFairLru(LIMIT);
        let kept: { owner: string; id: string; size: number }[] = [];
        const totalOf = (owner: string) =>
          kept.filter((one) => one.owner === owner).reduce((sum, { size }) => sum + size, 0);
        for (const { owner, id: number, size } of drawn) {
          const id = `${owner} ${number}`;
          const gone = bound.put(owner, id, size);
          kept = [...kept.filter((one) => one.id !== id), { owner, id, size }];
          for (const each of gone) {
            const leaving = kept.find((one) => one.id === each);
            expect(each).not.toBe(id);
            const most = Math.max(...['greedy', 'modest', 'other'].map(totalOf));
            expect(totalOf(leaving?.owner ?? ''), 'it goes from whoever keeps the most').toBe(most);
            const oldest = kept.find((one) => one.owner === leaving?.owner && one.id !== id);
            expect(each, 'what was used longest ago goes first').toBe(oldest?.id);
            kept = kept.filter((one) => one.id !== each);
          }
          const total = kept.reduce((sum, one) => sum + one.size, 0);
          expect(total <= LIMIT || totalOf(owner) === size).toBe(true);
        }
      }),
    );
  });

  it('may be used up by one that is alone, until others come', () => {
    const bound = createFairLru(LIMIT);
    for (let id = 0; id < 10; id += 1) expect(bound.put('one', `${id}`, 10)).toEqual([]);
    expect(bound.put('two', 'a', 10)).toEqual(['0']);
    bound.drop('1');
    expect(bound.put('two', 'b', 10)).toEqual([]);
  });
});
