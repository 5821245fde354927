/** The `Date` of a response, and the local times between which it was written. */
export interface DateHeader {
  readonly dateMs: number;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/** Maximum lateness of a `Date` header, in ms; servers cache its text and may renew it late. */
const DATE_LATENESS_MS = 100;
const RESET_LATENESS_MS = 1_000;
/**
 * Time until a venue that was late once, or whose `Date` was odd once, counts as punctual again, in
 * ms.
 */
const LATENESS_LIFE_MS = 10 * 60_000;

export type VenueTime = ReturnType<typeof createVenueTime>;

/**
 * Creates the conversion between the venue's time and a local clock that does not jump, in ms.
 *
 * @param wallOffsetMs wall clock minus local clock: used as the venue's clock until a `Date` was
 *   seen
 */
export function createVenueTime(wallOffsetMs: () => number) {
  /** Venue clock minus local clock; null until a `Date` was seen. */
  let knownOffsetMs: number | null = null;
  /**
   * Added to every reset after the venue began a window later than it said (it cuts times to whole
   * seconds).
   */
  let resetLatenessMs = 0;
  /** Local time at which such a late window was last seen. */
  let lateAtMs = 0;

  /**
   * Venue clock minus local clock: from `Date` headers, or from the wall clock until one was seen.
   */
  const offsetMs = () => knownOffsetMs ?? wallOffsetMs();

  return {
    offsetMs,
    /** Whether a `Date` was seen. */
    isKnown: () => knownOffsetMs !== null,
    trust(date: DateHeader): void {
      knownOffsetMs = offsetAfter(knownOffsetMs, date);
    },
    /** Returns the local time by which the venue's clock has certainly reached `venueMs`. */
    localMs: (venueMs: number) => venueMs - offsetMs() + resetLatenessMs,
    /** Records that the venue began a window later than it said. */
    wasLate(nowMs: number): void {
      resetLatenessMs = RESET_LATENESS_MS;
      lateAtMs = nowMs;
    },
    /** Forgets lateness that was last seen long ago. */
    advance(nowMs: number): void {
      if (nowMs - lateAtMs > LATENESS_LIFE_MS) resetLatenessMs = 0;
    },
  };
}

/**
 * Returns venue minus local clock after one more `Date` header, in ms. The header is in whole
 * seconds, truncated (RFC 9110 § 6.6.1), and written between sending and receiving, so the true
 * offset lies between date − received and date + 1 s − sent. The greatest lower bound is kept: it
 * is within milliseconds of the truth and never above it, so that no window is considered ended too
 * early. It is reset when a header contradicts it (a clock was set back, or the two drift apart).
 *
 * @param knownMs the offset so far; null if there is none
 */
function offsetAfter(knownMs: number | null, header: DateHeader): number {
  const leastMs = header.dateMs - header.receivedAtMs;
  const mostMs = header.dateMs + 1_000 + DATE_LATENESS_MS - header.sentAtMs;
  if (knownMs === null || knownMs > mostMs) return leastMs;
  return Math.max(knownMs, leastMs);
}
