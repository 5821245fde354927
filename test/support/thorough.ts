/**
 * Whether everything runs (`WALLETBELL_TEST_ALL=true`, as in CI): each scenario on every store,
 * whole programs in every state, what measures, and eight times as many random cases. Else one of
 * each.
 */
export const IS_THOROUGH = process.env['WALLETBELL_TEST_ALL'] === 'true';

/**
 * Test files that wait until everything runs, because they compute the longest: what no alert goes
 * through, other stores, what measures, and whole programs in a state that a change seldom touches.
 */
export const ONLY_WHERE_ALL_RUNS: readonly string[] = [
  // What measures.
  'test/bench/came-back.test.ts',
  'test/bench/soak.test.ts',
  'test/e2e/loop-holds.test.ts',
  'test/e2e/loop-holds-large.test.ts',
  'test/poll-policy/bench.test.ts',
  // The sandbox and its page.
  'test/demo/past.test.ts',
  'test/demo-page/looks.test.ts',
  'test/demo-page/page.test.ts',
  'packages/venue-server/test/simulated-world.test.ts',
  'packages/venue-server/test/simulator.test.ts',
  // Other stores, and stores that move or were written by others.
  'test/cli/store/copy.test.ts',
  'test/cli/store/moved.test.ts',
  'test/e2e/moved-store.test.ts',
  'test/e2e/other-stores.test.ts',
  'test/e2e/store-stress.test.ts',
  'test/releases/fan-out.test.ts',
  'test/store/postgres.test.ts',
  'test/store/redis.test.ts',
  // Several processes.
  'test/build/processes.test.ts',
  'test/e2e/cluster.test.ts',
  'test/e2e/standby.test.ts',
  'test/e2e/update.test.ts',
  'test/feed/nats/faults.test.ts',
  'test/feed/nats/feed-state.test.ts',
  // Much goes wrong at once, or for long.
  'test/e2e/chaos.test.ts',
  'test/e2e/discord-faults.test.ts',
  'test/e2e/later.test.ts',
  'test/e2e/odd-packets.test.ts',
  'test/e2e/persons.test.ts',
  'test/e2e/resting.test.ts',
  'test/e2e/stalled-log.test.ts',
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

/** A test's limit of time, ms; where everything runs, that of vitest.config.ts at least. */
export function within(limitMs: number): number {
  return IS_THOROUGH ? Math.max(limitMs, 300_000) : limitMs;
}
