const MEMORY_SECONDS = 60;

/** Polls a second, from the picks themselves: the schedule does not know the request budget, which may change at any time. */
export function createPace() {
  let clock = Number.NaN;
  let waiting = 0;
  let picks = 0;
  let seconds = 0;
  return {
    count(nowSeconds: number, count: number): void {
      const elapsed = nowSeconds - clock;
      if (elapsed > 0) {
        const keep = Math.exp(-elapsed / MEMORY_SECONDS);
        // Picks of one moment are spread over the time until the next.
        picks = picks * keep + waiting;
        seconds = seconds * keep + elapsed;
        waiting = 0;
      }
      if (!(elapsed <= 0)) clock = nowSeconds;
      waiting += count;
    },
    /** Picks a second over about the last minute; null before there is anything to measure. */
    perSecond: (): number | null => (seconds > 0 && picks > 0 ? picks / seconds : null),
  };
}
