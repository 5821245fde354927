import { textLength } from '../../../src/embeds/text/escape.ts';
import { EMBED_LIMITS } from '../../../src/embeds/text/limits.ts';

/** Something that is shown whole, under the heading of its group. */
export interface Block {
  readonly heading: string;
  readonly body: string;
}

/**
 * One page of an answer: it begins with the introduction, holds as many blocks as fit, and repeats the heading of a group
 * that goes on. A block is never torn, and one is always shown.
 *
 * @param blocks from the first of the page on; no more of them are made than the page holds, and one
 * @param perPage blocks on a page at the most
 * @returns the page, and how many blocks it holds
 */
export function pageOf(
  introduction: string,
  blocks: Iterable<Block>,
  perPage: number,
): { readonly text: string; readonly count: number } {
  let page = { text: introduction, count: 0 };
  let heading: string | null = null;
  for (const block of blocks) {
    const text = joined(page.text, block.heading === heading ? '' : block.heading, block.body);
    if (page.count > 0 && (page.count === perPage || textLength(text) > EMBED_LIMITS.description)) break;
    page = { text, count: page.count + 1 };
    heading = block.heading;
  }
  return page;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
