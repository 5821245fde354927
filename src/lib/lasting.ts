/** Something that is seen again and again. */
export interface Sightings {
  /** It is seen now. @returns whether that is the first time of a row, and whether the row has lasted for the limit */
  seen(): { readonly isFirst: boolean; readonly hasLasted: boolean };
  /** It is over: the next sighting begins a row. */
  over(): void;
}

/**
 * Tells what lasts from what is seen once.
 *
 * @param limitMs how long a row must last
 * @param silentMs a row ends when nothing is seen for this long
 * @param monotonicMs a clock that never jumps, ms
 */
export function createSightings(limitMs: number, silentMs: number, monotonicMs: () => number): Sightings {
  let row: { readonly sinceMs: number; readonly seenMs: number } | null = null;
  return {
    seen() {
      const now = monotonicMs();
      const isFirst = row === null || now - row.seenMs > silentMs;
      row = { sinceMs: row === null || isFirst ? now : row.sinceMs, seenMs: now };
      return { isFirst, hasLasted: now - row.sinceMs >= limitMs };
    },
    over() {
      row = null;
    },
  };
}
