import { textLength } from '../../../src/embeds/text/escape.ts';
import { EMBED_LIMITS, joinFitting } from '../../../src/embeds/text/limits.ts';
import type { Language } from '../../../src/language/language.ts';
import { button } from '../../../src/messages/buttons.ts';

/**
 * Returns one page of an answer: an introduction and as many blocks as fit, under the heading of
 * their group. A block is never split, and at least one is shown.
 * @param blocks from the page's first block on, and no more than it may hold
 * @returns the page, and the number of its blocks
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
 * Returns the rows that a page may show.
 * @param wantedIndex index of its first row, counted from 0; other values become the first or the
 *   last row
 */
export function rowsFrom<Row>(rows: readonly Row[], wantedIndex: number, perPage: number) {
  const last = Math.max(0, rows.length - 1);
  const first = Math.min(Math.max(0, Math.trunc(wantedIndex) || 0), last);
  return { first, shown: rows.slice(first, first + perPage) };
}

/**
 * Returns the buttons for the previous and the next page, and which rows are shown; none if a page
 * shows all rows. With long rows a page holds fewer, so the previous page may end in the middle of
 * this one.
 * @param rows index of the first row shown, and of the first row after the page, counted from 0
 * @param idOf returns the id of the button that shows the page from a row on
 */
export function paging(
  rows: Readonly<Record<'first' | 'next' | 'perPage' | 'all', number>>,
  idOf: (index: number) => string,
  { texts }: Language,
) {
  const { first, next, perPage, all } = rows;
  if (next - first >= all) return { buttons: [], range: null };
  const { previous, next: further } = texts.lists.buttons;
  const before = Math.max(0, first - perPage);
  const buttons = [
    { ...button(idOf(before), previous), disabled: first === 0 },
    { ...button(idOf(next), further), disabled: next >= all },
  ];
  return { buttons, range: texts.watch.list.range(first + 1, next, all) };
}

/**
 * Returns the first lines that fit into an embed's description, `…` if there are more, and the
 * notes below them.
 */
export function withNotes(lines: readonly string[], notes: readonly string[]): string {
  const below = notes.length === 0 ? [] : ['', ...notes];
  const space = EMBED_LIMITS.description - textLength(['…', ...below].join('\n')) - 1;
  const { text, left } = joinFitting(lines, space);
  const more = left > 0 ? ['…'] : [];
  return [text, ...more, ...below].join('\n');
}
