/** The value of a header as Node and undici give it: an array where it came several times. */
type HeaderValue = string | readonly string[] | undefined;

/** A header that came twice with different values says nothing that can be relied on. */
export function singleHeader(value: HeaderValue): string | null {
  const [first, ...others] = [value ?? []].flat();
  if (first === undefined || others.some((other) => other !== first)) return null;
  return first.trim();
}

/**
 * Reads the only form of a date that servers may send (RFC 9110, 5.6.7, IMF-fixdate), epoch ms:
 * `Date.parse` alone takes far too much for a date.
 */
export function httpDateMs(value: HeaderValue): number | null {
  const text = singleHeader(value);
  if (text === null) return null;
  const epochMs = Date.parse(text);
  if (Number.isNaN(epochMs) || new Date(epochMs).toUTCString() !== text) return null;
  return epochMs;
}

/**
 * Reads how long a server asks to be left alone (RFC 9110, 10.2.3), ms: seconds, of which some
 * servers send fractions, or a date.
 *
 * @param nowMs the time with which a date is compared; null: not known
 * @returns null if it asks for nothing, or for a time that is over
 */
export function retryAfterMs(value: HeaderValue, nowMs: number | null): number | null {
  const text = singleHeader(value);
  if (text === null) return null;
  if (/^\d{1,16}(\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const atMs = httpDateMs(text);
  if (atMs === null || nowMs === null || atMs < nowMs) return null;
  return atMs - nowMs;
}

/** Whether a client takes a body compressed by gzip, by its Accept-Encoding (RFC 9110, 12.5.3). */
export function acceptsGzip(value: HeaderValue): boolean {
  const parts = [value ?? []].flat().join(',').toLowerCase().split(',');
  return parts.some((part) => {
    const [coding, quality = ''] = part.split(';').map((word) => word.trim());
    if (coding !== 'gzip' && coding !== 'x-gzip') return false;
    return quality === '' || Number(/^q\s*=\s*([\d.]+)$/.exec(quality)?.[1]) > 0;
  });
}
