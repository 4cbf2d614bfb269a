/** One of the threads of `npm run sim`: seed after seed until the time is up and enough are done. */
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { runSeed } from './run-seed.ts';

const { base, until, least } = z
  .object({ base: z.string(), until: z.number(), least: z.number() })
  .parse(workerData);

// Refusals are common, and each would note where it came from: `--only SEED` tells where.
Error.stackTraceLimit = 0;

for (let number = 0; Date.now() < until || number < least; number += 1) {
  const told = await runSeed(`${base}-${number}`);
  parentPort?.postMessage(told, []);
}
