/**
 * The one esbuild configuration of the handlers: the stack bundles with it, and whoever measures bundles
 * (size, cold start) uses it too. No CDK in here, so that a measurement does not pay for loading it.
 */
import { dirname, join } from 'node:path';
import type { BuildOptions } from 'esbuild';

export const PROJECT_ROOT = join(import.meta.dirname, '..');

/**
 * Folder of a handler's bundle in the published package, whose root is `dist`.
 *
 * @param entry Path of the handler from the root: `functions/<name>/handler.ts`.
 */
export function bundledAt(entry: string, root = PROJECT_ROOT): string {
  return join(root, 'handlers', dirname(entry));
}

/** Folder of the web board's files in the published package. */
export function boardBuiltAt(root = PROJECT_ROOT): string {
  return join(root, 'board');
}

/**
 * What a hot verb's bundle should weigh: each 100 KB costs about 15 ms of a cold start, and a claim that meets a
 * cold start waits for all of it.
 */
export const HOT_BUNDLE_BUDGET_BYTES = 320 * 1024;

/**
 * What it may weigh. The budget is missed, at about 467 KB, of which zod is 97 (its `mini` would be some 20),
 * the Secrets Manager client 13, the validation of schemas 20, and identity tokens of people 18, which are read from
 * the disk but run by nobody's cold start. The ceiling keeps what is missed from growing.
 */
export const HOT_BUNDLE_CEILING_BYTES = 480 * 1024;

/**
 * - `format` cjs: loads 5-28 ms faster than ESM with the AWS SDK inside.
 * - `mainFields`: esbuild prefers `main` for Node, which drags in the SDK's CommonJS build, 200 KB more.
 * - `alias`: Lambda's credentials are in the environment; the default chain's other sources are 134 KB.
 */
export const HANDLER_BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'credentials-from-env.ts'),
  },
} as const satisfies BuildOptions;
