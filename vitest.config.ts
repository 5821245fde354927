import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_THOROUGH, SANDBOX_AND_BENCHES } from './test/support/thorough.ts';

/** What takes longest, one test after the other, and waits most of the time. */
const LONGEST =
  /\/test\/(?:e2e\/(?:later|standby|cluster|resting|discord-faults)|feed\/(?:nats\/(?:faults|feed-state)|contract)|demo-page\/site)\./;
/** Where whole programs run: half of such a test is waiting, for a poll, a retry or a page. */
const WAITING = /\/test\/(?:build|cli|e2e|feed\/nats|demo-page|ops|store)\//;
/** Those of them that take longest: before a first run has measured them only sizes are known. */
const LONG =
  /\/(?:bot|chaos|copy|crash|edits|insight|loop-watch|persons|postgres|results|store-stress|welcome)\.test\.ts$/;

/**
 * Between which parts of what computes the rest of what waits begins: what computes fills both
 * cores beside the longest, and in the end.
 */
const WAITING_BEGINS = { from: 0.2, to: 0.8 };

/** Begins with the longest, and lets what computes run beside what waits. */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const others = sorted.filter(({ moduleId }) => !LONGEST.test(moduleId));
    const [waiting, computing] = [true, false].map((isWaiting) =>
      others.filter(({ moduleId }) => WAITING.test(moduleId) === isWaiting),
    );
    const placesOf = (list: TestSpecification[] = [], { from, to } = { from: 0, to: 1 }) =>
      list.map((file, index) => ({ file, place: from + ((to - from) * index) / list.length }));
    const longFirst = waiting?.toSorted(
      (a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)),
    );
    const places = [...placesOf(longFirst, WAITING_BEGINS), ...placesOf(computing)];
    const mixed = places.toSorted((a, b) => a.place - b.place).map(({ file }) => file);
    return [...sorted.filter(({ moduleId }) => LONGEST.test(moduleId)), ...mixed];
  }
}

// Local time differs from UTC, and changes in summer: what mixes them up is found.
process.env['TZ'] = 'Europe/Berlin';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    exclude: IS_THOROUGH ? [] : [...SANDBOX_AND_BENCHES],
    globalSetup: 'test/support/built.ts',
    // Eight times as many random cases take their time where ten files share two cores.
    testTimeout: IS_THOROUGH ? 300_000 : 60_000,
    hookTimeout: 30_000,
    // Each loads the whole bot, some two seconds of a core; with fewer, cores idle where tests wait.
    maxWorkers: 12,
    // Short-lived objects get room: collecting them takes a tenth of the time otherwise.
    execArgv: ['--max-semi-space-size=32'],
    sequence: { sequencer: Mixed },
    // No part of the product has state of its own outside of what creates it, so that test files need not be kept apart.
    isolate: false,
  },
});
