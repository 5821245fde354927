import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/bot-bundle.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 3,
    // No part of the product has state of its own outside of what creates it, so that test files need not be kept apart.
    isolate: false,
  },
});
