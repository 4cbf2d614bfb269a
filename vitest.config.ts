import { defineConfig } from 'vitest/config';

/** Two files at once: the tests share two cores with the DynamoDB Local that `global-setup` starts. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', 'test/support/closing-line-reporter.ts'],
    maxWorkers: 2,
    // Two noisy cores under a database and a fleet of workers: a starved story is told again,
    // and a wrong assertion fails each time.
    retry: process.env['CI'] === undefined ? 0 : 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
