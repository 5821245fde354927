/** A snowflake that is off by more than this against the venue's clock does not tell the time of the press. */
const PLAUSIBLE_MS = 120_000;
const DAY_MS = 86_400_000;

export interface Clocks {
  /** When Discord says the command was sent, epoch ms. */
  readonly sentAtMs: number;
  readonly venue: VenueClock;
}

/** What is known of the venue's clock. */
export interface VenueClock {
  /** Epoch ms; this machine's clock if it is not known. */
  readonly nowMs: number;
  /** Whether a response has told it, and it was believed. */
  readonly isKnown: boolean;
  /** What responses say, epoch ms, believed or not; null if none has said it. */
  readonly reportedMs: number | null;
}

/**
 * From when on a new watch announces, Unix seconds: the moment at which the person sent the command. Discord's clock
 * tells it best, also if the venue is down or this machine's clock is wrong; where it contradicts the venue's, which
 * stamps the items, the venue's counts. Of three clocks that are a day apart the odd one out does not: a watch that
 * began years ahead would never ring.
 */
export function watchSince({ sentAtMs, venue }: Clocks): number {
  const isNear = (clockMs: number, toleranceMs: number) => Math.abs(sentAtMs - clockMs) <= toleranceMs;
  const isPlausible = venue.isKnown
    ? isNear(venue.nowMs, PLAUSIBLE_MS)
    : isNear(venue.nowMs, DAY_MS) || (venue.reportedMs !== null && isNear(venue.reportedMs, DAY_MS));
  return Math.floor((isPlausible ? sentAtMs : venue.nowMs) / 1000);
}
