/**
 * Whether everything runs (`WALLETBELL_TEST_ALL=true`, as in CI): each scenario on every store,
 * whole programs in every state, benchmarks, and at least eight times as many random cases.
 * Otherwise only one of each.
 */
export const IS_THOROUGH = process.env['WALLETBELL_TEST_ALL'] === 'true';

/**
 * Test files that run only if everything runs, because they take the longest. They cover what no
 * alert passes through, other stores, benchmarks, and whole programs in states that a change seldom
 * affects.
 */
export const ONLY_WHERE_ALL_RUNS: readonly string[] = [
  // Benchmarks.
  'test/bench/came-back.test.ts',
  'test/bench/soak.test.ts',
  'test/e2e/loop-holds.test.ts',
  'test/e2e/loop-holds-large.test.ts',
  'test/poll-policy/bench.test.ts',
  // The sandbox, the local Discord as a program, and their page: a person's first way goes over it.
  'test/demo/demo.test.ts',
  'test/demo/local-discord.test.ts',
  'test/demo/past.test.ts',
  'test/demo-page/looks.test.ts',
  'test/demo-page/modals.test.ts',
  'test/demo-page/page.test.ts',
  'packages/venue-server/test/simulated-world.test.ts',
  'packages/venue-server/test/simulator.test.ts',
  // When the rules of ops/alerts.yml fire; that the bot has their metrics is tested in any case.
  'test/ops/alert-rules.test.ts',
  // Other stores, and stores that are moved or were written by other versions.
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
  // Many failures at once, or long ones.
  'test/e2e/chaos.test.ts',
  'test/e2e/discord-faults.test.ts',
  'test/e2e/later.test.ts',
  'test/e2e/odd-packets.test.ts',
  'test/e2e/persons.test.ts',
  'test/e2e/suspended.test.ts',
  'test/e2e/stalled-log.test.ts',
];

/** Returns all variants of a scenario, or only the necessary ones. */
export function variants<Variant>(
  all: readonly Variant[],
  isNeeded: (variant: Variant) => boolean,
): Variant[] {
  return all.filter((variant) => IS_THOROUGH || isNeeded(variant));
}

/**
 * Returns the number of random cases for fast-check.
 *
 * @param plain number of cases unless everything runs; fewer than an eighth where each is long
 */
export function randomRuns(
  count: number,
  plain = Math.ceil(count / 8),
): { readonly numRuns: number } {
  return { numRuns: IS_THOROUGH ? count : plain };
}

/**
 * Returns a test's time limit in ms. If everything runs, it is at least the one in
 * vitest.config.ts.
 */
export function within(limitMs: number): number {
  return IS_THOROUGH ? Math.max(limitMs, 300_000) : limitMs;
}

/**
 * Node's flags of a bot in its own process: those of `npm start` if everything runs. Otherwise it
 * starts without those that save memory, which costs a fifth less processor time.
 */
export const BOT_FLAGS: { readonly nodeFlags?: readonly string[] } = IS_THOROUGH
  ? {}
  : { nodeFlags: ['--no-concurrent-sparkplug'] };
