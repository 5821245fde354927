import type { Feed } from '../feed/interface.ts';

/** If the time of a command's snowflake differs by more from the venue's clock, it is not believed. */
const PLAUSIBLE_MS = 120_000;
const DAY_MS = 86_400_000;

/**
 * `sinceSeconds` of a new watch, Unix seconds: when the command was sent, by Discord's clock. That also works while the venue
 * is down or this machine's clock is wrong. If it differs from the venue's clock, which stamps the items, by more than two
 * minutes, the venue's counts. While the venue's is unknown, Discord's counts if it is within a day of this machine's or of
 * the reported one: a watch with a start years ahead would never announce anything.
 *
 * @param sentAtMs when Discord says the command was sent, epoch ms
 */
export function watchSince(
  sentAtMs: number,
  clock: Pick<Feed['budget'], 'venueNowMs' | 'skewKnown' | 'reportedNowMs'>,
): number {
  const [nowMs, reportedMs] = [clock.venueNowMs(), clock.reportedNowMs()];
  const isNear = (clockMs: number, toleranceMs: number) => Math.abs(sentAtMs - clockMs) <= toleranceMs;
  const isPlausible = clock.skewKnown
    ? isNear(nowMs, PLAUSIBLE_MS)
    : isNear(nowMs, DAY_MS) || (reportedMs !== null && isNear(reportedMs, DAY_MS));
  return Math.floor((isPlausible ? sentAtMs : nowMs) / 1000);
}
