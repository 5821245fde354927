/** The `Date` of an answer, and between which local times it was written. */
export interface DateHeader {
  readonly dateMs: number;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/** Servers cache the text of their `Date` header and may be late to renew it. */
const DATE_LATENESS_MS = 100;
const RESET_LATENESS_MS = 1_000;
/** A venue that was late once, or whose `Date` was odd once, is not held to be late for ever. */
const LATENESS_LIFE_MS = 10 * 60_000;

export type VenueTime = ReturnType<typeof createVenueTime>;

/**
 * Tells the venue's time by a local clock that does not jump, ms.
 *
 * @param wallOffsetMs wall clock minus local clock: stands in for the venue's clock until a `Date`
 *   was seen
 */
export function createVenueTime(wallOffsetMs: () => number) {
  /** Venue clock minus local clock; null until a `Date` was seen. */
  let knownOffsetMs: number | null = null;
  /**
   * Added to every reset once the venue was seen to begin windows later than it says (a time cut to
   * whole seconds).
   */
  let resetLatenessMs = 0;
  /** Local time at which that was seen last. */
  let lateAtMs = 0;

  /** Venue clock minus local clock: from `Date` headers, from the wall clock until one was seen. */
  const offsetMs = () => knownOffsetMs ?? wallOffsetMs();

  return {
    offsetMs,
    /** Tells whether a `Date` was seen. */
    isKnown: () => knownOffsetMs !== null,
    believe(date: DateHeader): void {
      knownOffsetMs = offsetAfter(knownOffsetMs, date);
    },
    /** Local time by which the venue's clock has certainly reached `venueMs`. */
    localMs: (venueMs: number) => venueMs - offsetMs() + resetLatenessMs,
    /** The venue was seen to begin a window later than it said. */
    wasLate(nowMs: number): void {
      resetLatenessMs = RESET_LATENESS_MS;
      lateAtMs = nowMs;
    },
    /** Forgets a lateness that was seen long ago. */
    advance(nowMs: number): void {
      if (nowMs - lateAtMs > LATENESS_LIFE_MS) resetLatenessMs = 0;
    },
  };
}

/**
 * Venue minus local clock after one more `Date` header, ms. The header is in whole seconds, cut off
 * (RFC 9110 § 6.6.1), written between sending and receiving: the true offset lies between date −
 * received and date + 1 s − sent. The greatest lower bound is kept: within milliseconds of the
 * truth and never above it, so that no window is taken for ended too early. It starts anew when a
 * header contradicts it (a clock was set back, or the two drift apart).
 *
 * @param knownMs the offset so far; null if there is none
 */
function offsetAfter(knownMs: number | null, header: DateHeader): number {
  const leastMs = header.dateMs - header.receivedAtMs;
  const mostMs = header.dateMs + 1_000 + DATE_LATENESS_MS - header.sentAtMs;
  if (knownMs === null || knownMs > mostMs) return leastMs;
  return Math.max(knownMs, leastMs);
}
