import type { DeserializedData } from 'keyv';

/** A document that is in the store but is not JSON: kept as it is, for a person to look at. */
export class UnreadableDocument {
  readonly raw: string;
  readonly reason: string;

  constructor(raw: string, reason: string) {
    this.raw = raw;
    this.reason = reason;
  }
}

/** Keyv wraps each document as `{value, expires}`; what is not JSON comes out marked instead of ending an iteration. */
export function deserialize<T>(raw: string): DeserializedData<T> {
  try {
    return JSON.parse(raw);
  } catch (error) {
    return { value: new UnreadableDocument(raw, (error as Error).message) as T };
  }
}

/** The document inside Keyv's wrapping. */
export function unwrap(raw: string): unknown {
  return deserialize<unknown>(raw).value;
}
