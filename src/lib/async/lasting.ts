/**
 * Distinguishes lasting conditions from single sightings.
 *
 * @param limitMs duration after which a series counts as lasting, in ms
 * @param silentMs time without a sighting that ends a series, in ms
 * @param monotonicMs a clock that never jumps, in ms
 */
export function createSightings(limitMs: number, silentMs: number, monotonicMs: () => number) {
  let row: { readonly sinceMs: number; readonly seenMs: number } | null = null;
  return {
    /**
     * Records a sighting.
     *
     * @returns whether it is the first of a series, and whether the series has lasted for the limit
     */
    seen() {
      const now = monotonicMs();
      const isFirst = row === null || now - row.seenMs > silentMs;
      row = { sinceMs: row === null || isFirst ? now : row.sinceMs, seenMs: now };
      return { isFirst, hasLasted: now - row.sinceMs >= limitMs };
    },
    /** Ends the series; the next sighting begins a new one. */
    over() {
      row = null;
    },
  };
}
