/**
 * Whether an endpoint may be polled again (POLL_MIN_SECONDS).
 *
 * @param sinceSeconds time since it was last picked; NaN: it never was; below 0: the clock was set back, which must not silence it
 */
export function hasRested(sinceSeconds: number, pollMinSeconds: number): boolean {
  return !(sinceSeconds >= 0 && sinceSeconds < pollMinSeconds);
}
