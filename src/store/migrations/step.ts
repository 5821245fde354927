/**
 * Converts a document of one format to the next: JSON in, JSON out, one at a time. It changes no
 * key. Today's schema validates the result.
 *
 * @param key key of the document, or its key before it was quarantined
 * @throws {Error} with the fault of a document that it cannot convert
 */
export type Step = (key: string, document: unknown) => unknown;

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a part of a document is an object with named fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
