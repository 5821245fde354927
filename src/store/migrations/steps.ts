/**
 * Turns a document of one format into the next one's: JSON in, JSON out, one at a time. It changes
 * no key. Today's schema judges what comes out.
 *
 * @param key under which the document stands, or stood before it was put aside
 * @throws {Error} what is wrong with a document that it cannot turn
 */
export type Step = (key: string, document: unknown) => unknown;

/**
 * One file beside this one a step, oldest first: the first one leads from the format of 0.9.0 to
 * the next. A step that a release had is never changed again.
 */
export const STEPS: readonly Step[] = [];
