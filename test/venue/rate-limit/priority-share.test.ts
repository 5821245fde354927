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

const greedyOnes = fc
  .integer({ min: 1, max: 6 })
  .map((count) => Array.from({ length: count }, (_, n) => `greedy ${n}`));
const windows = fc.integer({ min: 10, max: 300 });

describe('look-ups shared between servers', () => {
  it('leave a newcomer as much as each greedy server has, once it was turned away', () => {
    fc.assert(
      fc.property(greedyOnes, windows, (greedy, window) => {
        const share = createPriorityShare();
        const left = serve(share, greedy, window);
        expect(share.nextGuild(['newcomer'], left, 1) === null).toBe(left === 0);
        share.restart([]);
        expect(serve(share, greedy, window)).toBeGreaterThanOrEqual(Math.floor(window / (greedy.length + 1)));
      }),
    );
  });

  it('are all of a server that is alone', () => {
    fc.assert(fc.property(windows, (window) => serve(createPriorityShare(), ['only'], window) === 0));
  });
});
