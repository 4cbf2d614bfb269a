/**
 * Where a function's code comes from. In the published package the handlers lie bundled beside this library; in a
 * checkout they are bundled as the stack is synthesized. Both by the same configuration.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Code, Function as LambdaFunction, type FunctionProps } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat, type BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { bundledAt, HANDLER_BUNDLE, PROJECT_ROOT } from './bundling.ts';

/** The SDK goes into the bundle: the runtime's copy is another version and loads slower. */
const BUNDLING: BundlingOptions = {
  bundleAwsSDK: true,
  format: OutputFormat.CJS,
  minify: HANDLER_BUNDLE.minify,
  target: HANDLER_BUNDLE.target,
  mainFields: [...HANDLER_BUNDLE.mainFields],
  esbuildArgs: Object.fromEntries(
    Object.entries(HANDLER_BUNDLE.alias).map(([module, file]) => [`--alias:${module}`, file]),
  ),
};

/** @param entry Path of the handler from the project's root. */
export function handlerFunction(
  scope: Construct,
  id: string,
  entry: string,
  props: Omit<FunctionProps, 'code' | 'handler'>,
): LambdaFunction {
  const bundled = bundledAt(entry);
  if (existsSync(bundled)) {
    return new LambdaFunction(scope, id, {
      ...props,
      code: Code.fromAsset(bundled),
      handler: 'index.handler',
    });
  }
  return new NodejsFunction(scope, id, {
    ...props,
    entry: join(PROJECT_ROOT, entry),
    projectRoot: PROJECT_ROOT,
    depsLockFilePath: join(PROJECT_ROOT, 'package-lock.json'),
    bundling: BUNDLING,
  });
}
