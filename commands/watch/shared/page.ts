import { joinFitting } from '../../../src/embeds/text/limits.ts';

/**
 * One page of an answer: an introduction and as many blocks as fit, under the heading of their
 * group. A block is never torn, and one is always shown.
 *
 * @param blocks from the first of the page on, and no more than it may hold
 * @returns the page, and how many blocks it holds
 */
export function pageOf(
  introduction: string,
  blocks: readonly Readonly<Record<'heading' | 'body', string>>[],
) {
  const rows = blocks.map(({ heading, body }, at) => {
    const isUnderHeading = heading === blocks[at - 1]?.heading;
    return isUnderHeading ? body : `${heading}\n${body}`;
  });
  const opening = introduction === '' ? [] : [introduction];
  const { left } = joinFitting([...opening, ...rows]);
  const count = Math.max(rows.length - left, Math.min(1, rows.length));
  return { text: [...opening, ...rows.slice(0, count)].join('\n'), count };
}
