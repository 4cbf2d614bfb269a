import { defineConfig } from 'vitest/config';

/** Two files at once: the tests share two cores with the DynamoDB Local that `global-setup` starts. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', 'test/support/closing-line-reporter.ts'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
