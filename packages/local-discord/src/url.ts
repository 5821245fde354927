/**
 * Returns the URL, or undefined if the text is none. `URL.canParse` is not used: Node 20 calls
 * hosts such as `bücher.example` wrong once the engine has optimised the call (seen in 20.20.2).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
