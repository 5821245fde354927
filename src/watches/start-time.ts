/** If the time of a command's snowflake differs by more from the venue's clock, it is not believed. */
const PLAUSIBLE_MS = 120_000;
const DAY_MS = 86_400_000;

/** What is known of the venue's clock. */
export interface VenueClock {
  /** Epoch ms; this machine's clock if it is not known. */
  readonly nowMs: number;
  /** Whether it comes from a response. */
  readonly isKnown: boolean;
  /** By the newest response, epoch ms, also if it was not believed; null if there was none. */
  readonly reportedMs: number | null;
}

/**
 * `sinceSeconds` of a new watch, Unix seconds: when the command was sent, by Discord's clock. That also works while the venue
 * is down or this machine's clock is wrong. If it differs from the venue's clock, which stamps the items, by more than two
 * minutes, the venue's counts. While the venue's is unknown, Discord's counts if it is within a day of this machine's or of
 * the reported one: a watch with a start years ahead would never announce anything.
 *
 * @param clocks `sentAtMs`: when Discord says the command was sent, epoch ms
 */
export function watchSince({ sentAtMs, venue }: { readonly sentAtMs: number; readonly venue: VenueClock }): number {
  const isNear = (clockMs: number, toleranceMs: number) => Math.abs(sentAtMs - clockMs) <= toleranceMs;
  const isPlausible = venue.isKnown
    ? isNear(venue.nowMs, PLAUSIBLE_MS)
    : isNear(venue.nowMs, DAY_MS) || (venue.reportedMs !== null && isNear(venue.reportedMs, DAY_MS));
  return Math.floor((isPlausible ? sentAtMs : venue.nowMs) / 1000);
}
