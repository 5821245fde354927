/**
 * Approximate total characters of the documents of one page: few enough to be freed with the heap's
 * young objects. Larger pages grow the heap by a hundred megabytes before it is collected.
 */
const PAGE_CHARACTERS = 300_000;
/**
 * Maximum documents of a page, because large documents may follow small ones: 200 of 26 kB are 5
 * MB.
 */
const MOST_ROWS = 200;

/** Keys per page if they are read without their documents. */
export const KEYS_A_PAGE = 1_000;

/** Minimum rows of a page; also used for the first page, when sizes are unknown. */
export const LEAST_ROWS = 10;

/** Returns how many documents to read next, by the size of those read last. */
export function rowsAfter(texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const rows = Math.floor((PAGE_CHARACTERS * texts.length) / Math.max(1, characters));
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows));
}
