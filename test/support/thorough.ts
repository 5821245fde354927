/**
 * Whether everything runs (`WALLETBELL_TEST_ALL=true`, as in CI): each scenario on every store, and four times as many random cases.
 * Else one of each, so that the suite takes two and a half minutes.
 */
export const IS_THOROUGH = process.env['WALLETBELL_TEST_ALL'] === 'true';

/** All variants of a scenario, or only those that are like no other. */
export function variants<Variant>(all: readonly Variant[], isNeeded: (variant: Variant) => boolean): Variant[] {
  return all.filter((variant) => IS_THOROUGH || isNeeded(variant));
}

/** For fast-check: so many random cases, a quarter of them where not everything runs. */
export function randomRuns(count: number): { readonly numRuns: number } {
  return { numRuns: IS_THOROUGH ? count : Math.ceil(count / 4) };
}
