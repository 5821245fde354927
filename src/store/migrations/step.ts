/**
 * Turns a document of one format into the next one's: JSON in, JSON out, one at a time. It changes
 * no key. Today's schema judges what comes out.
 *
 * @param key under which the document stands, or stood before it was put aside
 * @throws {Error} what is wrong with a document that it cannot turn
 */
export type Step = (key: string, document: unknown) => unknown;
