/**
 * Characters that the documents of one page have together, about: few enough that they are gone
 * with the young objects of the heap. Larger pages grow it by a hundred megabytes until it is
 * collected.
 */
const PAGE_CHARACTERS = 300_000;
/** A page after small documents may be of large ones: 200 of 26 kB are 5 MB. */
const MOST_ROWS = 200;

/** Keys of one page that are read without their documents. */
export const KEYS_A_PAGE = 1_000;

/** Rows of the first page, of which nothing is known. */
export const LEAST_ROWS = 10;

/** Computes how many documents to read next by the size of those that were read last. */
export function rowsAfter(texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const rows = Math.floor((PAGE_CHARACTERS * texts.length) / Math.max(1, characters));
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows));
}
