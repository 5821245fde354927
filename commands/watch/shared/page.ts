import { joinFitting } from '../../../src/embeds/text/limits.ts';
import type { Language } from '../../../src/language/language.ts';
import { button } from '../../../src/messages/buttons.ts';

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

/**
 * The rows that a page may show.
 *
 * @param wantedIndex of the first of them, from 0 on; anything else is the first or the last row
 */
export function rowsFrom<Row>(rows: readonly Row[], wantedIndex: number, perPage: number) {
  const last = Math.max(0, rows.length - 1);
  const first = Math.min(Math.max(0, Math.trunc(wantedIndex) || 0), last);
  return { first, shown: rows.slice(first, first + perPage) };
}

/**
 * The buttons to the page before and the one behind; none where a page shows all rows. With long
 * rows a page holds fewer: then the page before this one ends in the middle of it.
 *
 * @param shown index of the first row that is shown, and of the first that is not, from 0 on
 * @param idOf the id of the button that shows the page from a row on
 */
export function pageButtons(
  shown: { readonly first: number; readonly next: number },
  counts: { readonly perPage: number; readonly all: number },
  idOf: (index: number) => string,
  { texts }: Language,
) {
  const { first, next } = shown;
  if (next - first >= counts.all) return [];
  const { previous, next: further } = texts.lists.buttons;
  const before = Math.max(0, first - counts.perPage);
  return [
    { ...button(idOf(before), previous), disabled: first === 0 },
    { ...button(idOf(next), further), disabled: next >= counts.all },
  ];
}
