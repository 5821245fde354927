/** Parses JSON; returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text; the caller states what was expected instead.
    return undefined;
  }
}

/** Returns an own field of a parsed value; undefined if it is no object or lacks the field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

const [QUOTE, BACKSLASH, BRACE, BRACKET, COMMA] = Buffer.from('"\\{[,');

/**
 * Checks, before parsing, whether a JSON text has more objects and lists, or more commas, than
 * allowed, because a million of them need 100 MB.
 */
export function isOvergrown(
  json: Uint8Array,
  most: { readonly groups: number; readonly commas: number },
): boolean {
  let groups = 0;
  let commas = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isText = !isText;
    else if (!isText && (byte === BRACE || byte === BRACKET)) groups += 1;
    else if (!isText && byte === COMMA) commas += 1;
    if (groups > most.groups || commas > most.commas) return true;
  }
  return false;
}
