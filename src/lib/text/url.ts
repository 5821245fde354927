/**
 * Returns the URL; undefined if the text is not one. `URL.canParse` is not used, because Node 20
 * rejects hosts such as `bücher.example` once the engine has optimized the call (seen in 20.20.2).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Advice for an address in which a user name or password may not be encoded. */
export const ENCODE =
  'Write special characters of user name and password as %XX: ' +
  '@ is %40, # is %23, / is %2F, ? is %3F, : is %3A, a comma is %2C, % is %25.';

/** Decodes %XX; returns the text unchanged if it contains an invalid percent sign. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a path or an address without trailing slashes. */
export function withoutEndSlashes(text: string): string {
  return text.replace(/(?<!\/)\/+$/, '');
}
