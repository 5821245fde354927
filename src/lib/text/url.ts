/**
 * The URL, or undefined if the text is none. Not by `URL.canParse`: Node 20 calls hosts such as
 * `bücher.example` wrong once the engine has optimised the call (seen in 20.20.2).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The text with its %XX decoded; as it is if a percent sign introduces nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a path, or an address, without the slashes at its end. */
export function withoutEndSlashes(text: string): string {
  return text.replace(/(?<!\/)\/+$/, '');
}
