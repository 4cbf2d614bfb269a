import { FUNCTIONS, type FunctionName } from '../functions/manifest.ts';
import type { RoutedFunction } from './gateway.ts';
import type { Handler } from './lambda.ts';

/**
 * Imports every handler of the manifest. They read the environment as they load, so it has to be set before.
 *
 * @throws Error naming the file that exports no `handler`.
 */
export async function loadFunctions(): Promise<Record<FunctionName, RoutedFunction>> {
  const names = Object.keys(FUNCTIONS).filter(isFunctionName);
  const loaded = await Promise.all(names.map(async (name) => [name, await loadFunction(name)] as const));
  return Object.fromEntries(loaded) as Record<FunctionName, RoutedFunction>;
}

async function loadFunction(name: FunctionName): Promise<RoutedFunction> {
  const { entry, routes, timeoutSeconds, memoryMb } = FUNCTIONS[name];
  const module: unknown = await import(new URL(`../${entry}`, import.meta.url).href);
  if (!exportsHandler(module)) throw new Error(`${entry} exports no function named "handler".`);
  return { name, routes, timeoutSeconds, memoryMb, handler: module.handler };
}

function isFunctionName(name: string): name is FunctionName {
  return name in FUNCTIONS;
}

function exportsHandler(module: unknown): module is { handler: Handler } {
  return (
    typeof module === 'object' &&
    module !== null &&
    'handler' in module &&
    typeof module.handler === 'function'
  );
}
