import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf, withNotes } from '../../../commands/watch/shared/page.ts';
import { textLength } from '../../../src/embeds/text/escape.ts';
import { EMBED_LIMITS } from '../../../src/embeds/text/limits.ts';

/** All pages, each from where the one before has ended. */
function pagesOf(
  introduction: string,
  blocks: Parameters<typeof pageOf>[1],
  perPage: number,
): string[] {
  const pages: string[] = [];
  let shown = 0;
  do {
    const { text, count } = pageOf(introduction, blocks.slice(shown, shown + perPage));
    pages.push(text);
    shown += count;
  } while (shown < blocks.length);
  return pages;
}

describe('pages of /watch list', () => {
  it('show each watch whole, once, in order, under the heading of its channel, within the limits', () => {
    const sizes = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 1_500 })), {
      maxLength: 60,
    });
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

describe('the answer of /watch why', () => {
  it('keeps its notes and fits, however long its lines are', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 20 });
    // The last size fills what is left to the letter, and one letter around it.
    fc.assert(
      fc.property(sizes, fc.integer({ min: -3, max: 3 }), fc.boolean(), (drawn, by, hasNotes) => {
        const notes = hasNotes ? ['-# unsure', '-# unconfirmed'] : [];
        const total = drawn.reduce((sum, size) => sum + size + 1, 0);
        const last = EMBED_LIMITS.description - (total % EMBED_LIMITS.description) + by;
        const lines = [...drawn, Math.max(1, last), 1].map((size) => 'x'.repeat(size));
        const text = withNotes(lines, notes);
        expect(textLength(text)).toBeLessThanOrEqual(EMBED_LIMITS.description);
        const shown = text.split('\n').filter((line) => line.startsWith('x'));
        expect(shown).toEqual(lines.slice(0, shown.length));
        expect(text.includes('…')).toBe(shown.length < lines.length);
        expect(text.endsWith(notes.join('\n'))).toBe(true);
      }),
    );
  });
});
