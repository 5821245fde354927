import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMBED_LIMITS } from '../../src/alert/pack.ts';
import { textLength } from '../../src/alert/text.ts';
import { pagesOf } from '../../src/bot/watch-pages.ts';

describe('pages of /watch list', () => {
  it('show each watch whole, once, in order, under the heading of its channel, within the limits', () => {
    const sizes = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 1_500 })), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 10 }), (drawn, perPage) => {
        const sorted = drawn.toSorted(([a], [b]) => a - b);
        const blocks = sorted.map(([channel, size], index) => ({
          heading: `#${channel}`,
          body: `<${index}>${'x'.repeat(size)}</${index}>`,
        }));
        const pages = pagesOf('⚠️ down', blocks, perPage);
        const read = pages.flatMap((page) => {
          expect(page.startsWith('⚠️ down')).toBe(true);
          expect(textLength(page)).toBeLessThanOrEqual(EMBED_LIMITS.description);
          let heading = '';
          const found = page
            .split('\n')
            .slice(1)
            .flatMap((line) => {
              if (!line.startsWith('#')) return [{ heading, body: line }];
              expect(line).not.toBe(heading);
              heading = line;
              return [];
            });
          expect(found.length).toBeLessThanOrEqual(perPage);
          return found;
        });
        expect(read).toEqual(blocks);
      }),
    );
  });

  it('are one page if there is nothing', () => expect(pagesOf('', [], 10)).toEqual(['']));
});
