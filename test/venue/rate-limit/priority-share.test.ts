import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPriorityShare, type PriorityShare } from '../../../src/venue/rate-limit/priority-share.ts';

/** Serves those that wait, at the beginning of a window, for as long as they may have more. @returns what is left of it */
function serve(share: PriorityShare, waiting: readonly string[], left: number): number {
  for (let rest = left; ; rest -= 1) {
    const guildId = share.nextGuild(waiting, rest, 1);
    if (guildId === null) return rest;
    share.started({ priority: 'person', guildId }, 0);
  }
}

const groupOf = (ownerId: string) => (ownerId.startsWith('@') ? '@' : ownerId);
const greedyOnes = fc
  .integer({ min: 1, max: 6 })
  .map((count) => Array.from({ length: count }, (_, n) => `greedy ${n}`));
const windows = fc.integer({ min: 10, max: 400 });

describe('look-ups shared between servers', () => {
  it.each(['', '@'])(
    'leave a newcomer as much as each greedy one has, once it was turned away (ids begin with "%s")',
    (sign) => {
      fc.assert(
        fc.property(greedyOnes, windows, (names, window) => {
          const greedy = names.map((name) => sign + name);
          const share = createPriorityShare(groupOf);
          const left = serve(share, greedy, window);
          expect(share.nextGuild([`${sign}newcomer`], left, 1) === null).toBe(left === 0);
          share.restart([]);
          const kept = serve(share, greedy, window);
          const shares = greedy.length + 1;
          expect(kept).toBeGreaterThanOrEqual(Math.floor(window / shares));
          expect(kept).toBeLessThanOrEqual(Math.floor((window + greedy.length) / shares));
        }),
      );
    },
  );

  it('are as many for all persons together as for a server, and are shared fairly among them', () => {
    const persons = fc.integer({ min: 2, max: 12 }).map((count) => Array.from({ length: count }, (_, n) => `@${n}`));
    fc.assert(
      fc.property(greedyOnes, persons, windows, (greedy, greedyPersons, window) => {
        const share = createPriorityShare(groupOf);
        const usedBy = new Map<string, number>();
        let left = window;
        for (; ; left -= 1) {
          const guildId = share.nextGuild([...greedyPersons, ...greedy], left, 1);
          if (guildId === null) break;
          share.started({ priority: 'person', guildId }, 0);
          usedBy.set(guildId, (usedBy.get(guildId) ?? 0) + 1);
        }
        const usedEach = (ids: readonly string[]) => ids.map((id) => usedBy.get(id) ?? 0);
        const ofPersons = usedEach(greedyPersons);
        const together = ofPersons.reduce((sum, used) => sum + used, 0);
        expect(together).toBeLessThanOrEqual(Math.min(...usedEach(greedy)) + 1);
        expect(Math.max(...ofPersons) - Math.min(...ofPersons)).toBeLessThanOrEqual(1);
        // Of a window that is large enough a further person finds some as well.
        const isLarge = window >= 300 && greedy.length <= 3 && greedyPersons.length <= 3;
        if (isLarge) expect(share.nextGuild(['@newcomer'], left, 1)).toBe('@newcomer');
      }),
    );
  });

  it('are all of a server that is alone', () => {
    fc.assert(fc.property(windows, (window) => serve(createPriorityShare(groupOf), ['only'], window) === 0));
  });
});
