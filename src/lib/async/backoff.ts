/**
 * Returns an exponential back-off with jitter, in ms: min(limit, first · 2ⁿ) times a factor between
 * a half and one, so that clients that failed together do not retry together.
 *
 * @param attempt n, 0 after the first failure
 * @param random as `Math.random`
 */
export function backOffMs(
  attempt: number,
  firstMs: number,
  limitMs: number,
  random: () => number,
): number {
  return Math.min(limitMs, firstMs * 2 ** attempt) * (0.5 + random() / 2);
}
