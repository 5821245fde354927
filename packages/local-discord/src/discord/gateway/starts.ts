const DAY_MS = 86_400_000;

export interface SessionStartLimits {
  /** IDENTIFYs allowed per `identifyWindowMs`. */
  readonly maxConcurrency: number;
  readonly identifyWindowMs: number;
  /** IDENTIFYs allowed per day. */
  readonly sessionStartTotal: number;
}

export type SessionStarts = ReturnType<typeof createSessionStarts>;

/** Creates a counter of session starts (events/gateway.mdx, "Session Start Limit Object"). */
export function createSessionStarts(now: () => number, limits: SessionStartLimits) {
  let timesMs: number[] = [];

  function within(windowMs: number): number[] {
    return timesMs.filter((atMs) => now() - atMs < windowMs);
  }

  return {
    /** Counts a start unless there are too many within `identifyWindowMs` or a day. */
    take(): 'accepted' | 'tooSoon' | 'tooMany' {
      timesMs = within(Math.max(DAY_MS, limits.identifyWindowMs));
      if (within(limits.identifyWindowMs).length >= limits.maxConcurrency) return 'tooSoon';
      if (within(DAY_MS).length >= limits.sessionStartTotal) return 'tooMany';
      timesMs.push(now());
      return 'accepted';
    },
    /** Returns the data of the object in `GET /gateway/bot`. */
    left() {
      const starts = within(DAY_MS);
      return {
        total: limits.sessionStartTotal,
        remaining: Math.max(0, limits.sessionStartTotal - starts.length),
        resetAfterMs: starts[0] === undefined ? DAY_MS : starts[0] + DAY_MS - now(),
        maxConcurrency: limits.maxConcurrency,
      };
    },
  };
}
