/** A header's value from Node or undici; an array if the header was repeated. */
type HeaderValue = string | readonly string[] | undefined;

/** Returns a header's single value; null if it is missing or was repeated with different values. */
export function singleHeader(value: HeaderValue): string | null {
  const [first, ...others] = [value ?? []].flat();
  if (first === undefined || others.some((other) => other !== first)) return null;
  return first.trim();
}

/**
 * Reads the only date format that servers may send (RFC 9110, 5.6.7, IMF-fixdate), in epoch ms;
 * `Date.parse` alone accepts far too much.
 */
export function httpDateMs(value: HeaderValue): number | null {
  const text = singleHeader(value);
  if (text === null) return null;
  const epochMs = Date.parse(text);
  if (Number.isNaN(epochMs) || new Date(epochMs).toUTCString() !== text) return null;
  return epochMs;
}

/**
 * Reads the delay that a server requests (RFC 9110, 10.2.3), in ms: given in seconds (some servers
 * send fractions) or as a date.
 *
 * @param nowMs time with which a date is compared; null if unknown
 * @returns null if no delay is requested or the date has passed
 */
export function retryAfterMs(value: HeaderValue, nowMs: number | null): number | null {
  const text = singleHeader(value);
  if (text === null) return null;
  if (/^\d{1,16}(\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const atMs = httpDateMs(text);
  if (atMs === null || nowMs === null || atMs < nowMs) return null;
  return atMs - nowMs;
}

/**
 * Whether a client accepts a body compressed by gzip, by its Accept-Encoding (RFC 9110, 12.5.3).
 */
export function acceptsGzip(value: HeaderValue): boolean {
  const parts = [value ?? []].flat().join(',').toLowerCase().split(',');
  return parts.some((part) => {
    const [coding, quality = ''] = part.split(';').map((word) => word.trim());
    if (coding !== 'gzip' && coding !== 'x-gzip') return false;
    return quality === '' || Number(/^q\s*=\s*([\d.]+)$/.exec(quality)?.[1]) > 0;
  });
}
