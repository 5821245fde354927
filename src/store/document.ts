/** A document that is in the store but is not JSON: kept as it is, for the operator. */
export class UnreadableDocument {
  readonly raw: string;
  readonly reason: string;

  constructor(raw: string, reason: string) {
    this.raw = raw;
    this.reason = reason;
  }
}

/** The text of a document in every store: `{"value":…}`, as Keyv writes it. */
export function serialize(document: unknown): string {
  return JSON.stringify({ value: document });
}

/** The document of a text that `serialize` or Keyv wrote; what is not JSON comes out marked. */
export function deserialize(raw: string): unknown {
  try {
    return JSON.parse(raw).value;
  } catch (error) {
    return new UnreadableDocument(raw, (error as Error).message);
  }
}
