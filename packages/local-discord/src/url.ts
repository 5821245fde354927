/**
 * Returns the URL, or undefined if the text is not one. `URL.canParse` is not used because in Node
 * 20 it wrongly rejects hosts such as `bücher.example` once the engine has optimized the call (seen
 * in 20.20.2).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
