/**
 * Whether everything runs (`WALLETBELL_TEST_ALL=true`, as in CI): each scenario on every store,
 * what is about the sandbox and the benches alone, and eight times as many random cases. Else one
 * of each, so that the suite takes two and a half minutes.
 */
export const IS_THOROUGH = process.env['WALLETBELL_TEST_ALL'] === 'true';

/**
 * Test files of what no alert goes through, of other stores, or what measures, and compute the
 * longest: they wait until everything runs.
 */
export const SANDBOX_AND_BENCHES: readonly string[] = [
  'test/bench/came-back.test.ts',
  'test/bench/soak.test.ts',
  'test/build/processes.test.ts',
  'test/e2e/other-stores.test.ts',
  'test/e2e/loop-holds.test.ts',
  'test/poll-policy/bench.test.ts',
  'test/demo/past.test.ts',
  'test/demo-page/looks.test.ts',
  'test/demo-page/page.test.ts',
  'packages/venue-server/test/simulated-world.test.ts',
  'packages/venue-server/test/simulator.test.ts',
];

/** All variants of a scenario, or only those that are like no other. */
export function variants<Variant>(
  all: readonly Variant[],
  isNeeded: (variant: Variant) => boolean,
): Variant[] {
  return all.filter((variant) => IS_THOROUGH || isNeeded(variant));
}

/** For fast-check: so many random cases, an eighth of them where not everything runs. */
export function randomRuns(count: number): { readonly numRuns: number } {
  return { numRuns: IS_THOROUGH ? count : Math.ceil(count / 8) };
}
