/** Servers cache the text of their `Date` header and may be late to renew it. */
const DATE_LATENESS_MS = 100;

/**
 * Venue clock minus local clock after one more `Date` header, ms. The header is in whole seconds, cut off (RFC 9110 § 6.6.1), and was
 * written between sending and receiving, so the true offset lies between date − received and date + 1 s − sent. The greatest lower
 * bound is kept: it comes within milliseconds of the truth and never lies above it, so that no window is taken for ended too early.
 * It starts anew when a header contradicts it (a clock was set back, or the two drift apart).
 *
 * @param knownMs the offset so far; null if there is none
 */
export function offsetAfter(
  knownMs: number | null,
  header: { readonly dateMs: number; readonly sentAtMs: number; readonly receivedAtMs: number },
): number {
  const leastMs = header.dateMs - header.receivedAtMs;
  const mostMs = header.dateMs + 1_000 + DATE_LATENESS_MS - header.sentAtMs;
  return knownMs === null || knownMs > mostMs ? leastMs : Math.max(knownMs, leastMs);
}
