/** Every function of the manifest that the table's stream starts, started by it. */
import { join } from 'node:path';
import { FUNCTIONS, type FunctionName, type FunctionSpec } from '../functions/manifest.ts';
import type { ErrorLog } from './http-server.ts';
import type { LocalFunction } from './lambda.ts';
import { startStreamTrigger, type RunningTrigger } from './stream-trigger.ts';

export interface StreamPlace {
  readonly endpoint: string;
  readonly tableName: string;
  /** Where the places in the stream are kept; null for memory. */
  readonly directory: string | null;
  readonly logError: ErrorLog;
}

export async function startStreamTriggers(
  functions: Readonly<Record<FunctionName, LocalFunction>>,
  { directory, ...place }: StreamPlace,
): Promise<RunningTrigger[]> {
  const specs: [FunctionName, FunctionSpec][] = Object.entries(FUNCTIONS) as [FunctionName, FunctionSpec][];
  const started = specs.map(async ([name, { stream }]) => {
    if (stream === null) return [];
    const checkpointFile = directory === null ? null : join(directory, `${name}-checkpoint.json`);
    const target = functions[name];
    return [await startStreamTrigger({ ...place, target, trigger: stream, checkpointFile })];
  });
  return (await Promise.all(started)).flat();
}
