import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where whole programs run: half of such a test is waiting, for a poll, a retry or a page. */
const WAITING = /\/test\/(?:build|cli|e2e|sandbox-page|store)\//;

/** Begins with what waits, so that no long test is left over at the end, when the others have nothing to fill it with. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => (WAITING.test(moduleId) ? 0 : 1);
    return sorted.toSorted((a, b) => waits(a) - waits(b));
  }
}

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
