import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, one test after the other, and waits most of the time. */
const LONGEST =
  /\/test\/(?:e2e\/(?:standby|cluster|crash|discord-faults|chaos|persons)|feed\/nats\/faults|feed\/contract)\./;
/** Where whole programs run: half of such a test is waiting, for a poll, a retry or a page. */
const WAITING = /\/test\/(?:build|cli|e2e|feed\/nats|sandbox-page|store)\//;

/** Begins with what waits, so that no long test is left over at the end, when the others have nothing to fill it with. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const turn = ({ moduleId }: TestSpecification) => (LONGEST.test(moduleId) ? 0 : WAITING.test(moduleId) ? 1 : 2);
    return sorted.toSorted((a, b) => turn(a) - turn(b));
  }
}

// Local time differs from UTC, and changes in summer: what mixes them up is found.
process.env['TZ'] = 'Europe/Berlin';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/built.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 5,
    sequence: { sequencer: WaitingFirst },
    // No part of the product has state of its own outside of what creates it, so that test files need not be kept apart.
    isolate: false,
  },
});
