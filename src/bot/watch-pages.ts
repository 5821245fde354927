import { EMBED_LIMITS } from '../alert/pack.ts';
import { textLength } from '../alert/text.ts';

/** Something that is shown whole, under the heading of its group. */
export interface Block {
  readonly heading: string;
  readonly body: string;
}

/**
 * Pages of an answer: each begins with the introduction, holds as many blocks as fit, and repeats the heading of a group
 * that goes on. A block is never torn.
 *
 * @param perPage blocks on a page at the most
 * @returns at least one page
 */
export function pagesOf(introduction: string, blocks: readonly Block[], perPage: number): string[] {
  const pages: string[] = [];
  let page = introduction;
  let heading: string | null = null;
  let count = 0;
  for (const block of blocks) {
    const longer = joined(page, block.heading === heading ? '' : block.heading, block.body);
    if (count > 0 && (count === perPage || textLength(longer) > EMBED_LIMITS.description)) {
      pages.push(page);
      page = joined(introduction, block.heading, block.body);
      count = 1;
    } else {
      page = longer;
      count += 1;
    }
    heading = block.heading;
  }
  return [...pages, page];
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
