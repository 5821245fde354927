/**
 * Tells what lasts from what is seen once.
 *
 * @param limitMs how long a row must last
 * @param silentMs a row ends when nothing is seen for this long
 * @param monotonicMs a clock that never jumps, ms
 */
export function createSightings(limitMs: number, silentMs: number, monotonicMs: () => number) {
  let row: { readonly sinceMs: number; readonly seenMs: number } | null = null;
  return {
    /**
     * Notes that it is seen now.
     *
     * @returns whether that is the first time of a row, and whether the row has lasted the limit
     */
    seen() {
      const now = monotonicMs();
      const isFirst = row === null || now - row.seenMs > silentMs;
      row = { sinceMs: row === null || isFirst ? now : row.sinceMs, seenMs: now };
      return { isFirst, hasLasted: now - row.sinceMs >= limitMs };
    },
    /** Notes that it is over: the next sighting begins a row. */
    over() {
      row = null;
    },
  };
}
