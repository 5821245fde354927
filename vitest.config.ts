import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_THOROUGH, ONLY_WHERE_ALL_RUNS } from './test/support/thorough.ts';

// By hand: the order in which test files begin. On two cores vitest's own (the longest of the last run first) lets the tests
// that wait for polls and retries begin together: first both cores idle, in the end they compute one file each. So
// 1. the longest files begin first (LONGEST), 2. what computes runs beside them from the first, 3. the rest of what waits
// begins in between (WAITING_BEGINS), its long ones first (LONG), since before a first run only sizes are known, and
// 4. a new file counts as computing unless its folder is in WAITING. Without it a whole run takes longer, never another result.

/** What takes longest, one test after the other, and waits most of the time. */
const LONGEST =
  /\/test\/(?:e2e\/(?:later|standby|cluster|suspended|discord-faults)|feed\/(?:nats\/(?:faults|feed-state)|contract)|demo-page\/site)\./;
/** Where whole programs run: half of such a test is waiting, for a poll, a retry or a page. */
const WAITING = /\/test\/(?:build|cli|e2e|feed\/nats|demo-page|ops|releases|store)\//;
/** Those of them that take longest: before a first run has measured them only sizes are known. */
const LONG =
  /\/(?:bot|chaos|copy|crash|edits|fan-out|insight|loop-watch|persons|postgres|results|store-stress|welcome)\.test\.ts$/;

/**
 * Between which parts of what computes the rest of what waits begins: what computes fills both
 * cores beside the longest, and in the end.
 */
const WAITING_BEGINS = { from: 0.2, to: 0.8 };

/** Begins with the longest, and lets what computes run beside what waits. */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const kindOf = ({ moduleId }: TestSpecification) => {
      if (LONGEST.test(moduleId)) return 'longest';
      if (!WAITING.test(moduleId)) return 'computing';
      return LONG.test(moduleId) ? 'long' : 'waiting';
    };
    const ofKind = (kind: ReturnType<typeof kindOf>) =>
      sorted.filter((file) => kindOf(file) === kind);
    const placesOf = (list: TestSpecification[], { from, to }: typeof WAITING_BEGINS) =>
      list.map((file, index) => ({ file, place: from + ((to - from) * index) / list.length }));
    const places = [
      ...placesOf([...ofKind('long'), ...ofKind('waiting')], WAITING_BEGINS),
      ...placesOf(ofKind('computing'), { from: 0, to: 1 }),
    ];
    const mixed = places.toSorted((a, b) => a.place - b.place).map(({ file }) => file);
    return [...ofKind('longest'), ...mixed];
  }
}

// Local time differs from UTC, and changes in summer: what mixes them up is found.
process.env['TZ'] = 'Europe/Berlin';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    exclude: IS_THOROUGH ? [] : [...ONLY_WHERE_ALL_RUNS],
    globalSetup: 'test/support/built.ts',
    setupFiles: 'test/support/seed.ts',
    // Eight times as many random cases take their time where several files share two cores.
    testTimeout: IS_THOROUGH ? 300_000 : 60_000,
    hookTimeout: IS_THOROUGH ? 120_000 : 30_000,
    // How long to look again for what has to come: generous, for a busy machine.
    expect: { poll: { timeout: IS_THOROUGH ? 60_000 : 20_000 } },
    // Each loads the whole bot, some two seconds of a core; with fewer, cores idle where tests wait.
    // Where everything runs, most of it computes, and more of them only make each test slower.
    maxWorkers: IS_THOROUGH ? 6 : 8,
    // Short-lived objects get room: collecting them takes a tenth of the time otherwise.
    execArgv: ['--max-semi-space-size=32'],
    sequence: { sequencer: Mixed },
    // No part of the product has state of its own outside of what creates it, so that test files need not be kept apart.
    isolate: false,
  },
});
