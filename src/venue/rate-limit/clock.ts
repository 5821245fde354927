/** What is known of the venue's clock: venue time minus local time lies between `lowMs` and `highMs`. */
export interface ClockOffset {
  readonly lowMs: number;
  readonly highMs: number;
  /** Local time of the last observation. */
  readonly atMs: number;
}

/** Two clocks may drift apart by this much; the bounds widen accordingly. */
const DRIFT = 200e-6;
/** Servers cache the text of their `Date` header and may be late to renew it. */
const DATE_LATENESS_MS = 100;
const JUMP_MS = 2_000;

/**
 * Learns from one `Date` header (RFC 9110 § 6.6.1: whole seconds, cut off, so the true time lies up to a second later). The header was
 * written between sending and receiving; many such intervals intersect to far less than a second. An interval that does not meet what
 * was known replaces it.
 *
 * @returns `jumped` when one of the clocks was set by more than two seconds: what was kept in venue time can no longer be compared
 */
export function observeDate(
  known: ClockOffset | null,
  dateMs: number,
  sentMs: number,
  receivedMs: number,
): { readonly offset: ClockOffset; readonly jumped: boolean } {
  const lowMs = dateMs - receivedMs;
  const highMs = dateMs + 1_000 + DATE_LATENESS_MS - sentMs;
  const fresh = { lowMs, highMs, atMs: receivedMs };
  if (known === null) return { offset: fresh, jumped: false };
  const drifted = Math.max(0, receivedMs - known.atMs) * DRIFT;
  const knownLow = known.lowMs - drifted;
  const knownHigh = known.highMs + drifted;
  const gap = Math.max(lowMs - knownHigh, knownLow - highMs);
  if (gap > 0) return { offset: fresh, jumped: gap > JUMP_MS };
  return {
    offset: { lowMs: Math.max(lowMs, knownLow), highMs: Math.min(highMs, knownHigh), atMs: receivedMs },
    jumped: false,
  };
}

/** The best guess of venue time minus local time. */
export function middle(offset: ClockOffset): number {
  return (offset.lowMs + offset.highMs) / 2;
}
