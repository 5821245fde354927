/**
 * Returns the smallest value that at least this share of the values does not exceed (nearest rank);
 * NaN if there are no values.
 *
 * @param sorted ascending
 * @param share above 0 and up to 1; 0.5 is the median
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
