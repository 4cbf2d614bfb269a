import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Each file has a process of its own, and all of them load the same libraries: compiled once, not once a file. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

/** Stories that kill processes, restart whole systems or race for long: `npm run test:slow`. */
const SLOW = 'test/**/*.slow.test.ts';

/** Two files at once: the tests share two cores with the DynamoDB Local that `global-setup` starts. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [SLOW] } },
      { extends: true, test: { name: 'slow', include: [SLOW] } },
    ],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', 'test/support/closing-line-reporter.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
