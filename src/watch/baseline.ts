/** A snowflake that is off by more than this against the venue's clock does not tell the time of the press. */
const PLAUSIBLE_MS = 120_000;
const DAY_MS = 86_400_000;

export interface Clocks {
  /** When Discord says the command was sent, epoch ms. */
  readonly sentAtMs: number;
  /** The venue's clock, epoch ms, and whether a response has told it yet. */
  readonly venue: { readonly nowMs: number; readonly isKnown: boolean };
}

/**
 * From when on a new watch announces, Unix seconds: the moment at which the person sent the command. Discord's clock
 * tells it best, also if the venue is down or this machine's clock is wrong; where it contradicts the venue's, which
 * stamps the items, the venue's counts.
 */
export function watchSince({ sentAtMs, venue }: Clocks): number {
  const toleranceMs = venue.isKnown ? PLAUSIBLE_MS : DAY_MS;
  const isPlausible = Math.abs(sentAtMs - venue.nowMs) <= toleranceMs;
  return Math.floor((isPlausible ? sentAtMs : venue.nowMs) / 1000);
}
